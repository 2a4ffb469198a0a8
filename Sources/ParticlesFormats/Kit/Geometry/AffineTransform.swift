internal import ParticlesCore
internal import ParticlesModel

/// A transform of a scene as three axes and an origin: how nodes of a tree are moved, turned, scaled and
/// skewed.
struct AffineTransform: Equatable {
  var x = Vector(1, 0, 0)
  var y = Vector(0, 1, 0)
  var z = Vector(0, 0, 1)
  var origin = Vector.zero

  init() {}

  /// The axes and the origin of a transform.
  /// - Parameter sign: −1 where the y axis of the file points down.
  init(_ transform: Transform, y sign: Double = 1) {
    func turned(_ vector: Vector) -> Vector {
      let (x, y) = Angle.turned(vector.x, vector.y, by: transform.angle)
      return transform.rotation == .identity
        ? Vector(x, y, vector.z) : transform.rotation.turned(Vector(x, y, vector.z))
    }
    func flipped(_ vector: Vector) -> Vector { Vector(vector.x, vector.y * sign + 0, vector.z) }
    x = flipped(turned(Vector(transform.scale.x, 0)))
    y = flipped(turned(Vector(0, transform.scale.y * sign)))
    z = flipped(turned(Vector(0, 0, transform.scale.z)))
    origin = flipped(transform.translation)
  }

  /// A transform inside of this one.
  func combined(with own: AffineTransform) -> AffineTransform {
    var result = AffineTransform()
    (result.x, result.y, result.z) = (rotated(own.x), rotated(own.y), rotated(own.z))
    result.origin = rotated(own.origin).plus(origin)
    // Nested nodes with large numbers may overflow.
    let sum = [result.x, result.y, result.z, result.origin].flatMap { [$0.x, $0.y, $0.z] }
    return sum.allSatisfy { $0.magnitude < 1e15 } ? result : self
  }

  /// A vector along the axes of this transform, without its origin.
  func rotated(_ v: Vector) -> Vector {
    Vector(
      x.x * v.x + y.x * v.y + z.x * v.z, x.y * v.x + y.y * v.y + z.y * v.z,
      x.z * v.x + y.z * v.y + z.z * v.z)
  }

  /// The vector that ``rotated(_:)`` changes into this one. Nil if the axes have no inverse.
  func unrotated(_ v: Vector) -> Vector? {
    let rows = [y.cross(z), z.cross(x), x.cross(y)]
    let determinant = x.dot(rows[0])
    guard determinant.magnitude > 1e-12 else { return nil }
    return Vector(components: rows.map { ($0.dot(v) / determinant).rounded })
  }

  /// The transform that, inside of `above`, gives this transform. Nil if `above` has no inverse.
  func inside(of above: AffineTransform) -> AffineTransform? {
    if above == AffineTransform() { return self }
    var result = AffineTransform()
    guard let x = above.unrotated(x), let y = above.unrotated(y), let z = above.unrotated(z),
      let origin = above.unrotated(origin.plus(above.origin.times(-1)))
    else { return nil }
    (result.x, result.y, result.z, result.origin) = (x, y, z, origin)
    return result
  }

  /// The transform in the plane, for files whose y axis points down.
  var transformInPlane: Transform {
    var transform = Transform(translation: Vector(origin.x, -origin.y + 0))
    transform.angle = (-(Angle.direction(x.x, x.y) ?? 0) + 0)
    let sign = x.x * y.y - x.y * y.x < 0 ? -1.0 : 1
    transform.scale = Scale(x.length.rounded, (sign * y.length).rounded)
    return transform
  }

  /// The transform in space. A mirrored transform has a negative scale along z.
  var transformInSpace: Transform {
    var transform = Transform(translation: origin)
    let sign = x.dot(y.cross(z)) < 0 ? -1.0 : 1
    let scale = Vector(x.length, y.length, sign * z.length)
    transform.scale = Scale(scale.x.rounded, scale.y.rounded, scale.z.rounded)
    guard scale.x > 1e-9, scale.y > 1e-9, scale.z.magnitude > 1e-9 else { return transform }
    transform.rotation = Quaternion(
      x.times(1 / scale.x), y.times(1 / scale.y), z.times(1 / scale.z))
    return transform
  }

  /// Whether the axes are not perpendicular, so that no transform in space is equal.
  var isSkewed: Bool {
    [(x, y), (y, z), (x, z)].contains {
      $0.dot($1).magnitude > 1e-3 * $0.length * $1.length
    }
  }
}

