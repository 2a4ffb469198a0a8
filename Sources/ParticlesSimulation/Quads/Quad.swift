internal import ParticlesModel

/// A convex quadrilateral that shows a texture: the unit in which everything is drawn.
package struct Quad {
  /// Corners in pixels from the top left of the picture, y down: those of the texture at its top left,
  /// top right, bottom right and bottom left.
  package var corners: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)
  /// The inverse of the distance to the camera at the first, second and fourth corner; all the same
  /// without perspective.
  package var nearness = SIMD3<Float>(repeating: 1)
  /// The part of the texture that is shown: left, top, right and bottom, from 0 to 1.
  package var part = SIMD4<Float>(0, 0, 1, 1)
  /// The colour: red, green and blue, not multiplied by alpha, and alpha.
  package var color: SIMD4<Float>
  /// The index of the texture, and that of a second one that is mixed in with a weight.
  package var texture: Int32
  package var next: Int32 = -1
  package var share: Float = 0
  /// The index of the blend state.
  package var state: Int32
  package var isNearest = false
  /// Whether there are three corners only; the third is that of the second.
  package var isTriangle = false

  /// A rectangle that faces the viewer.
  /// - Parameters:
  ///   - center: in pixels from the top left of the picture.
  ///   - size: in pixels.
  ///   - degrees: clockwise.
  package init(
    center: SIMD2<Double>, size: SIMD2<Double>, degrees: Double = 0, color: SIMD4<Float>,
    texture: Int = 0, state: Int = 0
  ) {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    let right = SIMD2(cosine, sine) * (size.x / 2)
    let down = SIMD2(-sine, cosine) * (size.y / 2)
    self.init(
      SIMD2<Float>(center - right - down), SIMD2<Float>(center + right - down),
      SIMD2<Float>(center + right + down), SIMD2<Float>(center - right + down), color: color,
      texture: Int32(texture), state: Int32(state))
  }

  init(
    _ topLeft: SIMD2<Float>, _ topRight: SIMD2<Float>, _ bottomRight: SIMD2<Float>,
    _ bottomLeft: SIMD2<Float>, color: SIMD4<Float>, texture: Int32, state: Int32
  ) {
    corners = (topLeft, topRight, bottomRight, bottomLeft)
    (self.color, self.texture, self.state) = (color, texture, state)
  }
}
