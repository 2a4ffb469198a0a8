internal import ParticlesCore
internal import ParticlesPlatform

/// Checks of laws that hold for every input. A broken law ends the process, so that the fuzzer
/// records the input.
enum Law {
  /// Ends the process unless the law holds.
  static func holds(_ law: @autoclosure () -> String, _ condition: Bool) {
    if !condition { broken(law()) }
  }

  /// The result of `body`, which must not throw.
  static func succeeds<Result>(_ law: String, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      broken("\(law), but: \(error)")
    }
  }

  static func broken(_ law: String) -> Never {
    // An optimised build would not print the message of a precondition.
    try? OpenFile.standardError.write(Array("ParticlesFuzz: broken law: \(law)\n".utf8))
    abort()
  }
}
