internal import ParticlesModel

struct CocosBlend: Equatable {
  var source, destination: Int

  init(_ source: Int, _ destination: Int) {
    (self.source, self.destination) = (source, destination)
  }

  static func isFactor(_ number: Int) -> Bool { [0, 1].contains(number) || 768...776 ~= number }

  /// Maps blend factors to blend modes. Images are premultiplied when the programs of the family
  /// blend them.
  private static let modes: [(mode: BlendMode, factors: [CocosBlend])] = [
    // cocos2d replaces these by the variant that fits the image, so they come first.
    (.alpha, [.init(1, 771), .init(770, 771)]), (.add, [.init(770, 1)]),
    (.multiplyAlpha, [.init(774, 771)]), (.multiply, [.init(774, 0), .init(0, 768)]),
    (.multiplyX2, [.init(774, 768)]), (.screen, [.init(1, 769), .init(775, 1)]),
    (.replace, [.init(1, 0)]),
  ]

  func blend(_ format: CocosFamily) -> Blend {
    // Starling premultiplies colours itself.
    if format.isStarling, self == CocosBlend(1, 1) { return Blend(.add) }
    if let known = Self.modes.first(where: { $0.factors.contains(self) }) {
      return Blend(known.mode)
    }
    var blend = Blend(source: source, destination: destination)
    if source == 1 { blend.premultiply = .always }
    return blend
  }

  init?(_ blend: Blend) {
    if blend.mode == .custom, let source = blend.source, let destination = blend.destination {
      self.init(source, destination)
    } else if let known = Self.modes.first(where: { $0.mode == blend.mode }) {
      self = known.factors[0]
    } else {
      return nil
    }
  }
}
