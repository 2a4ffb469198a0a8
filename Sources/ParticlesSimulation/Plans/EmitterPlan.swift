internal import ParticlesModel

/// An emitter, ready for simulation: what every step evaluates, in which columns.
final class EmitterPlan {
  /// Columns that every emitter has.
  enum Fixed {
    /// The part of the step that is left for a particle that was emitted in it.
    static let rest = 0
    // The first three columns need not be moved with their particles: `rest` is used in the step of
    // the emission only, and z and vz are 0 for all in most effects.
    static let (z, vz) = (1, 2)
    static let (x, y) = (3, 4)
    static let (vx, vy) = (5, 6)
    static let (age, life) = (7, 8)
    static let count = 9
  }

  let emitter: Emitter
  let index: UInt64
  let law: EngineLaw
  let isFlat: Bool
  /// The place of the emitter.
  let origin: FloatVector
  let layoutWidth: Int
  let samples: [SamplePlan]
  let colorSamples: [ColorSample]

  // Motion.
  let forces: [ForcePlan]
  let drags: [ForcePlan]
  let speed: TrackPlan?
  let isReplacingSpeed: Bool
  let greatestSpeed: TrackPlan?
  let heading: HeadingPlan?
  let orbitVelocity: TrackPlan?
  let orbitAxis: FloatVector
  let drift: (x: TrackPlan, y: TrackPlan, z: TrackPlan)?
  let orbit: OrbitPlan?
  let path: PathPlan?
  /// The sum of all forces, if it is the same for all particles and nothing else moves them.
  let fall: FloatVector?
  let needsSpeed: Bool
  let needsDistance: Bool

  // Emission. Copies of these parts of the emitter for each step take longer than what they are for.
  let shape: Shape
  let polyline: PolylinePlan?
  let launch: Launch
  let transform: Transform
  /// The direction of all particles before they deviate from it; nil if it is sampled.
  let fixedDirection: Vector?
  /// Whether directions deviate by an angle in the plane.
  let isDeviatingInPlane: Bool
  let variation: ShapeVariation?
  /// Whether particles have an age at their emission.
  let canBeginLater: Bool
  let lifetime: SamplePlan
  let startAge: SamplePlan
  /// Whether every particle that is emitted lives, with any random numbers.
  let isSurelyLiving: Bool
  /// The lifetime that relative ages refer to; nil for that of the particle.
  let greatestLifetime: Float?
  /// Whether the emission of a particle triggers other emitters.
  let isTriggeringOnEmission: Bool

  // Appearance.
  let width: TrackPlan
  let height: TrackPlan?
  let angle: TrackPlan
  let angularVelocity: TrackPlan
  let angularAcceleration: Source
  let align: RotationAlign
  /// Degrees that are added to the angle of a direction.
  let alignOffset: Double
  /// The column of the integral of an angular velocity that changes.
  let turned: Int?
  /// The column of the direction at emission, in degrees.
  let launchAngle: Int?
  let color: ColorPlan
  let opacity: TrackPlan
  let intensity: TrackPlan
  let mix: TrackPlan
  let depth: TrackPlan
  let inherited: InheritedColumns?
  private(set) lazy var look = LookPlan(self)

