internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

// Keyed archives of emitter layers. Core Animation publishes no keys. They are assumed to be the
// names of the properties, as in archives of other layers.

/// A cell of an emitter layer, with the layer, whose properties multiply the properties of the cell.
struct CoreAnimationCell {
  let cell: ArchivedObject
  let layer: ArchivedObject?

  func number(_ key: String, _ standard: Double = 0) -> Double { cell.number(key, standard) }

  /// A number with its range to both sides, times the factor of the layer.
  func value(_ key: String, _ standard: Double = 0, times factor: Double = 1) -> Value {
    let scale = (layer?.number(key, 1) ?? 1) * factor
    return Value(
      center: (number(key, standard) * scale).rounded,
      halfWidth: (number(key + "Range") * scale).rounded)
  }
}

enum CoreAnimationFormat {
  static let layerClass = "CAEmitterLayer"
  static let cellClass = "CAEmitterCell"

  static let table = SourceTable<CoreAnimationCell>(
    rows: emission + motion + look,
    sources: [
      ("apple", "Apple's documentation of `CAEmitterLayer` and `CAEmitterCell`"),
      ("assumed", "undocumented"),
    ])

  private static let emission: [SourceRow<CoreAnimationCell>] = [
    SourceRow(
      ["birthRate"], "emission.rate", "exact, times the rate of the layer", from: "apple",
      decode: { $1.emission.rate = .constant(max($0.value("birthRate").mean, 0)) }),
    SourceRow(
      ["lifetime", "lifetimeRange"], "lifetime", "exact: a range to both sides", from: "apple",
      decode: { $1.lifetime = $0.value("lifetime") }),
    SourceRow(
      ["beginTime", "duration"], "timing.delay, timing.duration", "exact, endless if infinite",
      from: "apple",
      decode: { cell, emitter in
        emitter.timing.delay = .constant(max(cell.number("beginTime"), 0))
        guard let duration = cell.cell.double("duration"), duration > 0, duration < 1e9 else {
          return
        }
        emitter.timing.duration = .constant(duration)
      }),
    SourceRow(
      ["enabled"], "enabled", from: "apple",
      decode: { $1.enabled = $0.cell.bool("enabled") ?? true }),
    SourceRow(
      ["emitterPosition", "emitterZPosition"], "transform.translation", "exact, y upwards",
      from: "apple",
      decode: { cell, emitter throws(Failure) in
        guard let layer = cell.layer else { return }
        let place = try layer.geometry("emitterPosition", count: 2) ?? [0, 0]
        emitter.transform.translation = Vector(
          place[0], 0 - place[1], layer.number("emitterZPosition", 0))
      }),
    SourceRow(
      ["emitterShape", "emitterMode", "emitterSize", "emitterDepth"], "shape",
      "point, line, rectangle, circle, cuboid and sphere, by volume, surface and outline",
      from: "apple",
      decode: { reader, emitter throws(Failure) in emitter.shape = try shape(of: reader) }),
    SourceRow(
      ["emitterCells"], "triggers",
      "particles emit the cells of their cell at the `birthRate` of these, nested up to 8 levels",
      from: "apple"),
  ]

  private static let motion: [SourceRow<CoreAnimationCell>] = [
    SourceRow(
      ["velocity", "velocityRange"], "launch.speed", from: "apple",
      decode: { $1.launch.speed = $0.value("velocity") }),
    SourceRow(
      ["emissionLongitude", "emissionLatitude"], "launch.direction",
      "exact: the angle from +x, clockwise, and that out of the plane", from: "apple",
      decode: { $1.launch.direction = direction(of: $0.cell) }),
    SourceRow(
      ["emissionRange"], "launch.spread", "assumed: the whole angle of the cone", from: "assumed",
      decode: { $1.launch.spread = min($0.cell.angle("emissionRange").magnitude / 2, 180).rounded }),
    SourceRow(
      ["xAcceleration", "yAcceleration", "zAcceleration"], "forces: gravity", "exact, y upwards",
      from: "apple",
      decode: { cell, emitter in
        let force = Vector(
          cell.number("xAcceleration"), 0 - cell.number("yAcceleration"),
          cell.number("zAcceleration"))
        if force != .zero { emitter.forces.append(.gravity(force)) }
      }),
    SourceRow(
      ["spin", "spinRange"], "rotation.velocity", "exact, counter-clockwise", from: "apple",
      decode: { cell, emitter in
        let spin = cell.value("spin").spread
        emitter.rotation.velocity = Track(
          Value(
            center: 0 - Angle.degrees(spin.center), halfWidth: Angle.degrees(spin.half)))
      }),
  ]

