import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Properties that a format does not support, and that are restated by supported properties: the result
/// looks nearly alike, and the test measures it.
@Suite("Restated properties")
struct ReplacedPropertyTests {
  static func fountain(
    _ dimension: Dimension = .plane, _ change: (inout Emitter) -> Void
  ) -> ParticleSystem {
    var emitter = Emitter(name: "Fountain")
    emitter.emission.rate = 60
    emitter.lifetime = .range(1, 1.5)
    emitter.launch.speed = .range(80, 100)
    emitter.launch.direction = Direction(angle: 70)
    emitter.launch.spread = 25
    emitter.size.width = 12
    emitter.size.aspect = .ratio(1)
    change(&emitter)
    var system = ParticleSystem(name: "Fountain", emitters: [emitter])
    system.asset.dimension = dimension
    return system
  }

  static func converted(
    _ system: ParticleSystem, to format: ParticleFormat
  ) throws -> (difference: EffectDifference, losses: [Diagnostic], text: String) {
    let package = try EffectPackage(system)
    let exported = try package.exported(as: format, fileName: "a.\(format.extensions[0])")
    let measured = try ConversionMeasurement(
      of: package, exported: exported, as: format, measuresLines: false)
    return (
      measured.difference ?? EffectDifference(), exported.losses,
      String(decoding: exported.parts[0].bytes, as: UTF8.self)
    )
  }

  @Test("the scale of an emitter becomes that of its lengths", arguments: [true, false])
  func scale(isLocal: Bool) throws {
    let system = Self.fountain {
      $0.space = isLocal ? .local : .world
      $0.transform.scale = Scale(2, 2)
      $0.forces = [.gravity(Vector(0, -40))]
      if isLocal { $0.forces[0].space = .local }
      $0.shape = .rect(width: 30, height: 10)
      $0.launch.direction = Direction(angle: 70)
    }
    for format in Sample.of([ParticleFormat.cocos2d, .libGDX, .love, .phaser], 2) {
      let (difference, losses, _) = try Self.converted(system, to: format)
      #expect(losses.contains { $0.loss?.path.hasSuffix("transform.scale") == true })
      let worst = [EffectDifference.Aspect.position, .spread, .size].map {
        difference.aspects[$0] ?? 0
      }
      #expect((worst.max() ?? 1) < 0.03, "\(format.name): \(difference.aspects)")
    }
  }

  @Test("directions in three.quarks are arcs and cones")
  func directions() throws {
    let fan = try Self.converted(Self.fountain { _ in }, to: .quarks)
    #expect((fan.difference.aspects[.spread] ?? 1) < 0.03, "\(fan.difference.aspects)")
    #expect((fan.difference.aspects[.position] ?? 1) < 0.03)
    let file = try JSONValue(parsing: Array(fan.text.utf8))
    let children = file.object?["object"]?.object?["children"]?.array
    let node = try #require(children?.first?.object)
    // An arc of 50° that begins at 45°: the first column of the matrix is (cos 45°, sin 45°).
    let shape = try #require(node["ps"]?.object?["shape"]?.object)
    #expect(shape["type"]?.string == "circle")
    let arc = try #require(shape["arc"]?.double)
    #expect((arc - 50 * Double.pi / 180).magnitude < 1e-9)
    let matrix = (node["matrix"]?.array ?? []).compactMap { $0.double }
    let half = 0.5.squareRoot()
    #expect(matrix.count == 16 && matrix.prefix(2).allSatisfy { ($0 - half).magnitude < 1e-9 })
    let all = try Self.converted(
      Self.fountain {
        $0.launch.direction = Direction(angle: .range(-270, 450))
        $0.launch.spread = 0
      }, to: .quarks)
    #expect(all.difference.whole < 0.05, "\(all.difference.aspects)")
    let cone = try Self.converted(
      Self.fountain(.space) {
        $0.launch.direction = Direction(vector: Vector(0, 1, 0))
        $0.launch.spread = 20
      }, to: .quarks)
    #expect((cone.difference.aspects[.spread] ?? 1) < 0.15, "\(cone.difference.aspects)")
    #expect((cone.difference.aspects[.position] ?? 1) < 0.05, "\(cone.difference.aspects)")
    // Gravity does not turn with the emitter.
    let falling = try Self.converted(
      Self.fountain {
        $0.space = .local
        $0.forces = [.gravity(Vector(0, -80, 0))]
      }, to: .quarks)
    #expect((falling.difference.aspects[.position] ?? 1) < 0.03, "\(falling.difference.aspects)")
  }

