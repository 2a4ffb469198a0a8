internal import ParticlesCore

/// At most 256 opaque colours: red | green << 8 | blue << 16 | 255 << 24.
package struct Palette: Sendable, Hashable {
  /// The colours.
  package var colors: [UInt32]

  /// Creates a palette of colours.
  package init(_ colors: some Sequence<UInt32>) { self.colors = Array(colors) }

  /// Chooses colours for the pixels of a histogram. If there are no more colours than that, they are
  /// kept exactly.
  ///
  /// Otherwise boxes of colours are split where that lowers the squared error most (Wu), and the
  /// means of the boxes are moved by k-means. Distances are those of ``ColorPoint``.
  /// - Parameters:
  ///   - histogram: the pixels.
  ///   - count: the largest number of colours, 1 to 256.
  ///   - background: a colour that replaces the nearest one, so that it is exact; 0 for none.
  package init(of histogram: ColorHistogram, count: Int, background: UInt32 = 0) {
    if histogram.hasAtMost(count) {
      colors = histogram.exact.colors.sorted()
      return
    }
    let counted = histogram.cells.map(ColorPoint.init)
    var search = NearestColor(ColorBoxes.split(counted, into: count))
    for _ in 0..<Self.rounds { search = NearestColor(search.means(of: counted)) }
    var points = search.points
    if background != 0 {
      let color = SIMD4<Float>(color: background)
      points[search.index(of: color)] = color
    }
    colors = Set(points.map(\.color)).sorted()
  }

  /// More rounds lower the error by less than 1 % each.
  private static let rounds = 2
}

/// A colour for comparison, and how many pixels have it: sRGB components, which are about uniform for
/// the eye, weighted by how well it tells them apart.
struct ColorPoint {
  /// Red, green and blue, each from 0 to 255 and multiplied by its weight.
  var color3: SIMD4<Float>
  /// The number of pixels.
  var weight: Double
  /// The components in cells of the histogram.
  var cell: SIMD4<Int32>

  static let weights = SIMD4<Float>(0.9, 1.15, 0.75, 0)

  init(_ cell: ColorHistogram.Cell) {
    let sums = SIMD4<Double>(Double(cell.red), Double(cell.green), Double(cell.blue), 0)
    color3 = SIMD4<Float>(sums / Double(cell.count)) * Self.weights
    weight = Double(cell.count)
    let key = Int32(cell.key)
    self.cell = SIMD4(key & 63, key >> 6 & 63, key >> 12, 0)
  }
}

extension SIMD4<Float> {
  /// The point of an opaque colour.
  init(color: UInt32) {
    self =
      SIMD4(Float(color & 255), Float(color >> 8 & 255), Float(color >> 16 & 255), 0)
      * ColorPoint.weights
  }

  /// The colour at this point, rounded.
  fileprivate var color: UInt32 {
    let plain = self / SIMD4(ColorPoint.weights.x, ColorPoint.weights.y, ColorPoint.weights.z, 1)
    let rounded = plain.rounded(.toNearestOrAwayFromZero)
    func byte(_ index: Int) -> UInt32 { UInt32(UInt8(saturating: rounded[index])) }
    return byte(0) | byte(1) << 8 | byte(2) << 16 | 255 << 24
  }
}

/// Finds the nearest colour of a palette, eight at a time.
struct NearestColor {
  let points: [SIMD4<Float>]
  /// The components, in groups of eight; the last group is filled with the first point.
  let red: [SIMD8<Float>]
  let green: [SIMD8<Float>]
  let blue: [SIMD8<Float>]

  init(_ points: [SIMD4<Float>]) {
    self.points = points
    func groups(_ component: Int) -> [SIMD8<Float>] {
      stride(from: 0, to: points.count, by: 8).map { start in
        var group = SIMD8<Float>(repeating: points[0][component])
        for place in 0..<min(8, points.count - start) {
          group[place] = points[start + place][component]
        }
        return group
      }
    }
    (red, green, blue) = (groups(0), groups(1), groups(2))
  }

  /// Returns the number of the nearest point; the first of several.
  @inline(__always)
  func index(of point: SIMD4<Float>) -> Int {
    let (x, y, z) = (
      SIMD8<Float>(repeating: point.x), SIMD8<Float>(repeating: point.y),
      SIMD8<Float>(repeating: point.z)
    )
    var best = SIMD8<Float>(repeating: .infinity)
    var groups = SIMD8<Int32>()
    red.withUnsafeBufferPointer { red in
      green.withUnsafeBufferPointer { green in
        blue.withUnsafeBufferPointer { blue in
          for group in 0..<red.count {
            let (r, g, b) = (red[group] - x, green[group] - y, blue[group] - z)
            let distance = r * r + g * g + b * b
            let isNearer = distance .< best
            best.replace(with: distance, where: isNearer)
            groups.replace(with: Int32(truncatingIfNeeded: group), where: isNearer)
          }
        }
      }
    }
    var lane = 0
    for other in 1..<8 where best[other] < best[lane] { lane = other }
    return Int(groups[lane]) * 8 + lane
  }

  /// Returns the means of the points that are nearest to each colour; colours that are nearest to
  /// none stay.
  func means(of weighted: [ColorPoint]) -> [SIMD4<Float>] {
    var sums = [SIMD4<Double>](repeating: .zero, count: points.count)
    for point in weighted {
      var color = SIMD4<Double>(point.color3)
      color.w = 1
      sums[index(of: point.color3)] += color * point.weight
    }
    return zip(points, sums).map { point, sum in
      sum.w > 0 ? SIMD4(SIMD4(sum.x, sum.y, sum.z, 0) / sum.w) : point
    }
  }
}
