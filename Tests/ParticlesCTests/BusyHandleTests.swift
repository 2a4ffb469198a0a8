import CParticlesInterface
import ParticlesC
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Synchronization
import Testing

/// Handles that two threads use, that callbacks use, and that are closed beside a call.
@Suite("Handles in use")
struct BusyHandleTests {
  /// A handle that other threads may have.
  private struct Shared: @unchecked Sendable { let pointer: OpaquePointer? }

  /// Calls of threads: how many succeeded, how many found the handle busy, and how many failed otherwise.
  private final class Outcomes: Sendable {
    let done = Atomic(0)
    let busy = Atomic(0)
    let others = Atomic(0)

    func note(_ status: CInt, of handle: OpaquePointer?) {
      if status == PARTICLES_OK {
        done.add(1, ordering: .relaxed)
      } else if status == PARTICLES_MISUSE, BusyHandleTests.code(of: handle) == "interface/busy" {
        busy.add(1, ordering: .relaxed)
      } else {
        others.add(1, ordering: .relaxed)
      }
    }
  }

  private static func code(of handle: OpaquePointer?) -> String? {
    var finding = particles_finding()
    finding.size = MemoryLayout<particles_finding>.size
    guard particles_error(UnsafeRawPointer(handle), &finding) == PARTICLES_OK else { return nil }
    return finding.code.map { String(cString: $0) }
  }

  /// Runs `body` on several threads at once and waits for their end.
  private func together(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
    try Parallel.forEach(threads, threads: threads, state: {}) { number, _ in body(number) }
  }

  @Test("of files that two threads put into one package, those that were accepted are there")
  func puts() throws {
    var package: OpaquePointer?
    #expect(particles_package_new(&package) == PARTICLES_OK)
    defer { particles_package_close(package) }
    let (shared, outcomes) = (Shared(pointer: package), Outcomes())
    try together(2) { thread in
      for number in 0..<400 {
        let status = particles_package_put(shared.pointer, "\(thread)/\(number)", "x", 1, 0)
        outcomes.note(status, of: shared.pointer)
      }
    }
    var state = particles_package_state()
    state.size = MemoryLayout<particles_package_state>.size
    #expect(particles_package_describe(package, &state) == PARTICLES_OK)
    let done = outcomes.done.load(ordering: .relaxed)
    // The folders are entries, too.
    #expect(done > 0 && state.entries - 2 <= Int64(done) && state.entries >= Int64(done))
    #expect(outcomes.others.load(ordering: .relaxed) == 0)
    #expect(done + outcomes.busy.load(ordering: .relaxed) == 800)
    #expect(Self.code(of: package) == nil)
  }

  @Test("two threads change one effect; every call is done or told that the effect is in use")
  func sets() throws {
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    defer { particles_effect_close(effect) }
    let (shared, outcomes) = (Shared(pointer: effect), Outcomes())
    try together(2) { thread in
      for number in 1...150 {
        let status =
          thread == 0
          ? particles_effect_set(shared.pointer, "emitters[0].emission.rate", "\(number)")
          : particles_effect_apply(shared.pointer, "emitters[1].emission.rate=\(number)")
        outcomes.note(status, of: shared.pointer)
      }
    }
    #expect(outcomes.done.load(ordering: .relaxed) > 0)
    #expect(outcomes.others.load(ordering: .relaxed) == 0)
    #expect(particles_effect_set(effect, "emitters[0].emission.rate", "7") == PARTICLES_OK)
  }

  @Test("a handle that is closed while calls use it is given back by the last of them")
  func closing() throws {
    for _ in 0..<10 {
      var effect: OpaquePointer?
      #expect(particles_effect_template("smoke", &effect) == PARTICLES_OK)
      let shared = Shared(pointer: effect)
      try together(3) { thread in
        if thread == 0 { return particles_effect_close(shared.pointer) }
        for _ in 0..<20 {
          let status = particles_effect_set(shared.pointer, "emitters[0].lifetime", "2")
          if status == PARTICLES_MISUSE, Self.code(of: shared.pointer) == nil { return }
        }
      }
      #expect(particles_effect_set(effect, "emitters[0].lifetime", "2") == PARTICLES_MISUSE)
      #expect(Self.code(of: effect) == nil)
    }
  }

  @Test("in its own callback, a handle is in use; closed there, it is closed when the call ends")
  func callbacks() throws {
    var effect: OpaquePointer?
    #expect(particles_effect_template("fire", &effect) == PARTICLES_OK)
    let context = UnsafeMutableRawPointer(effect)
    var plan = particles_plan()
    #expect(particles_plan_init(&plan, MemoryLayout<particles_plan>.size) == PARTICLES_OK)
    (plan.width, plan.height, plan.duration) = (16, 16, 0.2)
    let drawn = particles_effect_animate(
      effect, &plan,
      { context, frame, _, _, _ in
        let effect = OpaquePointer(context)
        let status = particles_effect_set(effect, "emitters[0].lifetime", "2")
        guard status == PARTICLES_MISUSE,
          BusyHandleTests.code(of: effect) == (frame == 0 ? "interface/busy" : nil)
        else { return 7 }
        particles_effect_close(effect)
        return 0
      }, context)
    #expect(drawn == PARTICLES_OK)
    #expect(particles_effect_set(effect, "emitters[0].lifetime", "2") == PARTICLES_MISUSE)
    #expect(Self.code(of: effect) == nil)
  }
}
