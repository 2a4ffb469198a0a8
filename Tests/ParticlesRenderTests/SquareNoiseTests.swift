import Testing

@testable import ParticlesRender

/// The variance of squared mean differences, by hand: of n differences with mean m and residuals r, the mean varies by
/// Σ r² / (n (n - 1)), and its square by (2 m)² times that.
@Suite("Noise of squared differences")
struct SquareNoiseTests {
  private static func variance(_ frames: [(differences: [Double?], weight: Double)]) -> Double {
    var noise = SquareNoise(frames.first?.differences.count ?? 0)
    for frame in frames {
      noise.add(
        frame.differences, known: frame.differences.compactMap(\.self), weight: frame.weight)
    }
    return noise.variance
  }

  @Test("the slope of the square")
  func slope() {
    // m = 2 and Σ r² = 2 of three: 4 · 2² · (2 / 6) = 16 / 3, times the square of the weight.
    #expect(abs(Self.variance([([1, 2, 3], 1)]) - 16.0 / 3) < 1e-12)
    #expect(abs(Self.variance([([1, 2, 3], 2)]) - 64.0 / 3) < 1e-12)
    // A pair without a difference has no part in it.
    #expect(abs(Self.variance([([1, nil, 3], 1)]) - Self.variance([([1, 3, nil], 1)])) < 1e-12)
    // m = 2 and Σ r² = 2 of two: 4 · 2² · (2 / 2) = 16.
    #expect(abs(Self.variance([([1, nil, 3], 1)]) - 16) < 1e-12)
  }

  @Test("frames with the same particles vary together: twice as much is four times the variance")
  func frames() {
    let one = Self.variance([([10, 12, 14, 11], 1)])
    #expect(abs(Self.variance([([10, 12, 14, 11], 1), ([10, 12, 14, 11], 1)]) - 4 * one) < 1e-9)
    // Where two series vary in opposite directions, only the curvature is left.
    let opposed = Self.variance([([10, 12, 14, 12], 1), ([14, 12, 10, 12], 1)])
    #expect(opposed < one / 10)
  }

  @Test("where the mean difference is 0, the variance is that of the squares")
  func curvature() {
    // Σ of squares of products 4/36, trace 1/3: 4/((2+2)(2-1)) · (4/36 - 1/18) · 2 · (1 + 4/2).
    #expect(abs(Self.variance([([-1, 0, 1], 1)]) - 1.0 / 3) < 1e-12)
  }

  @Test("nothing varies with one difference, without any, and without pairs")
  func none() {
    #expect(Self.variance([([5], 1)]) == 0)
    #expect(Self.variance([([5, nil], 1)]) == 0)
    #expect(Self.variance([]) == 0)
    #expect(Self.variance([([3, 3, 3], 1)]) == 0)
  }
}
