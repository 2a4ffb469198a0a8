#if FUZZING
  internal import ParticlesPlatform

  /// What libFuzzer calls with one input after the other. It brings a `main` of its own.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzer.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  }

  private enum Fuzzer {
    /// libFuzzer keeps the arguments for itself.
    static let target: FuzzTarget = {
      let name = getenv("PARTICLES_FUZZ_TARGET").map { String(cString: $0) } ?? ""
      guard let target = FuzzTarget.named(name) else {
        Law.broken("PARTICLES_FUZZ_TARGET names a target, not '\(name)'")
      }
      return target
    }()
  }
#endif
