import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Effects with one property that the target does not support, and the lines of the measured conversion.
@Suite("Measured conversions")
struct ConversionMeasurementTests {
  /// Particles that fly up, for cocos2d.
  private static func jet(
    _ profile: ParticleSystem.Profile = .cocos2d, _ change: (inout Emitter) -> Void
  ) -> ParticleSystem {
    var emitter = Emitter(name: "Jet")
    emitter.emission.rate = 60
    emitter.emission.maxAlive = 100
    emitter.lifetime = .range(1, 1.5)
    emitter.launch.direction = Direction(angle: 70)
    emitter.launch.speed = 100
    emitter.size.width = 20
    emitter.size.aspect = .ratio(1)
    change(&emitter)
    var system = ParticleSystem(name: "Jet", emitters: [emitter])
    system.asset.profile = profile
    return system
  }

  private static func measure(
    _ system: ParticleSystem, as format: ParticleFormat
  ) throws -> ConversionMeasurement {
    let package = try EffectPackage(system)
    let exported = try package.exported(as: format, fileName: "jet.\(format.extensions[0])")
    return try ConversionMeasurement(of: package, exported: exported, as: format)
  }

  private static func hasUnexplained(_ measured: ConversionMeasurement) -> Bool {
    measured.losses.contains { $0.loss?.feature == "unexplained" }
  }

  @Test("a line is measured under the law of the result, where the law of the source hides it")
  func lawOfTheResult() throws {
    // The change per second of SpriteKit leaves 0 to 1, and is clamped by SpriteKit only.
    let system = Self.jet {
      $0.color.base = ColorTrack(.range(Color(0, 0, 0), .white))
      $0.color.base.to = .constant(Color(0, 0, 0))
    }
    let measured = try Self.measure(system, as: .spriteKit)
    #expect((measured.difference?.aspects[.color] ?? 0) >= 0.05)
    #expect(!Self.hasUnexplained(measured), "\(measured.losses)")
  }

  @Test("differences of the laws alone have a line")
  func laws() throws {
    // Godot runs curves by the greatest lifetime, so that no particle of a short life ends them.
    let system = Self.jet(.neutral) {
      $0.lifetime = .range(0.2, 2)
      $0.color.opacity = Track(from: 1, to: 0)
    }
    let measured = try Self.measure(system, as: .godot4)
    let line = try #require(measured.losses.first { $0.loss?.feature == "law" })
    #expect((line.loss?.difference ?? 0) >= 0.05)
    #expect(line.lossLevel >= .medium)
    #expect(!Self.hasUnexplained(measured), "\(measured.losses)")
  }

  @Test("a value in its short form is measured, too")
  func shortForms() throws {
    // The mean of the colours is kept, but not all of their variety.
    let system = Self.jet {
      $0.color.base = ColorTrack(
        .choice(ColorValue.Choice([Color(1, 0, 0), Color(0, 1, 0), Color(0, 0, 1)])))
    }
    let measured = try Self.measure(system, as: .quarks)
    let line = try #require(measured.losses.first { $0.loss?.feature == "colHSB" })
    #expect((line.loss?.difference ?? 0) >= 0.05, "\(measured.losses)")
    #expect(!Self.hasUnexplained(measured), "\(measured.losses)")
  }

  @Test("the place of an emitter may be in its shape")
  func places() throws {
    let system = Self.jet { $0.transform.translation = Vector(160, 308) }
    let measured = try Self.measure(system, as: .libGDX)
    #expect((measured.difference?.aspects[.position] ?? 1) < 0.02)
  }

  @Test("files that name no images are shown with those of the source")
  func images() throws {
    let package = try OpenedEffect(path: Repository.path("Fixtures/effects/plist/torch.plist"))
      .package
    let exported = try package.exported(as: .pixiLegacy, fileName: "torch.json")
    let measured = try ConversionMeasurement(
      of: package, exported: exported, as: .pixiLegacy, measuresLines: false)
    #expect((measured.difference?.aspects[.size] ?? 1) < 0.05)
  }

