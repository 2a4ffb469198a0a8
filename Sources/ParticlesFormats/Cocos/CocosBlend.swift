internal import ParticlesModel

/// The two factors of OpenGL that files of the family name.
struct CocosBlend: Hashable {
  var source: Int
  var destination: Int

  init(_ source: Int, _ destination: Int) {
    self.source = source
    self.destination = destination
  }

  /// The numbers that OpenGL knows.
  static func isFactor(_ number: Int) -> Bool { [0, 1].contains(number) || 768...776 ~= number }

  /// What mixing by factors is called, for colours as they are when a program of the family mixes
  /// them: images are multiplied by their alpha by then.
  private static let modes: [(factors: CocosBlend, mode: BlendMode)] = [
    // cocos2d makes of these whichever of the two fits the image, so they come first.
    (CocosBlend(1, 771), .alpha), (CocosBlend(770, 771), .alpha),
    (CocosBlend(770, 1), .add),
    (CocosBlend(774, 771), .multiplyAlpha),
    (CocosBlend(774, 0), .multiply), (CocosBlend(0, 768), .multiply),
    (CocosBlend(774, 768), .multiplyX2),
    (CocosBlend(1, 769), .screen), (CocosBlend(775, 1), .screen),
    (CocosBlend(1, 0), .replace),
  ]

  /// The mode of these factors.
  func blend(_ format: CocosFamily) -> Blend {
    // Starling multiplies colours by alpha itself, so that nothing is left to multiply.
    if format.isStarling, self == CocosBlend(1, 1) { return Blend(.add) }
    if let known = Self.modes.first(where: { $0.factors == self }) { return Blend(known.mode) }
    var blend = Blend(source: source, destination: destination)
    if source == 1 { blend.premultiply = .always }
    return blend
  }

  /// The factors of a mode; nil if there are none.
  init?(_ blend: Blend) {
    if blend.mode == .custom {
      guard let source = blend.source, let destination = blend.destination else { return nil }
      self.init(source, destination)
    } else {
      guard let known = Self.modes.first(where: { $0.mode == blend.mode }) else { return nil }
      self = known.factors
    }
  }
}
