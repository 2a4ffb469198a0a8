extension Curve {
  /// The slopes of a cubic curve with tension, continuity and bias at its points (Kochanek and
  /// Bartels); nil if all of these are zero, as that is what a curve without slopes has.
  package static func slopes(
    through points: [(time: Double, value: Double)], _ tension: [Double], _ continuity: [Double],
    _ bias: [Double]
  ) -> [(before: Double, behind: Double)]? {
    guard (tension + continuity + bias).contains(where: { $0 != 0 }) else { return nil }
    func at(_ numbers: [Double], _ index: Int) -> Double {
      numbers.indices.contains(index) ? numbers[index] : 0
    }
    func slope(_ index: Int) -> Double? {
      guard index > 0, index < points.count, points[index].time > points[index - 1].time
      else { return nil }
      return (points[index].value - points[index - 1].value)
        / (points[index].time - points[index - 1].time)
    }
    let slopes = points.indices.map { index in
      let (t, c, b) = (at(tension, index), at(continuity, index), at(bias, index))
      let before = slope(index) ?? slope(index + 1) ?? 0
      let behind = slope(index + 1) ?? before
      return (
        before: (1 - t) / 2 * ((1 - c) * (1 + b) * before + (1 + c) * (1 - b) * behind),
        behind: (1 - t) / 2 * ((1 + c) * (1 + b) * before + (1 - c) * (1 - b) * behind)
      )
    }
    // Keys may be so close to each other that no number says how steep it is between them.
    return slopes.allSatisfy { $0.before.isFinite && $0.behind.isFinite } ? slopes : nil
  }
}