  private static let look: [SourceRow<CoreAnimationCell>] = [
    SourceRow(
      ["scale", "scaleRange", "scaleSpeed", "contentsScale"], "size.width",
      "exact, a factor of the image and its change per second", from: "apple",
      decode: { cell, emitter in
        let pixels = cell.number("contentsScale", 1)
        let factor = pixels > 0 ? 1 / pixels : 1
        emitter.size.mode = .textureScale
        emitter.size.width = Track(
          from: cell.value("scale", 1, times: factor),
          rate: .constant((cell.number("scaleSpeed") * factor).rounded))
      }),
    SourceRow(
      ["color"] + channels.flatMap { ["\($0)Range", "\($0)Speed"] }, "color.base",
      "exact: a colour with a range to both sides and a change per second", from: "apple",
      decode: { reader, emitter throws(Failure) in emitter.color.base = try color(of: reader.cell) }
    ),
    SourceRow(
      ["contents"], "sprites", "assumed: the bytes or the name of an image", from: "assumed"),
    SourceRow(
      ["renderMode"], "render.sort, render.blend",
      "unordered, oldestFirst, oldestLast, backToFront, additive", from: "apple",
      decode: { cell, emitter in
        let mode = cell.layer?.string("renderMode") ?? "unordered"
        let sorts: [String: SortMode] = [
          "unordered": .none, "oldestFirst": .oldestFirst, "oldestLast": .youngestFirst,
          "backToFront": .depth, "additive": .none,
        ]
        emitter.render.sort = sorts[mode] ?? .none
        if mode == "additive" { emitter.render.blend = Emitter.Blend(.add) }
      }),
    SourceRow(["name"], "name of the emitter", from: "apple"),
    SourceRow(["seed"], "seed", "the seed of the first layer", from: "apple"),
    SourceRow(
      ["sublayers"], "", "emitter layers in them are read, nested up to 8 levels", from: "apple"),
  ]

  private static let channels = ["red", "green", "blue", "alpha"]

  private static func direction(of cell: ArchivedObject) -> Direction {
    let (longitude, latitude) = (cell.angle("emissionLongitude"), cell.angle("emissionLatitude"))
    guard latitude != 0 else { return Direction(angle: .constant((0 - longitude).rounded)) }
    let (flat, z) = Angle.turned(1, 0, by: latitude)
    let (x, y) = Angle.turned(flat, 0, by: 0 - longitude)
    return Direction(vector: Vector(x.rounded, y.rounded, z.rounded))
  }

  private static func color(of cell: ArchivedObject) throws(Failure) -> ColorTrack {
    let color = try cell.object("color")?.color() ?? .white
    let half = Color(channels.map { cell.number("\($0)Range", 0).magnitude })
    let speed = channels.map { cell.number("\($0)Speed", 0) }
    var track = ColorTrack(
      half == Color(0, 0, 0, 0) ? .constant(color) : CodeColor.range(color, half))
    track.rate = ColorRate(speed[0], speed[1], speed[2], speed[3])
    return track
  }

  private static func shape(of cell: CoreAnimationCell) throws(Failure) -> Shape {
    guard let layer = cell.layer else { return Shape() }
    let size = try layer.geometry("emitterSize", count: 2) ?? [0, 0]
    let depth = layer.number("emitterDepth", 0)
    var shape = Shape()
    let name = layer.string("emitterShape") ?? "point"
    switch name {
    case "point": return shape
    case "line": shape = .rect(width: size[0].magnitude, height: 0)
    case "rectangle": shape = .rect(width: size[0].magnitude, height: size[1].magnitude)
    case "circle":
      shape = .ellipse(size[0].magnitude, size[0].magnitude)
    case "cuboid":
      shape = .box(Vector(size[0].magnitude, size[1].magnitude, depth.magnitude))
    case "sphere":
      shape = .sphere(radius: size[0].magnitude)
    default:
      layer.note(.emitterValue, "emitterShape", "particles start at a point", found: name.excerpt)
      return shape
    }
    let mode = layer.string("emitterMode") ?? "volume"
    let isFlat = [.rect, .ellipse].contains(shape.kind)
    switch mode {
    case "volume": break
    case "surface": if !isFlat { shape.placement = .surface }
    case "outline": shape.placement = .edge
    case "points": shape.placement = .vertices
    default:
      layer.note(.emitterValue, "emitterMode", "the whole shape emits", found: mode.excerpt)
    }
    return shape
  }

  static func decode(_ bytes: [UInt8], _ context: DecodingContext) throws(Failure) -> Imported {
    let reader = ArchiveReader(limits: context.limits)
    let root = try reader.open(bytes)
    var import_ = CoreAnimationImport(context: context, report: { reader.report($0) })
    try import_.search(root, depth: 0)
    guard !import_.system.emitters.isEmpty else {
      throw Diagnostic(
        .archiveRoot, at: .key("$top.root"), expected: "\(layerClass) or \(cellClass) with cells",
        found: root.className?.excerpt ?? root.archive.value(at: root.index).kind)
    }
    if context.keepsSource {
      import_.system.keepSource(bytes, of: "caemitter", context, bag: .object(JSONObject()))
    }
    return Imported(
      system: import_.system, images: import_.images.files, sourceName: context.fileName,
      source: bytes, diagnostics: reader.diagnostics)
  }

