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
    let family: [Profile] = [.cocos2d, .cocos2dX, .cocosCreator, .starling]
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

extension CocosBlend {
  /// The numbers of blend factors in files: those of OpenGL, or those of Cocos Creator 3.
  enum Numbers: Sendable {
    case openGL, creator

    /// The numbers of a file. 0 and 1 are the same in both.
    init(of reader: FieldReader<CocosFamily>) {
      let stated = [reader.integer("blendFuncSource"), reader.integer("blendFuncDestination")]
      let isCreators =
        reader.format.dialect == .cocos2d
        && stated.allSatisfy { $0.map(CocosBlend.creatorFactors.indices.contains) ?? false }
        && stated.contains { $0 ?? 0 > 1 }
      self = isCreators ? .creator : .openGL
    }

    /// The OpenGL number of a factor in a file; nil if there is none.
    func factor(of number: Int) -> Int? {
      switch self {
      case .openGL: CocosBlend.isFactor(number) ? number : nil
      case .creator:
        CocosBlend.creatorFactors.indices.contains(number)
          ? CocosBlend.creatorFactors[number] : nil
      }
    }

    /// The number in a file for an OpenGL factor.
    func number(of factor: Int) -> Int {
      switch self {
      case .openGL: factor
      case .creator: CocosBlend.creatorFactors.firstIndex(of: factor) ?? factor
      }
    }
  }

  /// The factors of Cocos Creator 3 by their numbers, `BlendFactor` in its `gfx/base/define.ts`.
  private static let creatorFactors = [0, 1, 770, 772, 771, 773, 768, 774, 769, 775, 776]

  /// The factors of a file: where they are missing or no factors, those that are assumed.
  init(of reader: FieldReader<CocosFamily>) {
    let numbers = Numbers(of: reader)
    let source = reader.integer("blendFuncSource").flatMap(numbers.factor) ?? 770
    let isAdditive = reader.flag("blendAdditive") == true
    let destination =
      reader.integer("blendFuncDestination").map { numbers.factor(of: $0) ?? 771 }
      ?? (isAdditive ? 1 : 771)
    self.init(source, destination)
  }
}
