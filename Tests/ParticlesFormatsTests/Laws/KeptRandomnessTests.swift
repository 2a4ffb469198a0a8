import ParticlesCore
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Randomness that the target has keys for is written, and approximations keep most.
@Suite("Randomness kept in conversions") struct KeptRandomnessTests {
  private func effect(_ change: (inout Emitter) -> Void) -> ParticleSystem {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 10
    emitter.lifetime = 2
    emitter.space = .local
    emitter.size.aspect = .ratio(1)
    emitter.launch.speed = 100
    emitter.launch.direction = Direction(angle: .range(0, 360))
    change(&emitter)
    var system = ParticleSystem(name: "a", emitters: [emitter])
    system.asset.profile = .cocos2d
    return system
  }

  private func spriteKit(
    _ change: (inout Emitter) -> Void
  ) throws -> (lines: [String: String], losses: [Diagnostic]) {
    let exported = try ParticleFormat.spriteKit.export(
      effect(change), EncodingContext(fileName: "a.sks"))
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    return (try ArchiveContent(exported.parts[0].bytes).lines, exported.losses)
  }

  private func sceneKit(
    _ change: (inout Emitter) -> Void
  ) throws -> (lines: [String: String], losses: [Diagnostic]) {
    var system = effect(change)
    system.asset.unit = .unit
    let exported = try ParticleFormat.sceneKit.export(system, EncodingContext(fileName: "a.scnp"))
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    return (try ArchiveContent(exported.parts[0].bytes).lines, exported.losses)
  }

  private func number(_ lines: [String: String], _ key: String) -> Double {
    Double(lines["root.\(key)"]?.split(separator: " ").last.map(String.init) ?? "") ?? .nan
  }

  // MARK: SpriteKit

  @Test func randomSizesStartSo() throws {
    let (lines, losses) = try spriteKit { $0.size.width = Track(from: .range(20, 60), to: 0) }
    // The reference size is the mean, 40.
    #expect(abs(number(lines, "_startScaleVariance") - 1) < 1e-6)
    #expect(abs(number(lines, "_scaleSpeed") + 0.5) < 1e-6)
    #expect(lines["root._particleScaleSequence"] == "-> nil")
    let line = losses.first { $0.loss?.path == "emitters[0].size.width" }
    #expect(line?.rule == .approximated && line?.loss?.recipe == "start, range and speed")
  }

  @Test func randomAnglesStartSo() throws {
    let (lines, _) = try spriteKit {
      $0.rotation.angle = Track(from: .range(-360, 360), to: .range(-360, 360))
    }
    #expect(abs(number(lines, "_startRotationVariance") - 4 * .pi) < 1e-5)
    #expect(lines["root._particleRotationSequence"] == "-> nil")
    #expect(number(lines, "_rotationSpeed") == 0)
  }

  @Test func randomColorsStartSo() throws {
    let (lines, losses) = try spriteKit {
      $0.color.base = ColorTrack(
        from: .range(Color(0.2, 0, 0.4, 1), Color(0.8, 0, 0.4, 1)),
        to: .constant(Color(0.5, 0.2, 0.4, 0)))
    }
    #expect(abs(number(lines, "_startColorR") - 0.5) < 1e-6)
    #expect(abs(number(lines, "_startColorVarianceR") - 0.6) < 1e-6)
    #expect(abs(number(lines, "_colorSpeedG") - 0.1) < 1e-6)
    #expect(lines["root._particleColorSequence"] == "-> nil")
    // Alpha has keys of its own, equal for all particles.
    #expect(lines.keys.contains { $0.hasPrefix("root._particleAlphaSequence._values") })
    #expect(losses.contains { $0.loss?.feature == "colSE" })
  }

  @Test func randomAlphaStartsSo() throws {
    let (lines, _) = try spriteKit {
      $0.color.base = ColorTrack(
        from: .range(Color(1, 0.5, 0, 0.4), Color(1, 0.5, 0, 1)), to: .constant(Color(0, 0, 1, 0.2))
      )
    }
    #expect(abs(number(lines, "_startOpacityVariance") - 0.6) < 1e-6)
    #expect(abs(number(lines, "_opacitySpeed") + 0.25) < 1e-6)
    #expect(lines.keys.contains { $0.hasPrefix("root._particleColorSequence._values") })
  }

