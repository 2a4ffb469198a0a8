internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The family of formats that Particle Designer introduced. Their keys are equal, but programs
/// interpret some differently.
struct CocosFamily: FieldFormat {
  enum Dialect: String, Sendable {
    case cocos2d, starling
    case particleDesigner = "particle-designer"
  }

  typealias Reader = FieldReader<CocosFamily>
  typealias Field = FieldValue
  typealias Surroundings = CocosAxes

  static let widthSuffix = "Variance"

  let dialect: Dialect
  let table: MappingTable<CocosFamily>

  init(_ dialect: Dialect) {
    self.dialect = dialect
    table = MappingTable(
      unit: dialect == .starling ? .pixel : .point,
      profile: dialect == .starling ? .starling : .cocos2dX,
      others: dialect == .cocos2d ? [.cocos2d, .cocosCreator] : [],
      exact: dialect == .starling
        ? [.texture, .embeddedImage] : [.texture, .embeddedImage, .space],
      approximated: dialect == .starling ? [.severalEmitters] : [.severalEmitters, .align],
      Self.rows(dialect))
  }

  var isStarling: Bool { dialect == .starling }
  var name: String { dialect.rawValue }
  var engine: String { isStarling ? "Starling" : "cocos2d" }
  var rootKeys: [String] { ["maxParticles", "particleLifespan"] }
  var nameKey: String { "configName" }
  var imageKeys: (name: String, data: String)? { ("textureFileName", "textureImageData") }
  /// cocos2d requires an image. Starling gets its image from the program.
  var needsImage: Bool { !isStarling }

  /// `finishCOlorVarianceAlpha`, `- rotationEnd` and `tangentialAccelVariation` occur in published
  /// files. So keys are compared without case, leading punctuation and the ending `variation`.
  /// Comment keys match only themselves.
  func meaning(of spelling: String) -> String {
    guard !spelling.utf8.starts(with: "//".utf8) else { return spelling }
    let name = Self.letters(of: spelling).lowercased()
    let ending = "variation"
    guard !name.isEmpty else { return spelling }
    // Bytes, since comparing characters takes much longer.
    let endsSo = name.utf8.reversed().starts(with: ending.utf8.reversed())
    return endsSo ? name.dropLast(ending.count) + "variance" : name
  }

  /// A key without the characters before its first letter and without white space at its end.
  private static func letters(of spelling: String) -> String {
    if spelling.utf8.allSatisfy({ $0 < 0x80 }) {
      // Looking up the properties of scalars takes much longer.
      var letters = spelling.utf8.drop { !(65...90).contains($0 & ~32) }
      while let last = letters.last, last == 32 || (9...13).contains(last) { letters.removeLast() }
      return String(Substring(letters))
    }
    var letters = spelling.unicodeScalars.drop { !$0.properties.isAlphabetic }
    while letters.last?.properties.isWhitespace == true { letters.removeLast() }
    return String(letters)
  }

  var newSurroundings: CocosAxes { CocosAxes(y: isStarling ? -1 : 1) }

  /// Particles end where they can no longer be seen: the rest of their size and colour is then
  /// usually a straight line, which the formats have.
  func adapt(_ writer: inout EmitterWriter<CocosFamily>) {
    if isStarling { writer.fillPlaces() }
    writer.turnLaunch(toPlane: true)
    writer.endAtSight()
  }

  func surroundings(of reader: FieldReader<CocosFamily>) -> CocosAxes { CocosAxes(reader) }

  /// An embedded image: base64 of gzip of PNG, TIFF or another picture.
  func unpack(_ text: String, limits: Limits) throws(Failure) -> [UInt8] {
    try SharedImages.result(.unpack, of: Array(text.utf8), limits: limits, size: { $0.count }) {
      try Self.unpacked(text, limits: limits)
    }
  }

  private static func unpacked(_ text: String, limits: Limits) throws(Failure) -> [UInt8] {
    var bytes = try [UInt8](base64: text, rule: .embeddedImage)
    // gzip or plain zlib.
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.first == 0x78 {
      bytes = try Zlib.inflate(bytes, limit: limits.fileBytes, rule: .embeddedImage)
    }
    do {
      _ = try Bitmap(decoding: bytes, limits: limits)
    } catch let fault as Diagnostic where fault.rule == .imageUnchecked {
      guard ImageFormat(of: bytes) == nil else { return bytes }
      throw Diagnostic(.embeddedImage, expected: "an image", found: fault.found)
    }
    return bytes
  }

  func pack(_ image: [UInt8]) -> String {
    SharedImages.result(.pack, of: image, limits: .standard, size: { $0.utf8.count }) {
      Deflate(level: 9).gzip(image).base64
    }
  }
}

