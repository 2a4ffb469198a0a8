internal import ParticlesCore
internal import ParticlesModel

extension Gradient {
  /// This gradient with times that are those of an easing function.
  /// - Parameters:
  ///   - parts: the number of parts of the function, each of which is sampled at 16 points.
  ///   - function: a function from 0…1; results beyond 0…1 are clamped.
  func eased(parts: Int, by function: (Double) -> Double) -> Gradient {
    func unit(_ x: Double) -> Double { min(max(function(x), 0), 1) }
    let isStepped = interpolation == .step
    let steps = (isStepped ? 64 : 16) * parts
    var found: [GradientKey] = []
    func add(_ time: Double, _ color: Color) {
      guard found.last.map({ $0.color != color || $0.time < time && !isStepped }) ?? true else {
        return
      }
      // Of equal colours in a row, the first and the last are enough.
      if found.count > 1, found.suffix(2).allSatisfy({ $0.color == color }) { found.removeLast() }
      found.append(GradientKey(time.rounded, color))
    }
    for index in 0..<steps {
      let (start, end) = (Double(index) / Double(steps), Double(index + 1) / Double(steps))
      let (low, high) = (unit(start), unit(end))
      if index == 0 || !isStepped { add(start, color(at: low)) }
      // The keys of the gradient that lie between.
      let between = keys.filter {
        isStepped
          ? min(low, high) < $0.time && $0.time <= max(low, high)
          : min(low, high) < $0.time && $0.time < max(low, high)
      }
      for key in low < high ? between : between.reversed() {
        let time = start + (key.time - low) / (high - low) * (end - start)
        // Backwards, a step returns to the key before.
        let before = keys.last { $0.time < key.time }?.color ?? key.color
        add(time, isStepped && high < low ? before : key.color)
      }
    }
    if !isStepped { add(1, color(at: unit(1))) }
    var eased = self
    eased.keys = found
    return eased
  }
}