  @Test func aCurveThatIsFarFromALineStaysASequence() throws {
    let (lines, _) = try spriteKit {
      $0.size.width = Track(
        from: .range(39, 41), to: 0, curve: Curve(through: [(0, 0), (0.1, 0.9), (1, 1)]))
    }
    #expect(lines.keys.contains { $0.hasPrefix("root._particleScaleSequence._values") })
  }

  // MARK: Radial acceleration

  @Test func radialAccelerationIsAChangeOfSpeed() throws {
    let (lines, losses) = try spriteKit { $0.forces = [Force(.radial, strength: 60)] }
    // From 100 to 100 + 60 · 2.
    for (index, speed) in [100.0, 220].enumerated() {
      let line = lines["root._particleSpeedSequence._values.NS.objects[\(index)]"]
      #expect(line?.hasSuffix(" \(speed)") == true, "\(line ?? "none")")
    }
    #expect(losses.contains { $0.rule == .approximated && $0.loss?.feature == "radial" })
    // Random speeds are worth more than the change: a speed that covers an equal distance.
    let random = try spriteKit {
      $0.launch.speed = .range(20, 180)
      $0.forces = [Force(.radial, strength: 20)]
    }
    #expect(abs(number(random.lines, "_startSpeed") - 120) < 1e-4)
    #expect(abs(number(random.lines, "_startSpeedVariance") - 192) < 1e-4)
  }

