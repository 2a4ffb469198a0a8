/// Eight numbers of neighbouring particles, one for each lane.
typealias Lanes = SIMD8<Float>

extension Lanes {
  static let width = 8
  static let zeros = Lanes(repeating: 0)
  static let ones = Lanes(repeating: 1)

  init(_ number: Double) { self.init(repeating: Float(number)) }

  /// Each lane, within two bounds.
  func clamped(_ lower: Lanes, _ upper: Lanes) -> Lanes {
    pointwiseMax(pointwiseMin(self, upper), lower)
  }
}
