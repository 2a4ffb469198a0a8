import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Noise, flip-books, stretching, trails and sub-emitters as source code.
@Suite struct CodeModuleTests {
  /// Three emitters with a sheet of 4 × 2 frames. The first emitter spawns two more.
  static var system: ParticleSystem {
    var sparks = Emitter(name: "sparks")
    sparks.emission.rate = 20
    sparks.lifetime = 2
    sparks.launch.speed = 1
    sparks.sprites = [0]
    sparks.flipbook = Emitter.Flipbook()
    sparks.flipbook?.fps = .fixed(3)
    sparks.flipbook?.mode = .pingpong
    var noise = Emitter.Force(.noise, strength: 4)
    (noise.scale, noise.speed, noise.octaves) = (0.5, 0.25, 2)
    sparks.forces = [.drag(.exponential, strength: 0.75), noise]
    sparks.size.stretch = Emitter.Stretch()
    sparks.size.stretch?.factor = 0.125
    sparks.render.trail = Emitter.Trail()
    sparks.render.trail?.length = 0.5
    sparks.render.trail?.width = Curve(through: [(0, 1), (1, 0)])
    var death = Emitter.Trigger(.death, emitter: 1)
    (death.inherit, death.probability) = ([.position, .color], 0.5)
    var living = Emitter.Trigger(.living, emitter: 2)
    (living.inherit, living.velocityFactor) = ([.position, .velocity], 0.25)
    sparks.triggers = [death, living]
    var burst = Emitter(name: "burst")
    burst.sprites = [0]
    burst.flipbook = Emitter.Flipbook()
    burst.flipbook?.fps = .life
    var system = ParticleSystem(
      name: "module", emitters: [sparks, burst, Emitter(name: "smoke")])
    system.asset.unit = .meter
    system.asset.dimension = .space
    system.images = [ImageReference(uri: "Images/sheet.png")]
    system.sprites = [Sprite(image: 0)]
    system.sprites[0].grid = SpriteGrid(columns: 4, rows: 2)
    return system
  }

  static func package() throws -> EffectPackage {
    let sheet = try PNG.encode(Bitmap(width: 64, height: 32) { x, _ in (x, 1, 1, 1) })
    return try EffectPackage(system, images: ["Images/sheet.png": sheet])
  }

  private func code(
    _ format: ParticleFormat, _ edit: (inout ParticleSystem) -> Void = { _ in }
  ) throws -> (text: String, losses: [Diagnostic]) {
    var system = Self.system
    edit(&system)
    let name = "module.\(format.extensions[0])"
    let exported = try format.export(system, EncodingContext(fileName: name))
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
    return (String(decoding: exported.parts[0].bytes, as: UTF8.self), exported.losses)
  }