  init(
    _ emitter: Emitter, index: Int, isFlat: Bool, law: EngineLaw, isTriggered: Bool
  ) {
    self.emitter = emitter
    self.index = UInt64(index)
    self.law = law
    let (shape, launch, transform) = (emitter.shape, emitter.launch, emitter.transform)
    (self.shape, self.launch, self.transform) = (shape, launch, transform)
    fixedDirection = launch.fixedDirection
    isDeviatingInPlane = launch.isDeviatingInPlane(isFlat: isFlat)
    variation = ShapeVariation(of: shape)
    polyline = PolylinePlan(shape)
    canBeginLater = emitter.emission.lifeOffset != 0
    var layout = ColumnLayout(fixed: Fixed.count)
    let emitter = emitter.scalingMotion(in: isFlat ? .plane : .space)
    let motion = emitter.motion
    let plans = emitter.forces.enumerated().map {
      ForcePlan($0.element, index: $0.offset, transform: transform, law: law, in: &layout)
    }
    forces = plans.filter { !$0.isDrag && $0.kind != .field }
    drags = plans.filter { $0.isDrag }
    speed = motion.speed.map { TrackPlan($0, "motion.speed", from: .motionSpeed, in: &layout) }
    isReplacingSpeed = motion.speedMode == .replace
    greatestSpeed = motion.maxSpeed.map {
      TrackPlan($0, "motion.maxSpeed", bounds: .positive, in: &layout)
    }
    heading = motion.direction.map { HeadingPlan($0, transform: transform, in: &layout) }
    orbitVelocity =
      motion.orbitVelocity == 0
      ? nil
      : TrackPlan(motion.orbitVelocity, "motion.orbitVelocity", from: .orbitVelocity, in: &layout)
    let axis = motion.orbitAxis.direction ?? Vector(0, 0, 1)
    let isLocal = law.motion == .placeOrbit && emitter.space != .world
    orbitAxis = FloatVector(isLocal ? transform.rotated(axis) : axis)
    drift =
      motion.drift == .zero
      ? nil
      : (
        TrackPlan(motion.drift.x, "motion.drift[0]", in: &layout),
        TrackPlan(motion.drift.y, "motion.drift[1]", in: &layout),
        TrackPlan(motion.drift.z, "motion.drift[2]", in: &layout)
      )
    orbit = motion.mode == .orbit ? motion.orbit.map { OrbitPlan($0, in: &layout) } : nil
    let isFalling =
      drags.isEmpty && motion.mode == .ballistic && speed == nil && greatestSpeed == nil
      && orbitVelocity == nil && drift == nil && heading == nil
    let constants = forces.compactMap { $0.constant }
    fall =
      isFalling && constants.count == forces.count
      ? constants.reduce(.zero) { FloatVector(x: $0.x + $1.x, y: $0.y + $1.y, z: $0.z + $1.z) }
      : nil
    path =
      motion.mode == .path
      ? motion.path.flatMap {
        PathPlan($0, isSpeedChanging: motion.speed != nil, in: &layout)
      } : nil

    let clampsSizes = law.clamping != .result
    let sizes = Interval(law.leastSize ?? 0, .greatestFiniteMagnitude)
    width = TrackPlan(
      emitter.size.width, "size.width", from: .width, bounds: sizes, clampsSamples: clampsSizes,
      in: &layout)
    height = emitter.size.height.map {
      TrackPlan(
        $0, "size.height", from: .height, bounds: sizes, clampsSamples: clampsSizes, in: &layout)
    }
    angle = TrackPlan(emitter.rotation.angle, "rotation.angle", from: .angle, in: &layout)
    angularVelocity = TrackPlan(
      emitter.rotation.velocity, "rotation.velocity", from: .angularVelocity,
      to: .property("rotation.velocity.to"), in: &layout)
    angularAcceleration = layout.source(emitter.rotation.acceleration, .angularAcceleration)
    align = emitter.rotation.align
    alignOffset = emitter.rotation.alignOffset
    turned = emitter.rotation.velocity.isConstantOverLife ? nil : layout.column()
    launchAngle =
      emitter.rotation.align == .birth || motion.mode == .path ? layout.column() : nil
    color = ColorPlan(emitter.color.base, clamping: law.clamping, in: &layout)
    opacity = TrackPlan(
      emitter.color.opacity, "color.opacity", from: .opacity, bounds: .unit, in: &layout)
    intensity = TrackPlan(
      emitter.color.intensity, "color.intensity", from: .intensity,
      to: .property("color.intensity.to"), bounds: .positive, in: &layout)
    mix = TrackPlan(emitter.color.mix, "color.mix", from: .mix, bounds: .unit, in: &layout)
    depth = TrackPlan(emitter.render.z, "render.z", in: &layout)
    inherited =
      isTriggered || !emitter.shape.colors.isEmpty ? InheritedColumns(in: &layout) : nil

    let tracks =
      [
        emitter.motion.speed, emitter.motion.maxSpeed, emitter.motion.direction,
        emitter.motion.orbitVelocity,
        emitter.size.width, emitter.size.height, emitter.rotation.angle, emitter.rotation.velocity,
        emitter.color.opacity, emitter.color.intensity, emitter.color.mix, emitter.render.z,
        motion.drift.x, motion.drift.y, motion.drift.z,
      ].compactMap { $0 } + emitter.forces.flatMap { [$0.strength, $0.vector.x, $0.vector.y] }
    needsSpeed = tracks.contains { $0.over == .speed }
    needsDistance = tracks.contains { $0.over == .distance }
    lifetime = SamplePlan(
      value: emitter.lifetime, channel: .lifetime, column: Fixed.life, bounds: nil)
    startAge = SamplePlan(
      value: emitter.emission.lifeOffset, channel: .lifeOffset, column: Fixed.age,
      bounds: .positive)
    greatestLifetime =
      law.share == .emitter ? Float(max(emitter.lifetime.bounds.upper, 1e-6)) : nil
    isSurelyLiving =
      lifetime.isPlain && startAge.isPlain
      && emitter.lifetime.bounds.lower > max(0, emitter.emission.lifeOffset.bounds.upper)
    isTriggeringOnEmission = emitter.triggers.contains { [.birth, .living].contains($0.event) }
    self.isFlat = isFlat
    origin = FloatVector(transform.translation)
    layoutWidth = layout.width
    samples = layout.samples
    colorSamples = color.samples
  }
}

extension Interval {
  /// 0 and more.
  static let positive = Interval(0, .greatestFiniteMagnitude)
}

/// The columns of what a particle takes over from the one that triggered it, or from its place in
/// the shape.
struct InheritedColumns {
  let (red, green, blue, alpha): (Int, Int, Int, Int)
  let angle: Int
  let size: Int

  init(in layout: inout ColumnLayout) {
    (red, green, blue, alpha) = (
      layout.column(), layout.column(), layout.column(), layout.column()
    )
    angle = layout.column()
    size = layout.column()
  }
}

/// Motion around a centre.
struct OrbitPlan {
  let angle: Source
  let angularVelocity: Source
  let radius: TrackPlan
  let phase: Float

  init(_ orbit: Orbit, in layout: inout ColumnLayout) {
    angle = layout.source(orbit.angle, .orbitAngle)
    angularVelocity = layout.source(orbit.angularVelocity, .orbitAngularVelocity)
    radius = TrackPlan(orbit.radius, "motion.orbit.radius", from: .orbitRadius, in: &layout)
    phase = orbit.phase180 ? 180 : 0
  }
}

/// The direction of motion over life.
struct HeadingPlan {
  let angle: TrackPlan
  /// Where the angles 0° and 90° point.
  let (right, up): (FloatVector, FloatVector)

  init(_ track: Track, transform: Transform, in layout: inout ColumnLayout) {
    angle = TrackPlan(track, "motion.direction", in: &layout)
    right = FloatVector(transform.rotated(Vector(1, 0)))
    up = FloatVector(transform.rotated(Vector(0, 1)))
  }
}