  @Test(
    "an image of two pixels for each unit gets factors of its pixels, with a known size and without",
    arguments: [ParticleFormat.pixi, .pixiLegacy, .phaser, .godot4, .godot3])
  func denseImages(format: ParticleFormat) throws {
    for width in [128, nil] {
      var system = Self.jet(.spriteKit) {
        $0.size.width = 32
        $0.size.aspect = .sprite
        $0.sprites = [0]
      }
      var image = ImageReference(uri: "Images/spark.png")
      (image.width, image.height) = (width, width)
      system.images = [image]
      var sprite = Sprite(image: 0)
      sprite.scale = 2
      system.sprites = [sprite]
      let measured = try Self.measure(system, as: format)
      #expect((measured.difference?.aspects[.size] ?? 1) < 0.02, "\(format.name)")
      guard width != nil else { continue }
      // 32 units are a quarter of 128 pixels.
      let exported = try format.export(
        system, EncodingContext(fileName: "a.\(format.extensions[0])"))
      let read = try format.decode(
        exported.parts[0].bytes, DecodingContext(fileName: exported.parts[0].name)
      ).system.emitters[0]
      #expect(read.size.mode == .textureScale)
      #expect((read.size.width.from.mean - 0.25).magnitude < 1e-6, "\(format.name)")
    }
  }

  @Test(
    "factors of an image of two pixels for each unit are halved",
    arguments: [ParticleFormat.pixi, .pixiLegacy, .phaser, .love, .godot4, .godot3])
  func denseFactors(format: ParticleFormat) throws {
    var system = Self.jet(.neutral) {
      ($0.size.mode, $0.size.width, $0.size.aspect) = (.textureScale, 0.25, .sprite)
      $0.sprites = [0]
    }
    var image = ImageReference(uri: "Images/spark.png")
    (image.width, image.height) = (128, 128)
    var sprite = Sprite(image: 0)
    sprite.scale = 2
    (system.images, system.sprites) = ([image], [sprite])
    let measured = try Self.measure(system, as: format)
    #expect((measured.difference?.aspects[.size] ?? 1) < 0.02, "\(format.name)")
    #expect(measured.losses.contains { $0.loss?.feature == "sizeAbs" && $0.rule == .restated })
    let exported = try format.export(
      system, EncodingContext(fileName: "a.\(format.extensions[0])"))
    let read = try format.decode(
      exported.parts[0].bytes, DecodingContext(fileName: exported.parts[0].name)
    ).system.emitters[0]
    // A quarter of 128 pixels is 16 units, an eighth of 128.
    #expect((read.size.width.from.mean - 0.125).magnitude < 1e-6, "\(format.name)")
  }

  @Test("a place that is lost is measured")
  func lostPlaces() throws {
    var system = Self.jet(.neutral) { _ in }
    var other = system.emitters[0]
    other.name = "Other"
    other.transform.angle = 90
    system.emitters.append(other)
    let measured = try Self.measure(system, as: .pixi)
    #expect((measured.difference?.whole ?? 0) >= 0.2)
    #expect(!Self.hasUnexplained(measured), "\(measured.losses)")
  }

  @Test("colour and opacity are exchanged together, if alpha moves between them")
  func alpha() throws {
    let system = Self.jet {
      $0.color.base = ColorTrack(.constant(Color(1, 1, 1, 0.75)))
      $0.color.base.to = .constant(Color(1, 1, 1, 0))
    }
    let measured = try Self.measure(system, as: .pixi)
    for line in measured.losses where line.loss?.path.contains("].color") == true {
      #expect((line.loss?.difference ?? 0) < 0.02, "\(line)")
    }
  }

