internal import ParticlesPlatform
internal import Synchronization

/// Somebody pressed control-C. Gigabytes of scratch should not stay behind then.
struct Interruption: Error {
  private static let seen = Atomic(false)

  /// From now on, an interrupt is remembered until ``check()``.
  static func watch() {
    signal(SIGINT) { _ in Interruption.seen.store(true, ordering: .relaxed) }
  }

  /// Throws if there was an interrupt.
  static func check() throws {
    if seen.load(ordering: .relaxed) { throw Interruption() }
  }
}
