internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

struct SceneKitFamily: KeyedFormat {
  typealias Reader = KeyedEmitter<SceneKitFamily>
  typealias Field = Archivable
  typealias Surroundings = KeyedSurroundings<Place>

  /// Where a system is among those that spawn each other.
  struct Place {
    /// The emitters that it is inside of, the outermost first.
    var above: [Int] = []
    /// What its particles spawn in the archive.
    var triggers: [Trigger] = []
  }

  static let widthSuffix = "Variation"
  static let shared = SceneKitFamily()

  let name = "scenekit"
  let engine = "SceneKit"
  let table = MappingTable(unit: .unit, approximated: [.multi, .frame2D], rows)
  let classes = ["SCNParticleSystem", "NSObject"]
  /// The names of keys until 2015.
  let aliases = [
    "particleAngle": "particleInitialAngle",
    "particleAngleVariation": "particleInitialAngleVariation",
  ]
  let plainNumbers: [String: [Double]] = ["renderingMode": [0], "fresnelExponent": [0, 1]]
  let dictionaryKey: String? = "propertyControllers"
  let rootsDetail = "what nothing spawns starts by itself"
  let imageKey = (key: "particleImage", properties: ["sprites"])

  func real(_ number: Double) -> Archivable { .double(number.rounded) }

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

  /// A path that is seldom true on another computer, or the bytes themselves.
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
  /// Particle systems of SceneKit: the files that Xcode's editor writes, and the documents of
  /// Apple's sample application, which are the same under another extension.
  ///
  /// A property list whose archive cannot be opened, or holds something else, still counts if its
  /// name says that it should be ours: then reading it tells what is wrong.
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
  }
}
