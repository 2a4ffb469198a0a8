extension Validator {
  /// The resources that an effect may use without a warning.
  public struct Budget: Sendable, Hashable {
    /// The greatest number of particles alive at once in all emitters (default 20,000, which one
    /// processor core can simulate at 60 frames a second).
    public var particles = 20_000

    /// The bytes of all decoded images at 4 bytes a pixel (default 64 MiB, the size of one 4096 ×
    /// 4096 texture).
    public var textureBytes = 64 << 20

    /// Creates the default budget.
    public init() {}

    /// The default budget.
    public static let standard = Budget()
  }
}
