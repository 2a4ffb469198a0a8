internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

struct SceneKitFamily: KeyedFormat {
  typealias Reader = KeyedEmitter<SceneKitFamily>
  typealias Field = Archivable
  typealias Surroundings = KeyedSurroundings<Place>

  /// The position of a system among those that spawn each other.
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

  func emitters(below root: ArchivedObject, fileName: String) throws -> [KeyedEmitter<
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

  /// A path, which is rarely valid on another computer, or the bytes themselves.
  func image(of emitter: KeyedEmitter<SceneKitFamily>) throws -> KeyedImage? {
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
