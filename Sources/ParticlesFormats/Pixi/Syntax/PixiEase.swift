internal import ParticlesCore
internal import ParticlesModel

/// An easing function: segments of equal length, each a parabola through its start and end.
struct PixiEase {
  private let function: @Sendable (Double) -> Double
  /// The number of segments.
  private let count: Int

  /// Reads a list of at most 64 segments, the form that a file can have.
  init?(_ value: JSONValue) {
    guard let segments = value.array, !segments.isEmpty, segments.count <= 64 else { return nil }
    let parts = segments.map { part in
      ["s", "cp", "e"].map { part[$0]?.double ?? 0 }
    }
    count = parts.count
    function = { x in
      let place = x * Double(parts.count)
      let index = min(max(Int(saturating: place), 0), parts.count - 1)
      let (t, part) = (place - Double(index), parts[index])
      return part[0] + t * (2 * (1 - t) * (part[1] - part[0]) + t * (part[2] - part[0]))
    }
  }

  private init(count: Int, function: @escaping @Sendable (Double) -> Double) {
    (self.count, self.function) = (count, function)
  }

  /// This function, and then another one.
  func followed(by next: PixiEase) -> PixiEase {
    let (first, second) = (function, next.function)
    return PixiEase(count: min(count * next.count, 64)) { second(min(max(first($0), 0), 1)) }
  }

  /// The function as a curve.
  var curve: Curve { .through(8 * count, function) }

  /// Whether the function never returns to lower values.
  var isMonotonic: Bool {
    let values = (0...32 * count).map { function(Double($0) / Double(32 * count)) }
    return zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 }
  }

  /// Points of a list as version 3 of the engine reads it: it never returns to an earlier segment of the list, but
  /// extends the line of the one that it has reached (`PropertyList.ts`, `intValueComplex`).
  /// - Parameter times: the times of the values, at least two.
  /// - Returns: for each moment the segment, and where on its line the value is.
  func advancing(_ times: [Double], isStepped: Bool) -> [(time: Double, index: Int, share: Double)]
  {
    var index = 0
    let last = isStepped ? times.count - 1 : times.count - 2
    return (0...32 * count).map { number in
      let time = Double(number) / Double(32 * count)
      let place = function(time)
      while index < last, place > times[index + 1] { index += 1 }
      guard !isStepped else { return (time, index, 0) }
      let length = times[index + 1] - times[index]
      return (time, index, length > 0 ? (place - times[index]) / length : 0)
    }
  }

  /// A gradient whose times are those of the function.
  func applied(to gradient: Gradient) -> Gradient { gradient.eased(parts: count, by: function) }
}
