internal import ParticlesCore
internal import ParticlesModel

extension SpriteGrid {
  /// The grid that numbers of a file state, with at most 65,536 columns and rows; nil for a single frame.
  init?(columns: Double?, rows: Double?) {
    self.init(columns: Self.whole(columns ?? 1), rows: Self.whole(rows ?? 1))
    if self.columns == 1, self.rows == 1 { return nil }
  }

  static func whole(_ number: Double) -> Int { Int(saturating: min(max(number, 1), 65536)) }
}
