internal import ParticlesCore
internal import ParticlesPlatform

/// Laws that hold for every input. A broken one ends the process, which is what a fuzzer looks for.
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
    try? OpenFile.standardError.write(Array("particles-fuzz: broken law: \(law)\n".utf8))
    abort()
  }
}
