internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

extension ParticleFormat {
  /// Emitters of SpriteKit: the files that Xcode's particle editor writes, and scenes with emitters
  /// in them.
  public static let spriteKit = ParticleFormat(
    name: "spritekit", title: "SpriteKit emitter", extensions: ["sks"],
    recognise: { isSpriteKit($0, fileName: $1) },
    abilities: Abilities(
      unit: .point,
      exact: [
        .rate, .total, .shRect, .shLine, .spread2D, .speedRange, .gravity, .life, .size,
        .sizeCurve, .sizeAbs, .rot, .rotCurve, .colRand, .grad, .alphaCv, .mix, .tex, .blAlpha,
        .blAdd, .blMul, .blScr, .blSub, .multi,
      ],
      approximated: [
        .burst, .burstList, .duration, .loop, .idle, .speed, .prob, .space, .shDisc, .cone3D,
        .linAcc,
        .dragExp, .dragConst, .dragLin, .speedCurve, .sizeSE, .sizeXY, .rotVel, .rotSE, .rotAcc,
        .colHSB, .colSE, .initRamp, .flip, .blCustom, .premult, .sort, .meta, .frame2D, .preview,
      ]),
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
