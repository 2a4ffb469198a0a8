internal import ParticlesArchives
internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPlatform

// Particle systems of Unity ("Shuriken"), in prefabs and scenes. Unity's axes are left-handed: z points away from the viewer, in a
// document towards the viewer. Angles of particles are in radians and clockwise, angles of shapes in degrees.

/// A particle system and its renderer.
struct UnityReader {
  let system: SourceNode
  let renderer: SourceNode?
  /// The version of its keys.
  let version: Int
  /// Where its objects are.
  var place = UnityPlace()
  /// Returns the name of a mesh, for messages.
  var nameOfMesh: (UnityReference?) -> String = { $0.map { "fileID \($0.id)" } ?? "no mesh" }

  init(_ system: SourceNode, _ renderer: SourceNode?) {
    (self.system, self.renderer) = (system, renderer)
    version = Int(saturating: system.number("serializedVersion", 1))
  }

  /// A module that is switched on. Values of a module that is off have no effect.
  func module(_ name: String, isOn standard: Bool = false) -> SourceNode? {
    guard let module = system[name] else { return nil }
    module.pass("serializedVersion")
    guard module.flag("enabled", standard) else {
      module.passAll()
      return nil
    }
    return module
  }
}

enum UnityFormat {
  /// Degrees in a radian.
  static let degrees = 180 / Double.pi
  /// The gravity of a new project of Unity, in units per second².
  static let gravity = 9.81
  /// The version of the keys that the latest release writes.
  static let latest = 8
}

extension UnityReader {
  /// Reports a module that is on and has no counterpart.
  func report(_ name: String, _ what: String) {
    guard let module = module(name) else { return }
    module.note(.uninterpreted, what)
    module.passAll()
  }
}

extension UnityFormat {
  static func decodeTiming(_ system: SourceNode, _ emitter: inout Emitter) {
    let duration = system.number("lengthInSec", 5, atLeast: 0)
    emitter.timing.duration = .constant(duration)
    emitter.timing.loop = system.flag("looping", true)
    let isWarm = system.flag("prewarm")
    if emitter.timing.loop, isWarm { emitter.timing.prewarm = duration }
    emitter.timing.delay = UnityNumber(system["startDelay"]).value.notNegative
    emitter.timing.speed = system.number("simulationSpeed", system.number("speed", 1), atLeast: 0)
    if !system.flag("playOnAwake", true) {
      system.note(
        .approximated, "playOnAwake", "the program starts it. Here it starts with the effect")
    }
  }

  static func decodeSpace(_ reader: UnityReader, _ emitter: inout Emitter) {
    let space = Int(saturating: reader.system.number("moveWithTransform"))
    if reader.version <= 4 {
      emitter.space = space == 0 ? .world : .local
    } else {
      emitter.space = space == 0 ? .local : .world
      if space == 2 {
        reader.system.note(
          .approximated, "moveWithTransform", "the space of another object is the world")
      }
    }
    reader.system.pass("moveWithCustomTransform")
  }

  static func decodeStart(_ system: SourceNode, _ emitter: inout Emitter) {
    let start = system["InitialModule"]
    emitter.lifetime = UnityNumber(start?["startLifetime"], 5).value.notNegative
    emitter.launch.speed = UnityNumber(start?["startSpeed"], 5).value
    emitter.emission.maxAlive = Int(
      saturating: start?.number("maxNumParticles", 1000, atLeast: 0) ?? 1000)
    if system.number("ringBufferMode") != 0 {
      emitter.emission.whenFull = .recycle
      system.note(
        .approximated, "ringBufferMode",
        "particles of a ring buffer live no longer than their lifetime")
    }
    start?.pass("serializedVersion", "enabled", "customEmitterVelocity", "useRigidbodyForVelocity")
    system.pass(
      "ringBufferLoopRange", "stopAction", "cullingMode", "useUnscaledTime", "autoRandomSeed",
      "randomSeed",
      "useRigidbodyForVelocity", "emitterVelocityMode")
  }

  static func decodeStartSize(_ system: SourceNode, _ emitter: inout Emitter) {
    let start = system["InitialModule"]
    emitter.size.aspect = .ratio(1)
    emitter.size.width = Track(UnityNumber(start?["startSize"], 1).value.notNegative)
    if start?.flag("size3D") ?? false {
      emitter.size.height = Track(UnityNumber(start?["startSizeY"], 1).value.notNegative)
    }
    start?.pass("startSizeY", "startSizeZ")
  }

