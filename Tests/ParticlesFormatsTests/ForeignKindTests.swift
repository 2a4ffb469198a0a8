import ParticlesContainer
import ParticlesCore
import ParticlesPropertyLists
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Files that are taken for particle files and are none: the message names the kind and the next step.
@Suite struct LookAlikeTests {
  private static func fault(_ bytes: [UInt8], _ fileName: String = "a.bin") -> Diagnostic? {
    expectThrows(.foreign) {
      try FormatRegistry.standard.recognising(bytes, fileName: fileName)
    }
  }

  @Test(
    "files of a known syntax with other contents",
    arguments: [
      (
        "<plist><dict><key>frames</key><dict/><key>metadata</key><dict/></dict></plist>",
        "sprite frames of cocos2d"
      ),
      (
        "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>",
        "an Info.plist"
      ),
      (
        "<plist><dict><key>$archiver</key><string>a</string><key>$objects</key><array/></dict></plist>",
        "a keyed archive as XML"
      ),
      ("<plist><array/></plist>", "a property list that holds an array"),
      ("<plist><dict/></plist>", "a property list of another kind"),
      ("<atlas/>", "XML with the root <atlas>"), ("<svg/>", "an SVG picture"),
      (#"{"frames": {}, "meta": {}}"#, "a sprite sheet"),
      (#"{"asset": {}, "emitters": []}"#, "the document of an effect"),
      (#"{"particles": {}}"#, "options of tsParticles"), ("[1]", "JSON that holds an array"),
      ("{}", "JSON of another kind"),
    ])
  func syntaxes(text: String, name: String) {
    let fault = Self.fault(Array(text.utf8), "a.plist")
    #expect(fault?.found == name)
    #expect(fault?.message == "\(name), not an effect that can be read")
  }

  @Test(
    "archives that are not read are named, with the command that unpacks them",
    arguments: [
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "a 7z archive", "7z x FILE"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "an xz file", "xz -d FILE"),
      (Array("BZh91AY&SY".utf8), "a bzip2 file", "bzip2 -d FILE"),
      ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard file", "zstd -d FILE"),
      ([0x1F, 0x8B, 8, 0], "a gzip file", "gzip -d FILE"),
      (Array("Rar!\u{1A}\u{7}\u{1}\u{0}".utf8), "a RAR archive", "unrar x FILE"),
      (
        Array("PK\u{7}\u{8}PK\u{3}\u{4}".utf8), "the first part of a split ZIP archive",
        "zip -s 0 FILE.zip --out WHOLE.zip"
      ),
    ] as [([UInt8], String, String)])
  func archives(bytes: [UInt8], name: String, command: String) {
    let fault = Self.fault(bytes, "a.zip")
    #expect(fault?.found == name && fault?.hint?.hasSuffix(": \(command)") == true)
  }

  private static let unity = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\n"

  @Test(
    "files of other engines are named, with what to convert instead",
    arguments: [
      ("a.scn", "C3D\u{0}", "a SceneKit scene", ".scnp"),
      ("a.usdc", "PXR-USDC\u{0}\u{8}", "a USD scene", ".scnp"),
      ("a.usda", "#usda 1.0\n(", "a USD scene", ".scnp"),
      ("a.efk", "SKFE\u{10}\u{0}", "a compiled Effekseer effect", ".efkproj or .efkefc"),
      ("a.prefab", unity, "a Unity prefab", "no particle system of its own"),
      ("a.unity", unity, "a Unity scene", "no particle system of its own"),
      ("a.asset", unity, "a Unity asset", "no particle system of its own"),
      (
        "a.png.meta", "fileFormatVersion: 2\nguid: 0\n", "settings of a Unity asset (.meta)",
        "open the asset"
      ),
      ("a.pkfx", "Version = 2.9.1;\nCParticleEffect $2\n{", "a PopcornFX effect", "textures"),
      ("a.pu", "// Particle Universe\nsystem fire\n{", "a Particle Universe script", "textures"),
      (
        "a.yy", #"{"resourceType": "GMParticleSystem", "emitters": [],}"#,
        "a GameMaker particle system", "copy the values"
      ),
      (
        "a.yy", #"{"$GMParticleSystem":"v1","%Name":"fire","emitters":[],}"#,
        "a GameMaker particle system", "copy the values"
      ),
      ("a.yy", #"{"resourceType":"GMSprite",}"#, "a GameMaker resource", "copy the values"),
      ("a.res", "RSRC\u{0}", "a binary file of Godot", ".tscn for a scene"),
      ("a.scn", "RSCC\u{2}", "a binary file of Godot", ".tres for a resource"),
      ("a.tscn", "[gd_scene load_steps=2 format=1]\n", "a scene of Godot 2", "Godot 3"),
      (
        "fire.json", "{\n // flames\n \"format_version\": \"1.10.0\", \"particle_effect\": {}}",
        "a Minecraft Bedrock particle effect", "copy the values"
      ),
      (
        "a.json", #"{"name": "a", "emitRate": 10, "minEmitPower": 1}"#,
        "a Babylon.js particle system", "copy the values"
      ),
      (
        "game.json", #"{"firstLayout": "", "gdVersion": {"major": 5}}"#, "a GDevelop project",
        "copy the values"
      ),
      (
        "a.prefab", #"[{"__type__": "cc.Prefab"}]"#, "a Cocos Creator scene or prefab",
        ".plist files"
      ),
      (
        "a.json", #"{"behaviours": [{"name": "LifeBehaviour"}], "emitController": {}}"#,
        "a custom-pixi-particles effect", "copy the values"
      ),
      (
        "a.particle", "particle_system Smoke\n{\n quota 50\n emitter Point\n {\n }\n}",
        "an OGRE particle script", "copy the values"
      ),
      (
        "a.particle", "Smoke\n{\n quota 50\n particle_width 4\n emitter Point\n {\n }\n}",
        "an OGRE particle script", "copy the values"
      ),
      (
        "a.pcf", "<!-- dmx encoding binary 2 format pcf 1 -->\n\u{0}",
        "a Source particle file (PCF)", "copy the values"
      ),
      (
        "a.hotparticles", "7\n\n:project\nexportParticlesTemplate 2 x!\n\n:system\nspread 1\n",
        "a Hot Particles project", "export it as .lua"
      ),
      (
        "a.xml", "<?xml version=\"1.0\"?>\n<particleeffect><scale/></particleeffect>",
        "an Urho3D particle effect", "copy the values"
      ),
      (
        "a.rbxmx", "<roblox version=\"4\"></roblox>", "a Roblox place or model", "copy the values"
      ),
      (
        "a.plist", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        "a Git LFS pointer", "git lfs pull"
      ),
      ("a.plist", "", "empty (0 bytes)", "fetch it again"),
      ("a.pex", "\n<!DOCTYPE html>\n<html>", "a web page", "download the file itself"),
    ])
  func otherPrograms(fileName: String, text: String, name: String, advice: String) {
    let fault = Self.fault(Array(text.utf8), fileName)
    #expect(fault?.found == name)
    #expect(fault?.hint?.contains(advice) == true, "\(fault?.hint ?? "no hint")")
  }

  @Test("files that begin with bytes of other engines")
  func bytes() {
    #expect(
      Self.fault([0xC1, 0x83, 0x2A, 0x9E, 0xF8, 0xFF])?.found?.hasPrefix("an asset of Unreal")
        == true)
    #expect(Self.fault(Self.usdPackage())?.found == "a USD package (.usdz)")
  }

  @Test(
    "pictures and other media are named, and renamed if their extension is wrong",
    arguments: [
      ("photo.plist", [0xFF, 0xD8, 0xFF, 0xE0], "a JPEG picture", "rename it to photo.jpg, and "),
      ("photo.jpeg", [0xFF, 0xD8, 0xFF, 0xE0], "a JPEG picture", "open the effect that shows it"),
      ("-", [0x89, 0x50, 0x4E, 0x47], "a PNG picture", "open the effect that shows it"),
      ("a.pex", Array("GIF89a".utf8), "a GIF picture", "rename it to a.gif"),
      ("a.pex", Array("RIFF\u{0}\u{0}\u{0}\u{0}WEBPVP8".utf8), "a WebP picture", "a.webp"),
      ("a.sks", Array("BM\u{9}\u{9}\u{9}\u{9}\u{0}\u{0}\u{0}\u{0}".utf8), "a BMP picture", "a.bmp"),
      ("a.sks", Array("\u{0}\u{0}\u{0}\u{20}ftypisom".utf8), "an MP4 movie", "a.mp4"),
      ("a.sks", Array("\u{0}\u{0}\u{0}\u{20}ftypavif".utf8), "an AVIF picture", "a.avif"),
      ("a.json", Array("%PDF-1.7".utf8), "a PDF document", "a.pdf"),
      ("a.p", [0x7F, 0x45, 0x4C, 0x46], "a program", "choose the file of an effect"),
    ] as [(String, [UInt8], String, String)])
  func media(fileName: String, bytes: [UInt8], name: String, step: String) {
    let fault = Self.fault(bytes, fileName)
    #expect(fault?.found == name)
    #expect(fault?.hint?.contains(step) == true, "\(fault?.hint ?? "no hint")")
  }

  @Test("archives of other programs are named by the files in them")
  func trees() throws {
    func name(_ paths: String...) throws -> String? {
      var root = try FileNode(directoryWithFileNodes: [:])
      for path in paths {
        try root.setFileNode(FileNode(regularFileWithContents: []), at: path)
      }
      return ForeignKind.diagnostic(of: root)?.found
    }
    #expect(
      try name("manifest.json", "particles/fire.json") == "an archive of Minecraft Bedrock")
    #expect(
      try name("pack/manifest.json", "pack/pack_icon.png") == "an archive of Minecraft Bedrock")
    #expect(try name("project.c3proj", "images/a.png") == "an archive of Construct")
    #expect(try name("0f/asset", "0f/pathname", "0f/asset.meta") == "an archive of Unity assets")
    #expect(try name("[Content_Types].xml", "word/document.xml") == "an Office document")
    #expect(try name("fire.plist", "smoke.plist") == nil)
  }

