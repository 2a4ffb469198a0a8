internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

struct SceneKitFamily: KeyedFormat {
  typealias Reader = KeyedEmitter<SceneKitFamily>
  typealias Field = Archivable
  typealias Surroundings = KeyedSurroundings<Place>

  /// The position of a system in the tree of spawned systems.
  struct Place {
    /// The emitters that it is inside of, the outermost first.
    var above: [Int] = []
    /// The systems that its particles spawn.
    var triggers: [Trigger] = []
  }

  static let widthSuffix = "Variation"
  static let shared = SceneKitFamily()

  let name = "scenekit"
  let engine = "SceneKit"
  let table = MappingTable(
    unit: .unit, profile: .sceneKit, approximated: [.severalEmitters, .frame2D], rows)
  let classes = ["SCNParticleSystem", "NSObject"]
  /// The names of keys until 2015.
  let aliases = [
    "particleAngle": "particleInitialAngle",
    "particleAngleVariation": "particleInitialAngleVariation",
  ]
  let plainNumbers: [String: [Double]] = ["renderingMode": [0], "fresnelExponent": [0, 1]]
  let dictionaryKey: String? = "propertyControllers"
  let rootsDetail = "systems that no other spawns start by themselves"
  let imageKey = (key: "particleImage", properties: ["sprites"])

  func real(_ number: Double) -> Archivable { .double(number.rounded) }

  func adapt(_ writer: inout EmitterWriter<SceneKitFamily>) {
    writer.leaveOrbit()
    writer.leaveLimit()
    writer.turnLaunch(toPlane: false)
    writer.spreadDirection()
    for index in writer.emitter.forcesAlongMotion { writer.emitter.forces[index].kind = .linear }
  }

  func place(below above: [Int], over origin: Place?) -> Place { Place(above: above) }

  func read(_ root: ArchivedObject, into system: inout ParticleSystem) {
    system.asset.dimension = .space
    system.asset.unit = .unit
    system.asset.profile = .sceneKit
    system.seed = UInt64(truncatingIfNeeded: root.int("seed") ?? 0)
  }

  func emitters(below root: ArchivedObject, fileName: String) throws(Failure) -> [KeyedEmitter<
    SceneKitFamily
  >] {
    guard root.isA(classes[0]) else {
      throw Diagnostic(
        .archiveRoot, at: .key("$top.root"), expected: classes[0],
        found: root.className?.excerpt ?? root.archive.value(at: root.index).kind)
    }
    var systems = SceneKitSystems()
    try systems.add(root, name: Files.stem(of: fileName), below: [])
    return systems.found
  }

  /// A path, rarely valid on another computer, or the bytes themselves.
  func image(of emitter: KeyedEmitter<SceneKitFamily>) throws(Failure) -> KeyedImage? {
    let (object, key) = (emitter.object, imageKey.key)
    let path = object.path(of: key)
    switch object.value(key) {
    case nil: return nil
    case .scalar(.data(let bytes))?:
      let kind = ImageFormat(of: bytes)?.fileExtension ?? "bin"
      return KeyedImage(path: path, inside: FoundImage(name: "particle.\(kind)", bytes: bytes))
    case .dictionary?:
      if let reference = try object.dictionary(key)?.string("path") {
        return KeyedImage(path: path, references: [reference])
      }
      object.reportUninterpreted(key, "an image without path")
    case .scalar(.string(let reference))?: return KeyedImage(path: path, references: [reference])
    case let other?: object.mismatch(key, expected: "a path", found: other.kind)
    }
    return nil
  }

  func sprite(
    _ image: ImageReference, _ found: FoundImage?, of emitter: KeyedEmitter<SceneKitFamily>
  ) -> Sprite {
    var sprite = Sprite(image: 0)
    sprite.grid = emitter.grid
    return sprite
  }
}

extension ParticleFormat {
  /// SceneKit particle systems: the files of Xcode's editor, and the documents of Apple's sample
  /// application, which differ only in their extension.
  ///
  /// A property list with one of these extensions is accepted even if it is damaged or has other
  /// contents: then the reader reports the problem.
  public static let sceneKit = ParticleFormat(
    SceneKitFamily.shared, title: "SceneKit particle system", extensions: ["scnp", "particles"]
  ) { bytes, fileName in
    guard bytes.starts(with: BinaryPropertyList.signature) else { return false }
    if let archive = try? OpenKeyedArchives.archive(bytes),
      archive.object(archive.root, isA: SceneKitFamily.shared.classes[0])
    {
      return true
    }
    return ["scnp", "particles"].contains(Files.pathExtension(of: fileName))
  }.declaring(.sceneKit)
}

// Nested particle systems that particles of others spawn.

struct SceneKitSystems {
  /// The maximum nesting depth of systems.
  fileprivate static let levels = 8

  /// The keys of systems that are spawned, in the order in which they are read.
  fileprivate static let keys: [(key: String, event: TriggerEvent, suffix: String)] = [
    ("systemSpawnedOnCollision", .collision, "on collision"),
    ("systemSpawnedOnDying", .death, "on dying"), ("systemSpawnedOnLiving", .frame, "on living"),
  ]

