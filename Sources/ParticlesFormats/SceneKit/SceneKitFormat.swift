internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

extension ParticleFormat {
  /// Particle systems of SceneKit: the files that Xcode's editor writes, and the documents of
  /// Apple's sample application, which are the same under another extension.
  public static let sceneKit = ParticleFormat(
    name: "scenekit", title: "SceneKit particle system", extensions: ["scnp", "particles"],
    recognise: { isSceneKit($0, fileName: $1) },
    abilities: Abilities(
      unit: .unit,
      exact: [
        .rate, .rateRand, .burst, .duration, .loop, .idle, .prewarm, .speed, .shRect, .dirNormal,
        .cone3D, .speedRange, .gravity, .dragExp, .life, .size, .sizeCurve, .sizeAbs, .stretch,
        .rot, .rotVel, .rotCurve, .colHSB, .grad, .alphaCv, .mix, .tex, .blAlpha, .blAdd, .blMul,
        .blScr, .blSub, .subDeath, .subLive, .subColl, .seed,
      ],
      approximated: [
        .burstList, .delay, .total, .explos, .prob, .space, .shDisc, .shLine, .shPoly, .sh3D,
        .spread2D, .dragLin, .collide, .sizeSE, .rotSE, .rot3D, .colRand, .colSE, .initRamp,
        .flip, .blCustom, .premult, .sort, .billb, .soft, .multi, .frame2D,
      ]),
    decode: { bytes, context in
      var decoder = SceneKitDecoder(context: context)
      return try decoder.decode(bytes)
    },
    encode: { try SceneKitEncoder($0, $1).encode() })

  /// A property list whose archive cannot be opened, or holds something else, still counts if its
  /// name says that it should be ours: then reading it tells what is wrong.
  private static func isSceneKit(_ bytes: [UInt8], fileName: String) -> Bool {
    guard bytes.starts(with: BinaryPropertyList.signature) else { return false }
    if let archive = try? KeyedArchive(bytes),
      archive.object(archive.root, isA: SceneKitDecoder.className)
    {
      return true
    }
    return ["scnp", "particles"].contains(Files.pathExtension(of: fileName))
  }
}