  private func expect(_ text: String, has lines: String...) {
    for line in lines { #expect(text.contains(line), "\(line)\n\(text)") }
  }

  private func lost(_ losses: [Diagnostic]) -> Set<String> {
    Set(losses.filter { $0.rule == .lost }.compactMap { $0.loss?.path })
  }

  @Test func unity() throws {
    let (text, losses) = try code(.unityCSharp)
    // Noise moves particles there: half of the lifetime of 2 s times the acceleration of 4.
    expect(
      text, has: "noise.strength = 4f;", "noise.frequency = 2f;", "noise.scrollSpeed = 0.25f;",
      "noise.octaveCount = 2;", "noise.damping = false;")
    expect(
      text, has: "frames.numTilesX = 4;", "frames.numTilesY = 2;", "frames.fps = 3f;",
      "AnimationTimeMode.FPS;")
    expect(
      text, has: "trails.lifetime = 0.25f;", "trails.widthOverTrail = ", "trails.enabled = true;",
      "renderer.trailMaterial = material;")
    expect(
      text, has: "renderer.renderMode = ParticleSystemRenderMode.Stretch;",
      "renderer.velocityScale = 0.125f;")
    expect(
      text, has: "Material material, ParticleSystem spawned2, ParticleSystem spawned3)",
      "ParticleSystemSubEmitterType.Death,", "ParticleSystemSubEmitterProperties.InheritColor,",
      "0.5f", "ParticleSystemSubEmitterType.Birth,")
    #expect(lost(losses) == ["emitters[0].flipbook.mode"], "\(losses)")
    let lifelong = try code(.unityCSharp) {
      $0.emitters[0].flipbook?.fps = .life
      $0.emitters[0].flipbook?.mode = .once
      $0.emitters[0].flipbook?.start = .range(1, 3)
    }
    expect(
      lifelong.text, has: "AnimationTimeMode.Lifetime;",
      "frames.startFrame = new ParticleSystem.MinMaxCurve(1f, 3f);")
    // Without an animation particles show the first frame.
    let still = try code(.unityCSharp) { $0.emitters[0].flipbook = nil }
    expect(still.text, has: "frames.frameOverTime = 0f;")
  }

  @Test func realityKit() throws {
    let (text, losses) = try code(.swiftRealityKit)
    expect(
      text, has: "mainEmitter.noiseStrength = 4\n", "mainEmitter.noiseScale = 0.5\n",
      "mainEmitter.noiseAnimationSpeed = 0.25\n", "mainEmitter.dampingFactor = 0.75\n",
      "mainEmitter.stretchFactor = 0.125\n")
    expect(
      text, has: "sequence.columnCount = 4\n", "sequence.rowCount = 2\n",
      "sequence.frameRate = 3\n", "sequence.animationMode = .autoReverse\n")
    expect(
      text, has: "image: TextureResource?, spawned2: ParticleEmitterComponent)",
      "spawnedEmitter = spawned2.mainEmitter\n", "spawnOccasion = .onDeath\n",
      "spawnVelocityFactor = 0\n", "spawnInheritsParentColor = true\n")
    #expect(lost(losses) == ["emitters[0].render.trail", "emitters[0].triggers[1]"], "\(losses)")
    let living = try code(.swiftRealityKit) { $0.emitters[0].triggers.removeFirst() }
    expect(
      living.text, has: "spawnOccasion = .onUpdate\n", "spawnVelocityFactor = 0.25\n",
      "spawnedEmitter = spawned3.mainEmitter\n")
    // 8 frames in 2 s.
    let lifelong = try code(.swiftRealityKit) { $0.emitters[0].flipbook?.fps = .life }
    expect(lifelong.text, has: "sequence.frameRate = 4\n")
  }

  @Test func coreAnimation() throws {
    let (text, losses) = try code(.swiftCoreAnimation)
    expect(
      text, has: "image: CGImage?, spawned3: CAEmitterLayer)",
      "cell.emitterCells = (spawned3.emitterCells ?? [])\n")
    // One frame of the sheet, not all frames.
    expect(text, has: "cell.contentsRect = CGRect(x: 0, y: 0, width: 0.25, height: 0.5)\n")
    #expect(!lost(losses).contains("sprites[0]") && lost(losses).contains("emitters[0].flipbook"))
    #expect(lost(losses).contains("emitters[0].triggers[0]"))
    #expect(!lost(losses).contains("emitters[0].triggers[1]"))
  }

  @Test func love() throws {
    // Three frames a second for 2 s.
    expect(try code(.luaLove).text, has: "ipairs({0, 1, 2, 3, 4, 5})", "system:setQuads(quads)")
    let turning = try code(.luaLove) { $0.emitters[0].flipbook?.fps = .fixed(5) }
    expect(turning.text, has: "ipairs({0, 1, 2, 3, 4, 5, 6, 7, 6, 5})")
    let lifelong = try code(.luaLove) {
      $0.emitters[0].flipbook?.fps = .life
      $0.sprites[0].grid = SpriteGrid(columns: 4, rows: 2, count: 7)
    }
    expect(lifelong.text, has: "ipairs({0, 1, 2, 3, 4, 5, 6})")
    #expect(
      lost(lifelong.losses).allSatisfy { !$0.contains("flipbook") && !$0.contains("sprites") })
    #expect(lost(try code(.luaLove).losses).contains("emitters[0].triggers[0]"))
  }

  @Test(
    "a burst of no particles is left out, with a line",
    arguments: [ParticleFormat.swiftRealityKit, .luaLove])
  func emptyBurst(format: ParticleFormat) throws {
    let losses = try code(format) {
      $0.emitters[0].emission.bursts = [Emitter.Burst(count: 0)]
    }.losses
    #expect(losses.contains { $0.rule == .dead && $0.loss?.path == "emitters[0].emission.bursts" })
  }

  @Test("a grid that is not full is shown in full, where engines have no count of frames")
  func partOfGrid() throws {
    let losses = try code(.unityCSharp) { $0.sprites[0].grid?.count = 7 }.losses
    let line = losses.first { $0.loss?.path == "sprites[0]" }
    #expect(line?.rule == .approximated)
    #expect(line?.detail == "all frames of the grid are shown, row by row")
  }
}
