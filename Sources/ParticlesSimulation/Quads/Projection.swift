package import ParticlesModel

/// From places in an effect to pixels.
package struct Projection {
  /// Where the camera is, and its axes: to the right, up, and where it looks.
  private(set) var position: SIMD3<Double>
  let right: SIMD3<Double>
  let up: SIMD3<Double>
  let forward: SIMD3<Double>
  let isPerspective: Bool
  /// Pixels for a unit; in perspective at the distance 1.
  let scale: Double
  /// The pixel in the middle of the view.
  let center: SIMD2<Double>
  /// Whether the camera looks along −z, with +y up.
  let isFrontal: Bool

  /// The least distance that is shown.
  static let near = 0.01

  /// - Parameters:
  ///   - scale: a factor of everything.
  ///   - isFitting: whether all of `preview.size` is to be seen, if it is stated.
  ///   - pixel: pixels for a unit; those of the camera by default.
  package init(
    _ camera: Camera, of system: ParticleSystem, columns: Int, rows: Int, scale: Double,
    isFitting: Bool, pixel: Double?
  ) {
    position = SIMD3(camera.position)
    var forward = SIMD3(camera.target) - position
    let distance = (forward * forward).sum().squareRoot()
    forward = distance > 1e-12 && distance.isFinite ? forward / distance : SIMD3(0, 0, -1)
    let isSteep = forward.y.magnitude > 1 - 1e-9
    let vertical = isSteep ? SIMD3(0, 0, forward.y) : SIMD3(0, 1, 0)
    let across = forward.cross(vertical)
    right = across / (across * across).sum().squareRoot()
    up = right.cross(forward)
    self.forward = forward
    center = SIMD2(Double(columns), Double(rows)) / 2
    isFrontal = forward.z < -1 + 1e-12
    isPerspective = camera.orthoHeight == nil
    let zoom = scale.isFinite && scale > 0 ? scale : 1
    if let pixel {
      self.scale = pixel * zoom
    } else if let height = camera.orthoHeight {
      var size = Double(rows) / max(height, 1e-12)
      if isFitting, let frame = system.preview.size, frame.x > 0, frame.y > 0 {
        size = min(size, Double(columns) * frame.y / (frame.x * height))
      }
      self.scale = size * zoom
    } else {
      let half = (camera.fov ?? 60) / 2
      let (sine, cosine) = sineAndCosine(degrees: min(max(half, 0.5), 89.5))
      self.scale = Double(rows) / 2 * cosine / sine * zoom
    }
  }

  /// The projection of places that are relative to a place.
  func relative(to place: SIMD3<Double>) -> Projection {
    var projection = self
    projection.position -= place
    return projection
  }

  /// A point in the picture; nil if it is behind the camera or too close.
  @inline(__always)
  func callAsFunction(_ place: SIMD3<Double>) -> Projected? {
    let offset = place - position
    let depth = (offset * forward).sum()
    let factor: Double
    if isPerspective {
      guard depth > Self.near else { return nil }
      factor = scale / depth
    } else {
      factor = scale
    }
    return Projected(
      pixel: SIMD2(
        center.x + (offset * right).sum() * factor, center.y - (offset * up).sum() * factor),
      depth: depth, scale: factor)
  }
}

/// A point in the picture.
struct Projected {
  /// Pixels from the top left, y down.
  var pixel: SIMD2<Double>
  /// The distance from the plane of the camera, in units.
  var depth: Double
  /// Pixels for a unit there.
  var scale: Double
}

extension SIMD3<Double> {
  init(_ vector: Vector) { self.init(vector.x, vector.y, vector.z) }

  @inline(__always)
  func cross(_ other: Self) -> Self {
    SIMD3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The vector with the length 1; nil without a direction.
  var direction: Self? {
    let length = (self * self).sum().squareRoot()
    return length > 1e-12 && length.isFinite ? self / length : nil
  }

  /// This vector, turned about an axis of length 1, counter-clockwise seen against the axis.
  func turned(about axis: Self, degrees: Double) -> Self {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return self * cosine + axis.cross(self) * sine + axis * ((axis * self).sum() * (1 - cosine))
  }
}
