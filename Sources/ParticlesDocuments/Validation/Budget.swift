extension Validator {
  /// What an effect may ask of the machine that shows it before validation warns.
  public struct Budget: Sendable, Hashable {
    /// Particles alive at once, those of all emitters together (default 20,000): what a processor
    /// moves sixty times a second without doing much else.
    public var particles = 20_000

    /// Bytes of all images, decoded with 4 bytes for each pixel (default 64 MiB): what a 4096 ×
    /// 4096 texture takes.
    public var textureBytes = 64 << 20

    /// Creates the default budget.
    public init() {}

    /// The default budget.
    public static let standard = Budget()
  }
}
