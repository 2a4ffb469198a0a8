internal import ParticlesCore

extension ParticleFormat {
  /// Emitters of SpriteKit: the files that Xcode's particle editor writes, and scenes with emitters
  /// in them.
  public static let spriteKit = ParticleFormat(
    name: "spritekit", title: "SpriteKit emitter", extensions: ["sks"],
    recognise: { isSpriteKit($0, fileName: $1) },
    decode: { bytes, context in
      var decoder = SpriteKitDecoder(context: context)
      return try decoder.decode(bytes)
    })

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
