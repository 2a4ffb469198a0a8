internal import ParticlesCore
internal import ParticlesModel

extension TreeReader<DefoldFamily> {
  func decodeOrientation(of emitter: inout Emitter) {
    let names = [
      ("_DEFAULT", 0), ("_INITIAL_DIRECTION", 1), ("_MOVEMENT_DIRECTION", 2),
      ("_ANGULAR_VELOCITY", 3),
    ]
    let orientation = choice("particle_orientation", names, 0)
    emitter.rotation.align = orientation == 1 ? .birth : orientation == 2 ? .velocity : .none
    // The direction of the engine is along the y axis of the image.
    if emitter.rotation.align != .none { emitter.rotation.alignOffset = -90 }
    emitter.rotation.angle = sum("ROTATION")
    // Images turn with the emitter, unless they are aligned with directions, which do so anyway.
    let turn = emitter.transform.angle
    if emitter.rotation.align == .none, turn != 0 {
      emitter.rotation.angle = emitter.rotation.angle.moved(by: turn)
    }
    guard orientation == 3 else { return }
    emitter.rotation.velocity = track(initial("ANGULAR_VELOCITY"), times: "ANGULAR_VELOCITY")
  }

  /// A start value plus a curve over life.
  private func sum(_ key: String) -> Track {
    let start = initial(key)
    guard let life = lifeCurve(key), life.constant != 0 else { return Track(start) }
    return Track(from: start, to: 1, relative: true, curve: life.curve)
  }

  /// A start value times a curve over life.
  private func track(_ start: Value, times key: String) -> Track {
    guard let life = lifeCurve(key) else { return Track(start) }
    if let factor = life.constant { return Track(start.scaled(by: factor)) }
    return Track(from: 0, to: start, curve: life.curve)
  }

  func decodeSize(of emitter: inout Emitter) {
    let isAutomatic = choice("size_mode", [("_MANUAL", false), ("_AUTO", true)], false)
    emitter.size.mode = isAutomatic ? .textureScale : .units
    let start = isAutomatic ? 1 : initial("SIZE").notNegative
    emitter.size.width = track(start, times: "SCALE")
  }

  func decodeStretch(of emitter: inout Emitter) {
    let (x, y) = (sum("STRETCH_FACTOR_X"), sum("STRETCH_FACTOR_Y"))
    if flag("stretch_with_velocity", false) {
      emitter.size.stretch = Stretch()
      emitter.size.stretch?.factor = 0.001
      note(
        .approximated, "stretch_with_velocity", "particles are stretched by 1 ms of their motion")
      if x != 0 || y != 0 {
        note(.dead, "stretch_with_velocity", "factors of the axes are left out")
      }
    } else if x != 0 || y != 0 {
      emitter.size.stretch = Stretch()
      emitter.size.stretch?.axis = .factors(VectorTrack(x, y, 0))
    }
  }

  func decodeColor(of emitter: inout Emitter) {
    let starts = DefoldFamily.channels.map { name -> (low: Double, high: Double) in
      guard let curve = emitterCurve("PARTICLE_\(name)") else { return (0, 0) }
      if curve.constant == nil {
        note(
          .approximated, "properties[EMITTER_KEY_PARTICLE_\(name)]",
          "the colour of new particles does not change, so that the mean is used")
      }
      let center = curve.constant ?? curve.curve.mean
      return ((center - curve.spread).rounded, (center + curve.spread).rounded)
    }
    let (low, high) = (Color(starts.map { $0.low }), Color(starts.map { $0.high }))
    emitter.color.base = ColorTrack(low == high ? .constant(low) : .range(low, high))
    let lives = DefoldFamily.channels.map { lifeCurve($0) }
    guard lives.contains(where: { $0 != nil && $0?.constant != 1 }) else { return }
    let curves = lives.map { life -> Curve in
      guard let life else { return .constant(1) }
      return life.constant.map(Curve.constant) ?? life.curve
    }
    emitter.color.base.gradient = Gradient(
      red: curves[0], green: curves[1], blue: curves[2], alpha: curves[3])
  }

