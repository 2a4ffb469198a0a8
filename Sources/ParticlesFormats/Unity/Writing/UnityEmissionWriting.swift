internal import ParticlesCore
internal import ParticlesModel

// Periods, emission, the place of an emitter, and emitters that others start.

extension EmitterWriter<UnityFamily> {
  /// Writes whether a module is on. If the file lacks a module that is off, it is not written.
  mutating func turn(_ module: String, _ isOn: Bool) {
    set("\(module).enabled", flag: isOn)
  }

  mutating func encodeTiming() {
    let timing = emitter.timing
    // A burst of endless emission comes once.
    let isEndless = timing.duration == nil
    let period = period(endless: emitter.emission.bursts.isEmpty ? 5 : 100_000)
    let duration = single(period, .duration, at: "timing.duration", "it cannot be random")
    if duration < 0.05 {
      lose(.clamped, .duration, at: "timing.duration", "Unity clamps it to 0.05 s", level: .low)
    }
    set("lengthInSec", duration)
    set("looping", flag: timing.loop || isEndless)
    let isWarm = timing.prewarm > 0 && (timing.loop || isEndless)
    set("prewarm", flag: isWarm)
    if timing.prewarm > 0, !isWarm || timing.prewarm != duration {
      lose(
        isWarm ? .approximated : .lost, .prewarm, at: "timing.prewarm",
        "prewarming is one period of a loop")
    }
    set("startDelay", number(timing.delay.notNegative, .delay, at: "timing.delay"))
    if timing.delay.bounds.lower < 0 {
      lose(.clamped, .delay, at: "timing.delay", "values below 0 are 0")
    }
    set(
      place.origin("simulationSpeed") == nil && place.origin("speed") != nil
        ? "speed" : "simulationSpeed", timing.speed)
    guard place.isNew else { return }
    for (key, value) in [("playOnAwake", 1), ("useUnscaledTime", 0), ("autoRandomSeed", 1)] {
      set(key, integer: value)
    }
  }

  mutating func encodeSpace() {
    let isWorld = isInWorld()
    let isReversed = (place.number("serializedVersion") ?? 8) <= 4
    set("moveWithTransform", integer: isWorld != isReversed ? 1 : 0)
  }

  mutating func encodeStart() {
    if place.isNew { turn("InitialModule", true) }
    set(
      "InitialModule.startLifetime",
      number(clampNegative(emitter.lifetime, .life, at: "lifetime"), .life, at: "lifetime"))
    set(
      "InitialModule.startSpeed",
      number(launchSpeed(), .speedRange, at: "launch.speed"))
    let emission = emitter.emission
    let most = emission.maxAlive ?? Int(Int32.max)
    set("InitialModule.maxNumParticles", integer: min(most, Int(Int32.max)))
    if emission.maxAlive == nil {
      lose(
        .restated, .aliveLimit, at: "emission.maxAlive", also: ["emission.whenFull"],
        "a limit is needed, and never reached")
    } else {
      let isRing = emission.whenFull == .recycle
      set("ringBufferMode", integer: isRing ? 1 : 0)
      if !isRing { skipWhenFull() }
    }
    guard place.isNew else { return }
    set("InitialModule.gravityModifier", UnityCurves.constant(0))
  }

  mutating func encodeEmission() {
    let emission = emitter.emission
    turn("EmissionModule", true)
    set("EmissionModule.rateOverTime", number(rateOfChance(), .randomRate, at: "emission.rate"))
    if case .uniform(let range) = emission.rate, range.scope == .particle {
      lose(.restated, .randomRate, at: "emission.rate", "Unity decides when it is sampled")
    }
    set(
      "EmissionModule.rateOverDistance",
      number(emission.ratePerDistance, .rateOverDistance, at: "emission.ratePerDistance"))
    set("EmissionModule.m_BurstCount", integer: emission.bursts.count)
    let bursts = emission.bursts.enumerated().map { index, burst -> JSONValue in
      let path = "emission.bursts[\(index)]"
      let count = burst.count.scaled(by: emission.probability)
      return [
        "serializedVersion": .int(2), "time": format.real(burst.time),
        "countCurve": number(count, .burst, at: "\(path).count"),
        "cycleCount": .int(burst.cycles), "repeatInterval": format.real(burst.interval),
        "probability": format.real(burst.probability),
      ]
    }
    set("EmissionModule.m_Bursts", .array(bursts))
    if emission.probability != 1, !bursts.isEmpty {
      lose(
        .approximated, .probability, at: "emission.bursts", "spawn probability is not supported",
        recipe: "count × probability")
    }
  }

