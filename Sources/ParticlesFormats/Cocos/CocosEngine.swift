internal import ParticlesCore
internal import ParticlesModel

// The engine that a property list was made for.

extension CocosFamily {
  /// Something that only files for one engine have.
  private struct Evidence: Sendable {
    let profile: Profile
    let reason: String
    let isFound: @Sendable (FieldReader<CocosFamily>) -> Bool
  }

  /// Signs of an engine, the strongest first. A property list of Particle Designer has none of it: all
  /// engines read that.
  private static let evidence: [Evidence] = [
    Evidence(
      profile: .cocosCreator, reason: "'spriteFrameUuid' names an asset of Cocos Creator",
      isFound: { $0.has("spriteFrameUuid") }),
    Evidence(
      profile: .cocosCreator, reason: "the blend factors are the numbers of Cocos Creator 3",
      isFound: { CocosBlend.Numbers(of: $0) == .creator }),
    Evidence(
      profile: .cocos2dX, reason: "only cocos2d-x reads a 'yCoordFlipped' of -1",
      isFound: { $0.number("yCoordFlipped") == -1 }),
  ]

  /// The reason for the usual engine.
  private static let usual = "no key or blend factor tells, and most programs use it"

  /// The engine that a file was made for; nil if only one reads the format.
  /// - Parameter named: the engine that the caller names; nil to look at the file.
  func engine(of reader: FieldReader<CocosFamily>, named: Profile?) -> EngineChoice? {
    let profiles = table.capabilities.profiles
    guard dialect == .cocos2d, profiles.count > 1 else { return nil }
    let found = Self.evidence.filter { $0.isFound(reader) }
    var choice = EngineChoice(profile: profiles[0], ground: .usual, reasons: [], others: [])
    if let named, profiles.contains(named) {
      (choice.profile, choice.ground) = (named, .named)
    } else if let first = found.first {
      (choice.profile, choice.ground) = (first.profile, .file)
      choice.reasons = found.filter { $0.profile == first.profile }.map(\.reason)
    } else {
      choice.reasons = [Self.usual]
    }
    let blend = CocosBlend(of: reader).blend
    let color = SIMD4<Float>(1, 1, 1, 0.5)
    choice.others = profiles.filter { profile in
      profile != choice.profile && (found.first?.profile ?? profile) == profile
        // cocos2d-html5 loads nothing without the key.
        && (profile != .cocos2d || reader.number("emitterType") != nil)
    }.map { profile in
      let difference = BlendDifference.between(
        (blend, choice.profile), (blend, profile), color: color)
      return EngineChoice.Other(profile: profile, drawsEqually: difference < 0.01)
    }
    return choice
  }
}

extension FieldReader<CocosFamily> {
  /// The engine whose law the file is read by.
  var law: Profile { engine?.profile ?? format.table.capabilities.profile }

}

extension UnreadKey<CocosFamily> {
  /// A key that some engines of the family do not read, each of them by its name.
  static func of(
    _ key: String, by profiles: [Profile], _ consequence: String, from source: String,
    severity: Severity = .warning,
    find: @escaping @Sendable (FieldReader<CocosFamily>) -> Finding?
  ) -> [UnreadKey] {
    profiles.map { profile in
      UnreadKey(key, by: name(of: profile), consequence, from: source, severity: severity) {
        $0.law == profile ? find($0) : nil
      }
    }
  }

  private static func name(of profile: Profile) -> String {
    switch profile {
    case .cocos2d: "cocos2d-html5"
    case .cocos2dX: "cocos2d-x"
    case .cocosCreator: "Cocos Creator"
    default: "Starling"
    }
  }
}
