internal import ParticlesCore
internal import ParticlesModel

/// Motion along a polyline or the graph of a formula.
struct PathPlan {
  let points: [Vector]
  /// The length of the path up to each point.
  let lengths: [Double]
  /// How far to the right the path is, depending on how far ahead. Used only if there are no points.
  let formula: PathFormula?
  /// Columns of the place and the speed at emission.
  let (x, y, z, speed): (Int, Int, Int, Int)
  /// The column of the distance travelled so far, or nil if the speed does not change.
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

  /// The point at a length. Beyond the end of a polyline, the last point.
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

/// The lines of a polyline, ready for points at fractions of their length.
///
/// The lengths are added once: an emission takes no longer with many lines than with few.
struct PolylinePlan {
  /// The points of all lines, list after list.
  private let points: [Vector]
  /// The length of all lines up to each point, or empty for points without lines. Gaps between lists have length 0.
  private let lengths: [Double]

  /// Prepares the lines of a shape. Returns nil if the shape is not a polyline.
  init?(_ shape: Shape) {
    guard shape.kind == .polyline else { return nil }
    guard shape.placement != .vertices, shape.points.contains(where: { $0.count > 1 }) else {
      (points, lengths) = (Array(shape.points.joined()), [])
      return
    }
    var points: [Vector] = []
    var lengths: [Double] = []
    var whole = 0.0
    for list in shape.points where list.count > 1 {
      for (index, point) in list.enumerated() {
        if index > 0 { whole += (point - list[index - 1]).length }
        points.append(point)
        lengths.append(whole)
      }
      guard shape.closed, list.count > 2 else { continue }
      whole += (list[0] - list[list.count - 1]).length
      points.append(list[0])
      lengths.append(whole)
    }
    (self.points, self.lengths) = (points, lengths)
  }

  /// The point at a fraction of the whole length, 0…1. Without lines, the point at this fraction of the list.
  func point(at part: Double) -> ShapePoint {
    guard !points.isEmpty else { return ShapePoint(place: .zero, normal: .up) }
    guard let whole = lengths.last else {
      let index = min(Int(saturating: part * Double(points.count)), points.count - 1)
      return ShapePoint(place: points[index], normal: .up)
    }
    let way = part * whole
    var (next, end) = (1, lengths.count)
    while next < end {
      let middle = (next + end) / 2
      if lengths[middle] > way { end = middle } else { next = middle + 1 }
    }
    let isPast = next == lengths.count
    if isPast { next -= 1 }
    let line = points[next] - points[next - 1]
    let length = line.length
    let share = isPast ? 1 : (way - lengths[next - 1]) / length
    let direction = line.direction ?? Vector(1, 0)
    return ShapePoint(
      place: points[next - 1] + line * (length > 0 ? min(share, 1) : 0),
      normal: Vector(-direction.y, direction.x))
  }
}

extension PathFormula {
  /// The value at `x`, or 0 if the result is not finite.
  func value(at x: Double) -> Double {
    let value = withUnsafeTemporaryAllocation(of: Double.self, capacity: steps.count) { stack in
      var count = 0
      for step in steps {
        switch step {
        case .number(let number):
          stack[count] = number
          count += 1
        case .x:
          stack[count] = x
          count += 1
        case .negation: stack[count - 1] = -stack[count - 1]
        case .unary(let function): stack[count - 1] = function(stack[count - 1])
        case .binary(let function):
          count -= 1
          stack[count - 1] = function(stack[count - 1], stack[count])
        }
      }
      return stack[0]
    }
    return value.isFinite ? value : 0
  }
}

extension PathFormula.UnaryFunction {
  fileprivate func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .sin: return sineAndCosine(degrees: x * 180 / .pi).sine
    case .cos: return sineAndCosine(degrees: x * 180 / .pi).cosine
    case .tan:
      let (sine, cosine) = sineAndCosine(degrees: x * 180 / .pi)
      return sine / cosine
    case .abs: return x.magnitude
    case .sqrt: return x.squareRoot()
    case .floor: return x.rounded(.down)
    case .ceil: return x.rounded(.up)
    case .round: return (x + 0.5).rounded(.down)
    case .sign: return x > 0 ? 1 : x < 0 ? -1 : 0
    }
  }
}

extension PathFormula.BinaryFunction {
  fileprivate func callAsFunction(_ x: Double, _ y: Double) -> Double {
    switch self {
    case .min: Swift.min(x, y)
    case .max: Swift.max(x, y)
    case .pow: Self.power(x, y)
    case .sum: x + y
    case .difference: x - y
    case .product: x * y
    case .quotient: x / y
    }
  }

  /// A power with a whole exponent of magnitude 64 or less. Any other exponent gives NaN.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    guard exponent == exponent.rounded(), exponent.magnitude <= 64 else { return .nan }
    let product = (0..<Int(saturating: exponent.magnitude)).reduce(1.0) { product, _ in
      product * base
    }
    return exponent < 0 ? 1 / product : product
  }
}
