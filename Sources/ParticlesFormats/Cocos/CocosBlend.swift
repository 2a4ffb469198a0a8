internal import ParticlesModel

struct CocosBlend: Equatable {
  var source, destination: Int

  init(_ source: Int, _ destination: Int) {
    (self.source, self.destination) = (source, destination)
  }

  static func isFactor(_ number: Int) -> Bool { [0, 1].contains(number) || 768...776 ~= number }

  /// Blend modes that state the same as factors.
  private static let modes: [(mode: BlendMode, factors: [CocosBlend])] = [
    (.alpha, [.init(770, 771)]), (.add, [.init(770, 1)]), (.multiplyAlpha, [.init(774, 771)]),
    (.multiply, [.init(774, 0), .init(0, 768)]), (.multiplyX2, [.init(774, 768)]),
    (.screen, [.init(1, 769)]), (.replace, [.init(1, 0)]),
  ]

  /// The factors as a blend mode of a document. Engines differ in what they do with factors that
  /// leave out the alpha of the source; the document keeps these, and the law of the profile applies.
  var blend: Blend {
    if let known = Self.modes.first(where: { $0.factors.contains(self) }) {
      return Blend(known.mode)
    }
    var blend = Blend(source: source, destination: destination)
    if source == 1 || source == 775 { blend.premultiply = .always }
    return blend
  }

  /// - Parameters:
  ///   - profile: the engine that the effect was made for. Those of the family use the alpha of an image
  ///     twice for (770, 771), which is their blending by alpha.
  ///   - format: for an effect of another engine, Starling has (1, 771), which uses it once. So has
  ///     cocos2d-x, but cocos2d-html5 and Cocos Creator show particles with these factors too faint, or
  ///     with bright edges.
  init?(_ blend: Blend, from profile: Profile, for format: CocosFamily) {
    let family: [Profile] = [.cocos2d, .cocos2dX, .starling]
    if blend.mode == .custom, let source = blend.source, let destination = blend.destination {
      self.init(source, destination)
    } else if blend.mode == .alpha, format.isStarling, !family.contains(profile) {
      self.init(1, 771)
    } else if let known = Self.modes.first(where: { $0.mode == blend.mode }) {
      self = known.factors[0]
    } else {
      return nil
    }
  }
}
