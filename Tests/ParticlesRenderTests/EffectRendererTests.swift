import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@testable import ParticlesRender
@testable import ParticlesSimulation

@Suite("Drawing of effects")
struct EffectRendererTests {
  /// One particle at a place, 10 units wide, which stays there.
  private static func still(_ x: Double = 0, _ y: Double = 0) -> Emitter {
    var emitter = Emitter(name: "still")
    emitter.transform.translation = ParticleSystem.Vector(x, y)
    emitter.emission.bursts = [Emitter.Burst(count: 1)]
    emitter.lifetime = 100
    emitter.size.width = 10
    return emitter
  }

  private static func draw(
    _ emitters: [Emitter], sprites: [ParticleSystem.Sprite] = [], textures: [Int: Bitmap] = [:],
    size: Int = 64, seconds: Double = 0.01, profile: Profile = .neutral,
    _ set: (inout EffectRenderer.Settings) -> Void = { _ in }
  ) throws -> Bitmap {
    var system = ParticleSystem(name: "test", emitters: emitters)
    system.asset.profile = profile
    system.sprites = sprites
    system.images = sprites.map { _ in ParticleSystem.ImageReference(uri: "Images/a.png") }
    var settings = EffectRenderer.Settings(width: size, height: size, view: .pixels)
    set(&settings)
    let simulation = Simulation(system)
    simulation.advance(by: seconds)
    return try EffectRenderer(system, textures: textures, settings: settings).draw(simulation)
  }

  @Test("quads have no negative colour, whatever tints the particles")
  func tints() throws {
    let cases: [(mix: Double, intensity: Double, rate: Double, expected: Float)] = [
      (0, 1, 0, 1), (1, 2, 0, 0), (2, 1, 0, 0), (0.5, 2, 0, 1), (1, 1, -1, 0), (1, 1, 0.5, 0.5),
    ]
    for (mix, intensity, rate, expected) in cases {
      var emitter = Self.still()
      emitter.color.base = ParticleSystem.ColorTrack(.constant(.black))
      emitter.color.base.rate = ParticleSystem.ColorRate(rate, rate, rate, 0)
      emitter.color.base.clamp = ParticleSystem.Interval(-5, 5)
      emitter.color.mix = .constant(mix)
      emitter.color.intensity = .constant(intensity)
      let system = ParticleSystem(name: "test", emitters: [emitter])
      let simulation = Simulation(system)
      simulation.advance(by: 1)
      let settings = EffectRenderer.Settings(width: 64, height: 64, view: .pixels)
      let renderer = try EffectRenderer(system, textures: [:], settings: settings)
      let quads = renderer.quads(of: [simulation]).quads
      #expect(quads.count == 1)
      let channels = quads.flatMap { [$0.color.x, $0.color.y, $0.color.z] }
      #expect(channels.allSatisfy { abs($0 - expected) < 1e-3 }, "\(channels), \(expected)")
    }
  }

  @Test("an open background becomes one that shows the particles, another one stays")
  func backgrounds() throws {
    for (color, isDark) in [(ParticleSystem.Color.black, false), (.white, true)] {
      for isOpen in [true, false] {
        var emitter = Self.still()
        emitter.color.base = ParticleSystem.ColorTrack(.constant(color))
        let system = ParticleSystem(name: "test", emitters: [emitter])
        let simulation = Simulation(system)
        simulation.advance(by: 0.01)
        var settings = EffectRenderer.Settings(width: 64, height: 64)
        (settings.background, settings.isBackgroundOpen) = (EffectRenderer.dark, isOpen)
        let renderer = try EffectRenderer(system, textures: [:], settings: settings)
        let look = try renderer.drawAimed(simulation).1
        #expect((renderer.background == EffectRenderer.dark) == (isDark || !isOpen))
        #expect(look.isPoor == (!isDark && !isOpen) || look.visible > 0)
      }
    }
  }

