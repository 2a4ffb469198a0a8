import ParticlesCore
import ParticlesFormats
import ParticlesTestSupport
import Testing

/// Files of programs that write 1,5 for 1.5.
@Suite("Decimal commas") struct DecimalCommaTests {
  /// The files of formats whose commas are told, and the commas of each if all its numbers have one.
  static let files = [
    "libgdx/torch.p", "libgdx/galaxy-1.p", "godot/torch.tscn", "godot/galaxy.tscn",
    "pex/galaxy.pex",
    "plist/galaxy.plist", "defold/torch.particlefx", "pd-json/firework.json", "phaser/torch.json",
    "pixi/torch.json", "quarks/torch.json", "tsparticles/pair.json",
  ]

  /// A file in which numbers that are whole values have a comma.
  private static func mutant(_ path: String) throws -> (bytes: [UInt8], count: Int) {
    let text = String(decoding: try Fixture.read("effects/\(path)"), as: UTF8.self)
    let value =
      path.hasSuffix("pex")
      ? /(?<before>=")(?<whole>-?\d+)\.(?<part>\d+)(?=")/
      : path.hasSuffix("plist")
        ? /(?<before><real>)(?<whole>-?\d+)\.(?<part>\d+)(?=<)/
        : /(?<before>[:=] ?)(?<whole>-?\d+)\.(?<part>\d+)(?=[,}\s])/
    let new = text.replacing(value) { "\($0.before)\($0.whole),\($0.part)" }
    return (Array(new.utf8), text.matches(of: value).count)
  }

  private static func fault(_ bytes: [UInt8], _ name: String) -> Diagnostic? {
    do {
      let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
      _ = try format.decode(bytes, DecodingContext(fileName: name))
      return nil
    } catch {
      return error as? Diagnostic
    }
  }

  @Test("they are one error with the first number and the count of the others", arguments: files)
  func error(path: String) throws {
    let (bytes, count) = try Self.mutant(path)
    #expect(count > 0)
    let fault = try #require(Self.fault(bytes, Files.lastComponent(of: path)), "\(path)")
    #expect(fault.rule == .decimalCommas && fault.severity == .error, "\(fault)")
    #expect(fault.found?.contains(",") == true && fault.location.position != nil)
    #expect(fault.found?.hasSuffix("and \(count - 1) others") == (count > 1), "\(fault)")
    // With points it is the file that it was.
    let repaired = FormatRegistry.standard.withoutDecimalCommas(
      bytes, fileName: Files.lastComponent(of: path), limits: .standard)
    let original = try Fixture.read("effects/\(path)")
    #expect(repaired?.bytes == original && repaired?.count == count)
  }

  @Test("files with points have none", arguments: files)
  func none(path: String) throws {
    let bytes = try Fixture.read("effects/\(path)")
    #expect(Self.fault(bytes, Files.lastComponent(of: path)) == nil)
  }

  @Test(
    "commas between values are none",
    arguments: [
      (#"{"a": [1,5], "b": "x: 1,5", "c": "1,5,6", "1,5": 2}"#, DecimalCommas.Syntax.json),
      (#"{"a": "1,5", "b": 2.5}"#, .json), ("x = Vector2(1,5)\ny = [ 1,5 ]\n", .assignments),
      ("a: 1,b: 2 c { d: 3, e: 4 }", .fields), ("- Image Paths -\n1,5\n", .lines),
      ("<string>1,5</string><real>2.5</real>", .propertyList),
      ("<a>1,5,6</a><b>x1,5</b>", .elements),
      (#"<a x="1,5 2"/>"#, .attributes), ("a: ,5\nb: 5,\n", .lines), (",", .json), ("", .lines),
    ])
  func separators(text: String, syntax: DecimalCommas.Syntax) {
    let commas = DecimalCommas(in: Array(text.utf8), syntax)
    #expect(commas.places.isEmpty && commas.fault == nil)
  }

  @Test(
    "signs, exponents and white space",
    arguments: [
      (#"{"a":-1,5 , "b" : "2,5e-3"}"#, DecimalCommas.Syntax.json, #"{"a":-1.5 , "b" : "2.5e-3"}"#),
      ("a: -1,25e+2 \r\nb: 3,5", .lines, "a: -1.25e+2 \r\nb: 3.5"),
      ("a { b:1,5 c: 2,5}", .fields, "a { b:1.5 c: 2.5}"),
      (
        "<real> 1,5 </real><string>-2,5</string>", .propertyList,
        "<real> 1.5 </real><string>-2.5</string>"
      ),
    ])
  func spellings(text: String, syntax: DecimalCommas.Syntax, repaired: String) {
    #expect(DecimalCommas(in: Array(text.utf8), syntax).repaired == Array(repaired.utf8))
  }

  @Test(
    "in calls they are told by the number of arguments",
    arguments: [
      (
        "p:setEmissionRate(20,5)\np:setSpeed(1,5, 2,5)", DecimalCommas.Syntax.calls,
        "p:setEmissionRate(20.5)\np:setSpeed(1.5, 2.5)"
      ),
      // Once they are known, they are in other calls, too.
      (
        "p:setSpread(0,5)\np:setSpin(1,5)\np:setPosition(3,4)", .calls,
        "p:setSpread(0.5)\np:setSpin(1.5)\np:setPosition(3,4)"
      ),
      (
        "gravity = Vector3(0, 9,8, 0)\ncolor = Color(1, 0,5, 0,25, 1)", .assignments,
        "gravity = Vector3(0, 9.8, 0)\ncolor = Color(1, 0.5, 0.25, 1)"
      ),
      ("a = Vector2(0,5, 98)\nb = 1,5", .assignments, "a = Vector2(0.5, 98)\nb = 1.5"),
      // A call that takes as many arguments as there are.
      ("p:setSpeed(1,2)\np:setPosition(0,0)\np:setColors(1,1,1,1)", .calls, nil),
      ("a = Vector2(1,5)\nb = Rect2(1,2,3,4)", .assignments, nil),
      ("p:setEmissionRate(20.5)\np:setSpeed(x,5)\np:other(1,2,3)", .calls, nil),
      ("a = PackedVector2Array(1,5, 2)\np:setSpread(", .calls, nil), ("(", .calls, nil),
    ] as [(String, DecimalCommas.Syntax, String?)])
  func calls(text: String, syntax: DecimalCommas.Syntax, repaired: String?) {
    let commas = DecimalCommas(in: Array(text.utf8), syntax)
    #expect(commas.repaired == Array((repaired ?? text).utf8))
    #expect((commas.fault == nil) == (repaired == nil))
  }

  @Test("a module of LÖVE with them is repaired")
  func love() throws {
    let original = try Fixture.read("effects/love/torch.lua")
    let text = String(decoding: original, as: UTF8.self)
    let call = /ps:set(?:ParticleLifetime|Spread|Sizes|Colors|LinearAcceleration)\(.*/
    #expect(text.matches(of: call).count > 3)
    let mutant = text.replacing(call) { $0.output.replacing(/(\d)\.(\d)/) { "\($0.1),\($0.2)" } }
    let fault = try #require(Self.fault(Array(mutant.utf8), "torch.lua"))
    #expect(fault.rule == .decimalCommas)
    let repaired = FormatRegistry.standard.withoutDecimalCommas(
      Array(mutant.utf8), fileName: "torch.lua", limits: .standard)
    #expect(repaired?.bytes == original)
  }

  @Test("a property list in UTF-16 is repaired in UTF-16", arguments: [true, false])
  func wide(isBigEndian: Bool) throws {
    let (bytes, count) = try Self.mutant("plist/galaxy.plist")
    func wide(_ bytes: [UInt8]) -> [UInt8] {
      let text = String(decoding: bytes, as: UTF8.self).replacing("UTF-8", with: "UTF-16")
      let units = [0xFEFF] + Array(text.utf16)
      return units.flatMap { unit in
        let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isBigEndian ? pair : pair.reversed()
      }
    }
    let fault = try #require(Self.fault(wide(bytes), "galaxy.plist"))
    #expect(fault.rule == .decimalCommas)
    #expect(fault.found?.hasSuffix("and \(count - 1) others") == true)
    let repaired = FormatRegistry.standard.withoutDecimalCommas(
      wide(bytes), fileName: "galaxy.plist", limits: .standard)
    #expect(repaired?.count == count)
    #expect(try repaired?.bytes == wide(Fixture.read("effects/plist/galaxy.plist")))
  }
}
