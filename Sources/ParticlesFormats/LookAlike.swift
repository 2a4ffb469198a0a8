internal import ParticlesCore
internal import ParticlesPropertyLists

/// Files that have the extension of a particle file, are read by the same programs, and hold
/// something else. Saying what they are helps more than saying what they are not.
struct LookAlike: Sendable {
  /// What a file is written in.
  enum Language: Sendable { case propertyList, json }

  /// What people call it.
  let name: String
  let language: Language

  /// The keys that tell it, all of which it has.
  let keys: Set<String>

  private init(_ name: String, _ language: Language, _ keys: Set<String>) {
    self.name = name
    self.language = language
    self.keys = keys
  }

  /// Those that we know, the ones with more keys first where one could be taken for another.
  static let all: [LookAlike] = [
    LookAlike("a keyed archive as XML", .propertyList, ["$archiver", "$objects"]),
    LookAlike("sprite frames of cocos2d", .propertyList, ["frames", "metadata"]),
    LookAlike("sprite frames of cocos2d", .propertyList, ["frames", "texture"]),
    LookAlike("animations of cocos2d", .propertyList, ["animations"]),
    LookAlike("shapes of PhysicsEditor", .propertyList, ["bodies"]),
    LookAlike("a font of cocos2d", .propertyList, ["itemWidth", "itemHeight"]),
    LookAlike("an Info.plist", .propertyList, ["CFBundleIdentifier"]),
    LookAlike("an Info.plist", .propertyList, ["CFBundleInfoDictionaryVersion"]),
    LookAlike("the document of an effect; pack its folder", .json, ["asset", "emitters"]),
    LookAlike("a sprite sheet", .json, ["frames", "meta"]),
    LookAlike("a Pixi emitter", .json, ["lifetime", "behaviors"]),
    LookAlike("a Pixi emitter", .json, ["lifetime", "startRotation"]),
    LookAlike("a Pixi emitter", .json, ["lifetime", "spawnType"]),
    LookAlike("an emitter of three.quarks", .json, ["object", "metadata"]),
    LookAlike("options of tsParticles", .json, ["particles"]),
    LookAlike("an emitter of Phaser", .json, ["lifespan", "quantity"]),
    LookAlike("an emitter of Vortex", .json, ["birthLimit", "lifespan"]),
    LookAlike("an animation of Lottie", .json, ["layers", "fr"]),
    LookAlike("a skeleton of Spine", .json, ["skeleton", "bones"]),
  ]

  /// What a file is that no format recognises; nil if it is nothing that we know. The file may be
  /// as large as it likes: only a beginning is looked at where that tells enough.
  static func name(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: BinaryPropertyList.signature) {
      guard let list = try? PropertyListValue(decoding: bytes) else { return nil }
      return name(of: list)
    }
    let start = bytes.prefix(4096).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    switch start {
    case UInt8(ascii: "<"): return nameOfXML(bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nameOfJSON(bytes)
    default: return nil
    }
  }

  private static func nameOfXML(_ bytes: [UInt8]) -> String? {
    guard let root = try? XMLParser.parse(bytes) else { return nil }
    guard root.name == "plist" else { return "XML with the root <\(root.name.excerpt)>" }
    return (try? PropertyListValue(xml: root)).map { name(of: $0) }
  }

  private static func name(of list: PropertyListValue) -> String {
    guard let members = list.members else { return "a property list that holds \(list.kind)" }
    return name(Set(members.map(\.key)), .propertyList) ?? "a property list of another kind"
  }

  private static func nameOfJSON(_ bytes: [UInt8]) -> String? {
    guard let json = try? JSONParser.parse(bytes) else { return nil }
    guard let object = json.object else { return "JSON that holds \(json.kind)" }
    return name(Set(object.members.map(\.key)), .json) ?? "JSON of another kind"
  }

  private static func name(_ keys: Set<String>, _ language: Language) -> String? {
    all.first { $0.language == language && $0.keys.isSubset(of: keys) }?.name
  }
}
