import CParticlesInterface
import ParticlesC
import ParticlesCore
import ParticlesTestSupport
import Testing

/// Calls of pictures and simulations: what a plan means, and what a running effect counts and draws.
@Suite("Calls of pictures in C")
struct PictureCallTests {
  private static func plan(_ change: (inout particles_plan) -> Void = { _ in }) -> particles_plan {
    var plan = particles_plan()
    #expect(particles_plan_init(&plan, MemoryLayout<particles_plan>.size) == PARTICLES_OK)
    change(&plan)
    return plan
  }

  private func withEffect(_ body: (OpaquePointer?) throws -> Void) rethrows {
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    defer { particles_effect_close(effect) }
    try body(effect)
  }

  /// The frames of an animation: how many there are, of what size, and how long each is shown.
  private final class Frames {
    var counts: [Int64] = []
    var seconds: [Double] = []
  }

  private func frames(_ effect: OpaquePointer?, _ plan: particles_plan?) -> Frames {
    let frames = Frames()
    let body: particles_frame_fn = { context, _, count, _, seconds in
      guard let context else { return 1 }
      let frames = Unmanaged<Frames>.fromOpaque(context).takeUnretainedValue()
      frames.counts.append(count)
      frames.seconds.append(seconds)
      return 0
    }
    let context = Unmanaged.passUnretained(frames).toOpaque()
    var given = plan ?? particles_plan()
    let status =
      plan == nil
      ? particles_effect_animate(effect, nil, body, context)
      : particles_effect_animate(effect, &given, body, context)
    #expect(status == PARTICLES_OK)
    return frames
  }

  @Test("the default plan has the values of the header")
  func defaults() {
    let plan = Self.plan()
    #expect((plan.width, plan.height, plan.samples) == (512, 512, 1))
    #expect((plan.frames_per_second, plan.scale) == (30, 1))
    #expect(plan.start < 0 && plan.duration < 0 && plan.pause < 0)
    #expect((plan.loop, plan.background, plan.has_seed, plan.still) == (0, 0, 0, 0))
    #expect(plan.engine == nil && plan.camera == nil && plan.move == nil)
    #expect(plan.size == MemoryLayout<particles_plan>.size)
  }

  @Test("frames follow duration and rate, and each is shown for its part of a second")
  func rates() {
    withEffect { effect in
      for (seconds, rate, count) in [(0.5, 10.0, 5), (0.5, 30.0, 15), (1.0, 4.0, 4)] {
        let frames = frames(
          effect,
          Self.plan {
            ($0.width, $0.height, $0.start, $0.loop) = (8, 8, 0, CInt(PARTICLES_ONCE))
            ($0.duration, $0.frames_per_second, $0.pause) = (seconds, rate, 0)
          })
        #expect(frames.counts == Array(repeating: Int64(count), count: count))
        #expect(frames.seconds.allSatisfy { abs($0 - 1 / rate) < 0.011 })
      }
    }
  }

  @Test("a picture at second 0 is the start of the effect, one below 0 is when much is visible")
  func starts() {
    withEffect { effect in
      func visible(at start: Double) -> Int {
        var plan = Self.plan {
          ($0.width, $0.height, $0.start) = (32, 32, start)
          $0.background = CInt(PARTICLES_TRANSPARENT)
        }
        var pixels = [UInt8](repeating: 1, count: 32 * 32 * 4)
        #expect(particles_effect_draw(effect, &plan, &pixels, 32 * 4) == PARTICLES_OK)
        return stride(from: 3, to: pixels.count, by: 4).count { pixels[$0] > 0 }
      }
      #expect(visible(at: 0) == 0 && visible(at: 1) > 10 && visible(at: -1) > 10)
    }
  }