  static func isKnown(_ archive: KeyedArchive) -> Bool {
    ["CALayer", layerClass, cellClass].contains { archive.object(archive.root, isA: $0) }
  }
}

/// The emitters of an archive, as they are found.
private struct CoreAnimationImport {
  var system = ParticleSystem()
  var images: ImportedImages
  private var seen: Set<KeyedArchive.Index> = []

  init(context: DecodingContext, report: @escaping (Diagnostic) -> Void) {
    images = ImportedImages(context: context, report: report)
    system.asset.name = Files.stem(of: context.fileName)
    (system.asset.dimension, system.asset.unit) = (.plane, .point)
  }

  /// Adds the cells of emitter layers at and below an object.
  mutating func search(_ object: ArchivedObject, depth: Int) throws(Failure) {
    guard depth <= 8, seen.insert(object.index).inserted else { return }
    if object.isA(CoreAnimationFormat.cellClass) {
      _ = try add(object, of: nil, depth: 0)
    } else if object.isA(CoreAnimationFormat.layerClass) {
      if system.seed == 0 { system.seed = UInt64(truncatingIfNeeded: object.int("seed") ?? 0) }
      for cell in try cells(of: object) { _ = try add(cell, of: object, depth: 0) }
      object.reportUnasked()
    } else if object.isA("CALayer") {
      for (number, index) in try object.array("sublayers")?.enumerated() ?? [].enumerated() {
        guard case .object = object.archive.value(at: index) else { continue }
        try search(
          object.object(at: index, "\(object.path(of: "sublayers"))[\(number)]"), depth: depth + 1)
      }
    }
  }

  private func cells(of object: ArchivedObject) throws(Failure) -> [ArchivedObject] {
    var cells: [ArchivedObject] = []
    for (number, index) in (try object.array("emitterCells") ?? []).enumerated() {
      let path = "\(object.path(of: "emitterCells"))[\(number)]"
      guard case .object = object.archive.value(at: index) else { continue }
      let cell = try object.object(at: index, path)
      guard cell.isA(CoreAnimationFormat.cellClass) else {
        object.mismatch(
          "emitterCells", expected: CoreAnimationFormat.cellClass,
          found: cell.className?.excerpt ?? "an object")
        continue
      }
      cells.append(cell)
    }
    return cells
  }

  private mutating func add(_ cell: ArchivedObject, of layer: ArchivedObject?, depth: Int)
    throws(Failure) -> Int
  {
    let index = system.emitters.count
    guard index < 1000 else {
      throw Diagnostic(.archiveRoot, expected: "up to 1000 cells", found: "more")
    }
    var emitter = Emitter(name: cell.string("name") ?? "cell \(index + 1)")
    system.emitters.append(emitter)
    try CoreAnimationFormat.table.decode(
      CoreAnimationCell(cell: cell, layer: layer), into: &emitter)
    if let sprite = try sprite(of: cell) { emitter.sprites = [sprite] }
    for inner in try cells(of: cell) {
      guard depth < 8, seen.insert(inner.index).inserted else {
        inner.note(.uninterpreted, "cells nested deeper than 8, or twice in an archive")
        continue
      }
      let target = try add(inner, of: nil, depth: depth + 1)
      let rate = system.emitters[target].emission.rate.mean
      guard rate > 0 else { continue }
      var trigger = Trigger(.interval, emitter: target, count: 1)
      trigger.interval = max((1 / rate).rounded, 1e-6)
      trigger.inherit = [.position]
      emitter.triggers.append(trigger)
    }
    cell.reportUnasked()
    system.emitters[index] = emitter
    return index
  }

  private mutating func sprite(of cell: ArchivedObject) throws(Failure) -> Int? {
    let path = cell.path(of: "contents")
    var image: Int?
    switch cell.value("contents") {
    case .scalar(.data(let bytes))?:
      let kind = ImageFormat(of: bytes)?.fileExtension ?? "bin"
      image = try images.add(bytes, named: "particle.\(kind)", at: path, to: &system)
    case .scalar(.string(let name))?:
      image = try images.add([name], at: path, to: &system)?.index
    case nil, .scalar(.null)?: return nil
    case let other?: cell.reportUninterpreted("contents", found: other.summary)
    }
    return image.map { images.index(of: Sprite(image: $0), in: &system) }
  }
}

extension ParticleFormat {
  /// Keyed archives of Core Animation with emitter layers. They are only read.
  public static let coreAnimation = ParticleFormat(
    reading: "caemitter", title: "Core Animation emitter layer", extensions: ["caar"],
    CoreAnimationFormat.table,
    recognise: { bytes, fileName in
      guard bytes.starts(with: BinaryPropertyList.signature) else { return false }
      if Files.pathExtension(of: fileName) == "caar" { return true }
      guard let archive = try? OpenKeyedArchives.archive(bytes) else { return false }
      return CoreAnimationFormat.isKnown(archive)
    }, decode: CoreAnimationFormat.decode
  ).declaring(.coreAnimation)
}