struct CocosAxes {
  /// 1 if y points up, −1 if it points down.
  private(set) var y = 1.0

  /// Whether motion is reflected in the origin: in cocos2d-x the flag for a flipped axis flips both
  /// axes.
  private(set) var isReflected = false

  private(set) var factors = CocosBlend.Numbers.openGL

  /// −1 if motion is reflected.
  var away: Double { isReflected ? -1 : 1 }

  init(y: Double) { self.y = y }

  fileprivate init(_ reader: FieldReader<CocosFamily>) {
    factors = CocosBlend.Numbers(of: reader)
    let flag = reader.number("yCoordFlipped")
    switch reader.format.dialect {
    case .cocos2d where flag == -1 && reader.law == .cocos2dX:
      isReflected = true
      reader.note(
        .assumed, "yCoordFlipped", "motion is reflected in the origin, as in cocos2d-x since 3.1")
    case .particleDesigner where flag == -1:
      y = -1
      reader.note(.assumed, "yCoordFlipped", "y points down")
    case .starling: y = -1
    default: break
    }
  }
}

extension ParticleFormat {
  /// cocos2d property lists, introduced by Particle Designer.
  public static let cocos2d = ParticleFormat(
    CocosFamily(.cocos2d), in: PropertyListSyntax.self, title: "cocos2d particle system",
    extensions: ["plist"],
    lookAlikes: [
      ForeignKind("sprite frames of cocos2d", .propertyList, ["frames", "metadata"]),
      ForeignKind("sprite frames of cocos2d", .propertyList, ["frames", "texture"]),
      ForeignKind("animations of cocos2d", .propertyList, ["animations"]),
      ForeignKind("shapes of PhysicsEditor", .propertyList, ["bodies"]),
      ForeignKind("a font of cocos2d", .propertyList, ["itemWidth", "itemHeight"]),
    ]
  ) { bytes, _ in
    guard bytes.starts(with: BinaryPropertyList.signature) else {
      let bytes = bytes.asASCII
      return bytes.beginsWithText("<") && bytes.contains("<plist")
        && (bytes.contains("axParticles") || bytes.contains("articleLifespan"))
    }
    guard let list = try? BinaryPropertyList(bytes) else { return false }
    return ["maxParticles", "particleLifespan"].contains {
      list.value(of: $0, in: list.root) != nil
    }
  }.declaring(.cocos2d)

  /// The keys of the family as JSON, used by Solar2D and others.
  public static let particleDesigner = ParticleFormat(
    CocosFamily(.particleDesigner), in: JSONSyntax.self, title: "Particle Designer JSON",
    extensions: ["json"]
  ) { bytes, _ in
    // Other engines have the first key, too.
    bytes.beginsWithText("{")
      && ["\"maxParticles\"", "\"particleLifespan\"", "\"startParticleSize\""]
        .count(where: { bytes.contains($0) }) > 1
  }.declaring(.particleDesigner)

  /// Starling particle systems, also with Lanica's name for the root element.
  public static let starling = ParticleFormat(
    CocosFamily(.starling), in: StarlingSyntax.self, title: "Starling particle system",
    extensions: ["pex", "lap"]
  ) { bytes, _ in
    let start = Array(bytes.prefix(8192)).asASCII
    return start.beginsWithText("<")
      && StarlingSyntax.roots.contains { Array(start.prefix(4096)).contains("<\($0)") }
  }.declaring(.starling)
}

// The engine that a property list was made for.

extension CocosFamily {
  /// Something that only files for one engine have.
  private struct Evidence: Sendable {
    let profile: Profile
    let reason: String
    let isFound: @Sendable (FieldReader<CocosFamily>) -> Bool
  }

  /// Signs of an engine, the strongest first. A property list of Particle Designer has no sign: all
  /// engines read it.
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

  /// The engine that a file was made for. Nil if only one engine reads the format.
  /// - Parameter named: the engine that the caller names, or nil to look at the file.
  func engine(of reader: FieldReader<CocosFamily>, named: Profile?) -> EngineChoice? {
    let profiles = table.capabilities.profiles
    guard dialect == .cocos2d, profiles.count > 1 else { return nil }
    let found = Self.evidence.filter { $0.isFound(reader) }
    var choice = EngineChoice(profile: profiles[0], ground: .usual, reasons: [], others: [])
    if let named, profiles.contains(named) {
      (choice.profile, choice.ground) = (named, .named)
    } else if let first = found.first {
      (choice.profile, choice.ground) = (first.profile, .file)
      choice.reasons = found.filter { $0.profile == first.profile }.map { $0.reason }
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
  /// A key that some engines of the family do not read, with an entry for each engine.
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