  /// The first entry of a USD package, whose data begin after 64 bytes.
  private static func usdPackage(method: UInt8 = 0) -> [UInt8] {
    let name = Array("scene.usdc".utf8)
    var header: [UInt8] = [0x50, 0x4B, 3, 4, 10, 0, 0, 0, method, 0]
    header += Array(repeating: 0, count: 16)
    header += [UInt8(name.count), 0, UInt8(64 - 30 - name.count), 0]
    return header + name + Array(repeating: 0, count: 24) + Array("PXR-USDC".utf8)
  }

  @Test("an archive that holds a USD scene among other files is a ZIP archive")
  func compressedUSD() throws {
    let format = try FormatRegistry.standard.recognising(
      Self.usdPackage(method: 8), fileName: "a.zip")
    #expect(format.name == "zip")
  }

  @Test func binaryOnes() {
    let list = PropertyListValue.dictionary([.init("animations", .dictionary([]))])
    #expect(Self.fault(list.binary, "a.plist")?.found == "animations of cocos2d")
  }

  @Test("a file of an unknown kind has no name, and no list of formats")
  func unknown() {
    for text in ["hello", "<a", "{\"a\":"] {
      let fault = expectThrows(.unknownFormat) {
        try FormatRegistry.standard.recognising(Array(text.utf8), fileName: "a.json")
      }
      #expect(fault?.found == nil && fault?.message == "the format is not recognised")
    }
  }

