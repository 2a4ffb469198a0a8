internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

/// The images and figures of particles. Each particle shows one.
struct TSParticlesFigures {
  /// The most names of figures that are read.
  private static let mostNames = 16

  /// The names: a circle, if the file has none.
  let names: [String]

  /// Half of the width of a particle, in radii: pictures of all figures have this size.
  let extent: Double

  /// Whether a stroke has another colour than the engine gives it: particles tint it.
  private(set) var tintsStroke = false

  /// Texts with characters that the font does not have. They are drawn as circles.
  private(set) var otherTexts: [String] = []

  /// The figures in the order of the names, with nil for images.
  private var figures: [Figure?] = []

  private let emitter: JSONValue
  private let isParticlesJS: Bool

  init(of emitter: JSONValue, isParticlesJS: Bool) {
    (self.emitter, self.isParticlesJS) = (emitter, isParticlesJS)
    let type = emitter["particles.shape.type"] ?? .null
    let named = (type.array ?? [type]).prefix(Self.mostNames).compactMap { $0.string }
    names = named.isEmpty ? ["circle"] : named
    let stroke = Stroke(of: emitter, isParticlesJS: isParticlesJS)
    for name in names {
      if !isParticlesJS, Self.isText(name) {
        for text in Self.texts(of: emitter) {
          let isDrawn = !text.isEmpty && text.count <= 8 && text.allSatisfy { PixelFont.has($0) }
          figures.append(isDrawn ? Figure(text: text) : Figure(.circle, stroke: 0, color: ""))
          if !isDrawn { otherTexts.append(text) }
        }
        continue
      }
      let isImage = name == "image" || name == "images"
      figures.append(
        isImage
          ? nil
          : Figure(
            Self.shape(name, of: emitter, isParticlesJS: isParticlesJS), stroke: stroke?.share ?? 0,
            color: stroke?.color ?? "#ffffff"))
    }
    tintsStroke = stroke?.isTinted ?? false && figures.contains { $0 != nil }
    extent = figures.map { $0?.extent ?? 1 }.max() ?? 1
  }

  private static func isText(_ name: String) -> Bool { name == "char" || name == "character" }

  /// The characters of the figure `char`. Each particle shows one text.
  private static func texts(of emitter: JSONValue) -> [String] {
    for key in [
      "particles.shape.options.char", "particles.shape.options.character",
      "particles.shape.character",
    ] {
      guard let stated = emitter[key] else { continue }
      let value = (stated.array?.first ?? stated)["value"] ?? stated
      let found = (value.array ?? [value]).prefix(mostNames).compactMap { $0.string }
      if !found.isEmpty { return found }
    }
    // The standard of the engine.
    return ["*"]
  }

  /// Whether characters are drawn.
  var hasTexts: Bool { figures.contains { if case .text? = $0?.shape { true } else { false } } }

  /// Whether all particles are plain squares, which need no picture.
  private var areSquares: Bool {
    figures.allSatisfy { if case .square? = $0?.shape { $0?.stroke == 0 } else { false } }
  }

  /// Names of figures that are drawn as circles, because they are not known.
  var unknown: [String] {
    let known = ["circle", "edge", "square", "triangle", "polygon", "star", "image", "images"]
    return names.filter { !known.contains($0) && (isParticlesJS || !Self.isText($0)) }
  }

  /// The images that the file names. One may be left over from a previous figure.
  private var images: [TreeSprite] {
    let keys = [
      "particles.shape.image", "particles.shape.options.image", "particles.shape.options.images",
    ]
    return keys.flatMap { (key: String) -> [TreeSprite] in
      let value = emitter[key] ?? .null
      return (value.array ?? [value]).compactMap { image in
        guard let source = image["src"]?.string, !source.isEmpty else { return nil }
        return TreeSprite(path: key, references: [source])
      }
    }
  }

  /// The sprites. The pictures of figures are in them.
  /// - Throws: ``ParticlesCore/Rule/limit`` for a picture too many.
  func sprites() throws(Failure) -> [TreeSprite] {
    guard !areSquares else { return [] }
    var found: [TreeSprite] = []
    for figure in figures {
      guard let figure else {
        found += images
        continue
      }
      let name = figure.shape.name
      found.append(
        TreeSprite(
          path: "particles.shape.type", references: [name],
          inside: FoundImage(name: name, bytes: try figure.picture(extent: extent))))
    }
    return Array(found.prefix(TSParticlesFamily.shared.imageCount))
  }

