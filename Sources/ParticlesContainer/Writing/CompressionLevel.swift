extension Container {
  /// The compression of a flat package. Every reader reads every level.
  public enum CompressionLevel: String, Sendable, CaseIterable {
    /// A third faster than `standard`, 7 % larger.
    case fast
    /// The default.
    case standard
    /// About 4 % smaller than `standard`, ten to twenty times slower.
    case best

    /// The level of libdeflate.
    var deflateLevel: Int {
      switch self {
      case .fast: 1
      case .standard: 5
      case .best: 12
      }
    }
  }
}
