import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

@Suite struct PathIndexTests {
  @Test(arguments: [
    ("a.b[1].c", true), ("a.b[1]", true), ("a.b[10]", false), ("a.bc", false), ("a", false),
    ("x", true), ("x.y", true), ("xy", false), ("\u{e9}", true), ("e\u{301}", false), ("", false),
  ])
  func covers(path: String, isCovered: Bool) {
    var index = PathIndex([
      Diagnostic(.lost, .life, at: "a.b[1]", also: ["x", "\u{e9}"], ""), Diagnostic(.json),
    ])
    #expect(index.covers(path) == isCovered)
  }

  @Test(arguments: 0..<40)
  func sameAsAskingEveryLine(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let (old, new) = (
      try ParticleSystem(json: random.document()), try ParticleSystem(json: random.document())
    )
    let paths = old.differences(from: new).map(\.path) + ["", ".", "[", "a[\"b.c\"]"]
    let places = (0..<20).map { _ in
      let path = paths.randomElement(using: &random.generator) ?? ""
      return String(path.prefix(Int.random(in: 0...path.count, using: &random.generator)))
    }
    let lines = [1..<9, 9..<20].map { also in
      Diagnostic(.lost, .life, at: places[0], also: Array(places[also]), "")
    }
    var index = PathIndex(lines)
    for path in paths {
      #expect(
        index.covers(path) == lines.contains { $0.loss?.covers(path) == true }, "\(path) \(places)")
    }
  }

  @Test(arguments: 0..<20)
  func valuesAreThoseOfTheDocument(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let (system, other) = (
      try ParticleSystem(json: random.document()), try ParticleSystem(json: random.document())
    )
    var values = StatedValues(of: system)
    let paths = system.differences(from: other).map(\.path)
    for path in paths + ["", "emitters", "emitters[99].name", "emitters.name"] {
      let steps = path.split { ".[]".contains($0) }
      let expected = steps.reduce(system.json as JSONValue?) { value, step in
        if let index = Int(step), let array = value?.array {
          return array.indices.contains(index) ? array[index] : nil
        }
        return value?.object?[String(step)]
      }
      #expect(values.value(at: path) == expected, "\(path)")
    }
  }

  @Test func manyEmittersCostAsManyLookupsEachAsFew() throws {
    let (few, many) = (try lookups(emitters: 100), try lookups(emitters: 3200))
    #expect(few > 100)
    #expect(many <= 32 * few)
  }

  /// The look-ups of an audit in which every emitter has lost something that a line covers, and
  /// something that none does.
  private func lookups(emitters count: Int) throws -> Int {
    let emitters = (0..<count).map { Emitter(name: "emitter \($0)") }
    let read = ParticleSystem(name: "Many", emitters: emitters)
    var system = read
    for index in system.emitters.indices {
      system.emitters[index].launch.speed = 5
      system.emitters[index].lifetime = 3
    }
    let exported = Exported(
      parts: [.init(name: "a", bytes: [], emitters: Array(emitters.indices))],
      losses: emitters.indices.map {
        Diagnostic(.lost, .life, at: "emitters[\($0)].lifetime", "all live for a second")
      })
    let audit = try Audit(
      of: exported, from: system,
      decode: { Imported(system: read, sourceName: $1.fileName, source: $0) },
      EncodingContext(fileName: "a"))
    #expect(audit.unexplained.count == count)
    return audit.lookups
  }
}