  /// How many sprites there are.
  var count: Int { areSquares ? 0 : figures.reduce(0) { $0 + ($1 == nil ? images.count : 1) } }

  private static func shape(
    _ name: String, of emitter: JSONValue, isParticlesJS: Bool
  ) -> Figure.Shape {
    func option(_ figure: String, _ keys: [String]) -> Double? {
      let options = emitter["particles.shape.options.\(figure)"]
      for key in keys {
        for place in [options?.array?.first ?? options, emitter["particles.shape.\(figure)"]] {
          if let number = place?[key]?.double { return number }
        }
      }
      return nil
    }
    func sides(_ figure: String) -> Int {
      let number = option(figure, isParticlesJS ? ["nb_sides"] : ["sides", "nb_sides"])
      return min(max(Int(saturating: number ?? 5), 1), 60)
    }
    switch name {
    case "edge", "square": return .square(half: isParticlesJS ? 1 : 0.5.squareRoot())
    case "triangle": return .triangle
    case "polygon": return .polygon(sides: sides("polygon"))
    case "star" where isParticlesJS: return .turnedStar(points: sides("polygon"))
    case "star":
      return .star(points: sides("star"), inset: min(max(option("star", ["inset"]) ?? 2, 0), 10))
    default: return .circle
    }
  }
}

extension TSParticlesFigures {
  private struct Stroke {
    /// The width as a share of the mean radius.
    let share: Double
    /// The colour that becomes the stroke's, when particles tint it.
    let color: String
    let isTinted: Bool

    /// nil without a stroke.
    init?(of emitter: JSONValue, isParticlesJS: Bool) {
      let stated = emitter["particles.stroke"] ?? emitter["particles.shape.stroke"]
      guard let stroke = stated?.array?.first ?? stated else { return nil }
      func mean(_ value: JSONValue?) -> Double? {
        guard let low = value?["min"]?.double, let high = value?["max"]?.double else {
          return value?.double
        }
        return (low + high) / 2
      }
      let size = mean(emitter["particles.size.value"]) ?? (isParticlesJS ? 20 : 3)
      let isRandom = emitter["particles.size.random"]?.isTruthy ?? false
      let radius = isParticlesJS && isRandom ? size / 2 : size
      guard let width = mean(stroke["width"]), width > 0, radius > 0 else { return nil }
      share = (min(width / radius, 4) * 100).rounded() / 100
      let wanted = Self.color(stroke["color"]) ?? (isParticlesJS ? Color(1, 0, 0) : .white)
      let stock = Self.color(emitter["particles.color"]) ?? .white
      let isConstant = Self.color(emitter["particles.color"]) != nil
      var channels: [Double] = []
      var isExact = true
      for (part, whole) in zip(
        [wanted.red, wanted.green, wanted.blue], [stock.red, stock.green, stock.blue])
      {
        channels.append(whole > 0 ? min(part / whole, 1) : 0)
        if part > whole || !isConstant && part > 0 { isExact = false }
      }
      color = Color(channels[0], channels[1], channels[2]).hexadecimal
      isTinted = !isExact
    }

    private static func color(_ value: JSONValue?) -> Color? {
      guard let text = (value?["value"] ?? value)?.string else { return nil }
      return Color(hexadecimal: text) ?? Color(hexadecimal: "#\(text)")
    }
  }
}

extension TreeReader<TSParticlesFamily> {
  /// The images and figures of particles.
  var figures: TSParticlesFigures { TSParticlesFigures(of: value, isParticlesJS: isParticlesJS) }
}

extension TSParticlesFamily {
  func sprites(of reader: TreeReader<TSParticlesFamily>) throws(Failure) -> [TreeSprite] {
    let figures = reader.figures
    for name in Set(figures.unknown).sorted() {
      reader.note(
        .uninterpreted, "particles.shape.type", "circles are shown instead",
        found: "'\(name.excerpt)'")
    }
    for text in Set(figures.otherTexts).sorted() {
      reader.note(
        .uninterpreted, "particles.shape.type", "circles are shown instead of the characters",
        found: "'\(text.excerpt)'")
    }
    if figures.hasTexts {
      reader.note(
        .approximated, "particles.shape.type", "characters have a plain font of 5 × 7 pixels")
    }
    if figures.tintsStroke {
      reader.note(
        .approximated, "particles.shape.stroke", "strokes have the colour of particles",
        severity: .note)
    }
    return try figures.sprites()
  }

