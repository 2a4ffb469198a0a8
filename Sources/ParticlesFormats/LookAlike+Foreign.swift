internal import ParticlesCore

// The kinds of files that are not read. A file gets the first kind whose sign it has.

extension LookAlike {
  /// The table of kinds that belong to no format. Where one could be taken for another, the one with more signs comes
  /// first.
  static let foreign: [LookAlike] = lost + archives + media + engines + others + trees

  /// Contents that are not in the file.
  private static let lost: [LookAlike] = [
    LookAlike("empty (0 bytes)", .nothing, advice: "fetch it again, or restore it from a copy")
      .absent,
    LookAlike(
      "a Git LFS pointer", .text("version https://git-lfs.github.com/spec/"),
      advice: "fetch the file itself: git lfs pull"
    ).absent,
  ]

  private static let archives: [LookAlike] = [
    LookAlike(
      "a 7z archive", .bytes([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
      advice: "extract it first: 7z x FILE"),
    LookAlike(
      "an xz file", .bytes([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
      advice: "decompress it first: xz -d FILE"),
    LookAlike("a bzip2 file", .text("BZh"), advice: "decompress it first: bzip2 -d FILE"),
    LookAlike(
      "a Zstandard file", .bytes([0x28, 0xB5, 0x2F, 0xFD]),
      advice: "decompress it first: zstd -d FILE"),
    LookAlike("a gzip file", .bytes([0x1F, 0x8B]), advice: "decompress it first: gzip -d FILE"),
    LookAlike(
      "a RAR archive", .bytes([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]),
      advice: "extract it first: unrar x FILE"),
    LookAlike(
      "the first part of a split ZIP archive", .bytes([0x50, 0x4B, 0x07, 0x08]),
      advice: "join the parts first: zip -s 0 FILE.zip --out WHOLE.zip"),
  ]

  private static let media: [LookAlike] =
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
      LookAlike(
        "a program", .bytes([0x7F, 0x45, 0x4C, 0x46]), .bytes([0x4D, 0x5A, 0x90, 0]),
        advice: another),
      LookAlike(
        "a web page", .text("<!DOCTYPE html"), .text("<!doctype html"), .text("<html"),
        advice: "if it came from the web, download the file itself and not the page that shows it"),
    ]

  private static let engines: [LookAlike] = [
    LookAlike("a Unity asset", .words(["%YAML", "tag:unity3d.com"]), advice: adviceOnUnity)
      .named(["prefab": "a Unity prefab", "unity": "a Unity scene", "mat": "a Unity material"]),
    LookAlike(
      "settings of a Unity asset (.meta)", .words(["fileFormatVersion: 2", "guid: "]),
      advice: "open the asset that they belong to"),
    LookAlike(
      "an asset of Unreal Engine, such as a Niagara system", .bytes([0xC1, 0x83, 0x2A, 0x9E]),
      advice: "Unreal Engine exports particles in no format that is read; export the textures only"),
    closed("a GameMaker particle system", "GameMaker", .words(["GMParticleSystem\""])),
    closed(
      "a GameMaker resource", "GameMaker", .words(["\"resourceType\"", "\"GM"]),
      .words(["\"resourceType\"", "\"$GM"])),
    LookAlike(
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
    LookAlike(
      "a Cocos Creator scene or prefab", .words(["\"__type__\"", "\"cc."]),
      advice: "its 2D particles are .plist files in the project; convert those"),
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
    LookAlike(
      "a Hot Particles project", .words([":project", ":system", "exportParticlesTemplate"]),
      advice: "export it as .lua in Hot Particles, and convert that"),
    closed(
      "an Urho3D particle effect", "Urho3D", .element("particleeffect"), .element("particleemitter")
    ),
    closed("a Roblox place or model", "Roblox", .text("<roblox"), .element("roblox")),
    LookAlike(
      "a PopcornFX effect", .words(["CParticleEffect"]),
      advice: "PopcornFX exports to no format that is read; export the textures only"),
    LookAlike(
      "a Particle Universe script", .words(["Particle Universe"]),
      advice: "Particle Universe exports to no format that is read; export the textures only"),
    LookAlike(
      "a compiled Effekseer effect", .text("SKFE"),
      advice: "convert the project that it was compiled from (.efkproj or .efkefc)"),
    LookAlike(
      "a SceneKit scene", .text("C3D"), .archived("SCNScene"),
      advice: "save its particle systems in Xcode as files of their own (.scnp)"),
    LookAlike(
      "a USD scene", .text("PXR-USDC"), .text("#usda"), advice: adviceOnUSD),
    LookAlike(
      "a USD package (.usdz)",
      .condition("a ZIP archive whose first entry is a USD file", isUSDPackage),
      advice: adviceOnUSD),
  ]

  private static let others: [LookAlike] = [
    other("a glTF model", ["glb", "gltf"], .text("glTF"), .keys(.json, ["asset", "scenes"])),
    other("an FBX model", ["fbx"], .text("Kaydara FBX")),
    other("a Blender file", ["blend"], .text("BLENDER")),
    other("a Rive animation", ["riv"], .text("RIVE")),
    LookAlike("a keyed archive as XML", .keys(.propertyList, ["$archiver", "$objects"])),
    LookAlike(
      "an Info.plist", .keys(.propertyList, ["CFBundleIdentifier"]),
      .keys(.propertyList, ["CFBundleInfoDictionaryVersion"])),
    LookAlike(
      "the document of an effect", .keys(.json, ["asset", "emitters"]),
      advice: "pack the folder that it is in, or open the folder"),
    LookAlike(
      "a sprite sheet", .keys(.json, ["frames", "meta"]),
      advice: "open the effect that shows it"),
    LookAlike("options of tsParticles", .keys(.json, ["particles"])),
    LookAlike("an animation of Lottie", .keys(.json, ["layers", "fr"])),
    LookAlike("a skeleton of Spine", .keys(.json, ["skeleton", "bones"])),
  ]

  /// ZIP and tar archives without an effect.
  private static let trees: [LookAlike] = [
    closed(
      "an archive of Minecraft Bedrock", "Minecraft Bedrock",
      .entries(["manifest.json", "particles"]), .entries(["manifest.json", "pack_icon.png"]),
      .entries(["*/manifest.json", "*/pack_icon.png"])),
    closed("an archive of Construct", "Construct", .entries(["project.c3proj"])),
    LookAlike(
      "an archive of Unity assets", .entries(["*/pathname", "*/asset.meta"]),
      advice: "name it .unitypackage"),
    LookAlike("an Office document", .entries(["[Content_Types].xml"]), advice: another),
    LookAlike("a Java archive", .entries(["META-INF/MANIFEST.MF"]), advice: another),
  ]

  /// Scenes of Godot 2, whose properties have other names.
  static let godot2 = LookAlike(
    "a scene of Godot 2",
    .condition("`[gd_scene` or `[gd_resource` with `format=1`", GodotGeneration.isTwo),
    advice: "export its project for Godot 3 in Godot 2.1, and convert the new scene")

  private static let another = "choose the file of an effect"

  private static let adviceOnUSD =
    "USD tools export no particles; convert the .scnp or .sks file that they came from"

  private static let adviceOnUnity =
    "it has no particle system of its own; open the prefab or scene that has it"

  /// A file of an engine that exports particles in no format that is read.
  private static func closed(_ name: String, _ engine: String, _ signs: Sign...) -> LookAlike {
    LookAlike(
      name, signs, advice: "\(engine) exports to no format that is read; copy the values")
  }

  private static func picture(_ name: String, _ extensions: [String], _ signs: Sign...)
    -> LookAlike
  {
    LookAlike(name, signs, advice: "open the effect that shows it", extensions: extensions)
  }

  private static func movie(_ name: String, _ extensions: [String], _ signs: Sign...) -> LookAlike {
    LookAlike(
      name, signs, advice: "open the effect that it was made from", extensions: extensions)
  }

  private static func other(_ name: String, _ extensions: [String], _ signs: Sign...) -> LookAlike {
    LookAlike(name, signs, advice: another, extensions: extensions)
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

extension LookAlike {
  /// The table of the Spec: kind, signs and next step.
  package static var markdown: String {
    (["| Kind | Recognised by | Next step |", "|---|---|---|"]
      + foreign.map { kind in
        let names = [kind.name] + kind.names.sorted { $0.key < $1.key }.map { "\($1) (.\($0))" }
        let signs = kind.signs.map(\.markdown).joined(separator: "; or ")
        return "| \(names.joined(separator: ", ")) | \(signs) | \(kind.advice ?? "") |"
      }).joined(separator: "\n")
  }
}

extension LookAlike.Sign {
  fileprivate var markdown: String {
    func list(_ words: some Sequence<String>) -> String {
      words.map { "`\($0)`" }.joined(separator: ", ")
    }
    return switch self {
    case .nothing: "no bytes"
    case .bytes(let bytes): "bytes `\(bytes.hexDigits.uppercased())`"
    case .text(let text): "beginning `\(text)`"
    case .words(let words): "words \(list(words))"
    case .keys(.json, let keys): "JSON keys \(list(keys.sorted()))"
    case .keys(.propertyList, let keys): "property list keys \(list(keys.sorted()))"
    case .element(let name): "XML root `\(name)`"
    case .archived(let name): "keyed archive of `\(name)`"
    case .entries(let paths): "archive with \(list(paths))"
    case .condition(let text, _): text
    }
  }
}
