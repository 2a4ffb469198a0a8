internal import ParticlesCore
internal import ParticlesModel

/// The lines of a polyline, ready for points at fractions of their length.
///
/// The lengths are added once: an emission takes no longer with many lines than with few.
struct PolylinePlan {
  /// The points of all lines, one list after the other.
  private let points: [Vector]
  /// The length of all lines up to each point; empty for points only. Nothing is between two lists.
  private let lengths: [Double]

  /// The lines of a shape; nil if it is no polyline.
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

  /// The point at a fraction of the whole length, or the one with this share of all numbers.
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
