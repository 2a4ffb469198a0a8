extension Curve {
  /// The value at `time`; 0 if the curve has no keys; that of the first key if `time` is NaN.
  ///
  /// At a jump the later of the two keys counts. The keys must be in ascending order; otherwise the
  /// result is undefined.
  public func value(at time: Double) -> Double {
    guard let first = keys.first, let last = keys.last else { return 0 }
    guard keys.count > 1, !time.isNaN else { return first.value }
    let time = extend.map(time, first: first.time, last: last.time)
    let next = keys.index(after: time, by: { $0.time })
    guard next > 0 else { return first.value }
    guard next < keys.count else { return last.value }
    let (a, b) = (keys[next - 1], keys[next])
    let x = (time - a.time) / (b.time - a.time)
    switch a.interpolation ?? interpolation {
    case .step: return a.value
    case .linear: return a.value + (b.value - a.value) * x
    case .cubic:
      let length = b.time - a.time
      return hermite(
        x, from: a.value, slope: outSlope(next - 1) * length,
        to: b.value, slope: inSlope(next) * length)
    }
  }

  /// The slope of the curve before a key: its own, or that of the line through the neighbours; at
  /// an end or a jump, of the line through the only neighbour.
  /// - Precondition: `index` is that of a key.
  public func inSlope(_ index: Int) -> Double {
    keys[index].inSlope
      ?? centralSlope(keys.count, index) { (keys[$0].time, keys[$0].value) }.before
  }

  /// The slope of the curve after a key; see ``inSlope(_:)``.
  /// - Precondition: `index` is that of a key.
  public func outSlope(_ index: Int) -> Double {
    keys[index].outSlope
      ?? centralSlope(keys.count, index) { (keys[$0].time, keys[$0].value) }.behind
  }

  /// The minimum and maximum value of the keys; nil if there are none. Cubic pieces may leave this
  /// interval.
  public var keyRange: ParticleSystem.Interval? {
    guard let least = keys.map({ $0.value }).min(), let most = keys.map({ $0.value }).max() else {
      return nil
    }
    return Interval(least, most)
  }
}

/// The cubic polynomial over 0…1 with these values and slopes at its ends.
func hermite(
  _ x: Double, from a: Double, slope p: Double, to b: Double, slope q: Double
) -> Double {
  let (x2, x3) = (x * x, x * x * x)
  return a * (2 * x3 - 3 * x2 + 1) + p * (x3 - 2 * x2 + x) + b * (3 * x2 - 2 * x3)
    + q * (x3 - x2)
}

/// The slopes of a smooth curve before and behind a point: that of the line through both its
/// neighbours, or, where there is only one or a jump on the other side, of the line to that one.
func centralSlope(
  _ count: Int, _ index: Int, _ point: (Int) -> (time: Double, value: Double)
) -> (before: Double, behind: Double) {
  func slope(_ first: Int, _ last: Int) -> Double? {
    guard first >= 0, last < count else { return nil }
    let (a, b) = (point(first), point(last))
    return b.time > a.time ? (b.value - a.value) / (b.time - a.time) : nil
  }
  let (before, behind) = (slope(index - 1, index), slope(index, index + 1))
  if before != nil, behind != nil, let central = slope(index - 1, index + 1) {
    return (central, central)
  }
  return (before ?? behind ?? 0, behind ?? before ?? 0)
}

extension Array {
  /// The index of the first element whose `time` is greater, in an array in ascending order.
  func index(after time: Double, by key: (Element) -> Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
