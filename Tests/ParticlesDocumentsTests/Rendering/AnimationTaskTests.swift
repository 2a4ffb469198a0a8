import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesImages
import ParticlesModel
import ParticlesRender
import Testing

@Suite("Pictures for tasks")
struct AnimationTaskTests {
  private static func package() throws -> EffectPackage {
    var emitter = Emitter(name: "fountain")
    emitter.emission.rate = 10
    emitter.lifetime = 1
    emitter.launch.speed = 40
    emitter.size.width = 4
    return try EffectPackage(ParticleSystem(name: "fountain", emitters: [emitter]))
  }

  private static let plan: EffectAnimation.Plan = {
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.duration, plan.framesPerSecond) = (32, 32, 1, 10)
    return plan
  }()

  @Test("frames, a picture and a thumbnail are those of the calls that wait")
  func same() async throws {
    let package = try Self.package()
    let animation = try EffectAnimation(package, plan: Self.plan)
    let expectedTiming = animation.timing
    var expected: [Bitmap] = []
    try animation.draw { expected.append($0) }
    let frames = Lock<[Bitmap]>([])
    let problems = try await EffectAnimation.draw(package, plan: Self.plan) { frame, timing in
      #expect(timing == expectedTiming)
      frames.withLock { $0.append(frame) }
    }
    #expect(frames.withLock(\.self) == expected)
    #expect(problems == animation.problems)

    let still = try EffectAnimation(package, plan: Self.plan, isStill: true)
    var picture: Bitmap?
    try still.draw { picture = $0 }
    #expect(try await EffectAnimation.picture(of: package, plan: Self.plan).bitmap == picture)

    let thumbnail = EffectThumbnail(package)
    #expect(try await thumbnail.picture(ofSize: 32) == thumbnail.bitmap(size: 32))
  }

  @Test("a cancelled task draws no more")
  func cancelled() async throws {
    let package = try Self.package()
    let count = Lock(0)
    let task = Task {
      try await EffectAnimation.draw(package, plan: Self.plan) { _, _ in
        count.withLock { $0 += 1 }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(count.withLock(\.self) == 1)
    let drawing = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await EffectThumbnail(package).picture(ofSize: 32)
    }
    await #expect(throws: CancellationError.self) { try await drawing.value }
  }
}
