import ParticlesCore
import ParticlesModel
import Testing

struct ValueTests {
  private let ramp = Value.ramp(
    .init(low: 1, high: .range(2, 4), curve: Curve(through: [(0, 0), (1, 0.5)])))

  @Test func centresAndHalfWidths() {
    #expect(Value(center: 2, halfWidth: 0) == 2)
    #expect(Value(center: 2, halfWidth: -0.5) == .range(1.5, 2.5))
    let value = Value.range(1, 4, scope: .cycle)
    #expect(value.center == 2.5)
    #expect(value.halfWidth == 1.5)
    #expect(value.scope == .cycle)
    #expect(!value.isConstant)
  }

  @Test func bounds() {
    #expect(Value.oneOf([3, 1, 2]).bounds == Interval(1, 3))
    #expect(ramp.bounds == Interval(1, 2.5))
    #expect(Value.oneOf([]).bounds == Interval(0, 0))
  }

  @Test func scopes() {
    var value = ramp
    value.scope = .effect
    #expect(value.scope == .effect)
    var constant: Value = 3
    constant.scope = .effect
    #expect(constant == 3)
  }

  @Test func samples() {
    #expect(Value.range(1, 3).sample(0.5) == 2)
    #expect(ramp.sample(0.5, progress: 0) == 1)
    // The high value has a random number of its own: (mix(2⁵² + G) >> 11) · 2⁻⁵³.
    let high = 2 + 2 * 0.17550369150720035
    #expect((ramp.sample(0.5, progress: 1) - (1 + (high - 1) / 2)).magnitude < 1e-12)
    let choice = Value.oneOf([1, 2, 3], weights: [1, 0, 3])
    #expect(choice.sample(0.2) == 1)
    #expect(choice.sample(0.25) == 3)
    #expect(choice.sample(0.999) == 3)
    #expect(Value.oneOf([1, 2, 3]).sample(0.5) == 2)
    #expect(Value.oneOf([1, 2]).sample(.nan) == 1)
    #expect(Value.oneOf([1, 2]).sample(1e300) == 2)
  }

  /// The shortest form is written.
  @Test(arguments: [
    #"3"#, #"{"min": 1, "max": 2}"#, #"{"min": 1, "max": 2, "scope": "cycle"}"#,
    #"{"oneOf": [1, 2], "weights": [1, 3]}"#,
    #"{"low": 1, "high": {"min": 1, "max": 2}, "curve": {"keys": [[0, 1], [1, 0, 2, null]]}}"#,
    #"{"from": 1, "to": 2, "curve": 0.5}"#,
    #"{"to": 1, "curve": {"keys": [[0, 1, null, null, "step"], [1, 0]], "interp": "cubic"}}"#,
    #"{"rate": -1, "over": "age", "min": 3}"#,
  ])
  func tracksKeepTheirForm(text: String) throws {
    let json = try JSONParser.parse(Array(text.utf8))
    #expect(try Track(json: json, at: .root).json == json)
  }

  @Test(arguments: [
    #"[1, 0.5, 0]"#, #"[1, 0.5, 0, 0]"#, #"{"min": [0, 0, 0], "max": [1, 1, 1], "mode": "hsb"}"#,
    #"{"color": [1, 0, 0], "jitterHSBA": [180, 0.5, 0, 0]}"#,
    #"{"oneOf": [[1, 0, 0], [0, 1, 0, 0]]}"#,
    #"{"from": {"gradient": {"keys": [[0, [1, 1, 1]]]}}}"#,
    #"{"gradient": {"keys": [[0, [1, 1, 1]]], "space": "oklab", "a": 0.5}}"#,
    #"{"to": [0, 0, 0, 0], "rate": [0, 0, 0, -1], "clamp": [0, 2]}"#,
  ])
  func colorTracksKeepTheirForm(text: String) throws {
    let json = try JSONParser.parse(Array(text.utf8))
    #expect(try ColorTrack(json: json, at: .root).json == json)
  }
}