  @Test(
    "a row of a picture is at least its pixels, and the rest of a longer one is left alone",
    arguments: [(31, false), (32, true), (40, true), (1 << 31, true), (1 << 31 + 1, false)])
  func strides(stride: Int, isRight: Bool) {
    withEffect { effect in
      // One row: no stride is added to its address.
      var plan = Self.plan { ($0.width, $0.height) = (8, 1) }
      var pixels = [UInt8](repeating: 9, count: 40)
      let status = particles_effect_draw(effect, &plan, &pixels, stride)
      #expect(status == (isRight ? CInt(PARTICLES_OK) : CInt(PARTICLES_MISUSE)))
      #expect(pixels[32...].allSatisfy { $0 == 9 })
      #expect(pixels[..<32].allSatisfy { $0 == 9 } != isRight)
    }
  }

  @Test("a simulation counts the particles of one emitter, or of all")
  func counts() {
    withEffect { effect in
      var simulation: OpaquePointer?
      #expect(particles_simulation_new(effect, nil, nil, &simulation) == PARTICLES_OK)
      defer { particles_simulation_close(simulation) }
      #expect(particles_simulation_advance(simulation, 0.5) == PARTICLES_OK)
      func state(_ emitter: Int64) -> particles_simulation_state {
        var state = particles_simulation_state()
        state.size = MemoryLayout<particles_simulation_state>.size
        #expect(particles_simulation_describe(simulation, emitter, &state) == PARTICLES_OK)
        return state
      }
      let all = state(-1)
      let each = (0..<all.emitters).map(state)
      #expect(all.emitters > 1 && abs(all.time - 0.5) < 1e-6)
      #expect(each.allSatisfy { $0.emitted > 0 && $0.alive <= $0.emitted })
      #expect(each.reduce(0) { $0 + $1.alive } == all.alive)
      #expect(each.reduce(0) { $0 + $1.emitted } == all.emitted)
      #expect(particles_simulation_stop(simulation) == PARTICLES_OK)
      #expect(particles_simulation_advance(simulation, 30) == PARTICLES_OK)
      #expect(state(-1).alive == 0 && state(-1).emitted == all.emitted)
    }
  }

  @Test("a simulation advances by at most an hour at once, and by nothing if the time is refused")
  func times() {
    withEffect { effect in
      var simulation: OpaquePointer?
      #expect(particles_simulation_new(effect, nil, nil, &simulation) == PARTICLES_OK)
      defer { particles_simulation_close(simulation) }
      var (state, time) = (particles_simulation_state(), 0.0)
      state.size = MemoryLayout<particles_simulation_state>.size
      for seconds in [0, 0.25, 3600.5, -0.1, 0.001, 1.0 / 60] {
        let status = particles_simulation_advance(simulation, seconds)
        let isRight = (0...3600).contains(seconds)
        #expect(status == (isRight ? CInt(PARTICLES_OK) : CInt(PARTICLES_MISUSE)), "\(seconds)")
        if isRight { time += seconds }
        #expect(particles_simulation_describe(simulation, -1, &state) == PARTICLES_OK)
        #expect(abs(state.time - time) < 1e-6)
      }
    }
  }

  @Test("pictures of a simulation have the size of the first one")
  func sizes() {
    withEffect { effect in
      var simulation: OpaquePointer?
      #expect(particles_simulation_new(effect, nil, nil, &simulation) == PARTICLES_OK)
      defer { particles_simulation_close(simulation) }
      var pixels = [UInt8](repeating: 0, count: 32 * 32 * 4)
      for (width, height, status) in [
        (16, 16, PARTICLES_OK), (16, 15, PARTICLES_MISUSE), (15, 16, PARTICLES_MISUSE),
        (16, 17, PARTICLES_MISUSE), (16, 16, PARTICLES_OK),
      ] {
        var plan = Self.plan { ($0.width, $0.height) = (CInt(width), CInt(height)) }
        #expect(
          particles_simulation_draw(simulation, &plan, &pixels, 32 * 4) == CInt(status),
          "\(width) x \(height)")
      }
    }
  }
}