  @Test("a background stays where enough can be seen, even if another one shows more")
  func sufficientBackground() throws {
    // Ten bright particles at one place, and three dark ones beside it.
    var bright = Self.still()
    bright.emission.bursts = [Emitter.Burst(count: 10)]
    let dark = [-20.0, 20, 40].map { x in
      var emitter = Self.still(x)
      emitter.color.base = ParticleSystem.ColorTrack(.constant(EffectRenderer.dark))
      return emitter
    }
    let system = ParticleSystem(name: "test", emitters: [bright] + dark)
    let simulation = Simulation(system)
    simulation.advance(by: 0.01)
    var settings = EffectRenderer.Settings(width: 128, height: 128, view: .pixels)
    (settings.background, settings.isBackgroundOpen) = (EffectRenderer.dark, true)
    let renderer = try EffectRenderer(system, textures: [:], settings: settings)
    let (picture, look) = try renderer.drawAimed(simulation)
    #expect(renderer.background == EffectRenderer.dark && !look.isPoor)
    // The light background shows more than twice as many pixels.
    settings.background = EffectRenderer.light
    let other = try EffectRenderer(system, textures: [:], settings: settings).draw(simulation)
    #expect(PictureLook(other, background: EffectRenderer.light).visible > 2 * look.visible)
    #expect(Self.pixel(picture, 0, 0)[0] < 128)
  }

  @Test("a picture that an effect fills by half in one direction is not corrected")
  func halfFilled() throws {
    var settings = EffectRenderer.Settings(width: 64, height: 64)
    settings.background = EffectRenderer.dark
    var found: [Int] = []
    for part in stride(from: 5.0, through: 8, by: 0.125) {
      // A square, of which particles like the background leave a rectangle.
      var covers = [(15.0, 0.0), (-15, 0), (0, 10 + part / 2), (0, -10 - part / 2)].map {
        Self.still($0.0 * 0.8, $0.1)
      }
      for index in covers.indices {
        covers[index].size.width = 20
        covers[index].color.base = ParticleSystem.ColorTrack(.constant(EffectRenderer.dark))
      }
      let system = ParticleSystem(name: "test", emitters: [Self.still()] + covers)
      let simulation = Simulation(system)
      simulation.advance(by: 0.01)
      let (aimed, drawn) = (
        try EffectRenderer(system, textures: [:], settings: settings),
        try EffectRenderer(system, textures: [:], settings: settings)
      )
      aimed.aim(at: aimed.spots(of: simulation, most: 100))
      let plain = PictureLook(try aimed.draw(simulation), background: aimed.background)
      #expect(!plain.isCut && plain.right + 1 - plain.left < 32)
      let height = plain.bottom + 1 - plain.top
      found.append(height)
      _ = try drawn.drawAimed(simulation)
      #expect((drawn.camera == aimed.camera) == (height >= 32), "\(part): \(height)")
    }
    #expect(found.contains(32) && found[0] < 32 && found.contains { $0 > 32 }, "\(found)")
  }

  @Test("an effect that cannot be seen does not move the camera")
  func nothingVisible() throws {
    var emitter = Self.still()
    emitter.color.opacity = 0
    let system = ParticleSystem(name: "test", emitters: [emitter])
    let simulation = Simulation(system)
    simulation.advance(by: 0.01)
    let settings = EffectRenderer.Settings(width: 64, height: 64)
    let aimed = try EffectRenderer(system, textures: [:], settings: settings)
    aimed.aim(at: aimed.spots(of: simulation, most: 100))
    let drawn = try EffectRenderer(system, textures: [:], settings: settings)
    #expect(try drawn.drawAimed(simulation).1.visible == 0)
    #expect(drawn.camera == aimed.camera)
  }

