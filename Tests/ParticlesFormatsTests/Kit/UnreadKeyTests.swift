import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Keys that files have, and that the engine of the format does not read.
@Suite("Keys without effect")
struct UnreadKeyTests {
  private func findings(_ text: String, _ format: ParticleFormat) throws -> [Diagnostic] {
    try format.decode(Array(text.utf8), DecodingContext(fileName: "effect.json"))
      .diagnostics.filter { $0.rule == .ignoredKey }
  }

  @Test(
    "PixiJS has no list of speeds beside an acceleration, and no limit without one",
    arguments: [
      (#""speed": {"start": 9, "end": 1}, "acceleration": {"x": 0, "y": 5}"#, "speed"),
      (#""speed": {"start": 9, "end": 9}, "acceleration": {"x": 0, "y": 5}"#, nil),
      (#""speed": {"start": 9, "end": 1}, "acceleration": {"x": 0, "y": 0}"#, nil),
      (#""speed": {"start": 9, "end": 9}, "maxSpeed": 5"#, "maxSpeed"),
      (#""speed": {"start": 9, "end": 9}, "maxSpeed": 0"#, nil),
      (#""speed": {"start": 9, "end": 9}, "maxSpeed": 5, "acceleration": {"x": 1, "y": 0}"#, nil),
    ])
  func pixi(keys: String, expected: String?) throws {
    let text =
      #"{"lifetime": {"min": 1, "max": 1}, "frequency": 0.1, "spawnType": "point", \#(keys)}"#
    let found = try findings(text, .pixiLegacy)
    #expect(found.count == (expected == nil ? 0 : 1), "\(found)")
    guard let expected, let finding = found.first else { return }
    #expect(finding.location.position?.description.hasPrefix(expected) == true)
    #expect(finding.detail?.hasPrefix("PixiJS does not read \(expected)") == true)
    #expect(finding.severity == .note)
  }

  /// The limit that `Spec/profiles.md` states.
  @Test("a ring that turns its directions by more on one side is reported, an even one is not")
  func turnedNormals() throws {
    for (low, high, isReported) in [(0, 0, false), (-9, 9, false), (0, 360, false), (10, 30, true)]
    {
      let imported = try ParticleFormat.pixiLegacy.decode(
        Array(
          #"""
          {"lifetime": {"min": 1, "max": 1}, "frequency": 0.1, "spawnType": "ring",
          "speed": {"start": 9, "end": 9}, "spawnCircle": {"x": 0, "y": 0, "r": 9, "minR": 8},
          "startRotation": {"min": \#(low), "max": \#(high)}}
          """#.utf8), DecodingContext(fileName: "effect.json"))
      let launch = imported.system.emitters[0].launch
      #expect(launch.direction.mode == (high == 360 ? .random : .normal))
      let isFound = imported.diagnostics.contains {
        $0.rule == .approximated && $0.detail?.contains("start rotation") == true
      }
      #expect(isFound == isReported, "\(low) to \(high)")
    }
  }

  @Test("three.quarks emits a burst once, whatever its cycles")
  func quarks() throws {
    let whole = try String(
      decoding: Fixture.read("effects/quarks/torch.json"), as: UTF8.self)
    func text(_ cycle: Int) -> String {
      let burst =
        #"{"time": 0, "count": {"type": "ConstantValue", "value": 3}, "cycle": \#(cycle), "interval": 0.1}"#
      let key = #""emissionBursts": ["#
      // Of what follows, nothing states a cycle of more than 1.
      let parts = whole.split(separator: key, maxSplits: 1)
      return "\(parts[0])\(key)\(burst), \(parts[1])"
    }
    #expect(try findings(text(1), .quarks).isEmpty)
    let found = try findings(text(4), .quarks)
    #expect(found.count == 1)
    #expect(found.first?.found == "4" && found.first?.severity == .warning)
    #expect(found.first?.detail?.contains("once in a period") == true)
  }

  @Test("Phaser has no angle beside the two velocities")
  func phaser() throws {
    func found(_ keys: String) throws -> [Diagnostic] {
      try findings(#"{"lifespan": 500, "quantity": 1, "frequency": 100, \#(keys)}"#, .phaser)
    }
    let finding = try found(#""speedX": 5, "angle": 90"#)
    #expect(finding.map(\.location.position?.description) == ["angle"])
    #expect(try found(#""speed": 5, "angle": 90"#).isEmpty)
    #expect(try found(#""speedX": 5, "speedY": 5"#).isEmpty)
  }
}
