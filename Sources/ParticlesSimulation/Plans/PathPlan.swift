internal import ParticlesModel

/// Motion along a polyline or the graph of a formula.
struct PathPlan {
  let points: [Vector]
  /// The length of the path up to each point.
  let lengths: [Double]
  /// How far to the right the path is, depending on how far ahead; used without points.
  let formula: PathFormula?
  /// Columns of the place and the speed at emission.
  let (x, y, z, speed): (Int, Int, Int, Int)
  /// The column of the length of the way so far; nil where the speed does not change.
  let way: Int?

  init?(_ path: MotionPath, isSpeedChanging: Bool, in layout: inout ColumnLayout) {
    formula = path.points.isEmpty ? path.expression.flatMap { try? PathFormula($0) } : nil
    guard !path.points.isEmpty || formula != nil else { return nil }
    points = path.points
    var sum = 0.0
    lengths =
      [0]
      + zip(points, points.dropFirst()).map { from, to in
        sum += (to - from).length
        return sum
      }
    (x, y, z, speed) = (layout.column(), layout.column(), layout.column(), layout.column())
    way = isSpeedChanging ? layout.column() : nil
  }

  /// The point at a length; past the end of a polyline, its last one.
  func point(at length: Double) -> Vector {
    if let formula { return Vector(length, -formula.value(at: length)) }
    var (next, end) = (0, lengths.count)
    while next < end {
      let middle = (next + end) / 2
      if lengths[middle] > length { end = middle } else { next = middle + 1 }
    }
    guard next < lengths.count else { return points[points.count - 1] }
    guard next > 0 else { return points[0] }
    let share = (length - lengths[next - 1]) / (lengths[next] - lengths[next - 1])
    return points[next - 1] + (points[next] - points[next - 1]) * share
  }
}
