import ParticlesCore
import ParticlesImages
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

@Suite("How animations begin and end")
struct AnimationLoopTests {
  private static func difference(_ a: Bitmap, _ b: Bitmap) -> Double {
    var sum = 0
    a.pixels.withUnsafeBufferPointer { a in
      b.pixels.withUnsafeBufferPointer { b in
        for index in a.indices { sum += abs(Int(a[index]) - Int(b[index])) }
      }
    }
    return Double(sum)
  }

  private static func smoke(_ change: (inout Emitter) -> Void = { _ in }) -> ParticleSystem {
    var emitter = Emitter(name: "smoke")
    emitter.emission.rate = 8
    emitter.lifetime = 5
    emitter.timing.duration = 1
    emitter.timing.loop = true
    emitter.launch.speed = 10
    emitter.launch.spread = 30
    emitter.size.width = 20
    change(&emitter)
    return ParticleSystem(name: "smoke", emitters: [emitter])
  }

  private static func animation(
    _ system: ParticleSystem, _ change: (inout EffectAnimation.Plan) -> Void = { _ in }
  ) throws -> (EffectAnimation, [Bitmap]) {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.framesPerSecond) = (48, 48, 10)
    change(&plan)
    let animation = try EffectAnimation(EffectPackage(system), plan: plan)
    var frames: [Bitmap] = []
    try animation.draw { frames.append($0) }
    return (animation, frames)
  }

  @Test("an endless effect begins complete and is as long as its particles live, in whole periods")
  func endless() throws {
    let (smoke, frames) = try Self.animation(Self.smoke())
    #expect(smoke.loop == .seamless && smoke.pause == 0 && smoke.timing.count == 50)
    #expect(smoke.warmup >= 5)
    let counts = frames.map { frame in frame.pixels.indices.count { frame.pixels[$0] > 60 } }
    #expect(Double(counts[0]) > 0.6 * Double(counts.max() ?? 0))
    let long = try Self.animation(
      Self.smoke {
        $0.timing.duration = 0.7
        $0.lifetime = 3
      }
    ).0
    #expect(abs(long.timing.total - 3.5) < 0.06)
    let longest = try Self.animation(Self.smoke { $0.lifetime = 60 }).0
    #expect(longest.timing.total == 8)
    let stated = try Self.animation(Self.smoke()) { ($0.duration, $0.loop) = (1, .forever) }.0
    #expect(stated.loop == .forever && stated.timing.count == 10)
  }

  @Test("an effect that ends is played once, from its first visible frame on, with a pause")
  func ending() throws {
    let system = Self.smoke {
      ($0.timing.loop, $0.timing.delay, $0.lifetime) = (false, 0.5, 1)
    }
    let (animation, frames) = try Self.animation(system)
    #expect(animation.loop == .once && animation.pause == 1)
    #expect(animation.timing.count == 25 && abs(animation.timing.total - 3.5) < 1e-9)
    #expect(animation.timing.duration(of: 24) == 1.1)
    #expect(!frames[0].hasOneColor && frames[24].hasOneColor)
    #expect(animation.start > 0.5 && animation.start < 0.8)
    let stated = try Self.animation(system) { ($0.start, $0.pause) = (0, 0) }
    #expect(stated.1[0].hasOneColor && stated.0.timing.duration(of: 24) == 0.1)
  }

  @Test("bursts with pauses begin with something to see, and end where they begin")
  func bursts() throws {
    let system = Self.smoke {
      $0.emission.rate = 0
      $0.emission.bursts = [Burst(count: 20)]
      ($0.lifetime, $0.timing.idle) = (0.8, 1.5)
      $0.color.opacity = Track(
        from: 0, to: 1,
        curve: Curve(through: [(time: 0, value: 0), (time: 0.3, value: 1), (time: 1, value: 0)]))
    }
    let (animation, frames) = try Self.animation(system)
    #expect(animation.loop == .seamless && animation.timing.count == 25)
    #expect(frames.contains(where: \.hasOneColor) && !frames[0].hasOneColor)
    let steps = zip(frames, frames.dropFirst()).map { Self.difference($0, $1) }
    let seam = Self.difference(frames[frames.count - 1], frames[0])
    #expect(seam <= steps.max() ?? 0 && seam > 0)
  }

  @Test("what a loop shows was emitted in it, whenever it begins")
  func start() throws {
    let sums = try [0.0, 7].map { start in
      let system = Self.smoke { $0.size.width = 2 }
      let (animation, frames) = try Self.animation(system) {
        ($0.start, $0.view, $0.background) = (start, .pixels, .color(Color(0, 0, 0)))
        $0.width = 128
        $0.height = 128
      }
      #expect(animation.isOverlaid && animation.timing.count == 50)
      return frames.reduce(0) { sum, frame in
        sum + frame.pixels.indices.count { $0 % 4 == 0 && frame.pixels[$0] > 60 }
      }
    }
    #expect(sums[0] > 1_000)
    #expect(abs(Double(sums[1]) / Double(sums[0]) - 1) < 0.1, "\(sums)")
  }

  @Test("empty frames at the begin of a loop are moved to its end")
  func emptyBegin() throws {
    // Particles have the colour of the background for most of their life.
    let system = Self.smoke {
      $0.emission.rate = 0
      $0.emission.bursts = [Burst(count: 20)]
      ($0.lifetime, $0.timing.idle) = (1.5, 1)
      $0.color.base = ColorTrack(
        from: .constant(.white), to: .constant(Color(0, 0, 0)),
        curve: Curve(through: [(time: 0, value: 1), (time: 0.6, value: 1), (time: 1, value: 0)]))
    }
    let (_, frames) = try Self.animation(system) { $0.background = .color(Color(0, 0, 0)) }
    let empty = frames.indices.filter { frames[$0].hasOneColor }
    #expect(!empty.isEmpty && !frames[0].hasOneColor)
    #expect(empty.contains(frames.count - 1))
  }

  @Test("an effect that counts its living particles is blended, and shows no more of them")
  func regulated() throws {
    let system = Self.smoke {
      ($0.emission.rate, $0.emission.maxAlive, $0.lifetime) = (40, 12, 2)
      $0.size.width = 6
    }
    let (animation, frames) = try Self.animation(system)
    #expect(!animation.isOverlaid)
    #expect(animation.timing.count == frames.count && !frames[0].hasOneColor)
    let steps = zip(frames, frames.dropFirst()).map { Self.difference($0, $1) }
    #expect(Self.difference(frames[frames.count - 1], frames[0]) <= steps.max() ?? 0)
  }

  @Test("an effect that moves leaves its particles behind, and the view contains all of them")
  func moving() throws {
    let system = Self.smoke { ($0.lifetime, $0.launch.speed, $0.size.width) = (1, 0, 4) }
    func spread(_ frame: Bitmap) -> Int {
      let lit = (0..<48 * 48).filter { frame.pixels[$0 * 4] > 60 }.map { $0 % 48 }
      return (lit.max() ?? 0) - (lit.min() ?? 0)
    }
    let (_, frames) = try Self.animation(system) {
      $0.path = try? EffectPath(points: [Vector(-50, 0), Vector(50, 0), Vector(-50, 0)])
      ($0.duration, $0.framesPerSecond) = (4, 5)
    }
    // A quarter of the way there, a life leaves a trail of half of the line.
    #expect(frames.count == 20 && spread(frames[7]) > 15)
    #expect(frames.allSatisfy { !$0.hasOneColor })
    let steps = zip(frames, frames.dropFirst()).map { Self.difference($0, $1) }
    #expect(Self.difference(frames[19], frames[0]) < 1.5 * (steps.max() ?? 0))
  }

  /// Effects of many formats.
  private static let corpus: [String] = {
    let kinds = [
      ("pex", "pex"), ("plist", "plist"), ("libgdx", "p"), ("defold", "particlefx"),
      ("pd-json", "json"), ("sks", "sks"), ("scnp", "scnp"),
    ]
    return kinds.flatMap { Corpus.sample($0.0, $0.1, 2) }
  }()

  @Test("of real effects, no first frame is empty and no loop jumps", .enabled(if: !corpus.isEmpty))
  func realEffects() throws {
    var jumps: [String] = []
    var endless = 0
    for path in Self.corpus {
      let opened = try OpenedEffect(path: path, imageFolders: [])
      var plan = EffectAnimation.Plan()
      (plan.width, plan.height, plan.framesPerSecond) = (40, 40, 6)
      let animation = try EffectAnimation(opened.package, plan: plan)
      var frames: [Bitmap] = []
      try animation.draw { frames.append($0) }
      guard frames.contains(where: { !$0.hasOneColor }) else { continue }
      #expect(!frames[0].hasOneColor, "\(path)")
      guard animation.loop == .seamless else { continue }
      endless += 1
      let steps = zip(frames, frames.dropFirst()).map { Self.difference($0, $1) }.sorted()
      let typical = steps[steps.count * 3 / 4]
      // Of an effect that flickers, some steps are much greater than most.
      let greatest = steps[steps.count - 1]
      if Self.difference(frames[frames.count - 1], frames[0])
        > max(1.25 * typical + 500, 1.1 * greatest)
      {
        jumps.append(path)
      }
    }
    #expect(endless > 5 && jumps.isEmpty, "\(jumps)")
  }
}
