import Foundation
import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// What another engine does differently is made up for where the format can, and reported where not.
@Suite("The same look in another engine") struct SameLookTests {
  private func effect(
    _ profile: ParticleSystem.Profile, _ change: (inout Emitter) -> Void
  ) -> ParticleSystem {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 10
    emitter.lifetime = 2
    emitter.space = .local
    emitter.size.aspect = .ratio(1)
    emitter.launch.speed = 100
    change(&emitter)
    var system = ParticleSystem(name: "a", emitters: [emitter])
    system.asset.profile = profile
    return system
  }

  private func export(
    _ system: ParticleSystem, _ format: ParticleFormat
  ) throws -> (emitter: Emitter, losses: [Diagnostic]) {
    let exported = try format.export(
      system, EncodingContext(fileName: "a.\(format.extensions[0])"))
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    let read = try format.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "a.\(format.extensions[0])"))
    return (try #require(read.system.emitters.first), exported.losses)
  }

  private func line(_ losses: [Diagnostic], _ feature: String) -> Diagnostic? {
    losses.first { $0.loss?.feature == feature && $0.rule != .restated && $0.rule != .dead }
  }

  // MARK: Directions

  @Test("all directions of the plane become all of space, as fast as seen from the front")
  func sphere() throws {
    var system = effect(.cocos2d) { $0.launch.direction = Direction(angle: .range(0, 360)) }
    system.asset.unit = .unit
    let (emitter, losses) = try export(system, .sceneKit)
    #expect(emitter.launch.direction.mode == .random)
    // A third of the square of the speed is along each axis, in the plane a half.
    #expect(abs(emitter.launch.speed.mean - 100 * 1.5.squareRoot()) < 0.01)
    // From the front it looks nearly unchanged.
    #expect(line(losses, "spread2D")?.rule == .approximated)
  }

  @Test("a cone becomes a fan that is narrower")
  func cone() throws {
    var system = effect(.sceneKit) {
      $0.launch.direction = Direction(vector: Vector(0, 1, 0))
      $0.launch.spread = 40
    }
    system.asset.dimension = .space
    for format in [ParticleFormat.cocos2d, .starling, .spriteKit] {
      let (emitter, losses) = try export(system, format)
      let half = emitter.launch.direction.angle.spread.half + emitter.launch.spread
      // The mean square of the sine over the fan is half of that over the cone.
      #expect(half > 25 && half < 31, "\(format.name) \(half)")
      #expect(line(losses, "cone3D") != nil)
    }
  }

  @Test("directions that do not deviate stay as they are")
  func straight() throws {
    var system = effect(.sceneKit) { $0.launch.direction = Direction(vector: Vector(0, 1, 0)) }
    system.asset.dimension = .space
    let (emitter, losses) = try export(system, .cocos2d)
    #expect(emitter.launch.speed == 100)
    #expect(line(losses, "cone3D") == nil)
    // Towards the eye, particles stay in place.
    system.emitters[0].launch.direction = Direction(vector: Vector(0, 0, 1))
    #expect(try export(system, .cocos2d).emitter.launch.speed.mean.magnitude < 1e-6)
  }

  // MARK: Numbers

  @Test("a limit becomes the rate at which as many live")
  func limit() throws {
    let system = effect(.cocos2d) { $0.emission.maxAlive = 10 }
    for format in [ParticleFormat.spriteKit, .sceneKit] {
      let (emitter, losses) = try export(system, format)
      let rate = emitter.emission.rate.mean / max(emitter.timing.duration?.mean ?? 1, 1)
      #expect(abs(rate - 5) < 0.3, "\(format.name) \(rate)")
      #expect(line(losses, "maxAlive")?.rule == .approximated)
    }
    let free = effect(.cocos2d) { $0.emission.maxAlive = 20 }
    #expect(try line(export(free, .spriteKit).losses, "maxAlive") == nil)
  }

  @Test("a total that is emitted within a frame has the right number")
  func total() throws {
    let system = effect(.spriteKit) {
      $0.emission.rate = 3000
      $0.emission.total = 12
    }
    let (emitter, _) = try export(system, .cocos2d)
    let duration = try #require(emitter.timing.duration).mean
    // Whole frames are emitted: that in which the clock passes the duration is the last.
    let frames = (duration * 60).rounded(.down) + 1
    #expect(abs(emitter.emission.rate.mean * frames / 60 - 12) < 1e-6)
  }

  @Test("cocos2d does not read the rate of a file")
  func rate() throws {
    let system = effect(.cocos2d) { $0.emission.maxAlive = 20 }
    let bytes = try ParticleFormat.particleDesigner.export(
      system, EncodingContext(fileName: "a.json")
    ).parts[0].bytes
    let text = String(decoding: bytes, as: UTF8.self)
    let place = try #require(text.firstRange(of: "\"maxParticles\""))
    let stated = text.replacingCharacters(in: place, with: "\"emissionRate\": 80, \"maxParticles\"")
    let read = try ParticleFormat.particleDesigner.decode(
      Array(stated.utf8), DecodingContext(fileName: "a.json"))
    #expect(read.system.emitters[0].emission.rate == 10)
    #expect(read.diagnostics.contains { $0.rule == .ignoredKey && $0.found == "80" })
  }

  @Test("engines that emit the first particle at another time differ if there are few")
  func first() throws {
    let slow = try export(effect(.cocos2d) { $0.emission.rate = 2 }, .starling)
    #expect(line(slow.losses, "law")?.lossLevel ?? .info >= .medium)
    let fast = try export(effect(.cocos2d) { $0.emission.rate = 500 }, .starling)
    #expect(line(fast.losses, "law") == nil)
  }

  // MARK: Orbits

  @Test("an orbit becomes a cloud of the same extent")
  func orbit() throws {
    let system = effect(.cocos2d) {
      $0.launch = Launch()
      $0.motion.mode = .orbit
      $0.motion.orbit = Orbit()
      $0.motion.orbit?.angle = .range(0, 360)
      $0.motion.orbit?.radius = Track(from: 0, to: 120)
    }
    for format in [ParticleFormat.spriteKit, .sceneKit] {
      var own = system
      own.asset.unit = format.name == "scenekit" ? .unit : .point
      let (emitter, losses) = try export(own, format)
      #expect(emitter.motion.mode == .ballistic)
      // The distance grows to 120 within 2 s. In space a third of the square is along each axis.
      let speed = format.name == "scenekit" ? 60 * 1.5.squareRoot() : 60
      #expect(abs(emitter.launch.speed.mean - speed) < 0.5, "\(format.name) \(emitter.launch)")
      #expect(line(losses, "orbit")?.rule == .approximated)
    }
    // Towards the centre nothing can fly: the extent covers all ages together.
    var closing = system
    closing.emitters[0].motion.orbit?.radius = Track(from: 120, to: 0)
    let (emitter, _) = try export(closing, .spriteKit)
    #expect(emitter.launch.speed == 0)
    #expect(abs(emitter.shape.size.x - 120 * 2.0.squareRoot()) < 8, "\(emitter.shape)")
  }

  // MARK: Colours

  @Test("a random opacity becomes a random alpha")
  func opacity() throws {
    let system = effect(.spriteKit) { $0.color.opacity = Track(.range(0.4, 0.8)) }
    let (emitter, losses) = try export(system, .cocos2d)
    let ends = try #require(emitter.color.base.from.channels)
    #expect(abs(ends.low.alpha - 0.4) < 1e-6 && abs(ends.high.alpha - 0.8) < 1e-6)
    #expect(line(losses, "alphaCv") != nil)
  }

  @Test("random hues keep their mean")
  func hues() throws {
    let jitter = ColorJitter(hue: 40, saturation: 0.2, brightness: 0.2, alpha: 0)
    let value = ColorValue.varied(.init(Color(1, 0, 0, 1), jitter: jitter))
    let (mean, half) = value.uniformLikeness
    #expect(mean.red > 0.8 && mean.red < 0.98 && mean.green > 0.1)
    #expect(half.green > 0.1 && half.alpha == 0)
    let (emitter, losses) = try export(
      effect(.sceneKit) { $0.color.base = ColorTrack(value) }, .cocos2d)
    let read = emitter.color.base.from.mean
    #expect(abs(read.green - mean.green) < 0.02 && abs(read.red - mean.red) < 0.02)
    #expect(line(losses, "colHSB") != nil)
  }

  // MARK: Blending

  @Test("a blend mode that looks different has a line with the level of its difference")
  func blending() throws {
    let system = effect(.cocos2d) { $0.render.blend = Blend(.alpha) }
    let (_, losses) = try export(system, .sceneKit)
    let told = try #require(
      losses.first {
        $0.loss?.path == "emitters[0].render.blend" && $0.rule != .restated && $0.rule != .dead
      })
    #expect(told.lossLevel >= .medium, "\(told)")
    // Two formats with one law need no line.
    let same = try export(system, .particleDesigner)
    #expect(!same.losses.contains { $0.loss?.path == "emitters[0].render.blend" })
  }

  @Test("the order of drawing is told with the name of the engine")
  func order() throws {
    let system = effect(.cocos2d) { $0.render.sort = .youngestFirst }
    for (format, engine) in [(ParticleFormat.starling, "Starling"), (.cocos2d, "cocos2d")] {
      let lost = try export(system, format).losses.first {
        $0.loss?.path == "emitters[0].render.sort"
      }
      #expect(lost?.detail?.hasPrefix(engine) == true, "\(lost?.detail ?? "no line")")
    }
  }
}
