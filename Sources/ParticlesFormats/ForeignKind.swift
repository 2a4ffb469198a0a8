package import ParticlesContainer
package import ParticlesCore
internal import ParticlesPropertyLists

/// A kind of file that no format reads, or that shares extension or syntax with particle files: its name, how it is
/// recognised, and the next step.
///
/// ``foreign`` is the table of these kinds. A format adds the kinds that are mistaken for its files.
package struct ForeignKind: Sendable {
  /// The syntax of a file.
  package enum Language: Sendable { case propertyList, json }

  /// How a kind is recognised.
  enum Sign: Sendable {
    /// A file of 0 bytes.
    case nothing
    /// The first bytes.
    case bytes([UInt8])
    /// The first characters, after white space.
    case text(String)
    /// Words near the beginning, all of which the file has.
    case words([String])
    /// The keys of the outermost object, all of which it has.
    case keys(Language, Set<String>)
    /// The name of the outermost element of an XML file.
    case element(String)
    /// The class of the outermost object of a keyed archive.
    case archived(String)
    /// Paths in a ZIP or tar archive, all of which it has. `*` is any folder.
    case entries([String])
    /// A condition, with its description.
    case condition(String, @Sendable ([UInt8]) -> Bool)
  }

  /// The name for messages: "a sprite sheet".
  package let name: String

  /// The signs of the kind. One sign is enough.
  let signs: [Sign]

  /// The next step, or nil if there is none.
  let advice: String?

  /// The extensions of such files, the usual one first. A file with a different extension should be
  /// renamed. Empty if its name does not matter.
  let extensions: [String]

  /// Names for files with certain extensions: a Unity asset `.prefab` is "a Unity prefab".
  var names: [String: String] = [:]

  /// Whether the contents are elsewhere, or lost: the file may be an effect.
  var isAbsent = false

  init(_ name: String, _ signs: [Sign], advice: String?, extensions: [String] = []) {
    (self.name, self.signs, self.advice, self.extensions) = (name, signs, advice, extensions)
  }

  init(_ name: String, _ signs: Sign..., advice: String? = nil) {
    self.init(name, signs, advice: advice)
  }

  /// Creates a description of files with certain keys.
  package init(_ name: String, _ language: Language, _ keys: Set<String>) {
    self.init(name, .keys(language, keys))
  }

  /// This kind, with its contents elsewhere.
  var absent: ForeignKind {
    var kind = self
    kind.isAbsent = true
    return kind
  }

  /// This kind, with special names for files with certain extensions.
  func named(_ names: [String: String]) -> ForeignKind {
    var kind = self
    kind.names = names
    return kind
  }

  /// The message about a file of this kind.
  func diagnostic(fileName: String = "") -> Diagnostic {
    let kind = Files.pathExtension(of: fileName)
    var hint = advice
    if let usual = extensions.first, !kind.isEmpty, !extensions.contains(kind) {
      let rename = "rename it to \(Files.stem(of: fileName).excerpt).\(usual)"
      hint = advice.map { "\(rename), and \($0)" } ?? rename
    }
    return Diagnostic(.foreign, found: names[kind] ?? name, hint: hint)
  }

  /// Whether the contents of a file are elsewhere, or lost, by the name of its kind.
  package static func isAbsent(_ name: String) -> Bool {
    foreign.contains { $0.isAbsent && $0.name == name }
  }
}

extension ForeignKind {
  /// The number of bytes in which words are looked for.
  private static let beginning = 4096

  /// Names the kind of a file that no format recognises, with the next step. Nil if unknown. Of a
  /// large file only the beginning is read where that is enough.
  static func diagnostic(
    of bytes: [UInt8], fileName: String, among known: [ForeignKind]
  ) -> Diagnostic? {
    let head = Array(bytes.prefix(beginning))
    let text = head.asASCII
    let found = known.first { kind in
      kind.signs.contains { $0.matches(bytes, head: head, text: text) }
    }
    if let found { return found.diagnostic(fileName: fileName) }
    return contents(of: bytes, head).flatMap { contents in
      let found = known.first { kind in kind.signs.contains { contents.has($0) } }
      return found?.diagnostic(fileName: fileName)
        ?? contents.name.map { Diagnostic(.foreign, found: $0) }
    }
  }

