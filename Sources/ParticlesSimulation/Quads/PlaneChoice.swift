internal import ParticlesModel

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

  /// The quad of a particle; nil if a corner is behind the camera.
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
