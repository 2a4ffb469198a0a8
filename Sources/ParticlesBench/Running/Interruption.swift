internal import Synchronization
internal import ParticlesPlatform

/// The run was interrupted with control-C. The scratch folder, which may hold gigabytes, is removed.
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