  // MARK: Place

  mutating func encodePlace() {
    if place.isNew || emitter.name != place.origin("m_Name", .gameObject)?.string {
      set("GameObject.m_Name", .string(emitter.name))
    }
    if !place.isBelowInactive { set("GameObject.m_IsActive", flag: emitter.enabled) }
    if place.isNew { set("scalingMode", integer: 1) }
    let transform = emitter.transform
    if place.scaling == 2, transform.scale != .one {
      lose(.lost, .place, at: "transform.scale", "the mode of scaling is Shape", level: .medium)
    }
    guard var own = AffineTransform(transform).inside(of: place.above)?.transformInSpace else {
      return
    }
    if place.isRoot {
      if transform.translation != .zero {
        lose(
          .lost, .place, at: "transform.translation",
          "the place of the root of a prefab means nothing, because each scene places it",
          level: .medium)
      }
      own.translation = .zero
    } else {
      setVector("Transform.m_LocalPosition", UnityFormat.flipped(own.translation))
    }
    let turn = own.rotation
    set(
      "Transform.m_LocalRotation",
      [
        "x": format.real(-turn.x + 0), "y": format.real(-turn.y + 0), "z": format.real(turn.z),
        "w": format.real(turn.w),
      ])
    guard place.scaling != 2 else { return }
    let scale = place.scaling == 1 ? transform.scale : own.scale
    setVector("Transform.m_LocalScale", Vector(scale.x, scale.y, scale.z))
    if transform.angle != 0 {
      lose(.restated, .place, at: "transform", "the rotation is one quaternion")
    }
  }

  /// Writes a vector, with the axes of Unity.
  mutating func setVector(_ key: String, _ vector: Vector) {
    set(
      key, ["x": format.real(vector.x), "y": format.real(vector.y), "z": format.real(vector.z)])
  }

  // MARK: Sub-emitters

  private static var events: [TriggerEvent] { [.living, .collision, .death] }

  mutating func encodeTriggers() {
    var list: [JSONValue] = []
    for (number, trigger) in emitter.triggers.enumerated() {
      let path = "triggers[\(number)]"
      let event = trigger.event == .birth || trigger.event == .frame ? .living : trigger.event
      guard let type = Self.events.firstIndex(of: event),
        place.systems.indices.contains(trigger.emitter)
      else {
        lose(
          .lost, trigger.event.capability, at: path,
          "this event starts no emitter, so that the sub-emitter starts by itself")
        continue
      }
      var written = Trigger(event, emitter: trigger.emitter)
      written.probability = trigger.probability
      written.inherit = [.position]
      var properties = 0
      for (bit, property) in [(1, Inheritance.color), (2, .size), (4, .rotation)]
      where trigger.inherit.contains(property) {
        properties |= bit
        written.inherit.append(property)
      }
      list.append([
        "serializedVersion": .int(3),
        "emitter": UnityReference.value(place.systems[trigger.emitter]),
        "type": .int(type), "properties": .int(properties),
        "emitProbability": format.real(trigger.probability),
      ])
      if Set(written.inherit) == Set(trigger.inherit), written.inherit != trigger.inherit {
        lose(.restated, trigger.event.capability, at: path, "written in another order")
      } else if written != trigger {
        lose(
          .approximated, trigger.event.capability, at: path,
          "the whole emitter starts at the position of the particle", level: .medium)
      }
    }
    turn("SubModule", !list.isEmpty)
    if !list.isEmpty || place.origin("SubModule.subEmitters") != nil {
      set("SubModule.subEmitters", .array(list))
    }
    if list.count < emitter.triggers.count, !list.isEmpty {
      lose(.restated, .severalEmitters, at: "triggers", "sub-emitters that are lost leave no gap")
    }
  }
}