  static func decodeStartRotation(_ system: SourceNode, _ emitter: inout Emitter) {
    guard let start = system["InitialModule"] else { return }
    let rotation = UnityNumber(start["startRotation"], times: -degrees)
    emitter.rotation.angle = Track(rotation.value)
    let share = start.number("randomizeRotationDirection")
    if share > 0 {
      // Some particles turn in the opposite sense.
      let mean = rotation.mean.magnitude
      if case .constant = rotation.form, mean > 0 {
        emitter.rotation.angle = Track(
          .oneOf(
            [rotation.mean.rounded, (-rotation.mean).rounded],
            weights: [1 - min(share, 1), min(share, 1)]))
      } else {
        start.note(.approximated, "randomizeRotationDirection", "all particles turn in one sense")
      }
    }
    if start.flag("rotation3D") {
      for axis in ["startRotationX", "startRotationY"] where !UnityNumber(start[axis]).isAlways(0) {
        start.note(.uninterpreted, axis, "rotations about x and y")
      }
    }
    start.pass("startRotationX", "startRotationY")
  }

  static func decodeStartColor(_ system: SourceNode, _ emitter: inout Emitter) {
    let node = system["InitialModule"]?["startColor"]
    switch UnityColor(node) {
    case .constant(let color): emitter.color.base.from = .constant(color)
    case .between(let least, let most): emitter.color.base.from = .range(least, most, .line)
    case .random(let gradient): emitter.color.base.from = .gradient(.init(gradient))
    case .gradient(let gradient):
      emitter.color.base.from = .gradient(.init(gradient))
      node?.note(.approximated, "colours over the period become random ones of the gradient")
    case .gradients(_, let gradient):
      emitter.color.base.from = .gradient(.init(gradient))
      node?.note(.approximated, "colours over the period become random ones of one gradient")
    }
  }

  static func decodeGravity(_ system: SourceNode, _ emitter: inout Emitter) {
    guard let start = system["InitialModule"] else { return }
    let factor = UnityNumber(start["gravityModifier"])
    if start.number("gravitySource") != 0 {
      start.note(
        .assumed, "gravitySource", "gravity in the plane acts downwards, as gravity in space")
    }
    guard !factor.isAlways(0) else { return }
    if case .constant = factor.form {
    } else {
      start.note(
        .approximated, "gravityModifier", "factors that change or are random become their mean")
    }
    emitter.forces.append(.gravity(Vector(0, (-gravity * factor.mean).rounded)))
  }

  static func decodeEmission(_ reader: UnityReader, _ emitter: inout Emitter) {
    guard let module = reader.module("EmissionModule", isOn: true) else { return }
    let isByDistance = module.number("m_Type") == 1
    let old = UnityNumber(module["rate"]).value.notNegative
    if module["rateOverTime"] == nil, module["rate"] != nil {
      if isByDistance {
        emitter.emission.ratePerDistance = old
      } else {
        emitter.emission.rate = old
      }
    } else {
      emitter.emission.rate = UnityNumber(module["rateOverTime"], 10).value.notNegative
      emitter.emission.ratePerDistance = UnityNumber(module["rateOverDistance"]).value.notNegative
    }
    let count = Int(saturating: module.number("m_BurstCount"))
    for burst in (module["m_Bursts"]?.all() ?? []).prefix(min(max(count, 0), 1000)) {
      var new = Burst(time: burst.number("time", 0, atLeast: 0), count: 1)
      if burst["countCurve"] != nil {
        new.count = UnityNumber(burst["countCurve"], 30).value.notNegative
      } else {
        let (least, most) = (burst.number("minCount", 30), burst.number("maxCount", 30))
        new.count = least == most ? .constant(most) : .range(min(least, most), max(least, most))
      }
      new.cycles = Int(saturating: burst.number("cycleCount", 1, atLeast: 0))
      new.interval = burst.number("repeatInterval", 0.01, atLeast: 0)
      new.probability = Interval.unit.clamp(burst.number("probability", 1))
      burst.pass("serializedVersion")
      emitter.emission.bursts.append(new)
    }
    // Up to version 4, four bursts have keys of their own.
    for index in 0..<4 where index < count && module["cnt\(index)"] != nil {
      let least = module.number("cnt\(index)")
      let most = max(module.number("cntmax\(index)", least), least)
      emitter.emission.bursts.append(
        Burst(
          time: module.number("time\(index)", 0, atLeast: 0),
          count: least == most ? .constant(max(least, 0)) : .range(max(least, 0), max(most, 0))))
    }
    module.passAll()
  }
}

/// Packages of Unity: tar archives in gzip with a folder for each asset, named by its identifier. The
/// folder has the file as `asset`, its settings as `asset.meta`, and its path in the project in `pathname`.
enum UnityPackage {
  /// The longest file with a path.
  private static let pathBytes = 4096

  static func isPackage(_ bytes: [UInt8], _ fileName: String) -> Bool {
    Files.pathExtension(of: fileName).lowercased() == "unitypackage" && Tar.isArchive(bytes)
  }

  // MARK: Reading

