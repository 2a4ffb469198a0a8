#if FUZZING
  internal import ParticlesPlatform

  /// The function that libFuzzer calls for each input. libFuzzer contains `main`.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzer.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  }

  private enum Fuzzer {
    /// The target comes from the environment because libFuzzer parses the arguments.
    static let target: FuzzTarget = {
      let name = getenv("PARTICLES_FUZZ_TARGET").map { String(cString: $0) } ?? ""
      guard let target = FuzzTarget.named(name) else {
        Law.broken("PARTICLES_FUZZ_TARGET names a target, not '\(name)'")
      }
      return target
    }()
  }
#endif
