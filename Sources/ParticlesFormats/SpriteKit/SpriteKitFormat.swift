internal import ParticlesCore
internal import ParticlesModel

/// Emitters of SpriteKit.
struct SpriteKitFamily: ArchiveFormat {
  /// What rows have to know beside the emitter.
  struct Surroundings {
    /// The name of the node; nil if it needs none.
    var name: String?
    /// The name by which SpriteKit finds the image; nil if there is none.
    var texture: String?
    /// Where the node above is, which the transform of this one starts from.
    var parent = SpriteKitPlace()
  }

  let table: MappingTable<SpriteKitFamily>
  let name = "spritekit"
  let engine = "SpriteKit"

  static let spriteKit = SpriteKitFamily(
    table: MappingTable(
      unit: .point, exact: [.multi], approximated: [.speed, .meta, .frame2D, .preview], rows))

  /// Numbers are 64 bits wide and were floats before.
  func real(_ number: Double) -> Archivable { .double(Double(Float(number))) }
}

extension ParticleFormat {
  /// Emitters of SpriteKit: the files that Xcode's particle editor writes, and scenes with emitters
  /// in them.
  public static let spriteKit = ParticleFormat(
    name: SpriteKitFamily.spriteKit.name, title: "SpriteKit emitter", extensions: ["sks"],
    recognise: { isSpriteKit($0, fileName: $1) },
    abilities: SpriteKitFamily.spriteKit.table.abilities,
    decode: { bytes, context in
      var decoder = SpriteKitDecoder(context: context)
      return try decoder.decode(bytes)
    },
    encode: { try SpriteKitEncoder($0, $1).encode() })

  /// Anything of SpriteKit's is ours, and any property list that has its extension: reading tells
  /// what it is instead of an emitter.
  private static func isSpriteKit(_ bytes: [UInt8], fileName: String) -> Bool {
    guard bytes.starts(with: BinaryPropertyList.signature) else { return false }
    if Files.pathExtension(of: fileName) == "sks" { return true }
    guard let archive = try? KeyedArchive(bytes) else { return false }
    return ["SKNode", "SKAction", "SKTileSet", "GKScene"].contains {
      archive.object(archive.root, isA: $0)
    }
  }
}
