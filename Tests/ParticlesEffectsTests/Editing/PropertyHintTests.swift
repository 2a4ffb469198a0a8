import ParticlesCore
import ParticlesDocuments
@testable import ParticlesEffects
import ParticlesModel
import ParticlesTestSupport
import Testing

/// What an editor needs to know of properties.
@Suite("How properties are edited")
struct PropertyHintTests {
  private static let keys = SettableKey.all()

  private func hint(_ key: String) throws -> PropertyHint {
    try #require(Self.keys.first { $0.key == key }).hint
  }

  @Test(
    "each number has a usual range inside of its bounds with its default, and a step",
    arguments: keys)
  func numbers(_ key: SettableKey) throws {
    #expect(PropertyHint.sections.contains(key.hint.section), "\(key.key)")
    guard let numbers = key.hint.numbers else { return }
    for range in [numbers.usual, numbers.usualInSpace].compactMap(\.self) {
      #expect(range.lowerBound < range.upperBound, "\(key.key)")
      #expect(range.lowerBound >= key.minimum ?? -.infinity, "\(key.key)")
      #expect(range.upperBound <= key.maximum ?? .infinity, "\(key.key)")
    }
    if let standard = key.standard.flatMap(Double.init) {
      #expect(numbers.usual.contains(standard) || numbers.usual.lowerBound == 0, "\(key.key)")
    }
    #expect(
      numbers.step > 0 && numbers.step <= numbers.usual.upperBound - numbers.usual.lowerBound,
      "\(key.key)")
    if key.type.hasPrefix("integer") {
      #expect(numbers.step >= 1 && numbers.scale == .linear, "\(key.key)")
    }
    if numbers.scale == .log { #expect(numbers.usual.lowerBound >= 0, "\(key.key)") }
  }

  @Test("numeric rows have numbers, and rows of names and indices have none")
  func kinds() throws {
    for key in Self.keys where ["Value", "Track", "number"].contains(key.type) {
      #expect(key.hint.numbers != nil, "\(key.key)")
    }
    for key in ["seed", "sprites[].image", "emitters[].name", "emitters[].shape.type"] {
      #expect(try hint(key).numbers == nil)
    }
    #expect(try hint("emitters[].emission.rate").numbers?.scale == .log)
    #expect(try hint("emitters[].launch.spread").numbers?.usual.upperBound == 180)
  }

  @Test("parts of values have the unit, the limits and the numbers of the whole")
  func parts() throws {
    for (whole, parts) in [
      ("emitters[].emission.rate", ["min", "max", "low", "high"]),
      ("emitters[].size.width", ["from", "to"]),
    ] {
      let own = try hint(whole).numbers
      let all = SettableKey.all(whole)
      for part in parts {
        let key = try #require(all.first { $0.key == "\(whole).\(part)" }, "\(part)")
        #expect(key.hint.numbers == own && key.minimum == 0, "\(key.key)")
      }
    }
    for whole in ["emitters[].forces[].vector", "emitters[].shape.size", "preview.size"] {
      let own = try #require(SettableKey.all(whole).first { $0.key == whole })
      let component = try #require(SettableKey.all(whole).first { $0.key == "\(whole)[]" })
      #expect(component.hint.numbers == own.hint.numbers && component.unit == own.unit)
    }
    let inside = SettableKey.all("emitters[0].forces[0].vector[1].fr")
    #expect(inside.map(\.key) == ["emitters[].forces[].vector[].from"])
    #expect(inside.first?.unit == "unit/s²")
  }

  @Test("conditions name a property that there is, and values that it takes")
  func conditions() throws {
    var count = 0
    for key in Self.keys {
      guard let applies = key.hint.applies else { continue }
      count += 1
      let other = try #require(Self.keys.first { $0.key == applies.key }, "\(key.key)")
      for value in applies.values {
        if let name = value.string { #expect(other.type.contains("\"\(name)\""), "\(key.key)") }
      }
    }
    #expect(count > 40)
    #expect(
      try hint("emitters[].shape.pipe").applies
        == PropertyHint.Condition(key: "emitters[].shape.type", values: ["torus"]))
    #expect(try hint("emitters[].forces[].octaves").applies?.values == ["noise"])
    #expect(try hint("emitters[].shape.transform.angle").applies == nil)
  }

  @Test("the table of usual ranges names properties that there are")
  func usual() {
    let keys = Set(Self.keys.map(\.key))
    #expect(PropertyHint.usual.count > 25)
    for key in PropertyHint.usual.keys { #expect(keys.contains(key)) }
  }

  /// `Tests/usual.py` computes the usual ranges.
  @Test("Spec/editing.md matches the tables")
  func page() throws {
    var lines: [String] = []
    for section in PropertyHint.sections {
      let rows = Self.keys.filter { $0.hint.section == section }
      guard !rows.isEmpty else { continue }
      lines += [
        "## \(section)", "", "| property | usual | scale | step | unit | applies to |",
        "|---|---|---|---|---|---|",
      ]
      for row in rows {
        let numbers = row.hint.numbers
        func text(_ range: ClosedRange<Double>) -> String {
          "\(JSONNumber(range.lowerBound).text) … \(JSONNumber(range.upperBound).text)"
        }
        let usual = [numbers?.usual, numbers?.usualInSpace].compactMap { $0 }.map(text).joined(
          separator: " / ")
        let step = numbers.map { JSONNumber($0.step).text } ?? ""
        let applies = row.hint.applies.map { applies in
          let name = applies.key.split(separator: ".").last ?? ""
          return "\(name): " + applies.values.map { $0.string ?? $0.line }.joined(separator: ", ")
        }
        let cells = [
          "`\(row.key)`", usual, numbers?.scale.rawValue ?? "", step, row.unit ?? "", applies ?? "",
        ]
        lines.append("| \(cells.joined(separator: " | ")) |")
      }
      lines.append("")
    }
    try Golden.checkSection(
      "properties", of: "Spec/editing.md", is: lines.dropLast().joined(separator: "\n"))
  }
}