  private static func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Int] {
    let index = (y * bitmap.width + x) * 4
    return bitmap.pixels[index..<index + 4].map(Int.init)
  }

  /// The columns and rows with any cover.
  private static func extent(_ bitmap: Bitmap) -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
    var (x, y): ([Int], [Int]) = ([], [])
    for row in 0..<bitmap.height {
      for column in 0..<bitmap.width where pixel(bitmap, column, row)[3] > 0 {
        x.append(column)
        y.append(row)
      }
    }
    guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else {
      return nil
    }
    return (left...right, top...bottom)
  }

  // MARK: Places and sizes

  @Test("the origin is in the middle, y points up, and sizes are units")
  func place() throws {
    let extent = try #require(Self.extent(try Self.draw([Self.still(8, 6)])))
    #expect(extent.x == 35...44)
    #expect(extent.y == 21...30)
  }

  @Test("without a height it follows from the aspect; with one it does not")
  func aspect() throws {
    var emitter = Self.still()
    emitter.size.aspect = .ratio(2)
    var extent = try #require(Self.extent(try Self.draw([emitter])))
    #expect((extent.x.count, extent.y.count) == (10, 5))
    emitter.size.height = 20
    extent = try #require(Self.extent(try Self.draw([emitter])))
    #expect((extent.x.count, extent.y.count) == (10, 20))
  }

  @Test("the size of a sprite counts if sizes are factors of it, and its shape otherwise")
  func textureScale() throws {
    var sprite = ParticleSystem.Sprite(image: 0)
    sprite.scale = 2
    let image = Bitmap(width: 16, height: 8) { _, _ in (1, 1, 1, 1) }
    var emitter = Self.still()
    emitter.sprites = [0]
    var extent = try #require(
      Self.extent(try Self.draw([emitter], sprites: [sprite], textures: [0: image])))
    #expect((extent.x.count, extent.y.count) == (10, 5))
    emitter.size.mode = .textureScale
    emitter.size.width = 3
    extent = try #require(
      Self.extent(try Self.draw([emitter], sprites: [sprite], textures: [0: image])))
    #expect((extent.x.count, extent.y.count) == (24, 12))
  }

  @Test("the pivot of a sprite is at the place of the particle")
  func pivot() throws {
    var sprite = ParticleSystem.Sprite(image: 0)
    sprite.pivot = ParticleSystem.Vector2(0, 1)
    var emitter = Self.still()
    emitter.sprites = [0]
    let image = Bitmap(width: 4, height: 4) { _, _ in (1, 1, 1, 1) }
    var extent = try #require(
      Self.extent(try Self.draw([emitter], sprites: [sprite], textures: [0: image])))
    #expect(extent.x == 32...41 && extent.y == 22...31)
    // A quarter of a turn counter-clockwise takes the right side of the pivot above it.
    emitter.rotation.angle = 90
    extent = try #require(
      Self.extent(try Self.draw([emitter], sprites: [sprite], textures: [0: image])))
    #expect(extent.x == 22...31 && extent.y == 22...31)
  }

  @Test("particles are stretched along their motion, equally at both ends")
  func stretch() throws {
    var emitter = Self.still()
    emitter.launch.direction = Emitter.Direction(angle: 90)
    emitter.launch.speed = 100
    emitter.size.stretch = Emitter.Stretch()
    emitter.size.stretch?.factor = 0.2
    let extent = try #require(Self.extent(try Self.draw([emitter], seconds: 0.01)))
    #expect(extent.x == 27...36)
    #expect(extent.y == 16...45)
  }

  @Test("a particle that is stretched without bounds crosses the whole picture")
  func longStretch() throws {
    var emitter = Self.still()
    emitter.launch.speed = 1
    emitter.size.stretch = Emitter.Stretch()
    for factor in [1e4, 1e10, 1e39, 1e300] {
      emitter.size.stretch?.factor = .constant(factor)
      let extent = try #require(Self.extent(try Self.draw([emitter])), "\(factor)")
      #expect(extent.x == 27...36 && extent.y == 0...63, "\(factor)")
    }
  }

  @Test("a particle thinner than a pixel is as wide as one, and fainter")
  func thin() throws {
    var emitter = Self.still(0.5, -0.5)
    emitter.size.width = 0.5
    let picture = try Self.draw([emitter])
    #expect(Self.pixel(picture, 32, 32)[3] == 64)
    emitter.size.width = 0.001
    #expect(Self.pixel(try Self.draw([emitter]), 32, 32)[3] == 31)
  }

  // MARK: Frames

  @Test("modes of a flip-book map places in the sequence to frames")
  func flipbookModes() {
    typealias Mode = Emitter.FlipbookMode
    #expect([0, 1.9, 3, 4, 9.5].map { Mode.loop.frames(at: $0, of: 4).frame } == [0, 1, 3, 0, 1])
    #expect([0, 1.9, 3, 4, 9.5].map { Mode.once.frames(at: $0, of: 4).frame } == [0, 1, 3, 3, 3])
    #expect(
      (0...8).map { Mode.pingpong.frames(at: Double($0), of: 4).frame }
        == [0, 1, 2, 3, 2, 1, 0, 1, 2])
    for mode in Mode.allCases {
      for place in [-1e300, -1, .nan, .infinity, 1e300] {
        #expect((0..<3).contains(mode.frames(at: place, of: 3).frame))
      }
      #expect(mode.frames(at: 5, of: 1) == (0, 0))
    }
  }

  @Test("frames of a grid follow each other, and cross-fade")
  func flipbook() throws {
    var sprite = ParticleSystem.Sprite(image: 0)
    sprite.grid = ParticleSystem.SpriteGrid(columns: 2, rows: 2)
    // Red, green, blue and white, by rows.
    let image = Bitmap(width: 4, height: 4) { x, y in
      y > 0 ? (x < 0 ? (1, 0, 0, 1) : (0, 1, 0, 1)) : (x < 0 ? (0, 0, 1, 1) : (1, 1, 1, 1))
    }
    var emitter = Self.still()
    emitter.sprites = [0]
    emitter.flipbook = Emitter.Flipbook()
    emitter.flipbook?.fps = .fixed(2)
    let expected = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [255, 0, 0]]
    for (frame, color) in expected.enumerated() {
      let picture = try Self.draw(
        [emitter], sprites: [sprite], textures: [0: image], seconds: Double(frame) / 2 + 0.1)
      #expect(Array(Self.pixel(picture, 32, 32).prefix(3)) == color)
    }
    sprite.grid?.order = .column
    var picture = try Self.draw(
      [emitter], sprites: [sprite], textures: [0: image], seconds: 0.6)
    #expect(Self.pixel(picture, 32, 32) == [0, 0, 255, 255])
    emitter.flipbook?.crossfade = true
    picture = try Self.draw([emitter], sprites: [sprite], textures: [0: image], seconds: 0.625)
    let mixed = Self.pixel(picture, 32, 32)
    // A quarter of the way from blue to green.
    #expect(abs(mixed[1] - 64) <= 1 && abs(mixed[2] - 191) <= 1)
  }

  @Test("sprites are selected in sequence, or over life")
  func sprites() throws {
    let images = [
      0: Bitmap(width: 1, height: 1) { _, _ in (1, 0, 0, 1) },
      1: Bitmap(width: 1, height: 1) { _, _ in (0, 1, 0, 1) },
    ]
    let sprites = [ParticleSystem.Sprite(image: 0), ParticleSystem.Sprite(image: 1)]
    var emitter = Self.still()
    emitter.sprites = [0, 1]
    emitter.lifetime = 1
    emitter.spriteSelection = .life
    for (time, color) in [(0.2, [255, 0, 0, 255]), (0.7, [0, 255, 0, 255])] {
      let picture = try Self.draw([emitter], sprites: sprites, textures: images, seconds: time)
      #expect(Self.pixel(picture, 32, 32) == color)
    }
    emitter.spriteSelection = .sequence
    emitter.emission.bursts = [Emitter.Burst(count: 2)]
    // The newest is on top.
    let picture = try Self.draw([emitter], sprites: sprites, textures: images, seconds: 0.1)
    #expect(Self.pixel(picture, 32, 32) == [0, 255, 0, 255])
  }

  // MARK: Order

  private static func batch(_ sort: Emitter.SortMode, maxAlive: Int? = nil) -> ParticleBatch {
    var emitter = still()
    emitter.emission.bursts = []
    emitter.emission.rate = 10
    emitter.emission.maxAlive = maxAlive
    emitter.lifetime = .range(1, 50)
    emitter.launch.direction = Emitter.Direction(angle: .range(0, 360))
    emitter.launch.speed = .range(5, 50)
    emitter.render.sort = sort
    let system = ParticleSystem(name: "test", emitters: [emitter])
    let simulation = Simulation(system)
    simulation.advance(by: 1.05)
    let look = Appearance()
    simulation.appearance(ofEmitter: 0, into: look)
    return ParticleBatch(
      emitter: emitter, index: 0, look: look, random: simulation.states[0].random)
  }

  @Test("particles are sorted as the emitter asks")
  func sorting() throws {
    let depth = { (particle: Int) in
      (plane: Double(particle * 7 % 5), camera: Double(particle * 3 % 7))
    }
    func order(
      _ sort: Emitter.SortMode, _ drawing: EngineLaw.Drawing = EngineLaw.Drawing(),
      maxAlive: Int? = nil
    ) -> [Int]? {
      Self.batch(sort, maxAlive: maxAlive).order(drawing, depth: depth)
    }
    let count = Self.batch(.none).look.count
    #expect(count > 5)
    #expect(order(.none) == nil && order(.oldestFirst) == nil)
    #expect(order(.youngestFirst) == Array((0..<count).reversed()))
    let byPlane = try #require(order(.depth)).map { depth($0).plane }
    #expect(byPlane == byPlane.sorted(by: >))
    let byCamera = try #require(order(.distance)).map { depth($0).camera }
    #expect(byCamera == byCamera.sorted(by: >))
    let batch = Self.batch(.lifetime)
    let shares = try #require(order(.lifetime)).map { batch.share($0) }
    #expect(shares == shares.sorted(by: >))
    let slots = Self.batch(.none, maxAlive: 4)
    let godot = Profile(rawValue: "godot3").drawing
    let bySlot = try #require(order(.none, godot, maxAlive: 4)).map { slots.look.ordinal[$0] % 4 }
    #expect(bySlot == bySlot.sorted())
    #expect(order(.oldestFirst, godot, maxAlive: 4) == nil)
  }

  @Test("z comes before time, and the order of emitters before both")
  func layers() throws {
    func colored(_ color: ParticleSystem.Color) -> Emitter {
      var emitter = Self.still()
      emitter.color.base = ParticleSystem.ColorTrack(.constant(color))
      return emitter
    }
    var (red, green) = (
      colored(ParticleSystem.Color(1, 0, 0)), colored(ParticleSystem.Color(0, 1, 0))
    )
    #expect(Self.pixel(try Self.draw([red, green]), 32, 32) == [0, 255, 0, 255])
    red.render.order = 1
    #expect(Self.pixel(try Self.draw([red, green]), 32, 32) == [255, 0, 0, 255])
    green.render.blackPass = true
    green.render.order = 2
    green.render.blend = Emitter.Blend(.add)
    // Black hides the red below. Green is added to the black.
    #expect(Self.pixel(try Self.draw([red, green]), 32, 32) == [0, 255, 0, 255])
  }

  // MARK: Trails

  @Test("a trail leads from the particle to where it was")
  func trail() throws {
    var emitter = Self.still(-20, 0)
    emitter.launch.direction = Emitter.Direction(angle: 0)
    emitter.launch.speed = 20
    emitter.size.width = 4
    var trail = Emitter.Trail()
    trail.length = 1
    trail.width = ParticleSystem.Curve(through: [(0, 1), (1, 0.5)])
    emitter.render.trail = trail
    // After a second the particle is in the middle, and its trail where it was emitted. After two,
    // the trail covers the second half of the way only.
    for (seconds, first, last) in [(1.0, 12, 33), (2.0, 32, 53)] {
      let extent = try #require(Self.extent(try Self.draw([emitter], seconds: seconds)))
      #expect(abs(extent.x.lowerBound - first) <= 1 && abs(extent.x.upperBound - last) <= 1)
      #expect(extent.y == 30...33)
    }
    emitter.render.trail?.length = 0
    let extent = try #require(Self.extent(try Self.draw([emitter], seconds: 1)))
    #expect(extent.x.count == 4)
  }

  @Test("a link is a line between two near particles, below them")
  func link() throws {
    var links = Emitter.Links()
    (links.distance, links.width, links.color) = (80, 2, ParticleSystem.Color(1, 0, 0))
    var emitter = Self.still(-20, 0)
    (emitter.launch.direction, emitter.launch.speed) = (Emitter.Direction(angle: 0), 40)
    emitter.emission.bursts.append(Emitter.Burst(time: 1, count: 1))
    emitter.size.width = 4
    let alone = try Self.draw([emitter], seconds: 1.005)
    emitter.render.links = links
    let linked = try Self.draw([emitter], seconds: 1.005)
    #expect(Self.pixel(alone, 32, 31)[3] == 0)
    #expect(zip(Self.pixel(linked, 32, 31), [255, 0, 0, 127]).allSatisfy { abs($0 - $1) < 4 })
    // The particles cover the ends.
    #expect(Self.pixel(linked, 12, 31) == Self.pixel(alone, 12, 31))
    emitter.render.links?.distance = 39
    #expect(Self.pixel(try Self.draw([emitter], seconds: 1.005), 32, 31)[3] == 0)
  }

  // MARK: Bad input

  @Test("numbers without bounds draw what is possible")
  func wildNumbers() throws {
    for number in [Double.infinity, -.infinity, .nan, 1e300, -1e300, 1e30] {
      var emitters = [Emitter](repeating: Self.still(), count: 8)
      emitters[0].size.width = ParticleSystem.Track(.constant(number))
      emitters[1].transform.translation.x = number
      emitters[2].rotation.angle = ParticleSystem.Track(.constant(number))
      emitters[3].color.opacity = ParticleSystem.Track(.constant(number))
      emitters[4].launch.speed = .constant(number)
      emitters[4].size.stretch = Emitter.Stretch()
      emitters[4].size.stretch?.factor = .constant(number)
      emitters[5].color.intensity = ParticleSystem.Track(.constant(number))
      emitters[6].render.z = ParticleSystem.Track(.constant(number))
      emitters[6].render.sort = .depth
      emitters[7].flipbook = Emitter.Flipbook()
      emitters[7].flipbook?.start = .constant(number)
      for view in [EffectRenderer.View.automatic, .plane, .space, .pixels] {
        _ = try Self.draw(emitters, size: 32) { $0.view = view }
      }
    }
  }

  @Test("a picture that needs too much work is drawn in part, with a warning")
  func tooMuchWork() throws {
    var emitter = Self.still()
    emitter.emission.bursts = [Emitter.Burst(count: 500)]
    emitter.size.width = 1_000
    let system = ParticleSystem(name: "test", emitters: [emitter])
    var limits = Limits()
    limits.paint = 50_000
    let renderer = try EffectRenderer(
      system, settings: EffectRenderer.Settings(width: 64, height: 64, view: .pixels),
      limits: limits)
    let simulation = Simulation(system)
    simulation.advance(by: 0.1)
    for _ in 0..<2 { #expect(Self.pixel(try renderer.draw(simulation), 3, 3)[3] == 255) }
    #expect(renderer.problems.map(\.rule) == [.limit])
    expectThrows(.limit) {
      try EffectRenderer(
        system, settings: EffectRenderer.Settings(width: 30_000, height: 30_000))
    }
  }

  // MARK: Templates

  @Test("every template shows something, the same for any number of threads")
  func templates() throws {
    for template in EffectTemplate.all where template.name != "blank" {
      let package = try template.package()
      let system = try package.system()
      var textures: [Int: Bitmap] = [:]
      for (index, image) in system.images.enumerated() {
        let bytes = try #require(try package.container.root[image.uri]?.contents?.bytes())
        textures[index] = try PNG.decode(bytes)
      }
      let pictures = try [1, 3].map { threads in
        var settings = EffectRenderer.Settings(width: 96, height: 96)
        settings.threads = threads
        let simulation = Simulation(system)
        simulation.advance(by: 1)
        return try EffectRenderer(system, textures: textures, settings: settings).draw(simulation)
      }
      #expect(pictures[0] == pictures[1], "\(template.name)")
      let covered = stride(from: 3, to: pictures[0].pixels.count, by: 4).count {
        pictures[0].pixels[$0] > 8
      }
      #expect(covered > 30, "\(template.name): \(covered) pixels")
    }
  }
}
