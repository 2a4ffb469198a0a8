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
    (#"{"lifetime": {}, "behaviors": []}"#, "a Pixi emitter"),
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
