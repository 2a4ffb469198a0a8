internal import ParticlesCore

/// An RGB colour space, defined by its conversion to linear sRGB.
package struct RGBSpace: Sendable {
  /// The transfer function: from an encoded component to linear light.
  var linear: @Sendable (Double) -> Double

  /// From linear light in this space to linear sRGB: rows of a matrix, or nil if components are
  /// sRGB and are not converted.
  var matrix: [[Double]]?

  /// Whether clamping is reported. It is not for spaces that the programs of the format clamp as
  /// well.
  package var reportsClamping = true

  /// Returns components converted to sRGB, and the largest amount by which one was clamped to 0…1.
  ///
  /// Converted values are rounded to six digits, more than archives store.
  package func sRGB(_ components: [Double]) -> (color: [Double], clamped: Double) {
    var clamped = 0.0
    guard let matrix else {
      clamped = components.reduce(0) { max($0, -$1) }
      return (components.map { max($0, 0) }, clamped)
    }
    let light = components.map(linear)
    let color = matrix.map { row -> Double in
      // Normalise rows whose sum is nearly 1, so that white stays exactly white.
      let sum = row.reduce(0, +)
      let scale = abs(sum - 1) < 0.01 ? sum : 1
      let value = Self.encode(zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } / scale)
      guard value.isFinite else { return 0 }
      let inside = min(max(value, 0), 1)
      clamped = max(clamped, abs(value - inside))
      return (inside * 1e6).rounded() / 1e6
    }
    return (color, clamped)
  }

  /// The transfer function of sRGB, mirrored for negative light.
  static func encode(_ light: Double) -> Double {
    let value = abs(light)
    let encoded = value <= 0.003_130_8 ? 12.92 * value : 1.055 * power(value, 1 / 2.4) - 0.055
    return light < 0 ? -encoded : encoded
  }

  /// The inverse of ``encode(_:)``.
  static func decode(_ encoded: Double) -> Double {
    let value = abs(encoded)
    let light = value <= 0.040_45 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
    return encoded < 0 ? -light : light
  }

  private static func gamma(_ exponent: Double) -> @Sendable (Double) -> Double {
    { $0 <= 0 ? 0 : power($0, exponent) }
  }

  /// Apple's Generic RGB, the default space of archived colours: gamma 1.8. The matrix was fitted
  /// to colours that archives contain in both spaces.
  package static let genericRGB = RGBSpace(
    linear: gamma(1.8),
    matrix: [
      [1.02517, -0.02657, 0.00115], [0.01941, 0.94796, 0.03274], [-0.00177, -0.00141, 1.00309],
    ], reportsClamping: false)

  /// Converts sRGB components to Generic RGB, clamped to 0…1 and rounded to ten digits,
  /// as AppKit writes them.
  package static func genericRGB(fromSRGB components: [Double]) -> [Double] {
    // Rows normalised to a sum of 1, so that white stays white.
    let m = (genericRGB.matrix ?? identity).map { row in row.map { $0 / row.reduce(0, +) } }
    /// Returns the cofactor of an element of the matrix.
    func cofactor(_ row: Int, _ column: Int) -> Double {
      let (r, s) = ((row + 1) % 3, (row + 2) % 3)
      let (c, d) = ((column + 1) % 3, (column + 2) % 3)
      return m[r][c] * m[s][d] - m[r][d] * m[s][c]
    }
    let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * cofactor(0, $1) }
    let light = components.map(decode)
    return (0..<3).map { row in
      let value = (0..<3).reduce(0) { $0 + cofactor($1, row) * light[$1] } / determinant
      return (power(min(max(value, 0), 1), 1 / 1.8) * 1e10).rounded() / 1e10
    }
  }

  /// Apple's Generic Gray: gamma 1.8, with the white of sRGB.
  package static let genericGray = RGBSpace(linear: gamma(1.8), matrix: identity)

  /// Generic Gray of gamma 2.2, approximated by sRGB: components are not converted.
  package static let gray22 = sRGB

  /// sRGB.
  package static let sRGB = RGBSpace(linear: { $0 }, matrix: nil)

  /// Display P3, with the transfer function of sRGB and wider primaries.
  package static let displayP3 = RGBSpace(
    linear: { decode($0) },
    matrix: [[1.22494, -0.22494, 0], [-0.04206, 1.04206, 0], [-0.01964, -0.07864, 1.09827]])

  private static let identity: [[Double]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
}
