import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

@Suite("Pictures of running effects")
struct EffectAnimationTests {
  /// White squares that rise at 40 units a second for a second. Ten are emitted each second.
  private static func fountain() -> ParticleSystem {
    var emitter = Emitter(name: "fountain")
    emitter.emission.rate = 10
    emitter.lifetime = 1
    emitter.launch.speed = 40
    emitter.size.width = 4
    return ParticleSystem(name: "fountain", emitters: [emitter])
  }

  private static func plan(_ change: (inout EffectAnimation.Plan) -> Void = { _ in })
    -> EffectAnimation.Plan
  {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.view) = (32, 96, .pixels)
    (plan.duration, plan.framesPerSecond) = (1, 10)
    plan.background = .color(Color(0, 0, 0))
    change(&plan)
    return plan
  }

  private static func frames(
    _ system: ParticleSystem, _ plan: EffectAnimation.Plan
  ) throws -> [Bitmap] {
    let animation = try EffectAnimation(EffectPackage(system), plan: plan)
    var frames: [Bitmap] = []
    try animation.draw { frames.append($0) }
    #expect(frames.count == animation.timing.count)
    return frames
  }

  /// The mean difference of two pictures, 0…255.
  private static func difference(_ a: Bitmap, _ b: Bitmap) -> Double {
    let sum = zip(a.pixels, b.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(a.pixels.count)
  }

  @Test("has as many frames as its duration and rate ask for, and is the same each time")
  func count() throws {
    // In a seamless loop, all frames of this fountain are equal.
    let plan = Self.plan { ($0.duration, $0.loop) = (0.72, .once) }
    let frames = try Self.frames(Self.fountain(), plan)
    #expect(frames.count == 7)
    #expect(frames.allSatisfy { $0.width == 32 && $0.height == 96 })
    #expect(try Self.frames(Self.fountain(), plan) == frames)
    #expect(Set(frames).count > 1)
  }

  @Test("another seed gives other pictures of a random effect")
  func seed() throws {
    var system = Self.fountain()
    system.emitters[0].launch.spread = 90
    let first = try Self.frames(system, Self.plan { $0.seed = 1 })
    #expect(try Self.frames(system, Self.plan { $0.seed = 1 }) == first)
    #expect(try Self.frames(system, Self.plan { $0.seed = 2 }) != first)
  }

  @Test("a seamless loop has no larger step across its seam than inside; a plain one has")
  func seamless() throws {
    var system = Self.fountain()
    // Particles live for two and a half rounds.
    system.emitters[0].lifetime = 2.5
    // Slow and large, so that two frames that follow each other are alike.
    system.emitters[0].launch.speed = 5
    system.emitters[0].launch.spread = 60
    system.emitters[0].size.width = 20
    system.emitters[0].color.opacity = Track(
      from: 0, to: 1,
      curve: Curve(through: [(time: 0, value: 0), (time: 0.5, value: 1), (time: 1, value: 0)]))
    func seam(_ loop: EffectAnimation.Loop) throws -> (seam: Double, inside: Double) {
      let frames = try Self.frames(
        system,
        Self.plan {
          $0.loop = loop
          $0.start = 0
          ($0.duration, $0.framesPerSecond) = (1, 20)
        })
      let inside = zip(frames, frames.dropFirst()).map { Self.difference($0, $1) }
      return (Self.difference(frames[frames.count - 1], frames[0]), inside.max() ?? 0)
    }
    let plain = try seam(.once)
    let seamless = try seam(.seamless)
    #expect(plain.seam > 2 * plain.inside)
    #expect(seamless.seam < 1.5 * seamless.inside)
    #expect(seamless.inside > 0)
  }

  @Test("in a seamless loop, particles of earlier rounds are below those of later ones")
  func seamlessOrder() throws {
    var system = Self.fountain()
    system.emitters[0].lifetime = 2.5
    system.emitters[0].launch.speed = 0
    system.emitters[0].size.width = 100
    system.emitters[0].color.base = ColorTrack(
      from: .constant(Color(1, 0, 0)), to: .constant(Color(0, 0, 1)))
    // The youngest particle covers all others.
    for frame in try Self.frames(system, Self.plan { $0.loop = .seamless }) {
      #expect(frame.pixels[0] > 220 && frame.pixels[2] < 35)
    }
  }

  @Test("the rounds of a seamless loop share the limit of work")
  func sharedWork() throws {
    var system = Self.fountain()
    system.emitters[0].emission.rate = 1e9
    system.emitters[0].lifetime = 3
    system.emitters[0].launch.speed = 0
    system.emitters[0].shape = .rect(width: 240, height: 240)
    system.emitters[0].size.width = 1
    let plan = Self.plan {
      ($0.width, $0.height, $0.loop) = (256, 256, .seamless)
    }
    var limits = Limits.standard
    limits.particleSteps = 500_000
    let animation = try EffectAnimation(EffectPackage(system), plan: plan, limits: limits)
    try animation.draw { frame in
      // There are five rounds, and each shows equal particles: an emission counts for 16 steps, and the
      // 181 that the particle lives.
      let lit = stride(from: 0, to: frame.pixels.count, by: 4).count { frame.pixels[$0] > 100 }
      #expect(lit > 100 && lit <= 500_000 / 5 / 197, "\(lit)")
    }
  }

  @Test("a seamless loop of an endless effect has as many particles in every frame")
  func endlessSeamless() throws {
    var system = Self.fountain()
    system.emitters[0].emission.rate = 1e9
    system.emitters[0].launch.spread = 180
    system.emitters[0].size.width = 1
    system.emitters[0].lifetime = 2.5
    var limits = Limits()
    limits.particleSteps = 1_000_000
    let animation = try EffectAnimation(
      EffectPackage(system), plan: Self.plan { $0.loop = .seamless }, limits: limits)
    var covers: [Int] = []
    try animation.draw { frame in
      covers.append(
        stride(from: 0, to: frame.pixels.count, by: 4).count { frame.pixels[$0] > 0 })
    }
    let (least, most) = (covers.min() ?? 0, covers.max() ?? 0)
    #expect(least > 100 && Double(most) < 1.2 * Double(least), "\(covers)")
    #expect(animation.problems.contains { $0.expected?.contains("'particleSteps'") == true })
  }

  @Test(
    "times of the preview are shortened to the limits, with a warning, unless the caller names them"
  )
  func previewTimes() throws {
    var system = Self.fountain()
    (system.preview.duration, system.preview.warmup) = (1_200, 1e300)
    var limits = Limits()
    (limits.previewSeconds, limits.warmupSeconds) = (3, 2)
    func animation(
      isStill: Bool = false, _ change: (inout EffectAnimation.Plan) -> Void = { _ in }
    ) throws -> EffectAnimation {
      let plan = Self.plan {
        $0.duration = nil
        change(&$0)
      }
      return try EffectAnimation(
        EffectPackage(system), plan: plan, isStill: isStill, limits: limits)
    }
    let moving = try animation()
    #expect(moving.timing.count == 30 && moving.start == 2)
    #expect(
      moving.problems.map(\.expected) == [
        "at most 2 seconds (limit 'warmupSeconds')", "at most 3 seconds (limit 'previewSeconds')",
      ])
    #expect(moving.problems.allSatisfy { $0.rule == .limit && $0.severity == .warning })
    let still = try animation(isStill: true)
    #expect(still.problems.count == 1 && still.start <= 20)
    try still.draw { #expect($0.pixels.contains(255)) }
    let asked = try animation { ($0.start, $0.duration) = (2.5, 4) }
    #expect(asked.problems.isEmpty && asked.timing.count == 40 && asked.start == 2.5)
    (system.preview.duration, system.preview.warmup) = (3, 2)
    #expect(try animation().problems.isEmpty)
  }

  @Test("an effect without bounds is drawn as far as the limits allow, in every form of loop")
  func loops() throws {
    var system = Self.fountain()
    system.emitters[0].emission.rate = 1e9
    system.emitters[0].emission.bursts = [Burst(count: 1e9)]
    system.emitters[0].size.width = 30
    var second = system.emitters[0]
    second.triggers = [Trigger(.birth, emitter: 0, count: 1_000)]
    system.emitters[0].triggers = [Trigger(.birth, emitter: 1, count: 1_000)]
    system.emitters.append(second)
    system.roots = [0, 1]
    var limits = Limits()
    limits.particles = 2_000
    limits.particleSteps = 300_000
    limits.animationPaint = 1_000_000
    for loop in EffectAnimation.Loop.allCases {
      let runs = try [1, 3].map { threads in
        let animation = try EffectAnimation(
          EffectPackage(system), plan: Self.plan { ($0.loop, $0.threads) = (loop, threads) },
          limits: limits)
        var frames: [Bitmap] = []
        try animation.draw { frames.append($0) }
        let expected = animation.problems.compactMap(\.expected).joined(separator: "; ")
        #expect(expected.contains("'animationPaint'") && expected.contains("'particleSteps'"))
        return frames
      }
      #expect(runs[0].count == 10 && runs[0] == runs[1])
      for frame in runs[0] {
        let isShown = stride(from: 0, to: frame.pixels.count, by: 4).contains {
          frame.pixels[$0] > 0
        }
        #expect(isShown, "\(loop)")
      }
    }
  }

  @Test("frames have budgets of their own, which messages name")
  func frames() throws {
    var system = Self.fountain()
    system.emitters[0].emission.rate = 1e6
    system.emitters[0].emission.maxAlive = 2_000
    system.emitters[0].emission.whenFull = .recycle
    system.emitters[0].size.width = 100
    var limits = Limits()
    (limits.framePaint, limits.frameSteps) = (1_000, 60_000)
    let animation = try EffectAnimation(
      EffectPackage(system), plan: Self.plan(), limits: limits)
    var frames = 0
    try animation.draw { _ in frames += 1 }
    let expected = animation.problems.compactMap(\.expected).joined(separator: "; ")
    #expect(frames == 10 && expected.contains("'framePaint'"), "\(expected)")
    #expect(expected.contains("60000 of them for a frame (limit 'frameSteps')"), "\(expected)")
    let free = try EffectAnimation(EffectPackage(system), plan: Self.plan())
    try free.draw { _ in }
    #expect(free.problems.isEmpty, "\(free.problems)")
  }

  @Test("without a start, an endless effect is complete, and a burst is seen when it is largest")
  func start() throws {
    let endless = try EffectAnimation(EffectPackage(Self.fountain()), plan: Self.plan())
    var first: Int?
    try endless.draw { frame in first = first ?? frame.pixels.count { $0 == 255 } }
    // More than the opaque alpha of 32 × 32 pixels.
    #expect(endless.warmup >= 1 && first ?? 0 > 32 * 32)
    var system = Self.fountain()
    system.emitters[0].emission.rate = 0
    system.emitters[0].emission.bursts = [Burst(count: 12)]
    system.emitters[0].timing.loop = false
    system.emitters[0].timing.duration = 0.1
    system.emitters[0].timing.delay = 0.5
    let still = try EffectAnimation(
      EffectPackage(system), plan: Self.plan(), isStill: true)
    #expect(still.timing.count == 1)
    #expect(still.start > 0.5 && still.start < 1.5)
    var pixels = 0
    try still.draw { pixels = $0.pixels.count { $0 == 255 } }
    #expect(pixels > 32 * 96)
  }

  @Test("the background is that of the preview, a colour, or nothing")
  func background() throws {
    var system = Self.fountain()
    system.emitters = []
    system.preview.background = Color(1, 0, 0)
    func corner(_ background: EffectAnimation.Background) throws -> [UInt8] {
      let frame = try Self.frames(
        system,
        Self.plan {
          $0.background = background
          $0.duration = 0.1
        })[0]
      return Array(frame.pixels[0..<4])
    }
    #expect(try corner(.automatic) == [255, 0, 0, 255])
    #expect(try corner(.transparent)[3] == 0)
    #expect(try corner(.color(Color(0, 0, 1))) == [0, 0, 255, 255])
  }

  @Test("too many frames, and pictures that are too large, are refused before anything is drawn")
  func limits() throws {
    let package = try EffectPackage(Self.fountain())
    for change in [
      { (plan: inout EffectAnimation.Plan) in plan.duration = 1e9 },
      { (plan: inout EffectAnimation.Plan) in (plan.width, plan.height) = (30_000, 30_000) },
    ] {
      #expect(throws: Diagnostic.self) {
        try EffectAnimation(package, plan: Self.plan(change))
      }
    }
  }

  @Test("an effect without end is bounded, and a warning reports it")
  func endless() throws {
    var system = Self.fountain()
    system.emitters[0].emission.rate = 1e12
    system.emitters[0].lifetime = 1e9
    var limits = Limits.standard
    limits.particles = 500
    let animation = try EffectAnimation(
      EffectPackage(system),
      plan: Self.plan {
        $0.start = 0.1
        $0.duration = 0.2
      }, limits: limits)
    var count = 0
    try animation.draw { _ in count += 1 }
    #expect(count == 2)
    #expect(animation.problems.contains { $0.rule == .limit && $0.severity == .warning })
  }

  @Test("an image that cannot be decoded is a warning, and a square takes its place")
  func images() throws {
    var system = Self.fountain()
    system.images = [ImageReference(uri: "images/none.png")]
    system.sprites = [Sprite(image: 0)]
    system.emitters[0].sprites = [0]
    let animation = try EffectAnimation(EffectPackage(system), plan: Self.plan(), isStill: true)
    try animation.draw { _ in }
    #expect(animation.problems.map(\.rule) == [.absentImage])
  }
}
