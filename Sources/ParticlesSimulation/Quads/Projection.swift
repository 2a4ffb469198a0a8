internal import ParticlesCore
package import ParticlesModel

/// From places in an effect to pixels.
package struct Projection {
  /// Where the camera is, and its axes: to the right, up, and where it looks.
  private(set) var position: SIMD3<Double>
  let right: SIMD3<Double>
  let up: SIMD3<Double>
  let forward: SIMD3<Double>
  let isPerspective: Bool
  /// Pixels for a unit. In perspective, at the distance 1.
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
  ///   - pixel: pixels for a unit. By default, the camera determines it.
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

  func relative(to place: SIMD3<Double>) -> Projection {
    var projection = self
    projection.position -= place
    return projection
  }

  /// A point in the picture, or nil if it is behind the camera or too close.
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

  /// The vector scaled to length 1, or nil if it has no direction.
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

/// The plane in which the particles of an emitter are, where that is not the plane of the screen.
struct PlaneChoice {
  /// Whether particles are in the plane of the screen.
  let isScreen: Bool

  private let batch: ParticleBatch
  private let factor: Value?
  private let billboard: Billboard
  private let axis: RotationAxis
  /// The axes of particles that face a fixed direction.
  private let fixed: (right: SIMD3<Double>, up: SIMD3<Double>)

  private static let axisChannels = (
    RandomChannel.property("rotation.axis[0]"), RandomChannel.property("rotation.axis[1]")
  )

  init(_ batch: ParticleBatch, _ projection: Projection) {
    self.batch = batch
    factor = batch.stretchFactor
    billboard = batch.emitter.render.billboard
    axis = batch.emitter.rotation.axis
    let vertical = SIMD3(0, 1, 0.0)
    switch billboard {
    case .screen, .mesh: isScreen = true
    case .view: isScreen = !projection.isPerspective
    case .free, .axisY, .velocity, .horizontal, .vertical: isScreen = false
    }
    if billboard == .horizontal {
      fixed = (SIMD3(1, 0, 0), SIMD3(0, 0, -1))
    } else if let ahead = batch.emitter.render.billboardAxis.flatMap({ SIMD3($0).direction }) {
      let right = vertical.cross(ahead).direction ?? SIMD3(1, 0, 0)
      fixed = (right, ahead.cross(right))
    } else {
      fixed = (SIMD3(1, 0, 0), vertical)
    }
  }

  /// The quad of a particle, or nil if a corner is behind the camera.
  func quad(
    _ particle: Int, at place: SIMD3<Double>, size: SIMD2<Double>, pivot: SIMD2<Double>,
    _ projection: Projection
  ) -> Quad? {
    var (right, up) = axes(particle, at: place, projection)
    right *= size.x
    up *= size.y
    stretch(particle, &right, &up)
    let corner = place - right * pivot.x + up * pivot.y
    guard let a = projection(corner), let b = projection(corner + right),
      let c = projection(corner + right - up), let d = projection(corner - up)
    else { return nil }
    var quad = Quad(
      SIMD2<Float>(a.pixel), SIMD2<Float>(b.pixel), SIMD2<Float>(c.pixel), SIMD2<Float>(d.pixel),
      color: .zero, texture: 0, state: 0)
    if projection.isPerspective {
      quad.nearness = SIMD3<Float>(SIMD3(1 / a.depth, 1 / b.depth, 1 / d.depth))
    }
    return quad
  }

  private func axes(
    _ particle: Int, at place: SIMD3<Double>, _ projection: Projection
  ) -> (right: SIMD3<Double>, up: SIMD3<Double>) {
    let look = batch.look
    let degrees = Double(look.angle[particle])
    let toCamera =
      projection.isPerspective
      ? (projection.position - place).direction ?? -projection.forward : -projection.forward
    let vertical = SIMD3(0, 1, 0.0)
    var (right, up) = fixed
    var normal = fixed.right.cross(fixed.up)
    switch billboard {
    case .free:
      switch axis {
      case .screen: break
      case .vector(let vector): normal = SIMD3(vector).direction ?? normal
      case .random:
        let height = 1 - 2 * batch.unit(Self.axisChannels.0, particle: particle)
        let around = max(0, 1 - height * height).squareRoot()
        let (sine, cosine) = sineAndCosine(
          degrees: 360 * batch.unit(Self.axisChannels.1, particle: particle))
        normal = SIMD3(around * cosine, height, -around * sine)
      }
    case .horizontal: break
    case .axisY, .vertical:
      right = vertical.cross(toCamera).direction ?? projection.right
      up = vertical
      normal = right.cross(up)
    case .velocity:
      let velocity = SIMD3(
        Double(look.velocityX[particle]), Double(look.velocityY[particle]),
        Double(look.velocityZ[particle]))
      guard let ahead = velocity.direction, let side = toCamera.cross(ahead).direction else {
        return (projection.right, projection.up)
      }
      if batch.emitter.rotation.align != .none { return (ahead, side) }
      (right, up) = (ahead, side)
      normal = right.cross(up)
    case .screen, .view, .mesh:
      right = vertical.cross(toCamera).direction ?? projection.right
      up = toCamera.cross(right)
      normal = toCamera
    }
    guard degrees != 0 else { return (right, up) }
    return (
      right.turned(about: normal, degrees: degrees), up.turned(about: normal, degrees: degrees)
    )
  }

  /// Lengthens the two sides along the motion.
  private func stretch(
    _ particle: Int, _ right: inout SIMD3<Double>, _ up: inout SIMD3<Double>
  ) {
    guard let factor = self.factor else { return }
    let look = batch.look
    var velocity = SIMD3(
      Double(look.velocityX[particle]), Double(look.velocityY[particle]),
      Double(look.velocityZ[particle]))
    if let normal = right.cross(up).direction { velocity -= normal * (velocity * normal).sum() }
    let speed = (velocity * velocity).sum().squareRoot()
    guard let along = velocity.direction else { return }
    let seconds = batch.sample(factor, .property("size.stretch.factor"), particle: particle)
    let (x, y) = ((right * along).sum(), (up * along).sum())
    let length = x.magnitude + y.magnitude
    guard length > 0 else { return }
    let more = max(speed * seconds, 0) / length
    right += along * (x * more)
    up += along * (y * more)
  }
}