  @Test(
    "a radial force is lost where it does not act along the motion",
    arguments: [
      { $0.shape = .rect(width: 900, height: 900) },
      { $0.forces.append(Force(.tangential, strength: 90)) },
      { $0.forces[0].strength = -400 },
    ] as [@Sendable (inout Emitter) -> Void])
  func turningForces(change: @Sendable (inout Emitter) -> Void) throws {
    let change: (inout Emitter) -> Void = {
      $0.forces = [Force(.radial, strength: 60)]
      change(&$0)
    }
    #expect(
      try spriteKit(change).losses.contains { $0.rule == .lost && $0.loss?.feature == "radial" })
    #expect(
      try sceneKit(change).losses.contains { $0.rule == .lost && $0.loss?.feature == "radial" })
  }

  @Test func particlesThatTurnBackStop() throws {
    // 100 − 60 · t is 0 after 1.67 s, within 3 s. Then they would return slowly.
    let (lines, _) = try spriteKit {
      $0.lifetime = 3
      $0.forces = [Force(.radial, strength: -60), Force(.tangential, strength: 20)]
    }
    #expect(!lines.keys.contains { $0.hasPrefix("root._particleSpeedSequence._values") })
    let alone = try spriteKit {
      $0.lifetime = 3
      $0.forces = [Force(.radial, strength: -60)]
    }
    for (index, speed) in ["100.0", "0.0", "0.0"].enumerated() {
      let line = alone.lines["root._particleSpeedSequence._values.NS.objects[\(index)]"]
      #expect(line?.hasSuffix(" \(speed)") == true, "\(line ?? "none")")
    }
  }

  @Test func randomDirectionsInSceneKit() throws {
    let all = try sceneKit { $0.launch.direction = Direction(angle: .range(-180, 180)) }
    #expect(all.lines["root.birthDirection"]?.hasSuffix(" 2") == true)
    let fan = try sceneKit { $0.launch.direction = Direction(angle: .range(60, 120)) }
    // A cone deviates by less across the view than a fan with this angle.
    #expect(number(fan.lines, "spreadingAngle") > 60 && number(fan.lines, "spreadingAngle") < 90)
    #expect(fan.losses.contains { $0.loss?.path == "emitters[0].launch.direction" })
  }

  @Test("a number of particles that is kept alive is a burst, or a rate")
  func places() throws {
    let burst = try spriteKit {
      $0.emission = Emission()
      ($0.emission.minAlive, $0.emission.maxAlive) = (800, 800)
      $0.lifetime = .range(-1, 1)
      $0.timing.duration = 0.01
    }
    // Half of the particles are dead at once.
    #expect(number(burst.lines, "_birthrate") == 400 * 60)
    #expect(number(burst.lines, "_lifetime") == 0.5)
    #expect(number(burst.lines, "_lifetimeVariance") == 1)
    let endless = try sceneKit {
      $0.emission = Emission()
      ($0.emission.minAlive, $0.emission.maxAlive) = (120, 120)
      $0.lifetime = .range(-2, 2)
    }
    #expect(number(endless.lines, "birthRate") == 120)
    #expect(number(endless.lines, "particleLifeSpan") == 1)
  }

  @Test func radialAccelerationInSceneKit() throws {
    let (lines, losses) = try sceneKit {
      $0.launch.speed = .range(50, 150)
      $0.forces = [Force(.radial, strength: 60)]
    }
    // (100 · 2 + 60 · 2² ÷ 2) ÷ 2 s, times √1.5 in all directions of space
    #expect(abs(number(lines, "particleVelocity") - 160 * 1.5.squareRoot()) < 1e-3)
    #expect(abs(number(lines, "particleVelocityVariation") - 160 * 1.5.squareRoot()) < 1e-3)
    #expect(losses.contains { $0.rule == .approximated && $0.loss?.feature == "radial" })
  }

  // MARK: SceneKit

  @Test func anglesAreVelocitiesWithVariation() throws {
    let (lines, losses) = try sceneKit {
      $0.rotation.angle = Track(from: .range(-30, 30), to: .range(50, 130))
    }
    #expect(number(lines, "particleAngle") == 0)
    #expect(number(lines, "particleAngleVariation") == 60)
    // (90 − 0) ÷ 2 s. The ranges ±30 and ±40 are independent: ±50 over 2 s.
    #expect(number(lines, "particleAngularVelocity") == 45)
    #expect(number(lines, "particleAngularVelocityVariation") == 50)
    #expect(!lines.keys.contains { $0.contains("propertyControllers.Angle") })
    #expect(losses.contains { $0.loss?.feature == "rotSE" && $0.rule == .approximated })
    let plain = try sceneKit { $0.rotation.angle = Track(from: 10, to: 100) }
    #expect(number(plain.lines, "particleAngularVelocity") == 45)
    #expect(plain.losses.first { $0.loss?.feature == "rotSE" }?.loss?.level == .info)
  }

  @Test func controllersOfAnglesAreInRadians() throws {
    let system = {
      var system = effect {
        $0.rotation.angle = Track(
          from: 0, to: 1, curve: Curve(through: [(0, 0), (0.25, 180), (1, 90)]))
      }
      system.asset.unit = .unit
      return system
    }()
    let exported = try ParticleFormat.sceneKit.export(system, EncodingContext(fileName: "a.scnp"))
    // The nested archive has its numbers as 64-bit reals in big-endian order.
    func holds(_ number: Double) -> Bool {
      let pattern = (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (56 - 8 * $0)) }
      let bytes = exported.parts[0].bytes
      return bytes.indices.contains { bytes[$0...].starts(with: pattern) }
    }
    #expect(holds(.pi) && !holds(180))
    let read = try ParticleFormat.sceneKit.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "a.scnp")
    ).system.emitters[0]
    #expect(read.rotation.angle.curve.keys.map(\.value) == [0, 180, 90])
  }

  @Test func colorsBesideAControllerAreReported() throws {
    func rules(_ changes: ForgedValue.Entry...) throws -> [Rule] {
      let color = SceneKitForge.coreAnimation(
        [0, 1], [SceneKitForge.deviceColor("1 0 0"), SceneKitForge.deviceColor("0 0 1")],
        mode: "linear")
      let controllers = ForgedValue.Entry(
        "propertyControllers", .dictionary([.init("Color", SceneKitForge.controller(color))]))
      return try decodeSceneKitEmitter([controllers] + changes).1
    }
    #expect(try rules() == [])
    #expect(
      try rules(.init("particleColorVariation", .vector(0, 0, 0.3, 0))) == [.assumed])
  }

  // MARK: Shapes

  @Test("one recipe and one level for a solid in all formats without solids")
  func solids() throws {
    let system = effect { $0.shape = Shape(.sphere) }
    let lines = try [ParticleFormat.cocos2d, .starling, .spriteKit].map { format in
      try #require(
        format.export(system, EncodingContext(fileName: "a.x")).losses.first {
          $0.loss?.feature == "sh3D"
        })
    }
    #expect(Set(lines.map(\.rule)) == [.approximated])
    #expect(Set(lines.map { $0.loss?.level }).count == 1)
    #expect(Set(lines.map { $0.loss?.recipe }).count == 1)
    let half = system.emitters[0].shape.halfSize
    let exported = try ParticleFormat.spriteKit.export(system, EncodingContext(fileName: "a.sks"))
    let read = try ParticleFormat.spriteKit.decode(
      exported.parts[0].bytes, DecodingContext(fileName: "a.sks"))
    #expect(abs(read.system.emitters[0].shape.size.x - 2 * half.x) < 1e-5)
  }
}