  /// Whether the engine draws all sprites itself, or finds their images by the file.
  static func areDrawn(_ surroundings: TreeSurroundings) -> Bool {
    guard let origin = surroundings.origin else { return false }
    let figures = TSParticlesFigures(
      of: origin, isParticlesJS: surroundings.engine == .particlesJS)
    guard let sprites = try? figures.sprites(), sprites.count == surroundings.images.count else {
      return false
    }
    return sprites.indices.allSatisfy { place in
      guard let inside = sprites[place].inside else { return true }
      let bytes = surroundings.data[place]
      return bytes.map { $0 == inside.bytes } ?? (surroundings.images[place] == inside.name)
    }
  }

  func draws(_ place: Int, _ surroundings: TreeSurroundings) -> Bool {
    guard Self.areDrawn(surroundings), let origin = surroundings.origin else { return false }
    let isParticlesJS = surroundings.engine == .particlesJS
    let sprites = try? TSParticlesFigures(of: origin, isParticlesJS: isParticlesJS).sprites()
    return sprites?[place].inside != nil
  }

  /// Objects that are not enabled, and options of figures that no particle has.
  func changesNothing(_ value: JSONValue, at path: String, in emitter: JSONValue) -> Bool {
    if let isEnabled = value["enable"], !isEnabled.isTruthy { return true }
    switch path {
    case "particles.move.bounce", "particles.move.vibrate", "particles.move.warp",
      "particles.reduceDuplicates":
      return !value.isTruthy
    case "particles.move.outMode", "particles.move.outModes":
      // Particles live so long that they leave the canvas in any case.
      let modes = value.object.map { $0.members.map { $0.value } } ?? [value]
      return modes.allSatisfy { $0.string == "out" }
    default: break
    }
    let type = emitter["particles.shape.type"]
    let names = type?.array?.compactMap { $0.string } ?? [type?.string ?? ""]
    for folder in ["particles.shape.options.", "particles.shape."] where path.hasPrefix(folder) {
      let option = path.dropFirst(folder.count)
      return ["character", "char", "text", "emoji"].contains(String(option))
        && !names.contains { $0 == option || option.hasPrefix("char") && $0.hasPrefix("char") }
    }
    return false
  }
}

extension EmitterWriter<TSParticlesFamily> {
  /// Half of the width of a particle in the document, in radii of the file.
  var figureExtent: Double {
    if let origin = surroundings.origin, TSParticlesFamily.areDrawn(surroundings) {
      return TSParticlesFigures(of: origin, isParticlesJS: isParticlesJS).extent
    }
    return surroundings.images.isEmpty && !isParticlesJS ? 0.5.squareRoot() : 1
  }

  mutating func encodeImages() {
    let names = surroundings.images
    let isDrawn = TSParticlesFamily.areDrawn(surroundings)
    if !isDrawn {
      let square = isParticlesJS ? "edge" : "square"
      set("particles.shape.type", .string(names.isEmpty ? square : "image"))
    }
    guard !names.isEmpty else { return drop("spriteSelection", "there are no images") }
    let images = names.indices.filter { !format.draws($0, surroundings) }.map {
      place -> JSONValue in ["src": .string(names[place])]
    }
    if !images.isEmpty {
      let usual = isParticlesJS ? "particles.shape.image" : "particles.shape.options.image"
      let key =
        ["particles.shape.image", "particles.shape.options.images"].first {
          surroundings.origin?[$0] != nil
        } ?? usual
      let isList = surroundings.origin?[key]?.array != nil || images.count > 1
      set(key, isList && !isParticlesJS ? .array(images) : images[0])
      if isParticlesJS, images.count > 1 {
        lose(.lost, .randomSprites, at: "sprites", "only one image is supported")
      }
    }
    let isChosen = names.count > 1
    if emitter.spriteSelection != (isChosen ? .random : .first) {
      lose(
        isChosen ? .approximated : .restated, .randomSprites, at: "spriteSelection",
        "one of several images is picked at random")
    }
  }
}

/// A figure that an engine fills with the colour of a particle, and its picture: white, so that particles
/// tint it. Lengths are in radii of the particle.
struct Figure: Hashable, Sendable {
  /// The outline of a figure.
  enum Shape: Hashable, Sendable {
    case circle
    case square(half: Double)
    /// The triangle, which both engines draw along its sides, from a corner beside the centre.
    case triangle
    case polygon(sides: Int)
    /// The star of particles.js: sides that cross each other.
    case turnedStar(points: Int)
    /// The star of tsParticles: the inner corners are at the radius, the outer ones at so many radii.
    case star(points: Int, inset: Double)
    /// Characters in the font of this project, placed as the engine places characters of its own font.
    case text(String)

