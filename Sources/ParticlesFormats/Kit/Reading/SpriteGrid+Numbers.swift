internal import ParticlesModel

extension SpriteGrid {
  /// The grid that numbers of a file state, with at most 65,536 columns and rows; nil for a single frame.
  init?(columns: Double?, rows: Double?) {
    func whole(_ number: Double?) -> Int { Int(min(max(number ?? 1, 1), 65536)) }
    self.init(columns: whole(columns), rows: whole(rows))
    if self.columns == 1, self.rows == 1 { return nil }
  }
}
