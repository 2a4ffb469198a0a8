/// Thresholds for ordered dithering, from 0 to 1 (both excluded), repeated over the plane.
///
/// They are blue noise: for each level, the places below it are spread evenly and without a pattern. The
/// matrix is the same for all frames, so that colours that do not change do not flicker.
package struct DitherMatrix: Sendable {
  /// The number of thresholds in a row and a column; a power of two.
  package static let side = 32

  /// The matrix.
  package static let blueNoise = DitherMatrix()

  /// `side` × `side` thresholds, row by row.
  package let thresholds: [Float]

  /// Places one threshold after the other where the weighted sum of those already placed is least
  /// (after R. Ulichney, "The void-and-cluster method for dither array generation", 1993).
  private init() {
    let side = Self.side
    let count = side * side
    // The weight of a place at each distance; distances wrap around.
    let weights = (0..<count).map { place in
      let (x, y) = (place % side, place / side)
      let (dx, dy) = (Float(min(x, side - x)), Float(min(y, side - y)))
      // A bell: (1 − x ÷ 64)⁶⁴ is nearly exp(−x), and the same on every machine.
      var weight = max(0, 1 - (dx * dx + dy * dy) / (2 * 1.9 * 1.9 * 64))
      for _ in 0..<6 { weight *= weight }
      return weight
    }
    // Small different numbers, so that the first places are irregular.
    var energy = (0..<count).map { Float((UInt32($0) &* 2_654_435_769) >> 16) * 1e-7 }
    var thresholds = [Float](repeating: 0, count: count)
    for rank in 0..<count {
      var least = 0
      for place in 1..<count where energy[place] < energy[least] { least = place }
      thresholds[least] = (Float(rank) + 0.5) / Float(count)
      energy[least] = .infinity
      let (x, y) = (least % side, least / side)
      for row in 0..<side {
        let weightRow = (row - y) & (side - 1)
        for column in 0..<side {
          energy[row * side + column] += weights[weightRow * side + (column - x) & (side - 1)]
        }
      }
    }
    self.thresholds = thresholds
  }
}
