import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Properties that a format cannot hold, and their visible effect in one document.
@Suite("Losses that change nothing in this effect")
struct EffectOfLossTests {
  /// An effect of squares that shows a picture.
  private func system(width: Int?, height: Int?) -> ParticleSystem {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 10
    emitter.launch.speed = 10
    emitter.size.aspect = .ratio(1)
    emitter.sprites = [0]
    var system = ParticleSystem(name: "a", emitters: [emitter])
    var image = ImageReference()
    (image.uri, image.width, image.height) = ("images/dot.png", width, height)
    system.images = [image]
    system.sprites = [Sprite(image: 0)]
    return system
  }

  private func line(
    _ path: String, of system: ParticleSystem, in format: ParticleFormat
  ) throws -> Diagnostic? {
    try format.export(system, EncodingContext(fileName: "a.x")).losses
      .first { $0.loss?.path == "emitters[0].\(path)" }
  }

  private static let engines: [ParticleFormat] = [.pixi, .love, .phaser, .libGDX, .defold]

  @Test("squares that show a square picture are squares in each engine", arguments: engines)
  func squares(format: ParticleFormat) throws {
    let line = try line("size.aspect", of: system(width: 32, height: 32), in: format)
    #expect(line == nil || line?.loss?.level == .info, "\(String(describing: line))")
  }

  @Test(
    "squares that show another picture look different",
    arguments: [ParticleFormat.pixi, .love, .phaser])
  func stretched(format: ParticleFormat) throws {
    let line = try #require(
      try line("size.aspect", of: system(width: 64, height: 32), in: format))
    #expect(line.rule == .lost && line.loss?.level == .high)
  }

  @Test(
    "a picture whose size is not known is taken for square",
    arguments: [ParticleFormat.pixi, .love])
  func missing(format: ParticleFormat) throws {
    let line = try #require(
      try line("size.aspect", of: system(width: nil, height: nil), in: format))
    #expect(line.rule == .assumed && line.loss?.level == .low)
  }

  @Test("a limit of living particles shows where it is reached", arguments: [9, 10, 30])
  func limits(most: Int) throws {
    var system = system(width: 32, height: 32)
    system.emitters[0].lifetime = 1
    system.emitters[0].emission.maxAlive = most
    system.emitters[0].emission.whenFull = .wait
    let line = try #require(try line("emission.whenFull", of: system, in: .pixi))
    // Particles that wait are emitted a little later: numbers are equal.
    #expect(line.loss?.level == .info)
    #expect(line.rule == (most < 10 ? .approximated : .restated), "\(line)")
  }

  @Test("a limit that long lives alone reach is hardly ever reached")
  func longLives() throws {
    var system = system(width: 32, height: 32)
    system.emitters[0].lifetime = .range(0.5, 1.5)
    system.emitters[0].emission.maxAlive = 10
    system.emitters[0].emission.whenFull = .wait
    let line = try #require(try line("emission.whenFull", of: system, in: .pixi))
    #expect(line.rule == .approximated && line.loss?.level == .info, "\(line)")
  }

  @Test(
    "random colours are as much of a loss as they differ",
    arguments: [(0.02, Loss.Level.info), (0.1, .low), (0.4, .medium), (1, .high)])
  func randomColors(width: Double, level: Loss.Level) throws {
    var system = system(width: 32, height: 32)
    system.emitters[0].color.base.from = .range(
      ColorValue.Range(Color(0, 0, 0), Color(width, 0, 0)))
    let line = try #require(try line("color.base", of: system, in: .pixi))
    #expect(line.loss?.level == level, "\(line)")
  }

  @Test("losses of invisible particles are notes, unless others start from them")
  func invisible() throws {
    var system = system(width: 64, height: 32)
    system.emitters[0].rotation.angle = Track(.range(0, 90))
    system.emitters[0].forces = [Force(.vortex)]
    #expect(try line("size.aspect", of: system, in: .pixi)?.loss?.level == .high)
    system.emitters[0].color.opacity = 0
    for format in [ParticleFormat.pixi, .cocos2d, .godot4] {
      let losses = try format.export(system, EncodingContext(fileName: "a.x")).losses
      #expect(losses.allSatisfy { $0.lossLevel == .info }, "\(losses)")
    }
    // quarks starts other emitters where particles are born: how they move counts, how they look does not.
    system.emitters.append(system.emitters[0])
    system.emitters[0].triggers = [Trigger(.birth, emitter: 1)]
    let losses = try ParticleFormat.quarks.export(system, EncodingContext(fileName: "a.x")).losses
      .filter { $0.loss?.path.hasPrefix("emitters[0]") == true && $0.lossLevel > .info }
    #expect(losses.contains { $0.loss?.path.contains("forces") == true }, "\(losses)")
    #expect(losses.allSatisfy { $0.loss?.path.contains("size") != true }, "\(losses)")
    // Some blend modes draw transparent particles.
    system.emitters[0].render.blend = Emitter.Blend(.multiply)
    #expect(!system.emitters[0].isInvisible)
  }
}