  @Test("a line changes its own property, also in a section that only has defaults")
  func sections() throws {
    let system = Self.jet(.neutral) {
      $0.emission.total = 45
      $0.rotation.velocity = 90
    }
    let measured = try Self.measure(system, as: .cocos2d)
    let total = try #require(measured.losses.first { $0.loss?.feature == "total" })
    #expect(total.loss?.aspect == nil || total.loss?.aspect == "count", "\(total)")
    #expect((total.loss?.difference ?? 1) < 0.1, "\(total)")
  }

  @Test("lines with the highest estimates are measured first")
  func order() throws {
    var system = Self.jet(.neutral) {
      $0.color.base = ColorTrack(.range(Color(0, 0, 0), .white))
      $0.rotation.velocity = .constant(90)
    }
    for number in 2...8 {
      var other = system.emitters[0]
      other.name = "Jet \(number)"
      if number == 8 { other.forces = [Force(.noise, strength: 400)] }
      system.emitters.append(other)
    }
    let measured = try Self.measure(system, as: .cocos2d)
    let noise = try #require(measured.losses.first { $0.loss?.feature == "noise" })
    #expect(noise.loss?.difference != nil)
    let estimates = measured.losses.filter { $0.loss?.difference == nil && $0.rule == .lost }
    #expect(estimates.allSatisfy { $0.lossLevel <= .medium }, "\(estimates)")
  }

  @Test("another form of the same value is measured where nothing else explains a difference")
  func forms() throws {
    // libGDX begins each period with a particle less.
    let package = try OpenedEffect(path: Repository.path("Fixtures/effects/libgdx/snow.p")).package
    var system = try package.system()
    system.emitters[0].emission = Emission()
    system.emitters[0].emission.rate = 75
    (system.emitters[0].timing.duration, system.emitters[0].timing.loop) = (0.2, true)
    system.emitters[0].lifetime = 0.5
    let measured = try Self.measure(system, as: .love)
    #expect(!Self.hasUnexplained(measured), "\(measured.losses)")
  }

  @Test("a rotation of the emitter that is rounded is no change")
  func rounding() throws {
    var system = Self.jet(.neutral) {
      $0.transform.rotation = Quaternion(-0.707106781, 0, 0, 0.707106781)
    }
    system.asset.dimension = .space
    let measured = try Self.measure(system, as: .godot4)
    #expect(!measured.losses.contains { $0.loss?.path.hasSuffix("transform.scale") ?? false })
  }

  @Test("a cone that becomes a fan counts for its own emitter alone")
  func fans() throws {
    var system = Self.jet(.neutral) { $0.launch.spread = 40 }
    system.asset.dimension = .space
    var small = system.emitters[0]
    small.emission.rate = 1
    system.emitters.append(small)
    let measured = try Self.measure(system, as: .pixi)
    let differences = (0..<2).map { index in
      measured.losses.compactMap { line in
        line.loss?.path == "emitters[\(index)].launch.spread" ? line.loss?.difference : nil
      }.max() ?? 0
    }
    #expect(differences[0] > 0.02, "\(measured.losses)")
    #expect(differences[1] < differences[0] / 2, "\(measured.losses)")
  }

  @Test("a factor beside a curve or in it is the same")
  func factors() throws {
    let system = Self.jet(.neutral) {
      $0.rotation.velocity = Track(
        from: 0, to: 1, curve: Curve(through: [(0, 2), (0.5, 40), (1, 86)]))
    }
    let measured = try Self.measure(system, as: .quarks)
    #expect(!measured.losses.contains { $0.rule == .changed }, "\(measured.losses)")
  }

  @Test("a number as the limit leaves the lines unmeasured")
  func whole() throws {
    let package = try OpenedEffect(path: Repository.path("Fixtures/effects/plist/torch.plist"))
      .package
    let exported = try package.exported(as: .starling, fileName: "torch.pex")
    let measured = try ConversionMeasurement(
      of: package, exported: exported, as: .starling, measuresLines: false)
    #expect((measured.difference?.whole ?? 0) > 0.01)
    #expect(measured.losses.allSatisfy { $0.loss?.difference == nil })
  }
}