  /// Names the kind of a tree of files that has no effect. Nil if unknown.
  package static func diagnostic(of root: FileNode) -> Diagnostic? {
    foreign.first { kind in kind.signs.contains { $0.matches(root) } }?.diagnostic()
  }

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

  /// The contents of a file in a syntax that is read.
  private struct Contents {
    /// The name in messages, if no kind of the table has it.
    var name: String?
    var keys: (language: Language, keys: Set<String>)?
    var element: String?
    var archived: String?

    func has(_ sign: Sign) -> Bool {
      switch sign {
      case .keys(let language, let names):
        keys.map { $0.language == language && names.isSubset(of: $0.keys) } ?? false
      case .element(let name): element == name
      case .archived(let name): archived == name
      default: false
      }
    }
  }

  private static func contents(of bytes: [UInt8], _ head: [UInt8]) -> Contents? {
    if bytes.starts(with: BinaryPropertyList.signature) {
      if let archive = try? OpenKeyedArchives.archive(bytes) {
        let className = archive.className(of: archive.root)?.excerpt
        return Contents(
          name: className.map { "a keyed archive of \($0)" } ?? "a keyed archive",
          archived: className)
      }
      return (try? PropertyListValue(decoding: bytes)).map(contents)
    }
    switch head.first(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }) {
    case UInt8(ascii: "<"):
      guard let root = try? XMLParser.parse(bytes, reporting: { _ in }) else { return nil }
      if root.name == "plist" { return (try? PropertyListValue(xml: root)).map(contents) }
      return Contents(name: "XML with the root <\(root.name.excerpt)>", element: root.name)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let json = try? JSONTree(decoding: bytes, limits: .standard).value else { return nil }
      guard let object = json.object else { return Contents(name: "JSON that holds \(json.kind)") }
      return Contents(
        name: "JSON of another kind", keys: (.json, Set(object.members.map { $0.key })))
    default: return nil
    }
  }

  private static func contents(of list: PropertyListValue) -> Contents {
    guard let members = list.members else {
      return Contents(name: "a property list that holds \(list.kind)")
    }
    return Contents(
      name: "a property list of another kind", keys: (.propertyList, Set(members.map { $0.key })))
  }
}

extension ForeignKind.Sign {
  /// Whether a file has this sign, as far as its beginning shows it.
  fileprivate func matches(_ bytes: [UInt8], head: [UInt8], text: [UInt8]) -> Bool {
    switch self {
    case .nothing: bytes.isEmpty
    case .bytes(let signature): head.starts(with: signature)
    case .text(let beginning): text.beginsWithText(beginning)
    case .words(let words): words.allSatisfy { text.contains($0) }
    case .condition(_, let holds): holds(bytes)
    case .keys, .element, .archived, .entries: false
    }
  }

  /// Whether a tree of files has this sign.
  fileprivate func matches(_ root: FileNode) -> Bool {
    guard case .entries(let paths) = self else { return false }
    return paths.allSatisfy { path in
      guard path.hasPrefix("*/") else { return root[path] != nil }
      return root.children?.contains { $0.node[String(path.dropFirst(2))] != nil } ?? false
    }
  }
}

// The kinds of files that are not read. A file gets the first kind whose sign it has.

extension ForeignKind {
  /// The table of kinds that belong to no format. Where a file matches several kinds, the kind with
  /// more signs comes first.
  static let foreign: [ForeignKind] = lost + archives + media + engines + others + trees

  /// Contents that are not in the file.
  private static let lost: [ForeignKind] = [
    ForeignKind("empty (0 bytes)", .nothing, advice: "fetch it again, or restore it from a copy")
      .absent,
    ForeignKind(
      "a Git LFS pointer", .text("version https://git-lfs.github.com/spec/"),
      advice: "fetch the file itself: git lfs pull"
    ).absent,
  ]