  /// Opens a package: the files of the project at their paths, each with its `.meta` file.
  /// - Throws: ``ParticlesCore/Rule/name`` for a path outside the project, ``ParticlesCore/Rule/link`` for a link,
  ///   ``ParticlesCore/Rule/duplicate`` for a path of two assets, ``ParticlesCore/Rule/limit``, and errors of tar archives.
  static func unpack(_ source: ByteSource, limits: Limits) throws(Failure) -> Container {
    let archive = try Tar.unpack(source, limits: limits)
    return try locating(Location(file: source.name)) {
      var root = FileNode.emptyDirectory
      for folder in archive.root.children ?? [] where folder.node.isDirectory {
        guard let path = try path(of: folder.node, folder.name, limits) else { continue }
        for (name, target) in [("asset", path), ("asset.meta", path + ".meta")] {
          guard let node = folder.node[name], !node.isDirectory else { continue }
          let place = "\(folder.name)/\(name)"
          guard node.isRegularFile else { throw Diagnostic(.link, at: .entry(place)) }
          guard root[target] == nil else { throw Diagnostic(.duplicate, at: .entry(target)) }
          try locating(.entry(place)) { try root.setFileNode(node, at: target) }
        }
      }
      guard root.children?.isEmpty == false else {
        throw Diagnostic(
          .tar, "an archive without assets of Unity",
          expected: "folders with 'asset' and 'pathname'")
      }
      return Container(root: root, warnings: archive.warnings)
    }
  }

  /// The path of an asset in the project. Nil for a folder without a path.
  private static func path(of folder: FileNode, _ name: String, _ limits: Limits)
    throws(Failure) -> String?
  {
    guard let contents = folder["pathname"]?.contents else { return nil }
    let location = Location.entry("\(name)/pathname")
    guard contents.size <= pathBytes else {
      throw Diagnostic(.limit, at: location, "bytes of a path", expected: "at most \(pathBytes)")
    }
    // A second line has a number that means nothing.
    let line = try contents.bytes().prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    return try EntryPath.validated(Array(line), limits: limits, at: location)
  }

  // MARK: Writing

  /// Writes files as a package: an effect as a prefab with its materials and pictures, or any other tree as it is.
  static func pack(
    _ root: FileNode,
    _ sink: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> [Diagnostic] {
    let (files, losses) =
      try root["document.json"] == nil ? (self.files(of: root), []) : prefab(root)
    var tree = FileNode.emptyDirectory
    for (path, contents) in files where !path.hasSuffix(".meta") {
      let bytes = try contents.bytes()
      let meta = try files[path + ".meta"]?.bytes()
      let guid = meta.flatMap(ImageFinder.guid) ?? UnityNewFile.guid(of: bytes)
      let isInside = path.hasPrefix("Assets/") || path.hasPrefix("Packages/")
      let parts = [
        ("asset", bytes), ("asset.meta", meta ?? UnityNewFile.meta(of: path, guid: guid)),
        ("pathname", Array((isInside ? path : "Assets/\(path)").utf8)),
      ]
      guard tree[guid] == nil else {
        throw Diagnostic(.duplicate, at: .entry(path), "two assets with the identifier \(guid)")
      }
      for (name, bytes) in parts {
        try tree.setFileNode(FileNode(regularFileWithContents: bytes), at: "\(guid)/\(name)")
      }
    }
    var archive: [UInt8] = []
    _ = try Tar.pack(tree) { archive += $0 }
    try Deflate(level: 9).gzip(archive).withUnsafeBytes(sink)
    return losses
  }

  private static func files(of root: FileNode) throws(Failure) -> [String:
    FileContents]
  {
    var files: [String: FileContents] = [:]
    root.forEachDescendant { path, node in files[path] = node.contents }
    return files
  }

  /// The files of a new prefab for the effect of a package.
  private static func prefab(_ root: FileNode) throws(Failure) -> (
    [String: FileContents], [Diagnostic]
  ) {
    let document = try root["document.json"]?.regularFileContents() ?? []
    let system = try ParticleSystem(decoding: document)
    let name = ImportedImage.packageName(system.asset.name ?? "")
    let stem = name.isEmpty ? "effect" : name
    let context = EncodingContext(fileName: "\(stem).prefab") {
      try root[$0]?.regularFileContents()
    }
    let exported = try ParticleFormat.unity.export(system, context)
    var files = exported.beside
    for part in exported.parts { files[part.name] = part.bytes }
    let paths = files.map { ("Assets/\(stem)/\($0.key)", FileContents($0.value)) }
    return (Dictionary(paths, uniquingKeysWith: { first, _ in first }), exported.losses)
  }
}

extension ParticleFormat {
  /// Packages of Unity: prefabs with their materials and pictures in one file.
  public static let unityPackage = ParticleFormat(
    name: "unitypackage", title: "Unity package", extensions: ["unitypackage"],
    recognise: { UnityPackage.isPackage($0, $1) }, unpack: UnityPackage.unpack,
    pack: UnityPackage.pack
  ).declaring(.unityPackage)
}