  @Test("asked for as an emitter, they are named too")
  func forced() {
    let frames = "<plist><dict><key>frames</key><dict/><key>texture</key><dict/></dict></plist>"
    let fault = expectThrows(.emitterRoot) {
      try ParticleFormat.cocos2d.decode(
        Array(frames.utf8), DecodingContext(fileName: "a.plist"))
    }
    #expect(fault?.found == "sprite frames of cocos2d")
    let root = expectThrows(.emitterRoot) {
      try ParticleFormat.starling.decode(
        Array("<svg/>".utf8), DecodingContext(fileName: "a.pex"))
    }
    #expect(root?.found == "<svg>")
    let bedrock = expectThrows(.emitterRoot) {
      try ParticleFormat.pixi.decode(
        Array(#"{"format_version": "1.10.0", "particle_effect": {}}"#.utf8),
        DecodingContext(fileName: "a.json"))
    }
    #expect(bedrock?.found == "a Minecraft Bedrock particle effect")
    #expect(bedrock?.hint?.contains("copy the values") == true)
    for format in [ParticleFormat.godot3, .godot4] {
      let scene = expectThrows(.foreign) {
        try format.decode(
          Array("[gd_scene format=1]\n\n[node name=\"a\" type=\"Particles2D\"]\n".utf8),
          DecodingContext(fileName: "a.tscn"))
      }
      #expect(scene?.found == "a scene of Godot 2")
    }
  }
}

/// The table of kinds that are not read.
@Suite struct ForeignTableTests {
  @Test("messages are short, and names are unique and no sentences")
  func messages() {
    let kinds = ForeignKind.foreign
    #expect(Set(kinds.map(\.name)).count >= kinds.count - 1, "an Office document is in it twice")
    for kind in kinds {
      let fault = kind.diagnostic(fileName: "photograph.plist")
      #expect("\(fault.message). \(fault.hint ?? "")".utf8.count < 200, "\(kind.name)")
      for text in [kind.name, kind.advice ?? "-"] {
        let isName = text.contains("export")
        #expect(!text.hasSuffix(".") && (isName || text.first?.isUppercase == false), "\(text)")
      }
    }
  }

