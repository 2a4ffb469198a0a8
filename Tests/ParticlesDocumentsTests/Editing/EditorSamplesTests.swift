import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

/// The pages of the editor evaluate curves, gradients and relative changes by themselves. The expected values are in
/// `Tests/Browser/editor-samples.json`, and `Tests/Browser/editor-units.mjs` compares them in node.
@Suite("Samples for the pages of the editor") struct EditorSamplesTests {
  private static let curves = [
    "2.5", "\"linear\"", #"{"keys": [[0, 1], [1, 0]]}"#,
    #"{"keys": [[0, 0.4], [0.22, 1], [1, 0.22]], "interp": "cubic"}"#,
    #"{"keys": [[0, 0], [0.25, 0.33], [0.5, 0.67], [0.75, 1]], "interp": "step"}"#,
    #"{"keys": [[0, 0, null, 3], [0.6, 1.15, 0, 0], [1, 1, null, null, "linear"]], "interp": "cubic"}"#,
    #"{"keys": [[0.2, 1], [0.5, 2], [0.5, -1], [0.8, 0]], "interp": "cubic"}"#,
    #"{"keys": [[0.2, 1], [0.5, 2], [0.8, 0]], "extend": "loop"}"#,
    #"{"keys": [[0.2, 1], [0.5, 2, null, null, "step"], [0.8, 0, -4, 0, "cubic"], [0.9, 5]], "extend": "mirror"}"#,
    #"{"keys": [[-1, 3], [0, 3, 0, 0], [2, -3]], "interp": "cubic", "extend": "mirror"}"#,
  ]
  private static let gradients = [
    #"{"keys": [[0, [1, 0.9, 0.55, 0]], [0.14, [1, 0.7, 0.28, 0.36]], [1, [0.2, 0.02, 0, 0]]]}"#,
    #"{"keys": [[0, [1, 0, 0]], [0.5, [0, 2, 0]], [1, [0, 0, 1, 0.5]]], "space": "linear"}"#,
    #"{"keys": [[0, [1, 0, 0]], [0.5, [0, 1, 0]], [1, [0, 0, 1, 0.5]]], "space": "oklab", "interp": "cubic"}"#,
    #"{"keys": [[0.1, [1, 0, 0]], [0.5, [0, 1, 0]], [0.5, [0.3, 0.3, 1]], [0.9, [0, 0, 1]]], "interp": "step"}"#,
    #"{"keys": [[0.1, [1, 0, 0]], [0.5, [0, 1, 0]], [0.5, [0.3, 0.3, 1]], [0.7, [0, 0, 1]]], "interp": "cubic"}"#,
    #"{"keys": [[0, [0.5, 0.5, 0.5]]], "a": {"keys": [[0, 0], [0.5, 1], [1, 0]], "interp": "cubic"}, "r": 1}"#,
    #"{"r": "linear", "g": 0.5, "b": {"keys": [[0, 1], [1, 0]]}}"#,
  ]
  private static let changes = [
    ("95", "*1.5"), ("0.1", "*3"), ("5", "+.5"), ("5", "-=7"), ("3", "-5%"),
    (#"{"min": 1, "max": 2, "scope": "cycle"}"#, "*2"), (#"{"min": 1, "max": 2}"#, "*-1"),
    (#"{"min": 1, "max": 2}"#, "+3"), (#"{"oneOf": [1, 4], "weights": [1, 2]}"#, "*2"),
    (#"{"low": 1, "high": {"min": 1, "max": 2}}"#, "+1"),
    (#"{"low": 1, "high": 2, "relative": true}"#, "+1"),
    (#"{"from": 1, "to": 2, "rate": 3, "range": [0, 9]}"#, "*-2"),
    (#"{"from": 1, "to": 2, "rate": 3, "range": [0, 9]}"#, "-=1"), (#"{"to": 2}"#, "+1"),
    (#"{"to": {"min": 1, "max": 3}, "curve": {"keys": [[0, 1], [1, 0]]}}"#, "*1.1"),
    ("[1, 2]", "*2"), ("[1, 2]", "+1"), ("true", "+1"), ("{}", "*2"),
  ]

  private static func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  /// Times inside, outside and at keys.
  private static let times = (-24...72).map { Double($0) / 48 } + [0.1, 0.22, 0.9, 2, 3.3]

  @Test("the samples are those of the library")
  func samples() throws {
    let curves = try Self.curves.map { text -> JSONValue in
      let json = try Self.json(text)
      let curve = try Curve(json: json, at: .root)
      let values = Self.times.map { JSONValue.array([.double($0), .double(curve.value(at: $0))]) }
      return ["curve": json, "values": .array(values)]
    }
    let gradients = try Self.gradients.map { text -> JSONValue in
      let json = try Self.json(text)
      let gradient = try Gradient(json: json, at: .root)
      let colors = Self.times.map { time -> JSONValue in
        let color = gradient.color(at: time)
        let channels = [color.red, color.green, color.blue, color.alpha]
        return .array([
          .double(time), .array(channels.map { .double(($0 * 1e9).rounded() / 1e9) }),
        ])
      }
      return ["gradient": json, "colors": .array(colors)]
    }
    let changes = try Self.changes.map { value, typed -> JSONValue in
      let json = try Self.json(value)
      // Percentages are an abbreviation of the pages.
      let change =
        typed.hasSuffix("%")
        ? "*=0.95" : typed.contains("=") ? typed : "\(typed.first!)=\(typed.dropFirst())"
      let operation = try #require(RelativeChange.Operation(rawValue: change.first!))
      let relative = RelativeChange(operation: operation, text: String(change.dropFirst(2)))
      let result = try? relative.result(of: json, property: nil, key: "key")
      return ["value": json, "change": .string(typed), "result": result ?? .null]
    }
    // A line for each sample.
    func list(_ name: String, _ rows: [JSONValue]) -> String {
      "\"\(name)\": [\n\(rows.map(\.line).joined(separator: ",\n"))\n]"
    }
    let whole = [list("curves", curves), list("gradients", gradients), list("changes", changes)]
    try Golden.check(
      "{\n\(whole.joined(separator: ",\n"))\n}\n", against: "Tests/Browser/editor-samples.json")
  }
}
