package import ParticlesModel

// Vectors and transforms at emission, in double precision.

extension Vector {
  static func + (a: Vector, b: Vector) -> Vector { Vector(a.x + b.x, a.y + b.y, a.z + b.z) }
  static func - (a: Vector, b: Vector) -> Vector { Vector(a.x - b.x, a.y - b.y, a.z - b.z) }

  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Vector) -> Vector {
    Vector(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  var length: Double { dot(self).squareRoot() }

  /// The vector of the same direction and length 1; nil without a direction.
  var direction: Vector? {
    let length = length
    return length > 0 && length.isFinite ? self * (1 / length) : nil
  }

  /// This vector, turned about an axis of length 1, counter-clockwise seen against the axis.
  func turned(about axis: Vector, degrees: Double) -> Vector {
    let (sine, cosine) = sineAndCosine(degrees: degrees)
    return turned(about: axis, sine: sine, cosine: cosine)
  }

  @inline(__always)
  func turned(about axis: Vector, sine: Double, cosine: Double) -> Vector {
    self * cosine + axis.cross(self) * sine + axis * (axis.dot(self) * (1 - cosine))
  }
}

extension Transform {
  /// A direction or distance: scaled and turned, not moved.
  func turned(_ vector: Vector) -> Vector {
    rotated(Vector(vector.x * scale.x, vector.y * scale.y, vector.z * scale.z))
  }

  /// A direction: turned only.
  func rotated(_ vector: Vector) -> Vector {
    var vector = vector
    if angle != 0 { vector = vector.turned(about: Vector(0, 0, 1), degrees: angle) }
    guard rotation != .identity else { return vector }
    let axis = Vector(rotation.x, rotation.y, rotation.z)
    let twice = axis.cross(vector) * 2
    return vector + twice * rotation.w + axis.cross(twice)
  }

  /// A place.
  func moved(_ place: Vector) -> Vector { turned(place) + translation }

  /// The place that is moved to this one; along an axis with a scale of 0, that of the origin.
  package func unmoved(_ place: Vector) -> Vector { unturned(place - translation) }

  /// The direction or distance that is turned to this one; 0 along an axis with a scale of 0.
  package func unturned(_ vector: Vector) -> Vector {
    var turn = Transform()
    turn.rotation = Quaternion(-rotation.x, -rotation.y, -rotation.z, rotation.w)
    let back = turn.rotated(vector).turned(about: Vector(0, 0, 1), degrees: -angle)
    func divided(_ number: Double, _ scale: Double) -> Double { scale == 0 ? 0 : number / scale }
    return Vector(
      divided(back.x, scale.x), divided(back.y, scale.y), divided(back.z, scale.z))
  }
}
