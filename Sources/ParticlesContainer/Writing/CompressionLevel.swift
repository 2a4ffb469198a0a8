extension Container {
  /// How much work to spend on making a flat package small. Readers do not care.
  public enum CompressionLevel: String, Sendable, CaseIterable {
    /// A third faster than the default at 7 % more bytes.
    case fast
    /// What everything is measured with.
    case standard
    /// A few percent smaller, several times slower.
    case best

    /// The level of libdeflate.
    var deflateLevel: Int {
      switch self {
      case .fast: 1
      case .standard: 5
      case .best: 9
      }
    }
  }
}
