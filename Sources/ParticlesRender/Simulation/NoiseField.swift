internal import ParticlesModel

/// Smooth noise in space and time: each component within −1 and 1, with the mean 0.
///
/// Value noise: random vectors at the points of a lattice, with the fade 6x⁵ − 15x⁴ + 10x³ between
/// them. Time moves the lattice along z.
struct NoiseField {
  private let scale: Double
  private let speed: Double
  private let octaves: Int

  init(_ force: Force) {
    scale = force.scale
    speed = force.speed
    octaves = min(max(force.octaves, 1), 16)
  }

  /// Evaluates the noise at places.
  func evaluate(_ places: Slices, clock: Double, into out: Slices) {
    for index in 0..<out.x.count {
      let value = value(
        at: Vector(Double(places.x[index]), Double(places.y[index]), Double(places.z[index])),
        clock: clock)
      out.x[index] = Float(value.x)
      out.y[index] = Float(value.y)
      out.z[index] = Float(value.z)
    }
  }

  func value(at place: Vector, clock: Double) -> Vector {
    var point = place * (1 / scale)
    point.z += clock * speed
    var sum = Vector.zero
    var weight = 1.0
    for _ in 0..<octaves {
      sum = sum + lattice(point) * weight
      point = point * 2
      weight /= 2
    }
    return sum
  }

  private func lattice(_ point: Vector) -> Vector {
    guard point.x.magnitude < 1e9, point.y.magnitude < 1e9, point.z.magnitude < 1e9 else {
      return .zero
    }
    let (x, y, z) = (point.x.rounded(.down), point.y.rounded(.down), point.z.rounded(.down))
    let share = Vector(fade(point.x - x), fade(point.y - y), fade(point.z - z))
    func mixed(_ a: Vector, _ b: Vector, _ share: Double) -> Vector { a + (b - a) * share }
    func row(_ y: Double, _ z: Double) -> Vector {
      mixed(corner(x, y, z), corner(x + 1, y, z), share.x)
    }
    return mixed(
      mixed(row(y, z), row(y + 1, z), share.y), mixed(row(y, z + 1), row(y + 1, z + 1), share.y),
      share.z)
  }

  private func fade(_ x: Double) -> Double { x * x * x * (x * (x * 6 - 15) + 10) }

  /// The random vector of a point of the lattice.
  private func corner(_ x: Double, _ y: Double, _ z: Double) -> Vector {
    var hash = UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ UInt64(bitPattern: Int64(y))) &* 0xBF58_476D_1CE4_E5B9
    hash = ((hash ^ hash >> 29) &+ UInt64(bitPattern: Int64(z))) &* 0x94D0_49BB_1331_11EB
    hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
    func component(_ shift: UInt64) -> Double {
      Double(hash >> shift & 0x1F_FFFF) * 0x1p-20 - 1
    }
    return Vector(component(0), component(21), component(42))
  }
}