  @Test(
    "a total ends emission",
    arguments: Sample.of(["love", "libgdx", "godot4", "defold", "quarks", "pixi"], 3))
  func total(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(Self.fountain { $0.emission.total = 45 }, to: format)
    #expect((result.difference.aspects[.count] ?? 1) < 0.1, "\(result.difference.aspects)")
    let line = try #require(result.losses.first { $0.loss?.feature == "total" })
    #expect(line.rule == .approximated)
    // An end that comes first stays.
    let short = try Self.converted(
      Self.fountain {
        $0.emission.total = 450
        ($0.timing.duration, $0.timing.loop) = (2, false)
      }, to: format)
    // Godot emits for one lifetime, of 1.5 s instead of 2 s.
    let limit = target == "godot4" ? 0.4 : 0.1
    #expect((short.difference.aspects[.count] ?? 1) < limit, "\(short.difference.aspects)")
  }

  @Test(
    "alignment becomes angles",
    arguments: ["phaser", "tsparticles", "godot4", "quarks"])
  func alignment(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(
      Self.fountain {
        ($0.rotation.align, $0.rotation.alignOffset) = (.velocity, 10)
        $0.rotation.angle = 5
      }, to: format)
    #expect((result.difference.aspects[.rotation] ?? 1) < 0.05, "\(result.difference.aspects)")
    #expect(result.losses.contains { $0.rule == .lost && $0.loss?.feature == "align" })
  }

  @Test("the alignment that Godot has stays")
  func ownAlignment() throws {
    let result = try Self.converted(
      Self.fountain {
        ($0.rotation.align, $0.rotation.alignOffset) = (.velocity, 90)
        $0.forces = [.gravity(Vector(0, -200, 0))]
      }, to: .godot4)
    #expect((result.difference.aspects[.rotation] ?? 1) < 0.1, "\(result.difference.aspects)")
    #expect(result.text.contains("particle_flag_align_y = true"))
  }

