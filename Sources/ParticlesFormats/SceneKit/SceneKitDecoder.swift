internal import ParticlesCore
internal import ParticlesModel

/// Makes an effect of an archived `SCNParticleSystem` and those that it spawns.
struct SceneKitDecoder {
  static let className = "SCNParticleSystem"

  /// Particle systems spawned by particles of others, one in the other.
  static let spawnLevels = 8

  let context: DecodingContext
  let reader: ArchiveReader
  var system = ParticleSystem()
  var images: ImportedImages

  /// The emitters made so far, by the place of their archived object.
  private var emitters: [KeyedArchive.Index: Int] = [:]
  /// The archived objects that are being read.
  private var open: Set<KeyedArchive.Index> = []

  init(context: DecodingContext) {
    self.context = context
    let reader = ArchiveReader(limits: context.limits)
    self.reader = reader
    images = ImportedImages(context: context) { reader.report($0) }
  }

  mutating func decode(_ bytes: [UInt8]) throws -> Imported {
    let root = try reader.open(bytes)
    guard root.isA(Self.className) else {
      throw Diagnostic(
        .archiveRoot, at: .key("$top.root"), expected: Self.className,
        found: root.className?.excerpt ?? root.archive.value(at: root.index).kind)
    }
    let name = Files.stem(of: context.fileName)
    system.asset.name = name
    system.asset.dimension = .space
    system.asset.unit = .unit
    system.asset.profile = .sceneKit
    system.seed = UInt64(truncatingIfNeeded: root.int("seed") ?? 0)
    try addEmitter(root, name: name, level: 0)
    keepSource(bytes)
    return Imported(
      system: system, images: images.files, sourceName: context.fileName, source: bytes,
      diagnostics: reader.diagnostics)
  }

  // MARK: Emitters

  /// Adds the emitter of a system and, behind it, those of the systems that its particles spawn.
  @discardableResult
  private mutating func addEmitter(
    _ object: ArchivedObject, name: String, level: Int
  ) throws -> Int {
    let index = system.emitters.count
    emitters[object.index] = index
    open.insert(object.index)
    defer { open.remove(object.index) }
    system.emitters.append(Emitter(name: name))
    let scene = SceneKitSystem(object)
    var emitter = try scene.emitter(name: name)
    if let sprite = try addSprite(of: scene) { emitter.sprites = [sprite] }
    for (key, event, suffix) in [
      ("systemSpawnedOnCollision", TriggerEvent.collision, "on collision"),
      ("systemSpawnedOnDying", .death, "on dying"), ("systemSpawnedOnLiving", .frame, "on living"),
    ] {
      guard let spawned = try object.object(key),
        let target = try spawn(spawned, name: "\(name) \(suffix)", level: level + 1)
      else { continue }
      var trigger = Trigger(event, emitter: target)
      trigger.inherit = [.position]
      emitter.triggers.append(trigger)
    }
    scene.reportRest()
    if level > 0 {
      if object.int("seed") ?? 0 != 0 { object.reportUninterpreted("seed", "there is one seed") }
      let bag = try SourceBag.bag(
        of: object, keys: object.keys, without: Self.className)
      emitter.extensions[ParticleSystem.sourceExtension] = ["format": "scenekit", "bag": bag]
    } else {
      rootBag = try SourceBag.bag(
        of: object, keys: object.keys, without: Self.className)
    }
    system.emitters[index] = emitter
    return index
  }

  private var rootBag = JSONValue.null

  private mutating func spawn(
    _ object: ArchivedObject, name: String, level: Int
  ) throws -> Int? {
    guard object.isA(Self.className) else {
      object.mismatch(
        "$class", expected: Self.className, found: object.className?.excerpt ?? "a dictionary")
      return nil
    }
    guard !open.contains(object.index) else {
      report(.uninterpreted, object, "a particle system that spawns itself")
      return nil
    }
    if let known = emitters[object.index] { return known }
    guard level <= Self.spawnLevels else {
      report(.uninterpreted, object, "particle systems spawned \(level) levels deep")
      return nil
    }
    return try addEmitter(object, name: name, level: level)
  }

  private func report(_ rule: Rule, _ object: ArchivedObject, _ detail: String) {
    reader.report(Diagnostic(rule, at: .key(object.path), detail))
  }

  // MARK: The source

  /// Keeps what the file said, so that nothing is lost that has no home in the model.
  private mutating func keepSource(_ bytes: [UInt8]) {
    system.extensionsUsed = [ParticleSystem.sourceExtension]
    system.extensions[ParticleSystem.sourceExtension] = [
      "format": "scenekit",
      "file": .string(Imported.sourcePath(of: context.fileName)),
      "sha256": .string(SHA256.digest(bytes).description),
      "bag": rootBag,
    ]
  }
}
