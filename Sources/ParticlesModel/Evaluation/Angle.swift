internal import ParticlesCore
internal import ParticlesPlatform

/// Angles in the plane, which most formats store in radians.
package enum Angle {
  /// Converts radians to degrees. For 32-bit radians this is the shortest number of degrees that
  /// gives the same float: further digits are rounding errors.
  package static func degrees(_ radians: Double) -> Double {
    guard radians.magnitude > 1e-30 else { return 0 }
    let degrees = radians * 180 / .pi
    let float = Float(radians)
    guard Double(float) == radians else { return degrees.rounded }
    var scale = 1.0
    for _ in 0...9 {
      let short = (degrees * scale).rounded() / scale
      if Float(short * .pi / 180) == float { return short }
      scale *= 10
    }
    return degrees
  }

  /// Converts degrees to radians.
  package static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

  package static func tangent(_ degrees: Double) -> Double { tan(radians(degrees)) }

  /// Rotates a vector and removes rounding errors.
  package static func turned(_ x: Double, _ y: Double, by degrees: Double) -> (x: Double, y: Double)
  {
    guard degrees != 0 else { return (x, y) }
    let (c, s) = (cos(radians(degrees)), sin(radians(degrees)))
    return ((x * c - y * s).rounded, (x * s + y * c).rounded)
  }

  /// The direction of a vector in degrees; nil if it has no length.
  package static func direction(_ x: Double, _ y: Double) -> Double? {
    x == 0 && y == 0 ? nil : (atan2(y, x) * 180 / .pi).rounded
  }
}