  /// The systems, each before the systems that its particles spawn.
  var found: [KeyedEmitter<SceneKitFamily>] {
    systems.map {
      KeyedEmitter(format: .shared, object: $0.object, name: $0.name, place: $0.place)
    }
  }

  private var systems: [(object: ArchivedObject, name: String, place: SceneKitFamily.Place)] = []

  private var numbers: [KeyedArchive.Index: Int] = [:]

  /// Adds a system and, after it, the systems that its particles spawn.
  @discardableResult
  mutating func add(_ object: ArchivedObject, name: String, below above: [Int])
    throws(Failure) -> Int
  {
    let index = systems.count
    numbers[object.index] = index
    systems.append((object, name, SceneKitFamily.Place(above: above)))
    for (key, event, suffix) in Self.keys {
      guard let spawned = try object.object(key),
        let target = try spawn(spawned, name: "\(name) \(suffix)", below: above + [index])
      else { continue }
      var trigger = Trigger(event, emitter: target)
      trigger.inherit = [.position]
      systems[index].place.triggers.append(trigger)
    }
    return index
  }

  private mutating func spawn(_ object: ArchivedObject, name: String, below above: [Int])
    throws(Failure) -> Int?
  {
    let className = SceneKitFamily.shared.classes[0]
    guard object.isA(className) else {
      object.mismatch(
        "$class", expected: className, found: object.className?.excerpt ?? "a dictionary")
      return nil
    }
    let known = numbers[object.index]
    var fault: String?
    if let known, above.contains(known) {
      fault = "a particle system that spawns itself"
    } else if known == nil, above.count > Self.levels {
      fault = "particle systems spawned \(above.count) levels deep"
    }
    if let fault {
      object.note(.uninterpreted, fault)
      return nil
    }
    if let known { return known }
    return try add(object, name: name, below: above)
  }
}

extension EmitterWriter<SceneKitFamily> {
  /// Nests the emitters that the particles spawn, in the order of reading.
  mutating func encodeTriggers() {
    let above = surroundings.place.above + [index]
    for (number, trigger) in emitter.triggers.enumerated() {
      let isContinuous = trigger.event == .living || trigger.event == .interval
      let event = isContinuous ? .frame : trigger.event
      var fault: (rule: Rule, detail: String)?
      let key = SceneKitSystems.keys.first { $0.event == event }?.key
      if key == nil {
        fault = (.lost, "only triggers on collision, death and life are supported")
      } else if !system.emitters.indices.contains(trigger.emitter) {
        fault = (.dead, "the emitter does not exist")
      } else if inner.contains(where: { $0.key == key }) {
        fault = (.lost, "only one system per event is supported")
      } else if above.contains(trigger.emitter) || above.count > SceneKitSystems.levels {
        fault = (.lost, "a system that spawns itself")
      } else {
        inner.append((key ?? "", trigger.emitter))
        var plain = Trigger(event, emitter: trigger.emitter)
        plain.inherit = [.position]
        if trigger != plain {
          fault = (
            .approximated,
            isContinuous
              ? "the spawned system starts in every frame"
              : "the whole system starts at the position of the particle"
          )
        }
      }
      if let fault {
        lose(fault.rule, trigger.event.capability, at: "triggers[\(number)]", fault.detail)
      }
    }
    let order = SceneKitSystems.keys.map { $0.key }
    inner.sort { order.firstIndex(of: $0.key) ?? 0 < order.firstIndex(of: $1.key) ?? 0 }
  }
}

// The newer syntax of key frames: dictionaries with internal names of SceneKit, and big-endian
// arrays of numbers (vectors elsewhere in the archive are little-endian).

extension KeyFrames {
  /// Reads an animation. Nil, after a report, if it cannot be used.
  init?(c3d object: ArchivedObject) throws(Failure) {
    let kind = object.string("class") ?? "keyframe"
    guard kind == "keyframe" else {
      object.mismatch("class", expected: "'keyframe'", found: "'\(kind.excerpt)'")
      return nil
    }
    guard let animation = try object.dictionary("animation"),
      let controller = try animation.dictionary("keyframeController")
    else {
      object.mismatch("animation", expected: "keys", found: "none")
      return nil
    }
    guard let rows = try controller.rows("values"), !rows.isEmpty else { return nil }
    switch rows[0].count {
    case 1: self.init(times: [], values: .numbers(rows.map { $0[0] }))
    case 4: self.init(times: [], values: .colors(rows.map { Color($0) }))
    default:
      controller.mismatch("values", expected: "numbers or colours", found: "vectors")
      return nil
    }
    times = try Self.times(of: controller, animation: animation) ?? Self.evenTimes(values.count)
    guard times.count == values.count else {
      controller.mismatch("keytimes", expected: "\(values.count) times", found: "\(times.count)")
      return nil
    }
    try readMode(of: controller)
    animation.reportRestOfC3D()
    controller.reportUnasked()
    object.reportUnasked()
  }

