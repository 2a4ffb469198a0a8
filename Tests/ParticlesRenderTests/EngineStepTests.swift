import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

/// Single steps beside recorded steps of real engines: how many particles live after each, how old
/// the new particles are, and which slot restarts when.
@Suite("Steps of engines")
struct EngineStepTests {
  /// The lines of a recording, without its header.
  private static func frames(_ name: String) throws -> [[String: Any]] {
    let folder = try #require(EngineTrace.folder)
    let path = Files.joined(Files.folder(of: folder), "raw/\(name).jsonl")
    let lines = String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n")
    return try lines.dropFirst().map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private static func imported(_ folder: String, _ name: String) throws -> ParticleSystem {
    let bytes = try Files.read("\(try #require(Repository.corpus))/\(folder)/\(name)")
    let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
    return try format.decode(bytes, DecodingContext(fileName: name)).system
  }

  /// The number of living particles after each frame, and the greatest age.
  private static func run(
    _ system: ParticleSystem, _ profile: Profile, frames: Int
  ) -> [(count: Int, ages: [Float])] {
    let simulation = Simulation(system, profile: profile, seed: 1)
    let look = Appearance()
    return (0..<frames).map { _ in
      simulation.advance(by: 1.0 / 60)
      simulation.appearance(ofEmitter: 0, into: look)
      return (look.count, (0..<look.count).map { look.age[$0] })
    }
  }

  /// An emitter of PixiJS: a particle every `frequency` seconds.
  private static func pixi(_ frequency: Double, life: Value) -> ParticleSystem {
    var emitter = Emitter(name: "pixi")
    emitter.emission.rate = .constant(1 / frequency)
    emitter.emission.maxAlive = 1000
    emitter.lifetime = life
    return ParticleSystem(name: "pixi", emitters: [emitter])
  }

  @Test(
    "have as many living particles as the engine, after each of 40 steps",
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"))
  func counts() throws {
    let cases: [(recording: String, profile: Profile, system: ParticleSystem)] = [
      (
        "cocos2d-html5.gravity", .cocos2d,
        try Self.imported("plist", "restorer__zame-haxe-particles__iris.plist")
      ),
      (
        "cocos2d-html5.radius", .cocos2d,
        try Self.imported("plist", "cocos2d__cocos2d-html5__SpookyPeas@8c2afc2.plist")
      ),
      (
        "starling.gravity", .starling,
        try Self.imported("pex", "Gamua__Starling-Extension-Particle-System__jellyfish.pex")
      ),
      ("pixi-3.2.0.speed", .pixi3, Self.pixi(0.03, life: .range(1.8, 2))),
      ("pixi-5.0.8.speed", .pixi5, Self.pixi(0.03, life: .range(1.8, 2))),
      (
        "love.gravity", .love,
        try LoveEffect(
          path: Files.joined(
            try #require(EngineTrace.folder), "love/effects/ballistic-gravity.params.json")
        ).system()
      ),
    ]
    for (recording, profile, system) in cases {
      let frames = try Self.frames(recording)
      let theirs = frames.compactMap { $0["count"] as? Int }
      #expect(theirs.count == 40, "\(recording)")
      #expect(Self.run(system, profile, frames: 40).map(\.count) == theirs, "\(recording)")
    }
  }

  @Test(
    "new particles are as old as those of the engine",
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"))
  func ages() throws {
    for (recording, profile, system, place) in [
      (
        "starling.gravity", Profile.starling,
        try Self.imported("pex", "Gamua__Starling-Extension-Particle-System__jellyfish.pex"), 8
      ),
      ("pixi-3.2.0.speed", .pixi3, Self.pixi(0.03, life: .range(1.8, 2)), 8),
      ("pixi-5.0.8.speed", .pixi5, Self.pixi(0.03, life: .range(1.8, 2)), 8),
    ] {
      let frames = try Self.frames(recording)
      let ours = Self.run(system, profile, frames: 5)
      for frame in 0..<5 {
        let rows = try #require(frames[frame]["rows"] as? [[Double]])
        for (row, age) in zip(rows, ours[frame].ages) {
          #expect(abs(row[place] - Double(age)) < 1e-5, "\(recording) \(frame)")
        }
      }
    }
  }

  @Test(
    "slots restart in the steps in which those of Godot do",
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"))
  func slots() throws {
    var emitter = Emitter(name: "godot")
    emitter.emission.maxAlive = 25
    emitter.emission.jitter = 0.5
    emitter.lifetime = 0.45
    let system = ParticleSystem(name: "godot", emitters: [emitter])
    let simulation = Simulation(system, profile: .godot3, seed: 1)
    var known: [UInt64?] = []
    var births: [(frame: Int, slot: Int)] = []
    for frame in 1...40 {
      simulation.advance(by: 1.0 / 60)
      let slots = simulation.states[0].slots
      for (slot, ordinal) in slots.enumerated()
      where ordinal != nil && (slot >= known.count || known[slot] != ordinal) {
        births.append((frame, slot))
      }
      known = slots
    }
    var theirs: [(frame: Int, slot: Int)] = []
    for line in try Self.frames("godot.gravity") {
      let frame = try #require(line["frame"] as? Int)
      for row in line["born"] as? [[Double]] ?? [] { theirs.append((frame, Int(row[1]))) }
    }
    // The recording names the first 30 particles.
    #expect(theirs.count == 30)
    #expect(births.prefix(30).map { "\($0)" } == theirs.map { "\($0)" })
  }
}