// Shapes, from which the directions of particles follow.

extension EmitterWriter<UnityFamily> {
  /// A radius too small to be seen, with which Unity can still tell directions apart.
  static var point: Double { 0.0001 }

  mutating func encodeShape() {
    // An edit of a file changes the keys of its shape. Another kind of shape needs all keys.
    let isSame = !place.isNew && keepsShape()
    if place.isNew || !isSame { turn("ShapeModule", true) }
    let (shape, launch) = (emitter.shape, emitter.launch)
    switch shape.kind {
    case .sphere, .hemisphere, .torus, .ellipse, .cone:
      if launch.direction.mode == .normal || shape.kind == .cone || !place.isNew, encodeRound() {
        return
      }
    case .line where launch.direction == Direction(vector: Vector(0, 1, 0)):
      return encodeLine()
    default: break
    }
    shape.kind == .point ? encodePoint() : encodeBox()
  }

  /// Whether the shape in the file has the keys of the shape of the document.
  private func keepsShape() -> Bool { place.number("ShapeModule.enabled") ?? 1 == 1 }

  private mutating func set(type: Int, _ transform: Transform, rotation: Quaternion) {
    set("ShapeModule.type", integer: type)
    let scaled = place.scaling == 2 ? place.scale : .one
    func divided(_ number: Double, _ by: Double) -> Double {
      by == 0 ? number : (number / by).rounded
    }
    let center = transform.translation
    setVector(
      "ShapeModule.m_Position",
      UnityFormat.flipped(
        Vector(
          divided(center.x, scaled.x), divided(center.y, scaled.y), divided(center.z, scaled.z))))
    let angles = rotation.anglesOfUnity
    setVector("ShapeModule.m_Rotation", angles)
  }

  /// The rotation of the shape, with the angle in the plane.
  private var turned: Quaternion {
    let transform = emitter.shape.transform
    return transform.rotation.times(Quaternion(inPlane: transform.angle))
  }

  // MARK: Round shapes

  /// Writes a round shape whose normals are the directions.
  /// - Returns: false if Unity has none like it.
  private mutating func encodeRound() -> Bool {
    let (shape, launch) = (emitter.shape, emitter.launch)
    let isFlat = shape.kind == .ellipse
    guard !isFlat || shape.radii.x == shape.radii.y || shape.radii.x * shape.radii.y > 0 else {
      return false
    }
    let type: Int
    switch (shape.kind, shape.placement) {
    case (.sphere, _): type = 0
    case (.hemisphere, _): type = 2
    case (.cone, _): type = shape.height > 0 ? 8 : 4
    case (.ellipse, _): type = 10
    default: type = 17
    }
    // Of old files, the surface has a number of its own.
    let old = Int(saturating: place.number("ShapeModule.type") ?? -1)
    let surfaces = [0: 1, 2: 3, 4: 7, 8: 9, 10: 11]
    let isOldSurface = surfaces[type] == old && shape.placement != .volume
    var transform = shape.transform
    let rotation = isFlat ? turned : turned.times(UnityFormat.alongZ.inverse)
    // Discs of two radii are scaled ones.
    let radius = isFlat ? max(shape.radii.x, shape.radii.y) : shape.radius
    if isFlat, shape.radii.x != shape.radii.y {
      transform.scale = Scale(
        transform.scale.x * shape.radii.x / radius, transform.scale.y * shape.radii.y / radius,
        transform.scale.z)
    }
    set(type: isOldSurface ? old : type, transform, rotation: rotation)
    set("ShapeModule.radius.value", max(radius, Self.point))
    let scale = transform.scale
    let divisor = place.scaling == 2 ? place.scale : .one
    let axes = isFlat ? [scale.x, scale.y, scale.z] : [scale.x, scale.z, scale.y]
    let parts = zip(
      axes, isFlat ? [divisor.x, divisor.y, divisor.z] : [divisor.x, divisor.z, divisor.y]
    )
    .map { $1 == 0 ? $0 : ($0 / $1).rounded }
    setVector("ShapeModule.m_Scale", Vector(parts[0], parts[1], parts[2]))
    if !isOldSurface {
      set("ShapeModule.radiusThickness", shape.placement == .volume ? (1 - shape.inner).rounded : 0)
    }
    if shape.kind == .torus { set("ShapeModule.donutRadius", shape.pipe) }
    if shape.kind == .cone { encodeCone() }
    encodeArc(isFlat: isFlat)
    encodeSpread(isCone: shape.kind == .cone)
    if shape.distribution != .uniform, place.isNew {
      lose(.approximated, .shapeDisc, at: "shape.distribution", "places are even", level: .low)
    }
    if place.isNew, launch.direction.mode != .normal, shape.kind != .cone {
      lose(
        .approximated, .directionNormal, at: "launch.direction",
        "particles move away from the centre of the shape")
    }
    return true
  }

