internal import ParticlesCore
internal import ParticlesModel

/// A property of emitters that formats may lack, and the report about an emitter that uses it.
struct LostProperty: Sendable {
  /// The path in an emitter.
  let path: String
  /// The row of the capability matrix that the property belongs to.
  var capability: Capability
  /// The effect of the loss.
  var detail: String
  /// ``ParticlesCore/Rule/dead`` for a property without effect in the format.
  var rule: Rule
  /// The severity, or nil for the severity of the capability.
  var level: Loss.Level?
  /// Whether an emitter has another value than the default.
  let isUsed: @Sendable (Emitter) -> Bool

  private init<T: Equatable & Sendable>(
    _ path: String, _ value: @escaping @Sendable (Emitter) -> T, _ capability: Capability,
    _ detail: String, _ rule: Rule = .lost, level: Loss.Level? = nil
  ) {
    self.path = path
    self.capability = capability
    self.detail = detail
    self.rule = rule
    self.level = level
    isUsed = { value($0) != value(.standard) }
  }

  /// The property at a path of the table. Arguments that are not nil replace the values of the table.
  init(
    _ path: String, _ detail: String?, _ rule: Rule?, _ capability: Capability?,
    _ level: Loss.Level?
  ) {
    // A path that is not in the table is a mistake, which every report shows.
    self = Self.table[path] ?? LostProperty(path, { _ in Double.nan }, .extra, "unknown")
    if let detail { self.detail = detail }
    if let rule { self.rule = rule }
    if let capability { self.capability = capability }
    if let level { self.level = level }
  }

  /// The row of the capability matrix for a path in an emitter without indices, or for the nearest path above it.
  static func capability(at path: String) -> Capability? {
    var path = path[...]
    while true {
      if let row = table[String(path)] { return row.capability }
      guard let end = path.lastIndex(of: ".") else { return nil }
      path = path[..<end]
    }
  }

  /// All properties, by path.
  static var all: [LostProperty] { table.values.sorted { $0.path < $1.path } }