  func decodeShape(of emitter: inout Emitter) {
    let kinds = [
      ("_CIRCLE", ShapeKind.ellipse), ("_2DCONE", .polyline), ("_BOX", .box), ("_SPHERE", .sphere),
      ("_CONE", .cone),
    ]
    let extents = [extent("SIZE_X"), extent("SIZE_Y"), extent("SIZE_Z")]
    let (x, y, z) = (extents[0].size, extents[1].size, extents[2].size)
    let (wide, high) = (extents[0].factor, extents[1].factor)
    var factors = ValueScale(wide, wide, wide)
    emitter.launch.direction = Direction(.normal)
    switch choice("type", kinds, .ellipse) {
    case .polyline:
      // A sector with the height and opening of the triangle that it replaces, which opens upwards.
      let half = y > 0 ? (Angle.direction(y, x / 2) ?? 0) : 90
      emitter.shape = .ellipse(y, y)
      emitter.shape.arc = Interval((90 - half).rounded, (90 + half).rounded)
      factors = ValueScale(wide, high)
      note(
        .approximated, "type", "particles are emitted in a sector in place of a triangle",
        severity: .note)
    case .box:
      emitter.shape = z == 0 ? .rect(width: x, height: y) : .box(Vector(x, y, z))
      emitter.launch.direction = Direction(angle: 90)
      factors = ValueScale(wide, high, z == 0 ? 1 : extents[2].factor)
    case .sphere: emitter.shape = .sphere(radius: x / 2)
    case .cone:
      emitter.shape = Shape(.cone)
      emitter.shape.height = y
      emitter.shape.angle = y > 0 ? (Angle.direction(y, x / 2) ?? 0) : 90
      factors.y = high
      note(
        .approximated, "type", "directions in a cone follow its sides", severity: .note)
    default:
      emitter.shape = .ellipse(x / 2, x / 2)
      factors.z = 1
    }
    emitter.shape.extent = factors
    if factors.x == factors.y, factors != .one, emitterCurve("SIZE_X")?.spread != 0 {
      note(
        .approximated, "properties[EMITTER_KEY_SIZE_X]",
        "a random size of a round shape is sampled for each axis", severity: .note)
    }
  }

  /// The modifiers of the emitter, then the modifiers of the whole effect.
  func decodeModifiers(of emitter: inout Emitter) {
    for (index, modifier) in (array("modifiers") ?? []).enumerated() {
      if let force = force(modifier, "modifiers[\(index)]") { emitter.forces.append(force) }
    }
    for (index, modifier) in (root["modifiers"]?.array ?? []).enumerated() {
      if var force = force(modifier, "modifiers[\(index)] of the effect") {
        force.space = .world
        emitter.forces.append(force)
      }
    }
  }

  private func force(_ modifier: JSONValue, _ path: String) -> Force? {
    func track(_ key: String) -> Track {
      guard
        let property = modifier["properties"]?.array?.first(where: {
          $0["key"]?.string == "MODIFIER_KEY_\(key)"
        })
      else { return 0 }
      let curve = DefoldCurve(
        points: property["points"]?.array ?? [],
        spread: property["spread"].flatMap { number($0, path) }?.magnitude ?? 0)
      if curve.constant != nil { return Track(curve.value) }
      var track = Track(from: 0, to: 1, curve: curve.curve)
      track.over = .emitter
      return track
    }
    let strength = track("MAGNITUDE")
    let angle = modifier.quaternion("rotation").angleInPlane ?? 0
    var force: Force
    switch modifier["type"]?.string ?? "" {
    case "MODIFIER_TYPE_ACCELERATION":
      force = Force(.gravity)
      let direction = Angle.turned(0, 1, by: angle)
      func part(_ factor: Double) -> Track { factor == 0 ? 0 : strength.scaled(by: factor) }
      force.vector = VectorTrack(part(direction.x), part(direction.y), 0)
    case "MODIFIER_TYPE_DRAG":
      force = .drag(.euler, strength: strength)
      if modifier["use_direction"]?.bool == true || modifier["use_direction"]?.int == 1 {
        let direction = Angle.turned(1, 0, by: angle)
        force.direction = Vector(direction.x, direction.y)
      }
    case "MODIFIER_TYPE_RADIAL": force = Force(.radial, strength: strength)
    case "MODIFIER_TYPE_VORTEX": force = Force(.vortex, strength: strength)
    default:
      note(
        .uninterpreted, path, "a modifier of an unknown type",
        found: modifier["type"]?.shortExcerpt)
      return nil
    }
    force.space = .local
    if force.kind == .radial || force.kind == .vortex {
      force.center = modifier.vector("position")
      let distance = track("MAX_DISTANCE").from.mean
      if distance > 0 { force.maxDistance = distance }
    }
    return force
  }
}
