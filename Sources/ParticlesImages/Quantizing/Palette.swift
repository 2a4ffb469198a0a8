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
  /// means of the boxes are moved by k-means. ``ColorPoint`` defines the distances.
  /// - Parameters:
  ///   - histogram: the pixels.
  ///   - count: the largest number of colours, 1 to 256.
  ///   - background: a colour that replaces the nearest colour, so that it is exact. 0 for none.
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
    colors = Set(points.map { $0.color }).sorted()
  }

  /// More rounds lower the error by less than 1 % each.
  private static let rounds = 2
}

/// A colour for comparison, and how many pixels have it. Its sRGB components, about uniform for the
/// eye, are weighted by how well the eye tells them apart.
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
  /// The components, in groups of eight. The last group is filled with the first point.
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

  /// Returns the number of the nearest point, or of the first if several are equally near.
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

  /// For each colour, returns the mean of the points that are nearest to it. A colour without such
  /// points is not changed.
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

/// Divides colours into boxes with little variance (X. Wu, 1991).
enum ColorBoxes {
  /// A box, and the best way to split it.
  private struct Box {
    var range: Range<Int>
    var sum: SIMD4<Double>
    /// How much the squared error sinks by the split, or 0 if all colours are in one cell.
    var gain = 0.0
    var axis = 0
    /// The cells below this one become the first part.
    var cut: Int32 = 0
  }

  static func split(_ points: [ColorPoint], into count: Int) -> [SIMD4<Float>] {
    var points = points
    return points.withUnsafeMutableBufferPointer { points in
      var bins = [SIMD4<Double>](repeating: .zero, count: 3 * side)
      var boxes = [measured(0..<points.count, of: points, &bins)]
      while boxes.count < count {
        var best = 0
        for index in boxes.indices where boxes[index].gain > boxes[best].gain { best = index }
        let box = boxes[best]
        guard box.gain > 0 else { break }
        // Colours below the cut come first.
        var middle = box.range.lowerBound
        for index in box.range where points[index].cell[box.axis] < box.cut {
          points.swapAt(index, middle)
          middle += 1
        }
        boxes[best] = measured(box.range.lowerBound..<middle, of: points, &bins)
        boxes.append(measured(middle..<box.range.upperBound, of: points, &bins))
      }
      return boxes.map { SIMD4(SIMD4($0.sum.x, $0.sum.y, $0.sum.z, 0) / $0.sum.w) }
    }
  }

  private static let side = 1 << ColorHistogram.bits

  /// Returns a box with its best split. This is the cut along one of the three axes after which the
  /// sums of both parts have the greatest squares.
  private static func measured(
    _ range: Range<Int>, of points: UnsafeMutableBufferPointer<ColorPoint>,
    _ bins: inout [SIMD4<Double>]
  ) -> Box {
    var box = Box(range: range, sum: .zero)
    var (least, most) = (SIMD4<Int32>(repeating: 63), SIMD4<Int32>(repeating: 0))
    bins.withUnsafeMutableBufferPointer { bins in
      for point in points[range] {
        var color = SIMD4<Double>(point.color3)
        color.w = 1
        color *= point.weight
        box.sum += color
        bins[Int(point.cell.x)] += color
        bins[side + Int(point.cell.y)] += color
        bins[2 * side + Int(point.cell.z)] += color
        least = pointwiseMin(least, point.cell)
        most = pointwiseMax(most, point.cell)
      }
      let whole = square(box.sum)
      for axis in 0..<3 {
        var below = SIMD4<Double>.zero
        for cell in least[axis]...most[axis] {
          let bin = axis * side + Int(cell)
          if below.w > 0 {
            let gain = square(below) + square(box.sum - below) - whole
            if gain > box.gain { (box.gain, box.axis, box.cut) = (gain, axis, cell) }
          }
          below += bins[bin]
          bins[bin] = .zero
        }
      }
    }
    return box
  }

  /// The squared length of a sum of colours, divided by the number of pixels.
  private static func square(_ sum: SIMD4<Double>) -> Double {
    sum.w > 0 ? (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z) / sum.w : 0
  }
}

/// Up to 256 different colours with their numbers: a hash table of fixed size.
package struct ExactColors {
  private static let bits = 10
  /// A colour in each place, or 0 for none. Colours are opaque and so never 0.
  private var table = [UInt32](repeating: 0, count: 1 << bits)
  private var numbers = [UInt16](repeating: 0, count: 1 << bits)

  /// The colours in the order in which they were added.
  private(set) var colors: [UInt32] = []

  /// Whether there were more colours than fit.
  package private(set) var isOverfull = false

  package init() {}

  init(_ colors: [UInt32]) {
    for color in colors { insert(color) }
  }

  /// Returns the place of a colour in the table, or the free place for it.
  @inline(__always)
  private func place(of color: UInt32) -> Int {
    var place = Int((color &* 0x9E37_79B1) >> UInt32(32 - Self.bits))
    while table[place] != color, table[place] != 0 { place = (place + 1) & ((1 << Self.bits) - 1) }
    return place
  }

  /// Adds a colour, unless 256 others are there.
  package mutating func insert(_ color: UInt32) {
    guard !isOverfull else { return }
    let place = place(of: color)
    guard table[place] == 0 else { return }
    guard colors.count < 256 else {
      isOverfull = true
      return
    }
    table[place] = color
    numbers[place] = UInt16(colors.count)
    colors.append(color)
  }

  /// Returns the number of a colour, or nil if it was not added.
  @inline(__always)
  func number(of color: UInt32) -> Int? {
    let place = place(of: color)
    return table[place] == color ? Int(numbers[place]) : nil
  }
}
