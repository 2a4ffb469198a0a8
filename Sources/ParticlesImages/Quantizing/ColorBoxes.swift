/// Divides colours into boxes with little variance (X. Wu, 1991).
enum ColorBoxes {
  /// A box, and the best way to split it.
  private struct Box {
    var range: Range<Int>
    var sum: SIMD4<Double>
    /// How much the squared error sinks by the split; 0 if all colours are in one cell.
    var gain = 0.0
    var axis = 0
    /// The cells below this one become the first part.
    var cut: Int32 = 0
  }

  /// Returns the means of the boxes.
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

  /// Returns a box with its best split: of all cuts along the three axes, the one after which the sums
  /// of both parts have the greatest squares.
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