  private mutating func encodeCone() {
    let shape = emitter.shape
    set("ShapeModule.angle", min(max(shape.angle, 0), 90))
    if shape.height > 0 || place.isNew { set("ShapeModule.length", max(shape.height, 1e-3)) }
  }

  private mutating func encodeArc(isFlat: Bool) {
    let shape = emitter.shape
    let arc = shape.arc
    let width = min((arc.upper - arc.lower).magnitude, 360)
    set("ShapeModule.arc.value", width)
    // Arcs of round shapes run in the opposite direction, because z is reversed.
    let start = isFlat ? arc.lower : arc.upper
    if width < 360, start != 0, start != 360 {
      lose(
        .approximated, .shapeRing, at: "shape.arc", "arcs begin at the axis x", level: .low)
    }
    let mode = [Sweep.random, .loop, .pingpong, .spread].firstIndex(of: shape.sweep) ?? 0
    set("ShapeModule.arc.mode", integer: mode)
    if place.isNew {
      set("ShapeModule.arc.spread", integer: 0)
      set("ShapeModule.arc.speed", UnityCurves.constant(1))
      set("ShapeModule.radius.mode", integer: 0)
      set("ShapeModule.radius.spread", integer: 0)
      set("ShapeModule.radius.speed", UnityCurves.constant(1))
    }
  }

  private mutating func encodeSpread(isCone: Bool) {
    let launch = emitter.launch
    let isRandom = launch.direction.mode == .random
    if isCone {
      let own = emitter.shape.angle
      if launch.direction.mode != .normal, launch.spread != own, place.isNew {
        lose(
          .approximated, .cone3D, at: "launch.spread", also: ["launch.spreadLaw"],
          "directions in a cone follow from its angle")
      }
    }
    let spread = isCone ? 0 : launch.spread
    set(
      place.origin("ShapeModule.randomDirectionAmount") == nil
        && place.origin("ShapeModule.randomDirection") != nil
        ? "ShapeModule.randomDirection" : "ShapeModule.randomDirectionAmount",
      isRandom ? 1 : (min(spread, 180) / 180).rounded)
    if spread > 0, place.isNew {
      lose(
        .approximated, .spread2D, at: "launch.spread", also: ["launch.spreadLaw"],
        "directions deviate to every side in space", recipe: "an equal angle")
    }
  }

  private mutating func encodeLine() {
    let shape = emitter.shape
    let turn = turned.times(Quaternion(inPlane: shape.angle))
    set(type: 12, shape.transform, rotation: turn)
    setVector("ShapeModule.m_Scale", Vector(1, 1, 1))
    set("ShapeModule.radius.value", (shape.length / 2).rounded)
    let mode = [Sweep.random, .loop, .pingpong, .spread].firstIndex(of: shape.sweep) ?? 0
    set("ShapeModule.radius.mode", integer: mode)
    if place.isNew {
      set("ShapeModule.radius.spread", integer: 0)
      set("ShapeModule.radius.speed", UnityCurves.constant(1))
    }
    encodeSpread(isCone: false)
  }

