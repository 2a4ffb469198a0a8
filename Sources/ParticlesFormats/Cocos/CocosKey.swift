internal import ParticlesCore

/// A key of a file, as it is spelled there and as it is meant.
///
/// Files are written by hand, too: `finishCOlorVarianceAlpha`, `- rotationEnd` and
/// `tangentialAccelVariation` are found in published ones. So keys are the same if they are but for
/// case, leading punctuation and that ending.
struct CocosKey: Hashable, Sendable {
  /// As it stands in the file.
  let spelling: String

  private let meaning: String

  /// Creates a key.
  init(_ spelling: String) {
    self.spelling = spelling
    // A key that is a comment is itself only.
    guard !spelling.hasPrefix("//") else {
      meaning = spelling
      return
    }
    var letters = spelling.unicodeScalars.drop { !$0.properties.isAlphabetic }
    while letters.last?.properties.isWhitespace == true { letters.removeLast() }
    let name = String(letters).lowercased()
    let ending = "variation"
    meaning =
      name.isEmpty
      ? spelling : name.hasSuffix(ending) ? name.dropLast(ending.count) + "variance" : name
  }

  /// Creates a key that means nothing, whatever it looks like.
  init(unrelated spelling: String) {
    self.spelling = spelling
    meaning = "//" + spelling
  }

  /// Whether it is there for people only.
  var isComment: Bool { spelling.hasPrefix("//") }

  static func == (a: CocosKey, b: CocosKey) -> Bool { a.meaning == b.meaning }

  func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
}

/// A property that files of the family have.
struct CocosProperty: Sendable {
  /// How its value is written.
  enum Kind: Sendable { case integer, real, text, flag }

  let key: CocosKey
  let kind: Kind

  private init(_ name: String, _ kind: Kind = .real) {
    key = CocosKey(name)
    self.kind = kind
  }

  /// A number and its variance.
  private static func varying(_ name: String, _ variance: String? = nil) -> [CocosProperty] {
    [CocosProperty(name), CocosProperty(variance ?? name + "Variance")]
  }

  private static func color(_ name: String) -> [CocosProperty] {
    ["", "Variance"].flatMap { suffix in
      CocosChannel.allCases.map { CocosProperty(name + suffix + $0.rawValue) }
    }
  }

  /// Every property that we know, in the order in which we write them.
  static let all: [CocosProperty] = [
    [CocosProperty("configName", .text), CocosProperty("emitterType", .integer)],
    [CocosProperty("maxParticles", .integer), CocosProperty("emissionRate")],
    [CocosProperty("duration")], varying("particleLifespan"),
    [CocosProperty("sourcePositionx"), CocosProperty("sourcePositiony")],
    [CocosProperty("sourcePositionVariancex"), CocosProperty("sourcePositionVariancey")],
    [CocosProperty("positionType", .integer), CocosProperty("yCoordFlipped", .integer)],
    varying("angle"), varying("speed"), [CocosProperty("gravityx"), CocosProperty("gravityy")],
    varying("radialAcceleration", "radialAccelVariance"),
    varying("tangentialAcceleration", "tangentialAccelVariance"),
    varying("maxRadius"), varying("minRadius"), varying("rotatePerSecond"),
    varying("startParticleSize"), varying("finishParticleSize"),
    [CocosProperty("rotationIsDir", .flag), CocosProperty("headToVelocity", .flag)],
    varying("rotationStart"), varying("rotationEnd"),
    color("startColor"), color("finishColor"),
    [CocosProperty("blendFuncSource", .integer), CocosProperty("blendFuncDestination", .integer)],
    [CocosProperty("blendAdditive", .flag), CocosProperty("absolutePosition", .flag)],
    [CocosProperty("textureFileName", .text), CocosProperty("textureImageData", .text)],
  ].flatMap(\.self)

  static let byKey = Dictionary(
    all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
}

/// The components of a colour, as keys end.
enum CocosChannel: String, CaseIterable {
  case red = "Red"
  case green = "Green"
  case blue = "Blue"
  case alpha = "Alpha"
}

/// The members of the family: who reads a file, and with that what its numbers mean.
enum CocosDialect: String, Sendable {
  /// Property lists, for cocos2d.
  case cocos2d
  /// JSON, for Solar2D.
  case particleDesigner = "particle-designer"
  /// XML, for Starling.
  case starling
}
