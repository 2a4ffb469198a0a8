import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesRender
import Testing

/// Pictures in which nothing is visible are written, with the reason.
@Suite("Empty pictures")
struct EmptyPictureTests {
  /// White squares in the middle of a black picture.
  private static func square() -> ParticleSystem {
    var emitter = Emitter(name: "square")
    emitter.emission.rate = 30
    emitter.lifetime = 1
    emitter.size.width = 8
    return ParticleSystem(name: "square", emitters: [emitter])
  }

  /// The message about an empty picture.
  private static func message(
    _ change: (inout ParticleSystem, inout EffectAnimation.Plan) -> Void, isStill: Bool = false
  ) throws -> String? {
    var system = square()
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.view) = (16, 16, .pixels)
    (plan.start, plan.duration, plan.framesPerSecond) = (0.5, 0.5, 10)
    plan.background = .color(Color(0, 0, 0))
    change(&system, &plan)
    let animation = try EffectAnimation(EffectPackage(system), plan: plan, isStill: isStill)
    #expect(!animation.problems.contains { $0.rule == .emptyPicture })
    var count = 0
    try animation.draw { _ in count += 1 }
    #expect(count == animation.timing.count)
    let found = animation.problems.filter { $0.rule == .emptyPicture }
    #expect(found.count <= 1 && found.allSatisfy { $0.severity == .warning })
    return found.first?.message
  }

  @Test("a picture with a particle is not reported, also if it fills it, or one frame only has it")
  func visible() throws {
    for isStill in [false, true] {
      #expect(try Self.message({ _, _ in }, isStill: isStill) == nil)
      #expect(
        try Self.message({
          $0.emitters[0].size.width = 1_000; $1.scale = 10
        }) == nil)
    }
    #expect(try Self.message({ $1.loop = .seamless }) == nil)
    #expect(
      try Self.message { system, plan in
        system.emitters[0].emission.rate = 0
        system.emitters[0].emission.bursts = [Burst(time: 0.75, count: 1)]
        system.emitters[0].lifetime = 0.1
      } == nil)
  }

  @Test("the reason is reported")
  func reasons() throws {
    func expect(
      _ part: String, isStill: Bool = false,
      _ change: (inout ParticleSystem, inout EffectAnimation.Plan) -> Void
    ) throws {
      let message = try Self.message(change, isStill: isStill)
      #expect(message?.contains(part) == true, "\(message ?? "no message")")
    }
    for isStill in [false, true] {
      try expect("the particles are outside of it", isStill: isStill) { system, _ in
        system.emitters[0].transform.translation = Vector(1e6, 0, 0)
      }
      try expect("the particles are too small", isStill: isStill) { $1.scale = 0.01 }
      try expect("colour of the background", isStill: isStill) { system, _ in
        system.emitters[0].color.base = ColorTrack(
          from: .constant(Color(0, 0, 0)), to: .constant(Color(0, 0, 0)))
      }
    }
    try expect("the particles are transparent") { system, plan in
      system.emitters[0].color.opacity = 0
      plan.loop = .seamless
    }
    // Next to nothing: 4 pixels of 16 × 16 in the middle.
    try expect("found 4 pixels of") { system, _ in system.emitters[0].size.width = 2 }
    try expect("found 1 emitters") { system, _ in system.emitters[0].enabled = false }
    try expect("less than a step of the simulation") { system, _ in
      // No particle begins at the time of a frame.
      system.emitters[0].emission.rate = 7.3
      system.emitters[0].lifetime = 1e-7
    }
    try expect("no particle lives in any frame") { system, plan in
      system.emitters[0].timing.duration = 0.1
      system.emitters[0].timing.loop = false
      plan.start = 5
    }
  }

  @Test("a thumbnail, which shows the images of emitters then, is not reported")
  func thumbnail() throws {
    var system = Self.square()
    system.emitters[0].enabled = false
    let picture = try EffectThumbnail(EffectPackage(system)).picture(size: 32)
    #expect(!picture.problems.contains { $0.rule == .emptyPicture })
  }
}