  @Test("every kind is recognised by each of its signs, and by the name of no other kind")
  func signs() throws {
    for kind in ForeignKind.foreign {
      for sign in kind.signs {
        guard let bytes = Self.sample(sign) else { continue }
        let found = FormatRegistry.standard.foreign(bytes)?.found
        #expect(found == kind.name, "\(sign) is recognised as \(found ?? "nothing")")
      }
    }
  }

  /// The least file with a sign, or nil if it is an archive or a condition.
  private static func sample(_ sign: ForeignKind.Sign) -> [UInt8]? {
    switch sign {
    case .nothing: []
    case .bytes(let bytes): bytes
    case .text(let text): Array("\(text)\n".utf8)
    case .words(let words): Array(words.joined(separator: "\n").utf8)
    case .keys(.json, let keys):
      Array("{\(keys.map { "\"\($0)\": 1" }.joined(separator: ", "))}".utf8)
    case .keys(.propertyList, let keys):
      PropertyListValue.dictionary(keys.map { .init($0, .dictionary([])) }).binary
    case .element(let name): Array("<?xml version=\"1.0\"?><\(name)/>".utf8)
    case .archived(let name): ArchiveForge.archive(.object([name, "NSObject"], []))
    case .entries, .condition: nil
    }
  }

  @Test("the table of the Spec is the one that recognises")
  func page() throws {
    try Golden.checkSection("foreign", of: "Spec/cli.md", is: ForeignKind.markdown)
  }
}

extension ForeignKind {
  /// The table of the Spec: kind, signs and next step.
  fileprivate static var markdown: String {
    (["| Kind | Recognised by | Next step |", "|---|---|---|"]
      + foreign.map { kind in
        let names = [kind.name] + kind.names.sorted { $0.key < $1.key }.map { "\($1) (.\($0))" }
        let signs = kind.signs.map(\.markdown).joined(separator: ", or ")
        return "| \(names.joined(separator: ", ")) | \(signs) | \(kind.advice ?? "") |"
      }).joined(separator: "\n")
  }
}

extension ForeignKind.Sign {
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
