internal import ParticlesCore
internal import ParticlesModel

/// The position of a node: the combined transforms of its ancestors and its own, as columns with y as in
/// the file.
struct GodotPosition: Equatable {
  var x = Vector(1, 0, 0)
  var y = Vector(0, 1, 0)
  var z = Vector(0, 0, 1)
  var origin = Vector.zero
  /// The place in the drawing order.
  var order = 0

  init() {}

  /// The position of a node in its scene.
  init(above: GodotPosition, in scene: GodotScene, section: Int, isSpace: Bool) {
    let own = isSpace ? Self.space(scene, section) : Self.plane(scene, section)
    self = above.combined(with: own)
    guard !isSpace, let order = scene.value("z_index", in: section)?.number,
      order.isFinite
    else { return }
    let isRelative = scene.value("z_as_relative", in: section) != .flag(false)
    self.order = Int(min(max((isRelative ? Double(above.order) : 0) + order, -1e6), 1e6))
  }

  private static func space(_ scene: GodotScene, _ section: Int) -> GodotPosition {
    var own = GodotPosition()
    guard let numbers = scene.value("transform", in: section)?.components, numbers.count == 12
    else { return own }
    own.x = Vector(numbers[0], numbers[3], numbers[6])
    own.y = Vector(numbers[1], numbers[4], numbers[7])
    own.z = Vector(numbers[2], numbers[5], numbers[8])
    own.origin = Vector(numbers[9], numbers[10], numbers[11])
    return own
  }

  private static func plane(_ scene: GodotScene, _ section: Int) -> GodotPosition {
    func pair(_ key: String, _ standard: Double) -> (Double, Double) {
      let numbers = scene.value(key, in: section)?.components ?? []
      return numbers.count == 2 ? (numbers[0], numbers[1]) : (standard, standard)
    }
    var own = GodotPosition()
    let (scale, place) = (pair("scale", 1), pair("position", 0))
    let angle = scene.value("rotation", in: section)?.number ?? 0
    let skew = scene.value("skew", in: section)?.number ?? 0
    own.x = Vector(cosine(angle) * scale.0, sine(angle) * scale.0)
    own.y = Vector(-sine(angle + skew) * scale.1, cosine(angle + skew) * scale.1)
    own.origin = Vector(place.0, place.1)
    return own
  }

  /// A position inside of this one.
  func combined(with own: GodotPosition) -> GodotPosition {
    var result = GodotPosition()
    result.x = rotated(own.x)
    result.y = rotated(own.y)
    result.z = rotated(own.z)
    result.origin = rotated(own.origin).plus(origin)
    result.order = order
    // Nested nodes with large numbers may overflow.
    let sum = [result.x, result.y, result.z, result.origin].flatMap { [$0.x, $0.y, $0.z] }
    return sum.allSatisfy { $0.magnitude < 1e15 } ? result : self
  }

  private func rotated(_ v: Vector) -> Vector {
    Vector(
      x.x * v.x + y.x * v.y + z.x * v.z, x.y * v.x + y.y * v.y + z.y * v.z,
      x.z * v.x + y.z * v.y + z.z * v.z)
  }

  /// The position that, inside of `above`, gives this one; nil if `above` has no inverse.
  func inside(of above: GodotPosition) -> GodotPosition? {
    if above == GodotPosition() { return self }
    let determinant = above.x.dot(above.y.cross(above.z))
    guard determinant.magnitude > 1e-12 else { return nil }
    let rows = [
      above.y.cross(above.z), above.z.cross(above.x), above.x.cross(above.y),
    ]
    func solved(_ v: Vector) -> Vector {
      Vector(
        (rows[0].dot(v) / determinant).rounded, (rows[1].dot(v) / determinant).rounded,
        (rows[2].dot(v) / determinant).rounded)
    }
    var result = GodotPosition()
    (result.x, result.y, result.z) = (solved(x), solved(y), solved(z))
    result.origin = solved(origin.plus(above.origin.times(-1)))
    result.order = order - above.order
    return result
  }
}

private func sine(_ angle: Double) -> Double { Angle.turned(1, 0, by: Angle.degrees(angle)).y }
private func cosine(_ angle: Double) -> Double { Angle.turned(1, 0, by: Angle.degrees(angle)).x }

extension Vector {
  func plus(_ other: Vector) -> Vector { Vector(x + other.x, y + other.y, z + other.z) }
  func times(_ factor: Double) -> Vector { Vector(x * factor, y * factor, z * factor) }
  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }
  func cross(_ other: Vector) -> Vector {
    Vector(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
  var length: Double { dot(self).squareRoot() }
}

extension GodotPosition {
  /// The position of a transform, with y as in the file.
  init(_ transform: Transform, y: Double) {
    self.init()
    let t = transform
    let turned = { (v: Vector) -> Vector in
      let (x, y) = Angle.turned(v.x, v.y, by: t.angle)
      return t.rotation == .identity
        ? Vector(x, y, v.z) : t.rotation.turned(Vector(x, y, v.z))
    }
    func flipped(_ v: Vector) -> Vector { Vector(v.x, v.y * y + 0, v.z) }
    x = flipped(turned(Vector(t.scale.x, 0)))
    self.y = flipped(turned(Vector(0, t.scale.y * y)))
    z = flipped(turned(Vector(0, 0, t.scale.z)))
    origin = flipped(t.translation)
  }

  /// The transform in the plane, with y up.
  var transformInPlane: Transform {
    var transform = Transform(translation: Vector(origin.x, -origin.y + 0))
    transform.angle = (-(Angle.direction(x.x, x.y) ?? 0) + 0)
    let sign = x.x * y.y - x.y * y.x < 0 ? -1.0 : 1
    transform.scale = Scale(x.length.rounded, (sign * y.length).rounded)
    return transform
  }

  var transformInSpace: Transform {
    var transform = Transform(translation: origin)
    let sign = x.dot(y.cross(z)) < 0 ? -1.0 : 1
    let scale = Vector(x.length, y.length, sign * z.length)
    transform.scale = Scale(scale.x.rounded, scale.y.rounded, scale.z.rounded)
    guard scale.x > 1e-9, scale.y > 1e-9, scale.z.magnitude > 1e-9 else { return transform }
    let (a, b, c) = (x.times(1 / scale.x), y.times(1 / scale.y), z.times(1 / scale.z))
    transform.rotation = Quaternion(a, b, c)
    return transform
  }
}

extension Transform {
  /// Whether the axes of a position are not perpendicular, so that this transform is not the same.
  func isSkewed(_ position: GodotPosition) -> Bool {
    let (a, b, c) = (position.x, position.y, position.z)
    return [(a, b), (b, c), (a, c)].contains {
      $0.dot($1).magnitude > 1e-3 * $0.length * $1.length
    }
  }
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
}

extension Quaternion {
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

  /// A vector rotated by this rotation.
  func turned(_ v: Vector) -> Vector {
    let u = Vector(x, y, z)
    let twice = u.cross(v).times(2)
    let result = v.plus(twice.times(w)).plus(u.cross(twice))
    return Vector(result.x.rounded, result.y.rounded, result.z.rounded)
  }
}