    var name: String {
      switch self {
      case .circle: "circle.png"
      case .square: "square.png"
      case .triangle: "triangle.png"
      case .polygon(let sides): "polygon-\(sides).png"
      case .turnedStar(let points), .star(let points, _): "star-\(points).png"
      case .text(let text):
        "char-\(text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: "-")).png"
      }
    }
  }

  let shape: Shape
  /// The width of the stroke around the outline. 0 for none.
  let stroke: Double
  /// The colour of the stroke where particles are white, as `#rrggbb`.
  let color: String

  init(_ shape: Shape, stroke: Double, color: String) {
    (self.shape, self.stroke) = (shape, stroke)
    self.color = stroke > 0 ? color : "#ffffff"
  }

  /// Characters have no stroke.
  init(text: String) { self.init(.text(text), stroke: 0, color: "#ffffff") }

  /// The greatest distance from the centre along an axis, rounded up to hundredths.
  var extent: Double {
    if case .text(let text) = shape {
      return max(0.9, Double(text.count * PixelFont.advance) / 2 * Self.pixel)
    }
    if stroke == 0 {
      if case .circle = shape { return 1 }
      if case .square(let half) = shape { return half }
    }
    let most = outline.reduce(0) { max($0, $1.x.magnitude, $1.y.magnitude) } + stroke / 2
    return max((most * 100 - 1e-6).rounded(.up) / 100, 0.01)
  }

  /// The corners, with y down.
  private var outline: [Vector2] {
    switch shape {
    case .text: return []
    case .circle:
      return (0..<96).map { index in
        let angle = Double(index) / 48 * .pi
        return Vector2(cosine(angle), sine(angle))
      }
    case .square(let half):
      return [
        Vector2(-half, -half), Vector2(half, -half), Vector2(half, half), Vector2(-half, half),
      ]
    case .triangle: return walk(from: Vector2(-1, 1 / 1.66), side: 2, corners: 3, turn: 240)
    case .polygon(let sides):
      let n = Double(sides)
      return walk(
        from: Vector2(-3.5 / n, -3.5 / 2.66), side: 7.98 / n, corners: sides, turn: 360 / n)
    case .turnedStar(let points):
      let n = Double(points)
      return walk(
        from: Vector2(-8 / n, -3.5 / 5.32), side: 15.96 / n, corners: 2 * points, turn: 720 / n)
    case .star(let points, let inset):
      return (0..<2 * points).map { index in
        let (angle, radius) = (
          Double(index) / Double(points) * .pi, index.isMultiple(of: 2) ? 1 : inset
        )
        return Vector2(radius * sine(angle), -radius * cosine(angle))
      }
    }
  }

  /// Corners along sides of equal length, the first one to the right, each turned clockwise from the last.
  private func walk(from start: Vector2, side: Double, corners: Int, turn: Double) -> [Vector2] {
    var points = [start]
    for index in 0..<max(corners - 1, 0) {
      let angle = Angle.radians(Double(index) * turn)
      points.append(
        Vector2(
          points[index].x + side * cosine(angle), points[index].y + side * sine(angle)))
    }
    return points
  }
}

extension Figure {
  /// Pictures that were made, because files often repeat figures.
  private static let pictures = Lock<[Key: [UInt8]]>([:])

  private struct Key: Hashable {
    var figure: Figure
    var extent: Double
  }

  /// The edge of a picture in pixels, and the lines of samples in a pixel.
  private static let (size, fineness) = (64, 4)

  /// The picture as a PNG file.
  /// - Parameter extent: the distance of its edges from the centre.
  /// - Throws: ``ParticlesCore/Rule/limit`` for a picture too many.
  func picture(extent: Double) throws(Failure) -> [UInt8] {
    let key = Key(figure: self, extent: extent)
    if let known = Self.pictures.withLock({ $0[key] }) { return known }
    try WorkBudget.spend(work: 4_000, memory: 20_000, on: "the figures that are drawn")
    let bytes = try PNG.encode(bitmap(extent: extent))
    Self.pictures.withLock { pictures in
      if pictures.count >= 64 { pictures = [:] }
      pictures[key] = bytes
    }
    return bytes
  }

  /// The pixel of the font in radii: a font of two radii has capital letters of about seven tenths of its size.
  private static let pixel = 0.2

