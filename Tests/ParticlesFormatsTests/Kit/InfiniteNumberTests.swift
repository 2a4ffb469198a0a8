import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Numbers that are infinite, not a number, or too large for a double: a default takes their place, and a
/// message names place and value.
@Suite("Infinite numbers") struct InfiniteNumberTests {
  /// The findings for a file in which a number is replaced.
  private static func findings(_ text: String, _ name: String) throws -> [Diagnostic] {
    let bytes = Array(text.utf8)
    let context = DecodingContext(fileName: name)
    do {
      let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
      return try format.decode(bytes, context).diagnostics
    } catch let error as Diagnostic {
      return [error]
    }
  }

  @Test(
    "each number of a tree that is too large is reported with its place",
    arguments: [
      "quarks/torch.json", "phaser/torch.json", "phaser/pair.json", "tsparticles/pair.json",
      "pixi/torch.json", "pixi/fountain.json", "pixi/snow-2.json", "defold/torch.particlefx",
      "libgdx/torch.p", "godot/torch.tscn", "godot/galaxy.tscn",
    ])
  func trees(path: String) throws {
    let text = String(
      decoding: try Files.read(Repository.path("Fixtures/effects/\(path)")), as: UTF8.self)
    let name = Files.lastComponent(of: path)
    let isJSON = name.hasSuffix(".json")
    var count = 0
    let numbers = text.matches(of: /([\s:,\[({=])(-?\d+(?:\.\d+)?)(?=[\s,\])}])/)
    for match in Sample.of(numbers, 40) {
      let line = text[..<match.range.lowerBound].split(separator: "\n").last ?? ""
      // Counts of lists are not read. Headers of sections have versions and identifiers.
      if !isJSON, line.hasSuffix("Count:") || line.hasPrefix("[") { continue }
      for word in isJSON ? ["1e999", "-1e999"] : ["inf", "nan", "1e999"] {
        let range = match.output.2.startIndex..<match.output.2.endIndex
        let findings = try Self.findings(text.replacingCharacters(in: range, with: word), name)
        let isReported = findings.contains { finding in
          guard let found = finding.found, finding.location.position != nil else { return false }
          return found.contains(word) || found.contains("inf")
        }
        #expect(isReported, "\(word) at \(line)")
        count += 1
      }
    }
    #expect(count >= 30)
  }

  @Test("a number is reported once, by the row that reads it or by the file")
  func once() throws {
    let text = String(
      decoding: try Files.read(Repository.path("Fixtures/effects/pixi/fountain.json")),
      as: UTF8.self)
    for match in text.matches(of: /([\s:\[])(\d+(?:\.\d+)?)(?=[\s,\])}])/) {
      let range = match.output.2.startIndex..<match.output.2.endIndex
      let findings = try Self.findings(
        text.replacingCharacters(in: range, with: "1e999"), "fountain.json")
      #expect(findings.filter { $0.rule == .emitterValue }.count <= 1, "\(findings)")
    }
  }

  @Test("colours and names that look like such numbers are not reported")
  func texts() throws {
    let text = """
      {"name": "inf", "texture": "nan", "lifespan": 1000, "quantity": 1, "tint": "1e9999"}
      """
    #expect(!(try Self.findings(text, "a.json")).contains { $0.rule == .emitterValue })
  }

  @Test("of many numbers, a hundred are listed")
  func many() throws {
    let list = Array(repeating: "1e999", count: 250).joined(separator: ",")
    let text = #"{"lifespan": 1000, "quantity": 1, "other": [\#(list)]}"#
    let values = try Self.findings(text, "a.json").filter { $0.rule == .emitterValue }
    #expect(values.count == 101 && values.last?.found == "150")
    #expect(values.first?.location == .key("other[0]"))
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
