internal import ParticlesPropertyLists
internal import ParticlesCore

/// A kind of file that shares extension or syntax with particle files but has other contents. A
/// message that names the kind helps more than an error about a missing key.
package struct LookAlike: Sendable {
  /// The syntax of a file.
  package enum Language: Sendable { case propertyList, json }

  /// The name for messages: "a sprite sheet".
  package let name: String

  /// The syntax of the file.
  package let language: Language

  /// The keys by which it is recognised, all of which it has.
  package let keys: Set<String>

  /// Creates a description of such files.
  package init(_ name: String, _ language: Language, _ keys: Set<String>) {
    self.name = name
    self.language = language
    self.keys = keys
  }

  /// Kinds of files that belong to no supported format; where one could be mistaken for another,
  /// the one with more keys comes first.
  static let common: [LookAlike] = [
    LookAlike("a keyed archive as XML", .propertyList, ["$archiver", "$objects"]),
    LookAlike("an Info.plist", .propertyList, ["CFBundleIdentifier"]),
    LookAlike("an Info.plist", .propertyList, ["CFBundleInfoDictionaryVersion"]),
    LookAlike("the document of an effect; pack its folder", .json, ["asset", "emitters"]),
    LookAlike("a sprite sheet", .json, ["frames", "meta"]),
    LookAlike("options of tsParticles", .json, ["particles"]),
    LookAlike("an animation of Lottie", .json, ["layers", "fr"]),
    LookAlike("a skeleton of Spine", .json, ["skeleton", "bones"]),
  ]

  /// Archives and compressed files that are not read, by their first bytes.
  private static let archives: [(signature: [UInt8], name: String, advice: String)] = [
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive", "extract it first: 7z x FILE"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz file", "decompress it first: xz -d FILE"),
    ([0x42, 0x5A, 0x68], "a bzip2 file", "decompress it first: bzip2 -d FILE"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard file", "decompress it first: zstd -d FILE"),
    ([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07], "a RAR archive", "extract it first: unrar x FILE"),
    ([0x52, 0x53, 0x52, 0x43], "a binary file of Godot", "save it as text: .tscn or .tres"),
    (
      [0x50, 0x4B, 0x07, 0x08], "the first part of a split ZIP archive",
      "join the parts first: zip -s 0 FILE.zip --out WHOLE.zip"
    ),
  ]

  private static let adviceOnUSD =
    "USD tools export no particles; convert the .scnp or .sks file that they came from"

  /// Files of other programs that are not read, by their first bytes, and what to do instead.
  private static let programs: [(signature: [UInt8], name: String, advice: String)] = [
    (
      Array("C3D".utf8), "a SceneKit scene",
      "save its particle systems in Xcode as files of their own (.scnp)"
    ),
    (Array("PXR-USDC".utf8), "a USD scene", adviceOnUSD),
    (Array("#usda".utf8), "a USD scene", adviceOnUSD),
    (
      [0xC1, 0x83, 0x2A, 0x9E], "an asset of Unreal Engine, such as a Niagara system",
      "Unreal Engine exports particles in no format that is read; export the textures only"
    ),
    (
      Array("SKFE".utf8), "a compiled Effekseer effect",
      "convert the project that it was compiled from (.efkproj or .efkefc)"
    ),
  ]

  /// Text files of other programs, by words near their beginning, all of which they have.
  private static let texts: [(words: [String], name: String, advice: String)] = [
    (
      ["%YAML", "tag:unity3d.com", "ParticleSystem:"],
      "a prefab, scene or asset of Unity with a particle system",
      "export it for three.quarks (.json), or copy the values"
    ),
    (
      ["%YAML", "tag:unity3d.com"], "a prefab, scene or asset of Unity",
      "export its particle systems for three.quarks (.json), or copy the values"
    ),
    (
      ["CParticleEffect"], "a PopcornFX effect",
      "PopcornFX exports to no format that is read; export the textures only"
    ),
    (
      ["Particle Universe"], "a script of Particle Universe",
      "Particle Universe exports to no format that is read; export the textures only"
    ),
    (
      ["\"GMParticleSystem\""], "a particle system of GameMaker",
      "GameMaker exports to no format that is read; copy the values"
    ),
  ]

  /// Whether bytes are a USD package (.usdz): a ZIP archive whose first entry is a USD file, stored without
  /// compression at a multiple of 64 bytes.
  static func isUSDPackage(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 30, bytes.starts(with: [0x50, 0x4B, 3, 4]), bytes[8] == 0, bytes[9] == 0
    else { return false }
    let nameLength = Int(bytes[26]) | Int(bytes[27]) << 8
    let extraLength = Int(bytes[28]) | Int(bytes[29]) << 8
    guard bytes.count >= 30 + nameLength, (30 + nameLength + extraLength) % 64 == 0 else {
      return false
    }
    let name = bytes[30..<30 + nameLength]
    return [".usdc", ".usda", ".usd"].contains { name.reversed().starts(with: $0.utf8.reversed()) }
  }

  /// Names the kind of a file that no format recognises; nil if unknown. Of a large file only the
  /// beginning is read where that is enough.
  static func name(of bytes: [UInt8], among known: [LookAlike]) -> String? {
    if bytes.starts(with: BinaryPropertyList.signature) {
      if let archive = try? OpenKeyedArchives.archive(bytes) {
        let className = archive.className(of: archive.root)?.excerpt
        if className == "SCNScene" {
          return "a SceneKit scene; save its particle systems as files of their own"
        }
        return className.map { "a keyed archive of \($0)" } ?? "a keyed archive"
      }
      return (try? PropertyListValue(decoding: bytes)).map { name(of: $0, among: known) }
    }
    if let file = (archives + programs).first(where: { bytes.starts(with: $0.signature) }) {
      return "\(file.name); \(file.advice)"
    }
    if isUSDPackage(bytes) { return "a USD package (.usdz); \(adviceOnUSD)" }
    let text = Array(bytes.prefix(4096)).asASCII
    if let file = texts.first(where: { file in file.words.allSatisfy { text.contains($0) } }) {
      return "\(file.name); \(file.advice)"
    }
    let start = bytes.prefix(4096).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    switch start {
    case UInt8(ascii: "<"): return nameOfXML(bytes, among: known)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nameOfJSON(bytes, among: known)
    default: return nil
    }
  }

  private static func nameOfXML(_ bytes: [UInt8], among known: [LookAlike]) -> String? {
    guard let root = try? XMLParser.parse(bytes, reporting: { _ in }) else { return nil }
    guard root.name == "plist" else { return "XML with the root <\(root.name.excerpt)>" }
    return (try? PropertyListValue(xml: root)).map { name(of: $0, among: known) }
  }

  private static func name(of list: PropertyListValue, among known: [LookAlike]) -> String {
    guard let members = list.members else { return "a property list that holds \(list.kind)" }
    return name(Set(members.map(\.key)), .propertyList, known) ?? "a property list of another kind"
  }

  private static func nameOfJSON(_ bytes: [UInt8], among known: [LookAlike]) -> String? {
    guard let json = try? JSONTree(decoding: bytes, limits: .standard).value else { return nil }
    guard let object = json.object else { return "JSON that holds \(json.kind)" }
    return name(Set(object.members.map(\.key)), .json, known) ?? "JSON of another kind"
  }

  private static func name(_ keys: Set<String>, _ language: Language, _ known: [LookAlike])
    -> String?
  {
    known.first { $0.language == language && $0.keys.isSubset(of: keys) }?.name
  }
}
