internal import ParticlesModel

extension Abilities {
  /// What files of cocos2d can say, as property list or as JSON.
  static let cocos2d = Abilities(
    unit: .point, exact: family.union([.space]),
    approximated: approximatedByFamily.union([.align]))

  /// What files of Starling can say.
  static let starling = Abilities(
    unit: .pixel, exact: family, approximated: approximatedByFamily)

  private static let family: Set<Capability> = [
    .duration, .shRect, .shLine, .spread2D, .speedRange, .gravity, .radial, .tangent, .orbit,
    .life, .size, .sizeSE, .sizeAbs, .rot, .rotSE, .colRand, .colSE, .tex, .embed, .blAlpha,
    .blAdd, .blMul, .blScr, .blCustom, .premult,
  ]

  private static let approximatedByFamily: Set<Capability> = [
    .rate, .rateRand, .rateCurve, .burst, .loop, .speed, .total, .maxAlive, .prob, .shDisc, .sh3D,
    .cone3D, .speedCurve, .attract, .sizeCurve, .rotVel, .rotCurve, .rotAcc, .colHSB, .grad,
    .alphaCv, .mix, .initRamp, .blSub, .multi,
  ]
}
