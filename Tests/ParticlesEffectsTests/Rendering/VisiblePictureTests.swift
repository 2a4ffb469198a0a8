import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Pictures choose moment, frame and background by what can be seen.
@Suite("Pictures that show something")
struct VisiblePictureTests {
  /// A still of 128 × 128 pixels, or the frame of an animation that shows most.
  private struct Picture {
    let animation: EffectAnimation
    let bitmap: Bitmap
    let look: PictureLook
    /// The number of pixels at the border that can be seen.
    let border: Int

    init(
      _ system: ParticleSystem, isStill: Bool = true,
      _ change: (inout EffectAnimation.Plan) -> Void = { _ in }
    ) throws {
      var plan = EffectAnimation.Plan()
      (plan.width, plan.height, plan.framesPerSecond) = (128, 128, 10)
      change(&plan)
      let animation = try EffectAnimation(EffectPackage(system), plan: plan, isStill: isStill)
      var best: (bitmap: Bitmap, look: PictureLook)?
      try animation.draw { frame in
        let look = PictureLook(frame, background: animation.background)
        if look.visible >= best?.look.visible ?? 0 { best = (frame, look) }
      }
      let picture = try #require(best)
      self.animation = animation
      (bitmap, look) = picture
      let background = (animation.background ?? .white).hexadecimal
      border = picture.bitmap.differencesAtBorder(from: background)
    }

    var height: Double { animation.camera.orthoHeight ?? 0 }
    var isReported: Bool { animation.problems.contains { $0.rule == .emptyPicture } }
  }

  /// One white square of 20 units that falls 3,400 units in 4 s.
  private static func chip() -> ParticleSystem {
    var emitter = Emitter(name: "chip")
    emitter.emission.bursts = [Burst(count: 1)]
    emitter.timing.duration = 0.1
    emitter.timing.loop = false
    emitter.lifetime = 4
    emitter.forces = [.gravity(Vector(0, -425))]
    emitter.size.width = 20
    return ParticleSystem(name: "chip", emitters: [emitter])
  }

  @Test("a small thing that falls far is shown itself, not its way")
  func chipIsLarge() throws {
    let still = try Picture(Self.chip())
    #expect(still.look.visible > 2_000 && still.border == 0)
    #expect(20...60 ~= still.height, "\(still.height)")
    let later = try Picture(Self.chip()) { $0.start = 3.5 }
    #expect(later.look.visible > 2_000)
    #expect(later.animation.camera.position.y < -2_000)
    let moving = try Picture(Self.chip(), isStill: false)
    #expect(moving.look.visible >= 40 && moving.height < 1_000, "\(moving.height)")
  }

  @Test("an effect that stands still runs at its usual speed, and the view states it")
  func speedOfZero() throws {
    var system = Self.chip()
    system.emitters[0].timing.speed = 0
    let still = try Picture(system)
    #expect(still.look.visible > 2_000 && !still.isReported)
    #expect(still.animation.view.speed == 1)
    #expect(try Picture(Self.chip()).animation.view.speed == nil)
    // Another emitter moves. The effect is shown as it is.
    system.emitters += Self.chip().emitters
    #expect(try Picture(system).animation.view.speed == nil)
  }

  @Test("thin and faint drops are at least 2 pixels wide, if the frame is chosen")
  func drops() throws {
    var emitter = Emitter(name: "rain")
    emitter.emission.rate = 60
    emitter.lifetime = 1
    emitter.shape = .rect(width: 1_000, height: 1_000)
    emitter.size.width = 0.5
    emitter.size.height = 8
    emitter.color.opacity = 0.25
    let system = ParticleSystem(name: "rain", emitters: [emitter])
    let still = try Picture(system)
    #expect(still.look.visible > 100 && !still.isReported)
    // In a given frame, they are as in the engine: narrower than a pixel, and fainter.
    let given = try Picture(system) { plan in
      var camera = still.animation.camera
      camera.fov = nil
      plan.view = .camera(camera)
    }
    #expect(given.look.visible < 10 && given.isReported)
  }

  @Test("dust that would cover the picture is fainter")
  func dust() throws {
    var emitter = Emitter(name: "dust")
    emitter.emission.rate = 20_000
    emitter.lifetime = 1
    emitter.shape = .rect(width: 1_000, height: 1_000)
    emitter.size.width = 0.5
    let still = try Picture(ParticleSystem(name: "dust", emitters: [emitter]))
    let mean = still.bitmap.pixels.reduce(0) { $0 + Int($1) } / still.bitmap.pixels.count
    #expect(still.look.visible > 4_000 && mean < 190, "\(mean)")
  }

  /// Smoke of a grey from 0 to 1.
  private static func smoke(_ grey: Double) -> ParticleSystem {
    var emitter = Emitter(name: "smoke")
    emitter.emission.rate = 20
    emitter.lifetime = 1
    emitter.launch.speed = 100
    emitter.size.width = 30
    emitter.color.base = ColorTrack(
      from: .constant(Color(grey, grey, grey)), to: .constant(Color(grey, grey, grey)))
    emitter.color.opacity = 0.6
    return ParticleSystem(name: "smoke", emitters: [emitter])
  }

