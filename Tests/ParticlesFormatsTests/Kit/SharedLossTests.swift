import ParticlesCore
import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Report lines that several families share.
struct SharedLossTests {
  /// The report texts of an effect in a format, by their paths.
  private static func details(_ system: ParticleSystem, in format: ParticleFormat) throws
    -> [String: String]
  {
    let losses = try format.export(system, EncodingContext(fileName: "a.x")).losses
    return Dictionary(
      losses.compactMap { line in line.loss.map { ($0.path, line.detail ?? "") } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func system(_ change: (inout Emitter) -> Void) -> ParticleSystem {
    var emitter = Emitter(name: "a")
    emitter.launch.speed = 10
    change(&emitter)
    return ParticleSystem(name: "a", emitters: [emitter])
  }

  @Test(
    "engines with one force of each kind report another order",
    arguments: [ParticleFormat.godot3, .godot4, .love, .cocos2d])
  func order(_ format: ParticleFormat) throws {
    let detail = "one force of each kind is written, in a fixed order and in one coordinate space"
    let swapped = Self.system {
      $0.forces = [Force(.radial, strength: 3), .gravity(Vector(0, -5))]
    }
    #expect(try Self.details(swapped, in: format)["emitters[0].forces"] == detail)
    var elsewhere = Self.system { $0.forces = [.gravity(Vector(0, -5))] }
    elsewhere.emitters[0].forces[0].space = .local
    elsewhere.emitters[0].space = .world
    #expect(try Self.details(elsewhere, in: format)["emitters[0].forces"] == detail)
    elsewhere.emitters[0].forces[0].space = .world
    #expect(try Self.details(elsewhere, in: format)["emitters[0].forces"] == nil)
  }

  @Test(
    "forces about another place become forces about the emitter",
    arguments: [ParticleFormat.godot3, .godot4, .love, .cocos2d])
  func distance(_ format: ParticleFormat) throws {
    var system = Self.system { $0.forces = [Force(.radial, strength: 3)] }
    #expect(try Self.details(system, in: format)["emitters[0].forces[0]"] == nil)
    system.emitters[0].forces[0].falloff = 1
    #expect(
      try Self.details(system, in: format)["emitters[0].forces[0]"]
        == "forces start at the emitter and are independent of the distance")
  }

  @Test(
    "properties that another property does not use have no effect",
    arguments: [ParticleFormat.godot3, .godot4, .cocos2d])
  func unused(_ format: ParticleFormat) throws {
    let details = try Self.details(
      Self.system {
        $0.rotation.alignOffset = 20
        $0.motion.speedMode = .replace
        $0.timing.idle = 2
        ($0.timing.duration, $0.timing.loop) = (3, false)
      }, in: format)
    #expect(
      details["emitters[0].rotation.alignOffset"] == "without alignment the offset has no effect")
    #expect(details["emitters[0].motion.speedMode"] == "without a curve it has no effect")
    #expect(details["emitters[0].timing.idle"] == "without repetition the pause has no effect")
  }

  @Test(
    "an offset of alignment is lost, and has no effect without alignment",
    arguments: [ParticleFormat.phaser, .quarks, .tsParticles])
  func offsets(_ format: ParticleFormat) throws {
    for (align, rule) in [(RotationAlign.none, Rule.dead), (.velocity, .lost), (.birth, .lost)] {
      let system = Self.system { ($0.rotation.align, $0.rotation.alignOffset) = (align, 20) }
      let lines = try format.export(system, EncodingContext(fileName: "a.x")).losses.filter {
        let paths = [$0.loss?.path ?? ""] + ($0.loss?.alsoPaths ?? [])
        return paths.contains("emitters[0].rotation.alignOffset")
      }
      #expect(lines.map(\.rule) == [rule], "\(align): \(lines)")
    }
  }

  @Test("only what is seen most of a sprite is reported")
  func sprites() throws {
    var system = Self.system { $0.sprites = [0] }
    system.images = [ImageReference(uri: "Images/a.png")]
    var sprite = Sprite(image: 0)
    sprite.scale = 2
    func detail(_ format: ParticleFormat) throws -> String? {
      system.sprites = [sprite]
      return try Self.details(system, in: format)["sprites"]
    }
    #expect(try detail(.godot4) == "sizes are factors of the image in pixels")
    #expect(try detail(.sceneKit) == "sizes are lengths, independent of the image")
    sprite.grid = SpriteGrid(columns: 4, rows: 4)
    sprite.grid?.count = 13
    for format in [ParticleFormat.godot4, .sceneKit] {
      #expect(try detail(format) == "all frames of the grid are shown")
    }
    sprite.filter = .nearest
    #expect(try detail(.godot4) == "the scene decides on the filter, and frames are in rows")
    sprite.pivot = Vector2(0, 0)
    for format in [ParticleFormat.godot4, .sceneKit] {
      #expect(
        try detail(format)
          == "a pivot or a rotated image is not supported. Images are centred and upright")
    }
    sprite.region = Rectangle(x: 0, y: 0, width: 8, height: 8)
    #expect(
      try detail(.sceneKit) == "image regions are not supported. The whole image is shown")
  }

  @Test(
    "a seed, and emitters that others start, are not kept",
    arguments: [ParticleFormat.godot3, .love, .pixi, .spriteKit])
  func whole(_ format: ParticleFormat) throws {
    var system = Self.system { _ in }
    #expect(try Self.details(system, in: format)["seed"] == nil)
    (system.seed, system.roots) = (7, [0])
    let details = try Self.details(system, in: format)
    #expect(details["seed"] == "random numbers differ in every run")
    #expect(details["roots"] != nil)
  }

  @Test("an effect without emitters is no scene")
  func empty() {
    #expect(throws: Diagnostic.self) {
      try ParticleFormat.godot4.export(
        ParticleSystem(name: "a", emitters: []), EncodingContext(fileName: "a.tscn"))
    }
  }

  @Test("a limit that is never reached is no loss") func limit() throws {
    func rule(_ limit: Int) throws -> Rule? {
      let system = Self.system {
        ($0.lifetime, $0.emission.rate, $0.emission.maxAlive) = (2, 10, limit)
        $0.emission.bursts = limit == 7 ? [Burst(count: 5)] : []
      }
      return try ParticleFormat.quarks.export(system, EncodingContext(fileName: "a.x")).losses
        .first { $0.loss?.path == "emitters[0].emission.maxAlive" }?.rule
    }
    #expect(try rule(100) == .restated)
    #expect(try rule(7) == .lost)
    // The rate at which as many are alive.
    #expect(try rule(10) == .approximated)
  }

  @Test("a line about images names those that are left out, and not the one that is shown")
  func images() throws {
    var system = Self.system { $0.sprites = [0, 1, 0] }
    system.images = ["a", "b"].map { ImageReference(uri: "Images/\($0).png") }
    system.sprites = [Sprite(image: 0), Sprite(image: 1)]
    for format in [ParticleFormat.pixi, .godot3, .godot4, .sceneKit, .spriteKit] {
      let losses = try format.export(system, EncodingContext(fileName: "a.x")).losses
      let line = losses.first { $0.loss?.path == "emitters[0].sprites" }
      #expect(
        line?.loss?.alsoPaths == ["emitters[0].spriteSelection", "sprites[1]", "images[1]"],
        "\(format.name)")
    }
  }
}
