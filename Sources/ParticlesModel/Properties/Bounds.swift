internal import ParticlesCore

/// The numbers that a property allows. Infinities and NaN are never allowed.
package struct Bounds: Sendable, Hashable {
  /// The minimum; nil for none.
  package var lower: Double?

  /// The maximum; nil for none.
  package var upper: Double?

  /// Whether ``lower`` itself is not allowed.
  package var excludesLower: Bool

  /// Creates bounds; the default allows every number.
  package init(lower: Double? = nil, upper: Double? = nil, excludesLower: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.excludesLower = excludesLower
  }

  /// Every number.
  package static let any = Bounds()
  /// 0 and more.
  package static let nonNegative = Bounds(lower: 0)
  /// More than 0.
  package static let positive = Bounds(lower: 0, excludesLower: true)
  /// 0 to 1.
  package static let fraction = Bounds(lower: 0, upper: 1)

  /// A closed range.
  package static func between(_ lower: Double, _ upper: Double) -> Bounds {
    Bounds(lower: lower, upper: upper)
  }

  /// This number and more.
  package static func atLeast(_ lower: Double) -> Bounds { Bounds(lower: lower) }

  /// Whether the number is allowed.
  package func contains(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    if let lower, excludesLower ? value <= lower : value < lower { return false }
    if let upper, value > upper { return false }
    return true
  }

  /// The allowed number that is nearest to another one; nil if there is none, as for NaN, and for a number at or below a
  /// minimum that is not allowed itself.
  package func nearest(to value: Double) -> Double? {
    guard !value.isNaN else { return nil }
    let most = Double.greatestFiniteMagnitude
    let nearest = max(min(value, upper ?? most), lower ?? -most)
    return contains(nearest) ? nearest : nil
  }
}

extension Bounds: CustomStringConvertible {
  /// "0 to 1", "at least 0", "more than 0" …
  package var description: String {
    let from = lower.map { (excludesLower ? "more than " : "at least ") + $0.plain }
    switch (lower, upper) {
    case (let lower?, let upper?) where !excludesLower: return "\(lower.plain) to \(upper.plain)"
    case (_, let upper?):
      return [from, "at most " + upper.plain].compactMap { $0 }.joined(separator: ", ")
    case (_, nil): return from ?? "a finite number"
    }
  }
}

extension Double {
  /// This number as messages show it: as in the document.
  var plain: String { isFinite ? json.line : description }
}
