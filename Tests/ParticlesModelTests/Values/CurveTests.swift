import ParticlesModel
import Testing

struct CurveTests {
  /// The sizes that the fire template of SceneKit stores. Its newer form stores tangents too.
  private let fire = Curve(
    [
      CurveKey(0.00369318, 0.52737926), CurveKey(0.17144886, 0.32324219),
      CurveKey(0.41770241, 0.18762429), CurveKey(1, 0),
    ], .cubic)

  @Test func slopesAreThoseOfTheLineThroughTheNeighbours() {
    let expected = [-1.21685, -0.82066, -0.39013, -0.32221]
    for (index, slope) in expected.enumerated() {
      #expect(abs(fire.inSlope(index) - slope) < 3e-5)
      #expect(abs(fire.outSlope(index) - slope) < 3e-5)
    }
    // The stored tangents are slopes times the length of the piece.
    #expect(abs(fire.outSlope(1) * (0.41770241 - 0.17144886) - -0.2021) < 1e-4)
  }

  @Test func atNoTimeTheFirstKeyCounts() {
    #expect(fire.value(at: .nan) == 0.52737926)
  }

  @Test func cubicPiecesMeetTheirKeys() {
    for key in fire.keys { #expect(abs(fire.value(at: key.time) - key.value) < 1e-12) }
    let explicit = Curve(
      fire.keys.indices.map { index in
        CurveKey(
          fire.keys[index].time, fire.keys[index].value, inSlope: fire.inSlope(index),
          outSlope: fire.outSlope(index))
      }, .cubic)
    for step in 0...50 {
      #expect(
        abs(explicit.value(at: Double(step) / 50) - fire.value(at: Double(step) / 50)) < 1e-12)
    }
    // A parabola is its own spline if the slopes are right.
    let parabola = Curve(
      [CurveKey(0, 0, inSlope: 0, outSlope: 0), CurveKey(1, 1, inSlope: 2, outSlope: 2)], .cubic)
    #expect(abs(parabola.value(at: 0.3) - 0.09) < 1e-12)
  }

  @Test(arguments: [
    (Interpolation.linear, 0.5, 0.75), (.step, 0.5, 0.5), (.step, 1, 1), (.linear, -1, 0.5),
    (.linear, 7, 1),
  ])
  func pieces(interpolation: Interpolation, time: Double, value: Double) {
    let curve = Curve([CurveKey(0, 0.5), CurveKey(1, 1)], interpolation)
    #expect(curve.value(at: time) == value)
  }

  @Test(arguments: [(Extend.clamp, 1.0, 0.0), (.loop, 0.25, 0.75), (.mirror, 0.75, 0.25)])
  func extend(extend: Extend, behind: Double, before: Double) {
    let curve = Curve([CurveKey(0, 0), CurveKey(1, 1)], extend: extend)
    #expect(abs(curve.value(at: 1.25) - behind) < 1e-12)
    #expect(abs(curve.value(at: -0.25) - before) < 1e-12)
  }

  @Test func theLaterKeyCountsAtAJump() {
    let curve = Curve(through: [(0, 0), (0.5, 1), (0.5, 3), (1, 4)])
    #expect(curve.value(at: 0.25) == 0.5)
    #expect(curve.value(at: 0.5) == 3)
    #expect(curve.value(at: 0.75) == 3.5)
  }

  @Test func keysMayChooseTheirOwnInterpolation() {
    let curve = Curve([CurveKey(0, 0, interpolation: .step), CurveKey(0.5, 1), CurveKey(1, 2)])
    #expect(curve.value(at: 0.4) == 0)
    #expect(curve.value(at: 0.75) == 1.5)
  }

  @Test func oddCurvesAreHarmless() {
    #expect(Curve().value(at: 0.5) == 0)
    #expect(Curve.constant(3).value(at: .nan) == 3)
    #expect(fire.value(at: .infinity).isFinite)
    let unsorted = Curve([CurveKey(1, 0), CurveKey(0, 1), CurveKey(0.5, 2)], .cubic)
    for step in -10...20 { _ = unsorted.value(at: Double(step) / 10) }
    let still = Curve([CurveKey(0, 1), CurveKey(0, 2)], extend: .mirror)
    #expect(still.value(at: 4).isFinite)
  }
}