extension Transform {
  /// Where a point is that counts from this transform.
  func place(of point: Vector) -> Vector {
    let scaled = Vector(point.x * scale.x, point.y * scale.y, point.z * scale.z)
    return direction(of: scaled).plus(translation)
  }

  /// A direction after both rotations.
  func direction(of vector: Vector) -> Vector {
    let (x, y) = Angle.turned(vector.x, vector.y, by: angle)
    return rotation.turned(Vector(x, y, vector.z))
  }
}

extension Vector {
  func plus(_ other: Vector) -> Vector { Vector(x + other.x, y + other.y, z + other.z) }
  func times(_ factor: Double) -> Vector { Vector(x * factor, y * factor, z * factor) }
  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }
  func cross(_ other: Vector) -> Vector {
    Vector(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
  var length: Double { dot(self).squareRoot() }
  /// The vector with the length 1, or the zero vector itself.
  var unit: Vector { length > 0 ? times(1 / length) : self }
  /// The vector, rounded to remove errors of calculation.
  var tidied: Vector { Vector(x.rounded + 0, y.rounded + 0, z.rounded + 0) }
}

extension Quaternion {
  /// The rotation whose axes are these.
  fileprivate init(_ a: Vector, _ b: Vector, _ c: Vector) {
    let trace = a.x + b.y + c.z
    let numbers: [Double]
    if trace > 0 {
      let s = (trace + 1).squareRoot() * 2
      numbers = [(b.z - c.y) / s, (c.x - a.z) / s, (a.y - b.x) / s, s / 4]
    } else if a.x > b.y, a.x > c.z {
      let s = (1 + a.x - b.y - c.z).magnitude.squareRoot() * 2
      numbers = [s / 4, (b.x + a.y) / s, (c.x + a.z) / s, (b.z - c.y) / s]
    } else if b.y > c.z {
      let s = (1 + b.y - a.x - c.z).magnitude.squareRoot() * 2
      numbers = [(b.x + a.y) / s, s / 4, (c.y + b.z) / s, (c.x - a.z) / s]
    } else {
      let s = (1 + c.z - a.x - b.y).magnitude.squareRoot() * 2
      numbers = [(c.x + a.z) / s, (c.y + b.z) / s, s / 4, (a.y - b.x) / s]
    }
    let length = numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
    guard length > 1e-6, length.isFinite else { self = .identity; return }
    let unit = numbers.map { ($0 / length).rounded }
    self.init(unit[0], unit[1], unit[2], unit[3])
  }

  /// This rotation with the length 1, or no rotation if the numbers are none. A length from 0.999
  /// to 1.001 stays, as it is accurate enough for a document.
  var normalized: Quaternion {
    let most = components.map { $0.magnitude }.max() ?? 0
    guard most > 0, most.isFinite else { return .identity }
    let parts = components.map { $0 / most }
    let length = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
    if (0.999...1.001).contains(most * length) { return self }
    return Quaternion(components: parts.map { ($0 / length).rounded })
  }

  /// The shortest rotation from one direction to another.
  init(turning from: Vector, to: Vector) {
    let (a, b) = (from.length, to.length)
    guard a > 0, b > 0 else { self = .identity; return }
    let (cross, dot) = (from.cross(to), from.dot(to) / (a * b))
    guard dot > -0.999_999 else { self.init(1, 0, 0, 0); return }
    let w = ((1 + dot) / 2).squareRoot()
    let axis = cross.times(1 / (a * b * 2 * w))
    self.init(axis.x.rounded, axis.y.rounded, axis.z.rounded, w.rounded)
  }

  /// A rotation in the plane by degrees, counter-clockwise.
  init(inPlane degrees: Double) {
    let half = Angle.radians(degrees / 2)
    self.init(0, 0, sine(half).rounded + 0, cosine(half).rounded + 0)
  }

  /// The degrees of a rotation in the plane. Nil for any other rotation.
  var angleInPlane: Double? {
    guard x == 0, y == 0 else { return nil }
    return Angle.direction(w, z).map { (2 * $0 * 1e6).rounded() / 1e6 } ?? 0
  }

  /// A vector rotated by this rotation.
  func turned(_ v: Vector) -> Vector {
    let u = Vector(x, y, z)
    let twice = u.cross(v).times(2)
    let result = v.plus(twice.times(w)).plus(u.cross(twice))
    return Vector(result.x.rounded, result.y.rounded, result.z.rounded)
  }
}
