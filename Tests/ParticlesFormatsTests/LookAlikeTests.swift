import ParticlesPropertyLists
import ParticlesCore
import ParticlesFormats
import ParticlesTestSupport
import Testing

/// Files that are taken for particle files and are none: the message says what they are.
@Suite struct LookAlikeTests {
  @Test(arguments: [
    (
      "<plist><dict><key>frames</key><dict/><key>metadata</key><dict/></dict></plist>",
      "sprite frames of cocos2d"
    ),
    (
      "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>", "an Info.plist"
    ),
    (
      "<plist><dict><key>$archiver</key><string>a</string><key>$objects</key><array/></dict></plist>",
      "a keyed archive as XML"
    ),
    ("<plist><array/></plist>", "a property list that holds an array"),
    ("<plist><dict/></plist>", "a property list of another kind"),
    ("<svg/>", "XML with the root <svg>"), ("<TextureAtlas/>", "XML with the root <TextureAtlas>"),
    (#"{"frames": {}, "meta": {}}"#, "a sprite sheet"),
    (#"{"asset": {}, "emitters": []}"#, "the document of an effect; pack it"),
    (#"{"particles": {}}"#, "options of tsParticles"), ("[1]", "JSON that holds an array"),
    ("{}", "JSON of another kind"),
  ])
  func named(text: String, name: String) {
    let fault = expectThrows(.unknownFormat) {
      try FormatRegistry.standard.recognising(Array(text.utf8), fileName: "a.plist")
    }
    #expect(fault?.found?.hasPrefix(name) == true, "\(fault?.found ?? "nothing")")
  }

  @Test(
    "archives that are not read are named, with the command that unpacks them",
    arguments: [
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "a 7z archive; extract it first: 7z x FILE"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "an xz file; decompress it first: xz -d FILE"),
      (Array("BZh91AY&SY".utf8), "a bzip2 file; decompress it first: bzip2 -d FILE"),
      ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard file; decompress it first: zstd -d FILE"),
      (Array("Rar!\u{1A}\u{7}\u{1}\u{0}".utf8), "a RAR archive; extract it first: unrar x FILE"),
      (
        Array("PK\u{7}\u{8}PK\u{3}\u{4}".utf8),
        "the first part of a split ZIP archive; join the parts first: "
          + "zip -s 0 FILE.zip --out WHOLE.zip"
      ),
    ] as [([UInt8], String)])
  func archives(bytes: [UInt8], name: String) {
    let fault = expectThrows(.unknownFormat) {
      try FormatRegistry.standard.recognising(bytes, fileName: "a.zip")
    }
    #expect(fault?.found == name)
  }

  @Test(
    "files of other engines are named, with what to convert instead",
    arguments: [
      (Array("C3D\u{0}".utf8), "a SceneKit scene", ".scnp"),
      (Array("PXR-USDC\u{0}\u{8}".utf8), "a USD scene", ".scnp"),
      (Array("#usda 1.0\n(".utf8), "a USD scene", ".scnp"),
      (Self.usdPackage(), "a USD package (.usdz)", ".scnp"),
      ([0xC1, 0x83, 0x2A, 0x9E, 0xF8, 0xFF], "an asset of Unreal Engine", "textures"),
      (Array("SKFE\u{10}\u{0}".utf8), "a compiled Effekseer effect", ".efkproj or .efkefc"),
      (
        Array("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!198 &1\nParticleSystem:\n".utf8),
        "a prefab, scene or asset of Unity with a particle system", "three.quarks"
      ),
      (
        Array("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\n".utf8),
        "a prefab, scene or asset of Unity;", "three.quarks"
      ),
      (Array("Version = 2.9.1;\nCParticleEffect $2\n{".utf8), "a PopcornFX effect", "textures"),
      (
        Array("// Particle Universe\nsystem fire\n{".utf8), "a script of Particle Universe",
        "textures"
      ),
      (
        Array("{\n  \"resourceType\": \"GMParticleSystem\",\n  \"emitters\": [\n  ],\n}".utf8),
        "a particle system of GameMaker", "copy the values"
      ),
    ] as [([UInt8], String, String)])
  func otherEngines(bytes: [UInt8], name: String, advice: String) {
    let fault = expectThrows(.unknownFormat) {
      try FormatRegistry.standard.recognising(bytes, fileName: "a.bin")
    }
    #expect(fault?.found?.hasPrefix(name) == true, "\(fault?.found ?? "nothing")")
    #expect(fault?.found?.contains(advice) == true, "\(fault?.found ?? "nothing")")
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
    let fault = expectThrows(.unknownFormat) {
      try FormatRegistry.standard.recognising(list.binary, fileName: "a.plist")
    }
    #expect(fault?.found == "animations of cocos2d")
  }

  @Test func whatIsNothingHasNoName() {
    for text in ["", "hello", "<a", "{\"a\":"] {
      let fault = expectThrows(.unknownFormat) {
        try FormatRegistry.standard.recognising(Array(text.utf8), fileName: "a.json")
      }
      #expect(fault?.found == nil)
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
  }
}
