internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

struct SpriteKitFamily: KeyedFormat {
  typealias Place = SpriteKitPlace

  let table: MappingTable<SpriteKitFamily>
  let name = "spritekit"
  let engine = "SpriteKit"
  let rootsDetail = "every emitter of a file starts by itself"
  let triggeredDetail: String? = "only triggers start it; dropped"
  let holdsAll = true
  let bagHoldsAll = false
  let plainNumbers = ["_opacity": [1.0]]
  let imageKey = (key: "_imgName", properties: ["sprites", "size"])
  let imageFormats: [ImageFormat]? = [.png, .jpeg]
  let imageSuffixes: [Double: String] = [2: "@2x", 3: "@3x"]
  let impliedExtensions = ["png", "jpg", "jpeg"]
  let classes = ["SKEmitterNode"] + nodeClasses

  static let nodeClasses = ["SKNode", "NSResponder", "NSObject"]

  static let spriteKit = SpriteKitFamily(
    table: MappingTable(
      unit: .point, profile: .spriteKit, exact: [.severalEmitters],
      approximated: [.speed, .metadata, .frame2D, .preview], rows))

  /// Numbers are 64 bits wide and store floats.
  func real(_ number: Double) -> Archivable { .double(Double(Float(number))) }

  func adapt(_ writer: inout EmitterWriter<SpriteKitFamily>) {
    writer.leaveOrbit()
    writer.leaveLimit()
    writer.turnLaunch(toPlane: true)
    writer.straightenForces()
  }

  func emitters(below root: ArchivedObject, fileName: String) throws -> [KeyedEmitter<
    SpriteKitFamily
  >] {
    let nodes = try SpriteKitNodes(of: self, below: root, fileName: fileName)
    guard !nodes.emitters.isEmpty else { throw nodes.fault }
    nodes.report()
    return nodes.emitters
  }

  func place(below above: [Int], over origin: SpriteKitPlace?) -> SpriteKitPlace {
    origin ?? SpriteKitPlace()
  }
}

extension ParticleFormat {
  /// SpriteKit emitters: the files of Xcode's particle editor, and scenes with emitters.
  ///
  /// Any SpriteKit archive is accepted, and any property list with its extension: the reader names
  /// the contents if there is no emitter.
  public static let spriteKit = ParticleFormat(
    SpriteKitFamily.spriteKit, title: "SpriteKit emitter", extensions: ["sks"]
  ) { bytes, fileName in
    guard bytes.starts(with: BinaryPropertyList.signature) else { return false }
    if Files.pathExtension(of: fileName) == "sks" { return true }
    guard let archive = try? OpenKeyedArchives.archive(bytes) else { return false }
    return ["SKNode", "SKAction", "SKTileSet", "GKScene"].contains {
      archive.object(archive.root, isA: $0)
    }
  }.declaring(.spriteKit)
}