  private static let table: [String: LostProperty] = {
    let rows: [LostProperty] = [
      .init("enabled", { $0.enabled }, .extra, "emitters are always enabled", level: .medium),
      .init("timing.delay", { $0.timing.delay }, .delay, "a start delay is not supported"),
      .init("timing.idle", { $0.timing.idle }, .idle, "a pause between periods is not supported"),
      .init("timing.loop", { $0.timing.loop }, .loop, "periods do not repeat"),
      .init("timing.prewarm", { $0.timing.prewarm }, .prewarm, "prewarming is not supported"),
      .init("timing.speed", { $0.timing.speed }, .speed, "a stopped clock is not supported"),
      .init("timing.fixedStep", { $0.timing.fixedStep }, .extra, "the display decides on the step"),
      .init(
        "emission.ratePerDistance", { $0.emission.ratePerDistance }, .rateOverDistance,
        "emission by distance is not supported"),
      .init(
        "emission.minAlive", { $0.emission.minAlive }, .aliveLimit,
        "a minimum number of particles is not supported"),
      .init(
        "emission.probability", { $0.emission.probability }, .probability,
        "spawn probability is not supported"),
      .init(
        "emission.explosiveness", { $0.emission.explosiveness }, .explosiveness,
        "emission is always even"),
      .init("emission.jitter", { $0.emission.jitter }, .explosiveness, "emission is always even"),
      .init(
        "emission.lifeOffset", { $0.emission.lifeOffset }, .extra, "the initial age is always 0",
        level: .medium),
      .init(
        "emission.schedule", { $0.emission.schedule }, .extra, "the engine has its own schedule",
        .restated),
      .init("emission.total", { $0.emission.total }, .total, "a particle total is not supported"),
      .init(
        "emission.maxAlive", { $0.emission.maxAlive }, .aliveLimit, "particle count is unbounded"),
      .init(
        "emission.whenFull", { $0.emission.whenFull }, .aliveLimit, "particle count is unbounded",
        .dead),
      .init("emission.bursts", { $0.emission.bursts }, .burst, "bursts are not supported"),
      .init("space", { $0.space }, .space, "the program decides on the coordinate space"),
      .init("transform.angle", { $0.transform.angle }, .place, "emitters are not rotated"),
      .init("transform.rotation", { $0.transform.rotation }, .place, "emitters are not rotated"),
      .init("transform.scale", { $0.transform.scale }, .place, "emitters are not scaled"),
      .init(
        "transform", { $0.transform }, .place, "the place of the emitter belongs to the program",
        level: .medium),
      .init(
        "shape.placement", { $0.shape.placement }, .shapeRing, "a point has no extent",
        .dead),
      .init(
        "shape.distribution", { $0.shape.distribution }, .shapeDisc,
        "a point has no extent",
        .dead),
      .init("shape.sweep", { $0.shape.sweep }, .shapeDisc, "a point has no extent", .dead),
      .init("shape", { $0.shape }, .shapeRectangle, "no effect on particles in orbits", .dead),
      .init("shape.arc", { $0.shape.arc }, .shapeRing, "partial arcs are not supported"),
      .init("shape.inner", { $0.shape.inner }, .shapeRing, "hollow shapes are not supported"),
      .init(
        "launch.inheritVelocity", { $0.launch.inheritVelocity }, .inherit,
        "the velocity of the emitter is not inherited"),
      .init("launch.flatness", { $0.launch.flatness }, .cone3D, "only 2D is supported", .dead),
      .init(
        "launch.direction.vector", { $0.launch.direction.vector }, .cone3D,
        "only the angle is used", .dead),
      .init("launch", { $0.launch }, .spread2D, "no effect on particles in orbits", .dead),
      .init(
        "launch.spreadLaw", { $0.launch.spreadLaw }, .spread2D,
        "directions are always in the plane", .restated),
      .init(
        "motion.orbitVelocity", { $0.motion.orbitVelocity }, .orbitalVelocity,
        "motion about the emitter is not supported"),
      .init(
        "motion.orbitAxis", { $0.motion.orbitAxis }, .orbitalVelocity, "only 2D is supported", .dead
      ),
      .init("motion.drift", { $0.motion.drift }, .drift, "drift is not supported"),
      .init(
        "motion.maxSpeed", { $0.motion.maxSpeed }, .speedCurve, "a speed limit is not supported"),
      .init(
        "motion.direction", { $0.motion.direction }, .directionCurve,
        "direction over life is not supported"),
      .init("motion.orbit", { $0.motion.orbit }, .orbit, "motion in orbits is not supported"),
      .init("motion.path", { $0.motion.path }, .path, "paths are not supported"),
      .init("motion.mode", { $0.motion.mode }, .orbit, "motion is always ballistic"),
      .init(
        "motion.speedMode", { $0.motion.speedMode }, .speedCurve,
        "without a curve it has no effect", .dead),
      .init("motion.speed", { $0.motion.speed }, .speedCurve, "speed over life is not supported"),
      .init("forces", { $0.forces }, .gravity, "no effect on particles in orbits", .dead),
      .init(
        "size.height", { $0.size.height }, .widthAndHeight, "the height follows from the width"),
      .init(
        "size.aspect", { $0.size.aspect }, .widthAndHeight, "the image decides on the aspect ratio"),
      .init("size.stretch", { $0.size.stretch }, .stretch, "stretching is not supported"),
      .init("rotation.velocity", { $0.rotation.velocity }, .rotationSpeed, "spin is not supported"),
      .init(
        "rotation.acceleration", { $0.rotation.acceleration }, .angularAcceleration,
        "angular acceleration is not supported"),
      .init(
        "rotation.align", { $0.rotation.align }, .align,
        "alignment with the motion is not supported"),
      .init(
        "rotation.alignOffset", { $0.rotation.alignOffset }, .align,
        "there is no offset of alignment"),
      .init("rotation.axis", { $0.rotation.axis }, .rotation3D, "3D rotation is not supported"),
      .init("rotation.angle", { $0.rotation.angle }, .rotation, "particles start upright"),
      .init(
        "flipbook", { $0.flipbook }, .flipbook,
        "flip-book animation is not supported. The file has one still image"),
      .init(
        "spriteSelection", { $0.spriteSelection }, .randomSprites, "there is only one image", .dead),
      .init("render.sort", { $0.render.sort }, .sort, "the engine decides on the order"),
      .init("render.z", { $0.render.z }, .sort, "the engine decides on the order"),
      .init("render.order", { $0.render.order }, .sort, "the order belongs to the program"),
      .init("render.trail", { $0.render.trail }, .trail, "trails are not supported"),
      .init(
        "render.links", { $0.render.links }, .links,
        "lines between near particles are not supported"),
      .init(
        "render.billboard", { $0.render.billboard }, .billboard, "particles always face the screen"),
      .init(
        "render.billboardAxis", { $0.render.billboardAxis }, .billboard,
        "particles always face the screen"),
      .init("render.lit", { $0.render.lit }, .soft, "lighting is not supported"),
      .init("render.soft", { $0.render.soft }, .soft, "depth is not supported"),
      .init("render.blackPass", { $0.render.blackPass }, .soft, "a black pass is not supported"),
      .init("render.writesDepth", { $0.render.writesDepth }, .soft, "depth is not supported"),
      .init("render.layer", { $0.render.layer }, .sort, "layers are not supported"),
      .init("physics.collides", { $0.physics.collides }, .collide, "collisions are not supported"),
      .init(
        "physics.sceneGravity", { $0.physics.sceneGravity }, .collide,
        "scene gravity is not supported"),
      .init("physics", { $0.physics }, .collide, "collisions are not supported"),
      .init(
        "physics.diesOnCollision", { $0.physics.diesOnCollision }, .collide,
        "collisions are not supported"),
      .init("physics.mass", { $0.physics.mass }, .collide, "collisions are not supported"),
      .init("physics.charge", { $0.physics.charge }, .collide, "collisions are not supported"),
      .init("physics.bounce", { $0.physics.bounce }, .collide, "collisions are not supported"),
      .init("physics.friction", { $0.physics.friction }, .collide, "collisions are not supported"),
    ]
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.path, $0) })
  }()
}

