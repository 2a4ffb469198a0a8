import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Imported files, edited: a changed value is a changed line.
@Suite struct CocosEditingTests {
  /// The text of a file after its emitter was edited and exported to its format again.
  private func edited(
    _ text: String, _ format: ParticleFormat, isExact: Bool = true, _ edit: (inout Emitter) -> Void
  ) throws -> String {
    let imported = try format.decode(Array(text.utf8), DecodingContext(fileName: "a.x"))
    var package = try imported.package()
    var system = imported.system
    edit(&system.emitters[0])
    try package.setSystem(system)
    let exported = try package.exported(as: format, fileName: "a.x")
    #expect(exported.losses.isEmpty || !isExact, "\(exported.losses)")
    return String(decoding: exported.parts[0].bytes, as: UTF8.self)
  }

  /// Expects that an edit replaces `old` by `new` and nothing else.
  private func expect(
    _ text: String, _ format: ParticleFormat, _ old: String, becomes new: String,
    at location: SourceLocation = #_sourceLocation, _ edit: (inout Emitter) -> Void
  ) throws {
    let result = try edited(text, format, edit)
    #expect(text.ranges(of: old).count == 1, sourceLocation: location)
    #expect(result == text.replacing(old, with: new), sourceLocation: location)
  }

  // MARK: Property lists

  private let list = """
    \u{FEFF}<?xml version='1.0' encoding='UTF-8'?>\r
    <!-- by hand -->\r
    <?pi?>\r
    <plist version='1.0' ><dict >\r
    \t<key>maxParticles</key>  <integer>+100</integer>\r
       <key><![CDATA[particleLifespan]]></key> <!-- in seconds --> <real> 2.00 </real>  \r
    \t<key>emitterType</key>\r
    \t<integer>0</integer> <!-- gravity -->  \r
    \t<!-- ways -->\r
    \t<key>angleVariation</key><string>5</string>\r
    \t<key>angle</key><string>90</string>\r
    \t<key>-Speed</key><integer>10</integer><key>speed2</key><real>1</real>\r
    \t<key>speedVariance</key>\r
    \r
    \t<real>1e0</real>\r
    \t<key>textureFileName</key><string/>\r
    \t<key>textureImageData</key>\r
    \t<string>\r
    \t</string>\r
    \t<key>x</key><array><real>1.50</real></array>\r
    </dict>\r
    </plist>\r
    <!-- the end -->
    """

  @Test func valuesOfPropertyLists() throws {
    try expect(list, .cocos2d, "<integer>10<", becomes: "<integer>20<") {
      $0.launch.speed = .range(19, 21)
    }
    try expect(list, .cocos2d, "<integer>10</integer>", becomes: "<real>20.5</real>") {
      $0.launch.speed = .range(19.5, 21.5)
    }
    try expect(list, .cocos2d, "1e0", becomes: "0") { $0.launch.speed = 10 }
    try expect(list, .cocos2d, "<string>90<", becomes: "<string>80<") {
      $0.launch.direction.angle = .range(75, 85)
    }
    try expect(list, .cocos2d, "+100", becomes: "200") {
      $0.emission.maxAlive = 200
      $0.emission.rate = 100
    }
  }

  @Test func newKeysOfPropertyLists() throws {
    // Behind the nearest property before it, written like that one.
    try expect(
      list, .cocos2d, " <!-- in seconds --> <real> 2.00 </real>  \r\n",
      becomes: " <!-- in seconds --> <real> 2.00 </real>  \r\n"
        + "   <key>sourcePositionVariancex</key> <real>2</real>\r\n"
    ) { $0.shape = .rect(width: 4, height: 0) }
    try expect(
      list, .cocos2d, "<real>1e0</real>\r\n",
      becomes: "<real>1e0</real>\r\n\t<key>gravityx</key>\r\n\t<real>3</real>\r\n"
        + "\t<key>gravityy</key>\r\n\t<real>4.5</real>\r\n"
    ) { $0.forces = [.gravity(Vector(3, 4.5))] }
    try expect(
      list, .cocos2d, "\r\n\t<key>maxParticles",
      becomes: "\r\n\t<key>configName</key>  <string>a&lt;b</string>\r\n\t<key>maxParticles"
    ) { $0.name = "a<b" }
  }

  @Test func removedKeysOfPropertyLists() throws {
    let orbit = try edited(list, .cocos2d, isExact: false) {
      $0.launch = Launch()
      $0.motion.mode = .orbit
      $0.motion.orbit = Orbit()
      $0.motion.orbit?.radius = Track(from: 30, to: 0)
    }
    #expect(orbit.contains("\r\n\t<integer>1</integer> <!-- gravity -->  \r\n"))
    #expect(!orbit.contains("-Speed") && !orbit.contains("speedVariance"))
    #expect(orbit.contains("</string><key>speed2</key>") || orbit.contains("\r\n\t<key>angle<"))
    #expect(orbit.contains("<key>maxRadius</key>"))
  }

  @Test func propertyListsInOtherEncodings() throws {
    let utf8 = String(decoding: CocosForge.propertyList([("speed", "5")]), as: UTF8.self)
    for name in ["ISO-8859-1", "US-ASCII"] {
      let text = try edited(utf8.replacing("UTF-8", with: name), .cocos2d) { $0.launch.speed = 6 }
      #expect(text == utf8.replacing("<integer>5<", with: "<integer>6<"))
    }
  }

  // MARK: JSON

