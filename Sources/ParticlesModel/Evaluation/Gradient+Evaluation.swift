extension Gradient {
  /// The colour at `time`; white where there is neither a key nor a curve. Outside of the keys the
  /// nearest one counts, at a jump the later one. The keys must be in ascending order.
  public func color(at time: Double) -> ParticleSystem.Color {
    var color = keyColor(at: time)
    if let red { color.red = red.value(at: time) }
    if let green { color.green = green.value(at: time) }
    if let blue { color.blue = blue.value(at: time) }
    if let alpha { color.alpha = alpha.value(at: time) }
    return color
  }

  private func keyColor(at time: Double) -> Color {
    guard let first = keys.first, let last = keys.last else { return .white }
    let next = keys.index(after: time, by: { $0.time })
    guard next > 0, !time.isNaN else { return first.color }
    guard next < keys.count else { return last.color }
    let (a, b) = (keys[next - 1], keys[next])
    let length = b.time - a.time
    let x = (time - a.time) / length
    switch interpolation {
    case .step: return a.color
    case .linear:
      let (from, to) = (space.components(of: a.color), space.components(of: b.color))
      return space.color(of: zip(from, to).map { $0 + ($1 - $0) * x })
    case .cubic:
      // Only the two keys and their neighbours matter.
      let near = Array(keys[max(next - 2, 0)...min(next + 1, keys.count - 1)])
      let points = near.map { (time: $0.time, values: space.components(of: $0.color)) }
      let start = next == 1 ? 0 : 1
      return space.color(
        of: (0..<4).map { channel in
          func point(_ index: Int) -> (Double, Double) {
            (points[index].time, points[index].values[channel])
          }
          return hermite(
            x, from: point(start).1,
            slope: centralSlope(points.count, start, point).behind * length,
            to: point(start + 1).1,
            slope: centralSlope(points.count, start + 1, point).before * length)
        })
    }
  }
}