/// A key that files of a format have, and that an engine of the format does not read, so that it has no
/// effect there. Reading reports it as ``ParticlesCore/Rule/ignoredKey``, and the page of the format in the
/// Spec lists it.
struct UnreadKey<Format: EmitterFormat>: Sendable {
  /// The findings about a key.
  struct Finding {
    /// More about the consequence in this file.
    var detail = ""
    var found: String?
  }

  /// The key, as rows name it.
  let key: String
  /// The key in the Spec. By default the key of the rows.
  private(set) var spelling: String
  /// The engine, as messages name it: "Starling".
  let engine: String
  /// When the engine does not read the key, for the Spec: "beside an acceleration". Empty for always.
  let condition: String
  /// The consequence for the effect.
  let consequence: String
  /// The sources of the claim, by the short names that rows cite.
  let source: String
  /// A warning if the effect may look different from the intended one, otherwise a note.
  let severity: Severity
  /// Returns nil where the key is not set to anything that another program would use.
  let find: @Sendable (Format.Reader) -> Finding?

  /// - Parameters:
  ///   - engine: as messages name it.
  ///   - isSet: whether the key is set to something that another program would use.
  init(
    _ key: String, by engine: String, where condition: String = "", _ consequence: String,
    from source: String, severity: Severity = .warning,
    when isSet: @escaping @Sendable (Format.Reader) -> Bool
  ) {
    self.init(key, by: engine, where: condition, consequence, from: source, severity: severity) {
      isSet($0) ? Finding() : nil
    }
  }

  init(
    _ key: String, by engine: String, where condition: String = "", _ consequence: String,
    from source: String, severity: Severity = .warning,
    find: @escaping @Sendable (Format.Reader) -> Finding?
  ) {
    (self.key, spelling, self.engine, self.condition) = (key, key, engine, condition)
    (self.consequence, self.source, self.severity) = (consequence, source, severity)
    self.find = find
  }

  /// This key, spelled as the first of several spellings in files.
  func listed(as spellings: [String]) -> UnreadKey {
    var key = self
    key.spelling = spellings.first ?? spelling
    return key
  }

  func report(_ reader: Format.Reader) {
    guard let finding = find(reader) else { return }
    let condition = condition.isEmpty ? "" : " \(condition)"
    reader.note(
      .ignoredKey, key,
      "\(engine) does not read \(spelling)\(condition): \(consequence)\(finding.detail)",
      found: finding.found, severity: severity)
  }

  /// The line of the table in the Spec.
  var markdown: String {
    let level = severity == .note ? "a note" : "a warning"
    let condition = condition.isEmpty ? "" : ", \(condition)"
    return "| `\(spelling)` | \(engine)\(condition) | \(consequence) (\(level)) | \(source) |"
  }
}

extension Row {
  /// This row with keys that an engine does not read.
  func unread(_ keys: [UnreadKey<Format>]) -> Row {
    var row = self
    row.unread += keys
    return row
  }

  func unread(_ keys: UnreadKey<Format>...) -> Row { unread(keys) }
}