  // MARK: Points and boxes

  /// The middle of the directions, in the space of the shape. Nil for any direction.
  private mutating func axis() -> Vector? {
    let direction = emitter.launch.direction
    switch direction.mode {
    case .vector: return direction.vector.unit
    case .angle:
      let (center, half, _) = direction.angle.spread
      if half > 0, emitter.launch.spread == 0 { emitter.launch.spread = min(half, 180) }
      let angle = Angle.radians(center)
      return Vector(cosine(angle).rounded, sine(angle).rounded)
    case .normal, .random: return nil
    case .none: return Vector(0, 1, 0)
    }
  }

  private var isPlanar: Bool { spreadLaw == .planar }

  private mutating func encodePoint() {
    let (shape, launch) = (emitter.shape, emitter.launch)
    let isFan = isPlanar && system.asset.dimension == .plane
    let axis = isFan && launch.direction.mode == .random ? Vector(0, 1, 0) : axis()
    let spread = isFan && launch.direction.mode == .random ? 180 : emitter.launch.spread
    setVector("ShapeModule.m_Scale", Vector(1, 1, 1))
    defer { if place.isNew { encodeArcDefaults() } }
    set("ShapeModule.radius.value", Self.point)
    set("ShapeModule.radiusThickness", 1)
    set("ShapeModule.randomDirectionAmount", 0)
    guard let axis, spread <= 90 || isPlanar else {
      set(type: 0, shape.transform, rotation: turned)
      set("ShapeModule.arc.value", 360)
      if axis != nil {
        lose(
          .approximated, .cone3D, at: "launch",
          "cones are at most 180° wide, and wider ones are random")
      } else if launch.direction.mode == .normal {
        lose(.restated, .directionNormal, at: "launch.direction", "a point has any direction")
      }
      return
    }
    if isPlanar, spread > 0, axis.z == 0 {
      // A part of a circle.
      let start = (Angle.direction(axis.x, axis.y) ?? 0) - spread
      set(type: 10, shape.transform, rotation: turned.times(Quaternion(inPlane: start.rounded)))
      set("ShapeModule.arc.value", min((2 * spread).rounded, 360))
      return lose(
        .restated, .spread2D, at: "launch",
        "directions in the plane follow a part of a circle")
    }
    set(type: 4, shape.transform, rotation: turned.times(Quaternion(facing: axis)))
    set("ShapeModule.angle", spread)
    set("ShapeModule.arc.value", 360)
    guard place.isNew else { return }
    let isSame = spread == 0 || spreadLaw == .solidUniform
    lose(
      isSame ? .restated : .approximated, isPlanar ? .spread2D : .cone3D, at: "launch",
      isPlanar && spread > 0
        ? "directions deviate to every side in space" : "directions follow a cone",
      recipe: isSame ? nil : "an equal angle")
  }

  private mutating func encodeArcDefaults() {
    set("ShapeModule.length", 5)
    set("ShapeModule.arc.mode", integer: 0)
    set("ShapeModule.radius.mode", integer: 0)
  }

