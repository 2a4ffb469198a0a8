internal import ParticlesCore

extension Transform {
  /// This transform in the plane as one inside of another.
  package func inside(of above: Transform) -> Transform {
    var inside = self
    let (x, y) = Angle.turned(
      translation.x - above.translation.x, translation.y - above.translation.y,
      by: -above.angle)
    func divided(_ number: Double, _ divisor: Double) -> Double {
      divisor == 0 || divisor == 1 ? number : (number / divisor).rounded
    }
    inside.translation.x = divided(x, above.scale.x)
    inside.translation.y = divided(y, above.scale.y)
    inside.angle = (angle - above.angle).rounded
    inside.scale.x = divided(scale.x, above.scale.x)
    inside.scale.y = divided(scale.y, above.scale.y)
    return inside
  }
}