  @Test("the background shows what there is to see, unless it is given")
  func darkSmoke() throws {
    let dark = try Picture(Self.smoke(0.1))
    #expect(dark.animation.background == EffectRenderer.light && dark.look.visible > 2_000)
    #expect(try Picture(Self.smoke(0.9)).animation.background == EffectRenderer.dark)
    let moving = try Picture(Self.smoke(0.1), isStill: false)
    #expect(moving.animation.background == EffectRenderer.light)
    let given = try Picture(Self.smoke(0.1)) { $0.background = .color(EffectRenderer.dark) }
    #expect(given.animation.background == EffectRenderer.dark && given.isReported)
    let hint = given.animation.problems.first { $0.rule == .emptyPicture }
    #expect(hint?.message.contains("colour of the background") == true)
    // The background of the document is kept while it shows most, and replaced if it does not.
    var system = Self.smoke(0.9)
    system.preview.background = Color(0.3, 0, 0)
    #expect(try Picture(system).animation.background == Color(0.3, 0, 0))
    system.preview.background = Color(0.9, 0.9, 0.9)
    #expect(try Picture(system).animation.background == EffectRenderer.dark)
    // Black and white together are seen on grey.
    system = Self.smoke(0)
    system.emitters += Self.smoke(1).emitters
    system.emitters[1].transform.translation = Vector(200, 0)
    for index in 0..<2 { system.emitters[index].color.opacity = 1 }
    system.preview.background = nil
    let both = try Picture(system)
    #expect(both.look.visible > 1_500 && both.animation.background != EffectRenderer.dark)
  }

  @Test("nothing is cut at the border where a wider frame does not make it small")
  func border() throws {
    // Full squares, which turn.
    var system = Self.smoke(1)
    system.emitters[0].launch.spread = 180
    system.emitters[0].rotation.angle = Track(from: .range(0, 360))
    system.emitters[0].color.opacity = 1
    for isStill in [true, false] {
      let picture = try Picture(system, isStill: isStill)
      #expect(picture.border == 0 && picture.look.visible > 2_000)
    }
    // Few particles far away are left out instead.
    system.emitters += system.emitters
    system.emitters[1].emission.rate = 0.5
    system.emitters[1].emission.bursts = [Burst(count: 1)]
    system.emitters[1].size.width = 3
    system.emitters[1].transform.translation = Vector(5_000, 0)
    #expect(try Picture(system).height < 500)
    // In space, too.
    system.emitters.removeLast()
    system.asset.dimension = .space
    let space = try Picture(system)
    #expect(space.border == 0 && space.look.visible > 2_000)
  }

  @Test("a moment is found that comes late and is short; without any, it is the fullest one")
  func moment() throws {
    var system = Self.chip()
    system.emitters[0].timing.delay = 47
    system.emitters[0].lifetime = 0.1
    let still = try Picture(system)
    #expect(47.0...47.2 ~= still.animation.start && still.look.visible > 2_000)
    system = Self.chip()
    system.emitters[0].size.width = 0
    let empty = try Picture(system)
    #expect(empty.isReported && empty.animation.start > 0)
  }

  @Test("an explosion is shown neither as a clump nor when it is lost in its frame")
  func explosion() throws {
    var system = Self.chip()
    system.emitters[0].emission.bursts = [Burst(count: 60)]
    system.emitters[0].forces = []
    system.emitters[0].launch.speed = 400
    system.emitters[0].launch.spread = 180
    system.emitters[0].shape.kind = .sphere
    let still = try Picture(system)
    #expect(0.1...1.5 ~= still.animation.start, "\(still.animation.start)")
    #expect(600...12_000 ~= still.look.visible, "\(still.look.visible)")
  }

  @Test("a document's frame, and that of an option, are kept")
  func given() throws {
    var system = Self.chip()
    system.preview.size = Vector2(4_000, 4_000)
    let still = try Picture(system)
    #expect(still.height == 4_000 && still.look.visible <= 4 && still.isReported)
    let message = still.animation.problems.first { $0.rule == .emptyPicture }?.message
    #expect(message?.contains("too small") == true, "\(message ?? "")")
    #expect(try Picture(Self.chip()) { $0.view = .pixels }.look.visible == 400)
  }
}

extension Bitmap {
  /// The number of pixels at the border that differ from a colour by more than 24 of 255.
  fileprivate func differencesAtBorder(from color: String) -> Int {
    let digits = color.dropFirst()
    let bytes = stride(from: 0, to: 6, by: 2).map { start in
      Int(digits.dropFirst(start).prefix(2), radix: 16) ?? 0
    }
    return (0..<width * height).count { index in
      let (x, y) = (index % width, index / width)
      guard x == 0 || y == 0 || x == width - 1 || y == height - 1 else { return false }
      return (0..<3).contains { abs(Int(pixels[4 * index + $0]) - bytes[$0]) > 24 }
    }
  }
}
