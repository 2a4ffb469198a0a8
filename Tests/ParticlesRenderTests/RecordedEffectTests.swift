import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Generated effects that engines ran under node, beside our simulation of these effects.
///
/// `Tests/Engines/node` makes the recordings in `Fixtures/engines`, as CONTRIBUTING describes. With
/// `PARTICLES_NODE_ENGINES`, a folder with the engines as modules, new effects run in them now.
@Suite("Generated effects in engines under node", .serialized)
struct RecordedEffectTests {
  struct Engine: CustomTestStringConvertible {
    var name: String
    var format: ParticleFormat
    /// Recordings that do not agree, by their numbers in the file, with the reason.
    var exceptions: [Int: String] = [:]

    var testDescription: String { name }
  }

  static let engines = [
    Engine(name: "pixi-5", format: .pixi), Engine(name: "pixi-3", format: .pixiLegacy),
    Engine(name: "quarks", format: .quarks),
    Engine(name: "phaser", format: .phaser), Engine(name: "tsparticles", format: .tsParticles),
    Engine(
      name: "particlesjs", format: .tsParticles,
      exceptions: [
        15: "bottom-left is (-0.5, 1), each part by a random factor, which is no fan"
      ]),
  ]

  /// A folder with modules of engines.
  private static let modules = ProcessInfo.processInfo.environment["PARTICLES_NODE_ENGINES"]

  /// The effects of a file whose recordings do not agree.
  private static func deviations(
    _ path: String, _ engine: Engine, most: Int
  ) throws -> [(number: Int, worst: EngineTrace.Deviation)] {
    let object = try JSONSerialization.jsonObject(with: Data(try Files.read(path)))
    let root = try #require(object as? [String: Any])
    var plan = ParticleStatistics.Plan()
    plan.frames = try #require(root["frames"] as? Int)
    plan.every = try #require(root["every"] as? Int)
    plan.seeds = try #require(root["seeds"] as? Int)
    let settings = root["settings"] as? [String: Any]
    let isFromStart = (settings?["place"] as? String)?.contains("began") ?? false
    let effects = try #require(root["effects"] as? [[String: Any]])
    return try effects.prefix(most).enumerated().map { number, item in
      let effect = try #require(item["effect"])
      let bytes = try JSONSerialization.data(withJSONObject: effect, options: .sortedKeys)
      var imported = try engine.format.decode(
        Array(bytes), DecodingContext(fileName: "\(number).json"))
      // Places count from where each particle began.
      if isFromStart { imported.system.emitters[0].shape = Shape() }
      let trace = EngineTrace(
        name: "\(number)", recorded: try #require(item["emitters"] as? [[String: Any]]),
        frames: plan.frames / plan.every)
      return (number, trace.worstDeviation(try ParticleStatistics(of: imported.system, plan: plan)))
    }
  }

  @Test(
    "agree with their recordings within 2 %, or within three standard errors", arguments: engines)
  func recordings(engine: Engine) throws {
    let deviations = try Self.deviations(
      Repository.path("Fixtures/engines/\(engine.name).json"), engine,
      most: EngineTraceTests.isComplete ? .max : 5)
    #expect(!deviations.isEmpty)
    for (number, worst) in deviations where engine.exceptions[number] == nil {
      #expect(worst.share <= 0.02, "\(engine.name) \(number): \(worst.column)")
    }
  }

  @Test(
    "agree with the engine itself, for other effects", .needs("node"),
    .enabled(if: modules != nil, "PARTICLES_NODE_ENGINES is not set"), arguments: engines)
  func live(engine: Engine) throws {
    let module = Files.joined(try #require(Self.modules), "\(engine.name).mjs")
    let scratch = try Scratch()
    let output = scratch.file("out.json")
    _ = try Run.succeeding(
      try #require(Run.find("node")),
      [
        Repository.path("Tests/Engines/node/record.mjs"), engine.name, module, output, "40", "1000",
      ])
    let deviations = try Self.deviations(output, engine, most: .max)
    let bad = deviations.filter { $0.worst.share > 0.02 }
    for (number, worst) in bad { print(engine.name, number, worst.column, worst.share) }
    print("\(engine.name), live: \(deviations.count - bad.count) of \(deviations.count) agree")
    #expect(deviations.count == 40 && bad.count <= 2)
  }
}