  @Test(
    "a sphere of directions in space becomes slower directions in the plane",
    arguments: ["love", "phaser"])
  func directionsInSpace(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    for mode in [DirectionMode.random, .normal] {
      let result = try Self.converted(
        Self.fountain(.space) {
          $0.launch.direction = Direction(mode)
          $0.launch.spread = 0
          if mode == .normal { $0.shape = .sphere(radius: 1) }
        }, to: format)
      #expect((result.difference.aspects[.spread] ?? 1) < 0.05, "\(result.difference.aspects)")
      #expect(
        result.losses.contains {
          [.approximated, .restated].contains($0.rule)
            && $0.loss?.path.contains("launch.direction") == true
        })
    }
  }

  @Test("the arc of a circle becomes angles", arguments: ["love", "phaser", "quarks", "pixi"])
  func arcs(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(
      Self.fountain {
        $0.shape = .ellipse(2, 2)
        $0.shape.arc = Interval(40, 80)
        $0.launch.direction = Direction(.normal)
        $0.launch.spread = 0
      }, to: format)
    #expect((result.difference.aspects[.spread] ?? 1) < 0.05, "\(result.difference.aspects)")
    #expect((result.difference.aspects[.position] ?? 1) < 0.05, "\(result.difference.aspects)")
  }

  @Test("a normal distribution becomes an even one of the same deviation")
  func normalDistribution() throws {
    for shape in [Shape.rect(width: 200, height: 100), .ellipse(100, 50)] {
      for format in [ParticleFormat.spriteKit] {
        let result = try Self.converted(
          Self.fountain {
            $0.shape = shape
            $0.shape.distribution = .normal
          }, to: format)
        #expect((result.difference.aspects[.spread] ?? 1) < 0.1, "\(result.difference.aspects)")
        let line = try #require(result.losses.first { $0.loss?.path == "emitters[0].shape" })
        #expect(line.rule == .approximated)
      }
    }
  }

  @Test("shapes that Godot lacks become points with normals", arguments: ["godot4"])
  func points(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    var cone = Shape(.cone)
    (cone.radius, cone.angle) = (30, 20)
    var torus = Shape(.torus)
    (torus.radius, torus.pipe) = (60, 10)
    for shape in [cone, torus] {
      let result = try Self.converted(
        Self.fountain(.space) {
          $0.shape = shape
          $0.launch.direction = Direction(.normal)
          $0.launch.spread = 0
        }, to: format)
      #expect(result.difference.whole < 0.1, "\(shape.kind): \(result.difference.aspects)")
      #expect(!result.losses.contains { $0.rule == .changed }, "\(result.losses)")
    }
    let ring = try Self.converted(
      Self.fountain {
        $0.shape = .ellipse(50, 50)
        $0.shape.placement = .edge
        $0.launch.direction = Direction(.normal)
        $0.launch.spread = 0
      }, to: format)
    #expect((ring.difference.aspects[.spread] ?? 1) < 0.05, "\(ring.difference.aspects)")
  }

  @Test("the place of a shape is that of the node", arguments: ["godot4"])
  func placeOfShape(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(
      Self.fountain {
        $0.shape = .rect(width: 40, height: 10)
        $0.shape.transform.translation = Vector(-50, 250)
      }, to: format)
    #expect((result.difference.aspects[.position] ?? 1) < 0.05, "\(result.difference.aspects)")
    #expect(result.text.contains("position = Vector2"))
  }

  @Test("an orbit becomes straight motion", arguments: ["godot4", "quarks"])
  func orbits(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(
      Self.fountain {
        $0.motion.mode = .orbit
        var orbit = Emitter.Orbit()
        orbit.radius = Track(from: 100, to: 20)
        orbit.angularVelocity = 90
        $0.motion.orbit = orbit
        $0.launch.direction = Direction(angle: .range(0, 360))
        $0.launch.spread = 0
      }, to: format)
    #expect((result.difference.aspects[.spread] ?? 1) < 0.3, "\(result.difference.aspects)")
    #expect(result.losses.contains { $0.rule == .approximated && $0.loss?.feature == "orbit" })
  }

  @Test("a capacity holds a burst", arguments: ["love", "defold"])
  func burst(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(
      Self.fountain {
        $0.emission.rate = 0
        $0.emission.bursts = [Burst(count: 80)]
        ($0.timing.duration, $0.timing.loop) = (0.5, false)
      }, to: format)
    #expect((result.difference.aspects[.count] ?? 1) < 0.1, "\(result.difference.aspects)")
  }

  @Test("an image of unknown size has 32 pixels, in any unit", arguments: ["quarks", "scenekit"])
  func unknownImages(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    let result = try Self.converted(
      Self.fountain {
        $0.size.mode = .textureScale
        ($0.size.width, $0.size.aspect) = (0.5, .sprite)
      }, to: format)
    #expect((result.difference.aspects[.size] ?? 1) < 0.01, "\(result.difference.aspects)")
  }

  @Test(
    "sizes in units become factors of an image in pixels", arguments: ["pixi", "love"])
  func factors(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    var system = Self.fountain(.space) {
      $0.sprites = [0]
      $0.size.width = 0.5
      $0.launch.direction = Direction(vector: .up)
      $0.launch.speed = 1
    }
    system.asset.unit = .meter
    var image = ImageReference()
    (image.uri, image.width, image.height) = ("dot.png", 64, 64)
    for known in [true, false] {
      if !known { (image.width, image.height) = (nil, nil) }
      system.images = [image]
      system.sprites = [Sprite(image: 0)]
      let result = try Self.converted(system, to: format)
      #expect((result.difference.aspects[.size] ?? 1) < 0.01, "\(result.difference.aspects)")
    }
  }

  @Test("particles that get invisible die, where nothing changes over life")
  func sight() throws {
    let result = try Self.converted(
      Self.fountain {
        $0.lifetime = 4
        $0.size.width = Track(from: 12, rate: -12)
      }, to: .tsParticles)
    #expect((result.difference.aspects[.count] ?? 1) < 0.1, "\(result.difference.aspects)")
  }

  @Test("drag becomes a lower speed", arguments: ["cocos2d", "phaser"])
  func drag(target: String) throws {
    let format = try #require(FormatRegistry.standard[target])
    for law in [DragLaw.exponential, .limit] {
      let result = try Self.converted(
        Self.fountain { $0.forces = [.drag(law, strength: 3), .gravity(Vector(0, -20))] },
        to: format)
      #expect((result.difference.aspects[.position] ?? 1) < 0.35, "\(result.difference.aspects)")
      #expect(
        result.losses.contains {
          $0.rule == .approximated && $0.loss?.path == "emitters[0].forces[0]"
        }, "\(result.losses)")
    }
  }

  @Test("SceneKit gets the mean of a curve of the speed")
  func speed() throws {
    let result = try Self.converted(
      Self.fountain { $0.motion.speed = Track(from: 2, to: 3) }, to: .sceneKit)
    #expect((result.difference.aspects[.spread] ?? 1) < 0.15, "\(result.difference.aspects)")
    #expect(result.losses.contains { $0.rule == .approximated && $0.loss?.feature == "speedCurve" })
  }

  @Test(
    "a speed that replaces the initial one is a factor of it in three.quarks, in another unit, too",
    arguments: [
      Track(from: 100, to: 150),
      Track(from: 0, to: .range(80, 120), curve: Curve([CurveKey(0, 1), CurveKey(1, 0.5)])),
    ])
  func replacingSpeed(track: Track) throws {
    var system = Self.fountain {
      $0.launch.speed = 1
      ($0.motion.speed, $0.motion.speedMode) = (track, .replace)
    }
    system.asset.unit = .pixel
    let result = try Self.converted(system, to: .quarks)
    for aspect in [EffectDifference.Aspect.position, .spread] {
      #expect((result.difference.aspects[aspect] ?? 1) < 0.1, "\(result.difference.aspects)")
    }
    let line = result.losses.first { $0.loss?.path == "emitters[0].motion.speedMode" }
    #expect(line?.rule == .restated)
  }
}