  /// The share of each pixel that characters cover. The engine writes them from half of a radius to the left for each one,
  /// on a line half of a radius below the centre (tsParticles 2.12 `TextDrawer.draw`).
  private func coverage(of text: String, extent: Double) -> [Double] {
    let (size, fine) = (Self.size, Self.size * Self.fineness)
    let rows = text.map { PixelFont.rows(of: $0) }
    let left = -Double(text.count) / 2
    var counts = [Int](repeating: 0, count: size * size)
    for y in 0..<fine {
      let down = ((Double(y) + 0.5) / Double(fine) * 2 - 1) * extent
      let row = Int(saturating: ((down + 0.9) / Self.pixel).rounded(.down))
      guard (0..<PixelFont.height).contains(row) else { continue }
      for x in 0..<fine {
        let across = ((Double(x) + 0.5) / Double(fine) * 2 - 1) * extent
        let column = Int(saturating: ((across - left) / Self.pixel).rounded(.down))
        guard column >= 0 else { continue }
        let (letter, bit) = column.quotientAndRemainder(dividingBy: PixelFont.advance)
        guard letter < rows.count, bit < 5, rows[letter][row] >> (4 - bit) & 1 == 1 else {
          continue
        }
        counts[y / Self.fineness * size + x / Self.fineness] += 1
      }
    }
    return counts.map { Double($0) / Double(Self.fineness * Self.fineness) }
  }

  private func bitmap(extent: Double) -> Bitmap {
    let (size, corners) = (Self.size, outline)
    let filled: [Double]
    if case .text(let text) = shape {
      filled = coverage(of: text, extent: extent)
    } else {
      filled = coverage(of: corners, extent: extent)
    }
    let ink = Color(hexadecimal: color) ?? .white
    let pixel = 2 * extent / Double(size)
    var index = 0
    // Pictures are made row by row, from the top.
    return Bitmap(width: size, height: size) { x, y in
      let fill = filled[index]
      index += 1
      guard stroke > 0 else { return (1, 1, 1, fill) }
      let distance = Self.distance(from: Vector2(x * extent, -y * extent), to: corners)
      let line = min(max((stroke / 2 - distance) / pixel + 0.5, 0), 1) * (1 - fill)
      let alpha = fill + line
      guard alpha > 0 else { return (1, 1, 1, 0) }
      func mixed(_ channel: Double) -> Double { (fill + channel * line) / alpha }
      return (mixed(ink.red), mixed(ink.green), mixed(ink.blue), alpha)
    }
  }

  /// The share of each pixel that is inside, where outlines wind around it.
  private func coverage(of corners: [Vector2], extent: Double) -> [Double] {
    let (size, fine) = (Self.size, Self.size * Self.fineness)
    var counts = [Int](repeating: 0, count: size * size)
    func place(_ coordinate: Double) -> Int {
      min(max(Int(saturating: ((coordinate / extent + 1) / 2 * Double(fine)).rounded()), 0), fine)
    }
    for row in 0..<fine {
      let y = ((Double(row) + 0.5) / Double(fine) * 2 - 1) * extent
      var crossings: [(x: Double, winding: Int)] = []
      for (index, a) in corners.enumerated() {
        let b = corners[(index + 1) % corners.count]
        guard (a.y <= y) != (b.y <= y) else { continue }
        crossings.append(
          (a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x), b.y > a.y ? 1 : -1))
      }
      crossings.sort { $0.x < $1.x }
      var winding = 0
      for (left, right) in zip(crossings, crossings.dropFirst()) {
        winding += left.winding
        guard winding != 0 else { continue }
        for column in place(left.x)..<max(place(right.x), place(left.x)) {
          counts[row / Self.fineness * size + column / Self.fineness] += 1
        }
      }
    }
    return counts.map { Double($0) / Double(Self.fineness * Self.fineness) }
  }

  /// The distance of a point from the nearest side.
  private static func distance(from point: Vector2, to corners: [Vector2]) -> Double {
    var least = Double.infinity
    for (index, a) in corners.enumerated() {
      let b = corners[(index + 1) % corners.count]
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let square = dx * dx + dy * dy
      let along = square > 0 ? ((point.x - a.x) * dx + (point.y - a.y) * dy) / square : 0
      let share = min(max(along, 0), 1)
      let (x, y) = (point.x - a.x - share * dx, point.y - a.y - share * dy)
      least = min(least, x * x + y * y)
    }
    return least.squareRoot()
  }
}