  private let json = """
    { "maxParticles" : 1e2,\r
    \t"particleLifespan":2.00 ,  \r
      "x" : [ 1.50, {"speed":1} ], "spe\\u0065d": 10.0,\r
    \r
      "angle" :\r
        "90"  ,\r
    \t"blendFuncSource":770,\r
    \t"blendFuncDestination": 1  \r
    }\r\n\r\n
    """

  @Test func valuesOfJSON() throws {
    try expect(json, .particleDesigner, "10.0", becomes: "20.5") { $0.launch.speed = 20.5 }
    try expect(json, .particleDesigner, "\"90\"", becomes: "\"80\"") {
      $0.launch.direction.angle = 80
    }
    try expect(json, .particleDesigner, "1e2", becomes: "200") {
      $0.emission.maxAlive = 200
      $0.emission.rate = 100
    }
  }

  @Test func newKeysOfJSON() throws {
    try expect(
      json, .particleDesigner, "  \"angle\"",
      becomes: "  \"speedVariance\": 2,\r\n  \"angle\""
    ) { $0.launch.speed = .range(8, 12) }
    try expect(
      json, .particleDesigner, "{ \"max",
      becomes: "{ \"configName\" : \"\\\"b\\\"\", \"max"
    ) { $0.name = "\"b\"" }
    // The last member stays the last, so that its line gets no comma.
    let last = json.replacing("\"maxParticles\" : 1e2,\r\n", with: "")
      .replacing("1  \r\n}", with: "1,\r\n\t\"maxParticles\":100  }")
    try expect(
      last, .particleDesigner, "\t\"maxParticles", becomes: "\t\"duration\":3,\r\n\t\"maxParticles"
    ) { $0.timing.duration = 3 }
  }

  @Test func removedKeysOfJSON() throws {
    let text = #"{"speed":1, "maxParticles":10,"particleLifespan":1,"angle":0 ,"speedVariance":0}"#
    let orbit = try edited(text, .particleDesigner, isExact: false) {
      $0.motion.mode = .orbit
      $0.motion.orbit = Orbit()
    }
    #expect(orbit.hasPrefix(#"{"emitterType":1, "maxParticles":10,"#))
    #expect(!orbit.contains("speed"))
    _ = try JSONParser.parse(Array(orbit.utf8))
  }

  // MARK: Starling

  private let pex = """
    \u{FEFF}<!-- by hand -->\r
    <particleEmitterConfig>\r
      <texture name = '' />\r
      <maxParticles value="101"/><particleLifeSpan  value='2.00' ></particleLifeSpan>\r
      <speed value="10.00" unit="px" /> <!-- fast -->  \r
      <startColor red="1" green="1"\r
        blue="1" alpha="1"/>\r
    \t<finishColor red="1"/>\r
      <other a="b"><inner/></other>\r
      <blendFuncSource value="770" />\r
      <blendFuncDestination value="1" />\r
    </particleEmitterConfig>\r\n
    """

  @Test func attributesOfStarling() throws {
    try expect(pex, .starling, "10.00", becomes: "20.5") { $0.launch.speed = 20.5 }
    try expect(pex, .starling, "2.00", becomes: "4") {
      $0.lifetime = 4
      $0.emission.rate = 25
    }
    try expect(pex, .starling, "red=\"1\"/>", becomes: "red=\"1\" green=\"0.5\"/>") {
      $0.color.base.to = .constant(Color(1, 0.5, 0, 0))
    }
  }

  @Test func newElementsOfStarling() throws {
    try expect(
      pex, .starling, "fast -->  \r\n",
      becomes: "fast -->  \r\n  <gravity x=\"3\" y=\"-4\" />\r\n"
    ) { $0.forces = [.gravity(Vector(3, 4))] }
    try expect(
      pex, .starling, "blue=\"1\" alpha=\"1\"/>\r\n",
      becomes: "blue=\"1\" alpha=\"1\"/>\r\n  <startColorVariance red=\"0.25\" blue=\"0.5\"/>\r\n"
    ) {
      $0.color.base.from = .range(Color(0.75, 1, 0.5, 1), Color(1.25, 1, 1.5, 1))
    }
  }

  @Test func removedElementsOfStarling() throws {
    let orbit = try edited(pex, .starling, isExact: false) {
      $0.launch = Launch()
      $0.motion.mode = .orbit
      $0.motion.orbit = Orbit()
    }
    #expect(orbit.contains("\r\n  <speed unit=\"px\" /> <!-- fast -->  \r\n"))
    let alone = try edited(pex.replacing(" unit=\"px\"", with: ""), .starling, isExact: false) {
      $0.launch = Launch()
      $0.motion.mode = .orbit
      $0.motion.orbit = Orbit()
    }
    #expect(alone.contains("</particleLifeSpan>") && !alone.contains("<speed"))
    #expect(alone.contains(" <!-- fast -->  \r\n"))
    // What had no effect before is edited only where it is another number.
    let radius = ["  <maxRadius value=\"30.00\"/>\r\n", "  <minRadius value=\"0.00\"/>\r\n"]
    let mixed = try edited(
      pex.replacing("  <other", with: radius.joined() + "  <other"), .starling, isExact: false
    ) {
      $0.motion.mode = .orbit
      $0.motion.orbit = Orbit()
      $0.motion.orbit?.radius = Track(from: 30, to: 0)
    }
    #expect(radius.allSatisfy { mixed.contains($0) })
  }
}