  private static func times(of controller: ArchivedObject, animation: ArchivedObject)
    throws(Failure) -> [Double]?
  {
    var duration = animation.double("duration") ?? 1
    if !(1e-6..<1e9 ~= duration) {
      animation.mismatch("duration", expected: "some seconds", found: "\(duration)")
      duration = 1
    }
    let times = try controller.rows("keytimes")?.compactMap { $0.first }
    return duration == 1 ? times : times?.map { $0 / duration }
  }

  /// The curve is cubic exactly if there are tangents, independent of the modes.
  private mutating func readMode(of controller: ArchivedObject) throws(Failure) {
    for key in ["keyframeVersion", "interpolationMode"] { _ = controller.index(of: key) }
    let mode = controller.int("calculationMode") ?? 0
    let tangents = try ["inTangents", "outTangents"].map { key throws(Failure) in
      try controller.rows(key) ?? []
    }
    let bends = try ["tensionValues", "continuityValues", "biasValues"].map {
      key throws(Failure) in
      (try controller.rows(key) ?? []).compactMap { $0.first }
    }
    guard tangents.allSatisfy({ $0.count == values.count }) else {
      if mode == 1 { interpolation = .step }
      if mode != 0 {
        controller.note(
          .assumed, "calculationMode",
          "keys of mode \(mode) are read as \(mode == 1 ? "steps" : "linear")")
      }
      return
    }
    interpolation = .cubic
    bend(tension: bends[0], continuity: bends[1], bias: bends[2])
    if slopes.isEmpty { takeTangents(tangents[0], tangents[1]) }
  }

  /// Reads the slopes of stored tangents, unless they equal the automatic slopes within the
  /// precision of floats.
  private mutating func takeTangents(_ into: [[Double]], _ out: [[Double]]) {
    func slope(_ tangent: [Double]) -> Double? {
      tangent.count == 2 && tangent[0] != 0 ? tangent[1] / tangent[0] : nil
    }
    guard isSorted, case .numbers(let numbers) = values else { return }
    let plain = Curve(zip(times, numbers).map { CurveKey($0, $1) }, .cubic)
    let stored = times.indices.map { index in
      (
        before: slope(into[index]) ?? plain.inSlope(index),
        behind: slope(out[index]) ?? plain.outSlope(index)
      )
    }
    func same(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-4 * max(1, abs(b)) }
    let isPlain = stored.indices.allSatisfy { index in
      same(stored[index].before, plain.inSlope(index))
        && same(stored[index].behind, plain.outSlope(index))
    }
    if !isPlain, stored.allSatisfy({ $0.before.isFinite && $0.behind.isFinite }) { slopes = stored }
  }
}

extension ArchivedObject {
  /// Reports further properties of an animation that are set.
  fileprivate func reportRestOfC3D() {
    let zeros = [
      "additive", "autoreverses", "beginTime", "cumulative", "fadeInDuration", "fadeOutDuration",
      "repeatCount", "timeOffset",
    ]
    for (key, plain) in zeros.map({ ($0, 0.0) }) + [("speed", 1)] {
      let found = numberOrBool(key) ?? plain
      if found != plain { reportUninterpreted(key, found: "\(found)") }
    }
    for key in ["type", "fillModeMask", "removeOnCompletion", "sceneTimeBased", "attributes"] {
      _ = index(of: key)
    }
    reportUnasked()
  }

  /// The elements of a blob. Nil if there is none or, after a report, if it cannot be read.
  fileprivate func rows(_ name: String) throws(Failure) -> [[Double]]? {
    // The components of an element by type, and the bytes of each.
    let layouts = [
      1: (count: 1, width: 4), 6: (1, 8), 8: (2, 4), 9: (3, 4), 10: (4, 4), 13: (4, 4),
    ]
    guard let source = try dictionary(name), let blob = data("\(name)-data") else { return nil }
    guard let accessor = try source.dictionary("accessor"),
      let (length, width) = layouts[accessor.int("componentsType") ?? 0]
    else {
      mismatch(name, expected: "elements of a known type", found: "none")
      return nil
    }
    let size = length * width
    let stride = accessor.int("stride") ?? size
    let offset = accessor.int("offset") ?? 0
    guard offset >= 0, offset <= blob.count, stride >= size else {
      mismatch(name, expected: "elements inside of the data", found: "others")
      return nil
    }
    let room = blob.count - offset - size
    let available = room < 0 ? 0 : room / stride + 1
    let count = accessor.int("valuesCount") ?? available
    guard 0...available ~= count else {
      mismatch(name, expected: "at most \(available) elements", found: "\(count)")
      return nil
    }
    try reader.spend(count, at: .key(path(of: name)))
    let rows = (0..<count).map { number in
      (0..<length).map { place in
        blob.dropFirst(offset + number * stride + place * width).prefix(width).real
      }
    }
    guard rows.joined().allSatisfy({ $0.magnitude < 1e15 }) else {
      mismatch("\(name)-data", expected: "finite numbers", found: "others")
      return nil
    }
    return rows.map { $0.map { $0.tidy } }
  }
}