  private mutating func encodeBox() {
    let shape = emitter.shape
    var box = shape
    var isExact = true
    switch shape.kind {
    case .box, .rect: break
    default:
      isExact = false
      let half = shape.halfSize
      box = .rect(width: (2 * half.x).magnitude, height: (2 * half.y).magnitude)
      lose(
        shape.kind == .mesh ? .lost : .approximated,
        shape.kind == .mesh ? .shapeMesh : shape.kind == .ellipse ? .shapeDisc : .shape3D,
        at: "shape", "the shape becomes a box", recipe: "of equal extent")
    }
    let axis = axis()
    let facing = axis ?? Vector(0, 0, -1)
    let size = [box.size.x, box.size.y, box.kind == .rect ? 0 : box.size.z]
    let parts = [facing.x.magnitude, facing.y.magnitude, facing.z.magnitude]
    let along = parts.indices.max { parts[$0] < parts[$1] } ?? 2
    let isStraight = (parts[along] - 1).magnitude < 1e-6
    var turn = turned
    var sides = size
    if along != 2 || facing.z > 0 || !isStraight {
      turn = turn.times(Quaternion(facing: facing))
      // The z axis of the box is the direction.
      sides = [0: [size[2], size[1], size[0]], 1: [size[0], size[2], size[1]]][along] ?? size
    }
    let scale = shape.transform.scale
    let factors = [scale.x, scale.y, scale.z]
    let order = [0: [2, 1, 0], 1: [0, 2, 1], 2: [0, 1, 2]][along] ?? [0, 1, 2]
    sides = zip(sides, along != 2 || facing.z > 0 || !isStraight ? order : [0, 1, 2]).map {
      ($0 * factors[$1]).rounded
    }
    if place.isNew, axis != nil {
      lose(
        .restated, .shapeRectangle, at: "launch.direction",
        also: isExact && isStraight ? ["shape"] : [],
        "a box faces in the direction of its particles")
    }
    if scale != .one {
      lose(.restated, .shapeRectangle, at: "shape", "the scale is applied to the shape")
    }
    // A rectangle of Unity faces along its axis.
    let isRectangle = box.kind == .rect && along == 2 && isStraight
    let isShell = shape.placement == .surface && shape.kind == .box
    let isEdge = shape.placement == .edge && shape.kind == .box
    set(
      type: isRectangle ? 18 : isShell ? 15 : isEdge ? 16 : 5, shape.transform, rotation: turn)
    let isOldBox =
      place.origin("ShapeModule.boxX") != nil && place.origin("ShapeModule.m_Scale") == nil
    if isOldBox {
      for (key, side) in zip(["boxX", "boxY", "boxZ"], sides) { set("ShapeModule.\(key)", side) }
    } else {
      setVector("ShapeModule.m_Scale", Vector(sides[0], sides[1], isRectangle ? 1 : sides[2]))
    }
    if shape.placement != .volume, !isShell, !isEdge, isExact {
      lose(.lost, .shapeRing, at: "shape.placement", "the whole shape emits")
    }
    if !isStraight, isExact {
      lose(
        .approximated, .shapeRectangle, at: "shape", "shapes turn with the direction of particles",
        level: .low)
    }
    let spread = emitter.launch.spread
    set("ShapeModule.randomDirectionAmount", axis == nil ? 1 : (min(spread, 180) / 180).rounded)
    if axis == nil, emitter.launch.direction.mode == .normal {
      lose(
        .approximated, .directionNormal, at: "launch.direction",
        "shape normals are not supported and become random")
    } else if spread > 0, place.isNew {
      lose(
        .approximated, .spread2D, at: "launch.spread", also: ["launch.spreadLaw"],
        "directions deviate to every side in space", recipe: "an equal angle")
    }
    if place.isNew { setVector("ShapeModule.boxThickness", .zero) }
  }
}

extension Quaternion {
  var inverse: Quaternion { Quaternion(-x + 0, -y + 0, -z + 0, w) }

  /// The rotation that turns −z, along which shapes of Unity are in a document, to a direction.
  init(facing axis: Vector) { self.init(turning: Vector(0, 0, -1), to: axis) }

  /// The angles of the rotation in degrees with the axes of Unity: about z, then x, then y.
  var anglesOfUnity: Vector {
    // Mirroring z reverses rotations about x and y.
    let (x, y, z, w) = (-x, -y, z, w)
    let sine = Interval(-1, 1).clamp(2 * (w * x - y * z))
    func tidy(_ degrees: Double) -> Double { (degrees * 1e4).rounded() / 1e4 + 0 }
    let pitch = tidy(angleInDegrees(sine, (1 - sine * sine).squareRoot()))
    if sine.magnitude > 0.99999 { return Vector(pitch, tidy(2 * angleInDegrees(y, w)), 0) }
    return Vector(
      pitch, tidy(angleInDegrees(2 * (w * y + x * z), 1 - 2 * (x * x + y * y))),
      tidy(angleInDegrees(2 * (w * z + x * y), 1 - 2 * (x * x + z * z))))
  }
}