  private static let archives: [ForeignKind] = [
    ForeignKind(
      "a 7z archive", .bytes([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
      advice: "extract it first: 7z x FILE"),
    ForeignKind(
      "an xz file", .bytes([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
      advice: "decompress it first: xz -d FILE"),
    ForeignKind("a bzip2 file", .text("BZh"), advice: "decompress it first: bzip2 -d FILE"),
    ForeignKind(
      "a Zstandard file", .bytes([0x28, 0xB5, 0x2F, 0xFD]),
      advice: "decompress it first: zstd -d FILE"),
    ForeignKind("a gzip file", .bytes([0x1F, 0x8B]), advice: "decompress it first: gzip -d FILE"),
    ForeignKind(
      "a RAR archive", .bytes([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]),
      advice: "extract it first: unrar x FILE"),
    ForeignKind(
      "the first part of a split ZIP archive", .bytes([0x50, 0x4B, 0x07, 0x08]),
      advice: "join the parts first: zip -s 0 FILE.zip --out WHOLE.zip"),
  ]

  private static let media: [ForeignKind] =
    [
      picture("a JPEG picture", ["jpg", "jpeg"], .bytes([0xFF, 0xD8, 0xFF])),
      picture("a PNG picture", ["png"], .bytes([0x89, 0x50, 0x4E, 0x47])),
      picture("a GIF picture", ["gif"], .text("GIF8")),
      picture("a WebP picture", ["webp"], riff("WEBP")),
      picture(
        "a TIFF picture", ["tif", "tiff"], .bytes([0x49, 0x49, 0x2A, 0]),
        .bytes([0x4D, 0x4D, 0, 0x2A])),
      picture(
        "a BMP picture", ["bmp"],
        .condition("`BM`, and 4 zeros at byte 6") {
          $0.starts(with: [0x42, 0x4D]) && $0.dropFirst(6).prefix(4) == [0, 0, 0, 0]
        }),
      picture("an icon", ["ico"], .bytes([0, 0, 1, 0])),
      picture("a Photoshop picture", ["psd"], .text("8BPS")),
      picture("a DDS texture", ["dds"], .text("DDS ")),
      picture("a KTX texture", ["ktx", "ktx2"], .bytes([0xAB, 0x4B, 0x54, 0x58])),
      picture("a PVR texture", ["pvr"], .bytes([0x50, 0x56, 0x52, 3])),
      picture("an OpenEXR picture", ["exr"], .bytes([0x76, 0x2F, 0x31, 1])),
      picture("an AVIF picture", ["avif"], box("avif")),
      picture("a HEIC picture", ["heic", "heif"], box("heic"), box("mif1")),
      picture("an SVG picture", ["svg"], .element("svg")),
      movie("an AVI movie", ["avi"], riff("AVI ")),
      movie("a QuickTime movie", ["mov"], box("qt  ")),
      movie("a WebM or Matroska movie", ["webm", "mkv"], .bytes([0x1A, 0x45, 0xDF, 0xA3])),
      movie("an MP4 movie", ["mp4", "m4v", "m4a"], box("")),
      other("a WAV sound", ["wav"], riff("WAVE")),
      other("an MP3 sound", ["mp3"], .text("ID3")),
      other("an Ogg file", ["ogg", "ogv", "oga", "opus"], .text("OggS")),
      other("a FLAC sound", ["flac"], .text("fLaC")),
      other("a PDF document", ["pdf"], .text("%PDF-")),
      other(
        "an Office document", ["doc", "xls", "ppt"], .bytes([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1])),
      other("a SQLite database", ["sqlite", "db"], .text("SQLite format 3")),
      other("a WebAssembly module", ["wasm"], .bytes([0, 0x61, 0x73, 0x6D])),
      ForeignKind(
        "a program", .bytes([0x7F, 0x45, 0x4C, 0x46]), .bytes([0x4D, 0x5A, 0x90, 0]),
        advice: another),
      ForeignKind(
        "a web page", .text("<!DOCTYPE html"), .text("<!doctype html"), .text("<html"),
        advice: "if it came from the web, download the file itself and not the page that shows it"),
    ]

  private static let engines: [ForeignKind] = [
    ForeignKind("a Unity asset", .words(["%YAML", "tag:unity3d.com"]), advice: adviceOnUnity)
      .named(["prefab": "a Unity prefab", "unity": "a Unity scene", "mat": "a Unity material"]),
    ForeignKind(
      "settings of a Unity asset (.meta)", .words(["fileFormatVersion: 2", "guid: "]),
      advice: "open the asset that they belong to"),
    ForeignKind(
      "an asset of Unreal Engine, such as a Niagara system", .bytes([0xC1, 0x83, 0x2A, 0x9E]),
      advice:
        "Unreal Engine exports particles in no format that is read, so export the textures only"),
    closed("a GameMaker particle system", "GameMaker", .words(["GMParticleSystem\""])),
    closed(
      "a GameMaker resource", "GameMaker", .words(["\"resourceType\"", "\"GM"]),
      .words(["\"resourceType\"", "\"$GM"])),
    ForeignKind(
      "a binary file of Godot", .text("RSRC"), .text("RSCC"),
      advice: "save it as text in Godot: .tscn for a scene, .tres for a resource"),
    godot2,
    closed(
      "a Minecraft Bedrock particle effect", "Minecraft Bedrock",
      .words(["\"particle_effect\"", "\"format_version\""])),
    closed(
      "a Babylon.js particle system", "Babylon.js", .keys(.json, ["emitRate", "minEmitPower"]),
      .words(["\"systems\"", "\"minEmitPower\""])),
    closed("a GDevelop project", "GDevelop", .words(["\"gdVersion\""])),
    ForeignKind(
      "a Cocos Creator scene or prefab", .words(["\"__type__\"", "\"cc."]),
      advice: "convert its 2D particles, the .plist files in the project"),
    closed(
      "a custom-pixi-particles effect", "custom-pixi-particles",
      .words(["\"behaviours\"", "\"emitController\""]),
      .words(["\"behaviours\"", "LifeBehaviour"]),
      .keys(.json, ["behaviours", "emitController"])),
    closed(
      "an OGRE particle script", "OGRE", .words(["particle_system", "emitter", "quota", "{"]),
      .words(["particle_width", "emitter", "quota", "{"])),
    closed("a Source particle file (PCF)", "Source", .text("<!-- dmx encoding")),
    closed("a Source 2 asset", "Source 2", .text("<!-- kv3 encoding")),
    ForeignKind(
      "a Hot Particles project", .words([":project", ":system", "exportParticlesTemplate"]),
      advice: "export it as .lua in Hot Particles, and convert that"),
    closed(
      "an Urho3D particle effect", "Urho3D", .element("particleeffect"), .element("particleemitter")
    ),
    closed("a Roblox place or model", "Roblox", .text("<roblox"), .element("roblox")),
    ForeignKind(
      "a PopcornFX effect", .words(["CParticleEffect"]),
      advice: "PopcornFX exports to no format that is read, so export the textures only"),
    ForeignKind(
      "a Particle Universe script", .words(["Particle Universe"]),
      advice: "Particle Universe exports to no format that is read, so export the textures only"),
    ForeignKind(
      "a compiled Effekseer effect", .text("SKFE"),
      advice: "convert the project that it was compiled from (.efkproj or .efkefc)"),
    ForeignKind(
      "a SceneKit scene", .text("C3D"), .archived("SCNScene"),
      advice: "save its particle systems in Xcode as files of their own (.scnp)"),
    ForeignKind(
      "a USD scene", .text("PXR-USDC"), .text("#usda"), advice: adviceOnUSD),
    ForeignKind(
      "a USD package (.usdz)",
      .condition("a ZIP archive whose first entry is a USD file", isUSDPackage),
      advice: adviceOnUSD),
  ]

  private static let others: [ForeignKind] = [
    other("a glTF model", ["glb", "gltf"], .text("glTF"), .keys(.json, ["asset", "scenes"])),
    other("an FBX model", ["fbx"], .text("Kaydara FBX")),
    other("a Blender file", ["blend"], .text("BLENDER")),
    other("a Rive animation", ["riv"], .text("RIVE")),
    ForeignKind("a keyed archive as XML", .keys(.propertyList, ["$archiver", "$objects"])),
    ForeignKind(
      "an Info.plist", .keys(.propertyList, ["CFBundleIdentifier"]),
      .keys(.propertyList, ["CFBundleInfoDictionaryVersion"])),
    ForeignKind(
      "the document of an effect", .keys(.json, ["asset", "emitters"]),
      advice: "pack the folder that it is in, or open the folder"),
    ForeignKind(
      "a sprite sheet", .keys(.json, ["frames", "meta"]),
      advice: "open the effect that shows it"),
    ForeignKind("options of tsParticles", .keys(.json, ["particles"])),
    ForeignKind("an animation of Lottie", .keys(.json, ["layers", "fr"])),
    ForeignKind("a skeleton of Spine", .keys(.json, ["skeleton", "bones"])),
  ]

  /// ZIP and tar archives without an effect.
  private static let trees: [ForeignKind] = [
    closed(
      "an archive of Minecraft Bedrock", "Minecraft Bedrock",
      .entries(["manifest.json", "particles"]), .entries(["manifest.json", "pack_icon.png"]),
      .entries(["*/manifest.json", "*/pack_icon.png"])),
    closed("an archive of Construct", "Construct", .entries(["project.c3proj"])),
    ForeignKind(
      "an archive of Unity assets", .entries(["*/pathname", "*/asset.meta"]),
      advice: "name it .unitypackage"),
    ForeignKind("an Office document", .entries(["[Content_Types].xml"]), advice: another),
    ForeignKind("a Java archive", .entries(["META-INF/MANIFEST.MF"]), advice: another),
  ]

  /// Scenes of Godot 2, whose properties have other names.
  static let godot2 = ForeignKind(
    "a scene of Godot 2",
    .condition("`[gd_scene` or `[gd_resource` with `format=1`", GodotGeneration.isTwo),
    advice: "export its project for Godot 3 in Godot 2.1, and convert the new scene")

  private static let another = "choose the file of an effect"

  private static let adviceOnUSD =
    "USD tools export no particles, so convert the .scnp or .sks file that they came from"

  private static let adviceOnUnity =
    "it has no particle system of its own, so open the prefab or scene that has it"

  /// A file of an engine that exports particles in no format that is read.
  private static func closed(_ name: String, _ engine: String, _ signs: Sign...) -> ForeignKind {
    ForeignKind(
      name, signs, advice: "\(engine) exports to no format that is read, so copy the values")
  }

  private static func picture(_ name: String, _ extensions: [String], _ signs: Sign...)
    -> ForeignKind
  {
    ForeignKind(name, signs, advice: "open the effect that shows it", extensions: extensions)
  }

  private static func movie(_ name: String, _ extensions: [String], _ signs: Sign...) -> ForeignKind
  {
    ForeignKind(
      name, signs, advice: "open the effect that it was made from", extensions: extensions)
  }

  private static func other(_ name: String, _ extensions: [String], _ signs: Sign...) -> ForeignKind
  {
    ForeignKind(name, signs, advice: another, extensions: extensions)
  }

  /// A RIFF file of a type.
  private static func riff(_ type: String) -> Sign {
    .condition("`RIFF`, and `\(type)` at byte 8") {
      $0.starts(with: Array("RIFF".utf8)) && $0.dropFirst(8).starts(with: type.utf8)
    }
  }

  /// A file of ISO boxes whose brand begins with a text.
  private static func box(_ brand: String) -> Sign {
    .condition("`ftyp\(brand)` at byte 4") { $0.dropFirst(4).starts(with: "ftyp\(brand)".utf8) }
  }
}

/// A file name extension of effects that most files with it are not: other languages and programs use it, too.
///
/// Such a file in a folder is an effect only if a format recognises it, or if it is damaged and has
/// words of an effect. Other extensions belong to effects: every file with one is an effect,
/// however damaged it is.
package struct SharedExtension: Sendable, Hashable {
  /// The extension in lower case, without a full stop.
  package let name: String

  /// Whether such files are source code, which may mention words of any format. Then only formats with this
  /// extension are tried.
  package let isCode: Bool

  /// Whether formats also recognise such files if they have no effect: any scene of a program, or code that
  /// mentions effects.
  package let isBroad: Bool

  /// Words that distinguish a damaged effect from other files.
  private let words: [String]

  /// How many of the words a damaged effect has.
  private let needed: Int

  /// Whether bytes that no format recognises may be a damaged effect. It examines the first 64 KiB.
  package func showsEffect(_ bytes: [UInt8]) -> Bool {
    guard needed > 0, !bytes.isEmpty else { return false }
    let start = Array(bytes.prefix(64 << 10)).asASCII
    var found = 0
    for word in words where start.contains(word) {
      found += 1
      if found == needed { return true }
    }
    return false
  }

  /// The extensions. Add one here when a format has an extension that other languages use.
  package static let all = [
    SharedExtension(
      name: "swift", isCode: true, isBroad: false, words: [],
      needed: 0),
    SharedExtension(
      name: "cs", isCode: true, isBroad: false, words: [], needed: 0),
    SharedExtension(
      name: "lua", isCode: true, isBroad: true,
      words: [
        "newParticleSystem", ":setEmissionRate(", ":setParticleLifetime(", ":setSizes(",
        ":setSpread(", ":setEmissionArea(", ":setLinearAcceleration(", ":setEmitterLifetime(",
      ], needed: 3),
    SharedExtension(
      name: "p", isCode: true, isBroad: false,
      words: [
        "- Delay -", "- Duration -", "- Count -", "- Emission -", "- Life -", "- Life Offset -",
        "- X Offset -", "- Spawn Shape -", "- Velocity -", "- Tint -", "- Transparency -",
        "- Image Path",
      ], needed: 2),
    SharedExtension(
      name: "json", isCode: false, isBroad: false,
      words: [
        // Particle Designer
        "\"maxParticles\"", "\"particleLifespan\"", "\"emitterType\"", "\"startColorRed\"",
        "\"blendFuncSource\"", "\"startParticleSize\"", "\"gravityx\"", "\"sourcePositionVariance",
        "\"angleVariance\"", "\"finishColor", "\"textureFileName\"",
        // PixiJS
        "\"behaviors\"", "\"lifetime\"", "\"spawnType\"", "\"spawnChance\"", "\"emitterLifetime\"",
        "\"particlesPerWave\"", "\"startRotation\"", "\"rotationSpeed\"", "\"isStepped\"",
        "\"spawnRect\"",
        "\"spawnCircle\"",
        // Phaser
        "\"lifespan\"", "\"speedX\"", "\"gravityY\"", "\"emitZone\"", "\"blendMode\"",
        "\"quantity\"",
        // three.quarks
        "\"ps\"", "\"startLife\"", "\"startSpeed\"", "\"emissionOverTime\"", "\"ParticleEmitter\"",
        // tsParticles
        "\"particles\"", "\"interactivity\"", "\"fpsLimit\"", "\"emitters\"", "\"detectRetina\"",
        "\"zIndex\"",
        "\"fullScreen\"", "\"outModes\"",
        // Vortex
        "\"birthRate\"", "\"emissionDuration\"", "\"lifespanVariation\"",
        "\"sizeMultiplierAtDeath\"",
      ], needed: 2),
    SharedExtension(
      name: "plist", isCode: false, isBroad: false,
      words: [
        "maxParticles", "particleLifespan", "emitterType", "startColorRed", "startColorAlpha",
        "finishColorRed", "finishColorAlpha", "blendFuncSource", "startParticleSize", "gravityx",
        "sourcePositionVariance", "angleVariance", "textureFileName", "textureImageData",
        "radialAcceleration", "rotatePerSecond", "maxRadius", "SKEmitterNode", "particleBirthRate",
        "SCNParticleSystem", "CAEmitterLayer", "CAEmitterCell",
      ], needed: 2),
    SharedExtension(
      name: "tscn", isCode: false, isBroad: true, words: godot,
      needed: 1),
    SharedExtension(
      name: "tres", isCode: false, isBroad: true, words: godot,
      needed: 1),
    SharedExtension(
      name: "prefab", isCode: false, isBroad: false, words: unity, needed: 2),
    SharedExtension(
      name: "unity", isCode: false, isBroad: false, words: unity,
      needed: 2),
  ]

  private static let unity = ["tag:unity3d.com", "ParticleSystem:"]

  private static let godot = [
    "GPUParticles2D", "GPUParticles3D", "CPUParticles2D", "CPUParticles3D", "CPUParticles\"",
    "\"Particles2D\"", "\"Particles\"", "ParticleProcessMaterial", "ParticlesMaterial",
  ]

  /// The row of an extension. Nil for unknown extensions, and for extensions of effects only.
  package static func named(_ name: String) -> SharedExtension? { all.first { $0.name == name } }
}
