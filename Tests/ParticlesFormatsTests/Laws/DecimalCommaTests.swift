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
}
