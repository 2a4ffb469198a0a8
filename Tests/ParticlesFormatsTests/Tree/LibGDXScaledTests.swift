import ParticlesModel
import Testing

@testable import ParticlesFormats

/// Blocks of libGDX with two ranges and a curve between them, as values and tracks.
@Suite struct LibGDXScaledTests {
  @Test func withoutACurveTheHighRangeIsTheValue() {
    let scaled = LibGDXScaled(low: .range(1, 2), high: .range(3, 4))
    #expect(!scaled.isCurve)
    #expect(scaled.track == Track(.range(3, 4)))
    #expect(scaled.value(.cycle) == .range(3, 4, scope: .cycle))
    var low = scaled
    low.points = [(0, 0)]
    #expect(low.track == Track(.range(1, 2)))
  }

  @Test func aRelativeRangeIsAddedToTheLowOne() {
    var scaled = LibGDXScaled(low: 10, high: .range(1, 2), isRelative: true)
    scaled.points = [(0, 0), (1, 1)]
    #expect(scaled.track == Track(from: 10, to: .range(11, 12)))
    scaled.low = .range(10, 20)
    #expect(scaled.track == Track(from: .range(10, 20), to: .range(1, 2), relative: true))
  }

  @Test func theFirstPointIsTheStart() {
    var scaled = LibGDXScaled(low: 0, high: 10)
    scaled.points = [(0, 1), (0.5, 0), (1, 0.5)]
    #expect(scaled.isCurve)
    #expect(scaled.first == 10)
    #expect(scaled.track.curve.value(at: 0.75) == 0.25)
  }
}
