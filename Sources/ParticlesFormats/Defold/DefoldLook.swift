internal import ParticlesCore
internal import ParticlesModel

extension EmitterWriter<DefoldFamily> {
  // MARK: Shape and motion

  mutating func encodeShape() {
    let (shape, launch) = (emitter.shape, emitter.launch)
    let hasNormals = launch.direction.mode == .normal && launch.spread == 0
    let isDisc = shape.placement == .volume && shape.inner == 0 && shape.radii.x == shape.radii.y
    let width = shape.arc.upper - shape.arc.lower
    var (name, size) = ("BOX", Vector(2 * shape.halfSize.x, 2 * shape.halfSize.y))
    var isExact = shape.transform == Emitter.Transform() && shape.sweep == .random
    switch shape.kind {
    case .rect where shape.placement == .volume: size = shape.size
    case .box where shape.placement == .volume: size = shape.size
    case .ellipse where hasNormals && isDisc && shape.arc == Interval(0, 360):
      (name, size) = ("CIRCLE", Vector(2 * shape.radii.x, 0))
    case .ellipse
    where hasNormals && isDisc && width < 180
      && (shape.arc.lower + shape.arc.upper - 180).magnitude < 1e-6:
      name = "2DCONE"
      size = Vector((2 * shape.radii.x * Angle.tangent(width / 2)).rounded, shape.radii.x)
    case .sphere where hasNormals && shape.inner == 0 && shape.placement == .volume:
      (name, size) = ("SPHERE", Vector(2 * shape.radius, 0))
    case .cone where hasNormals && shape.radius == 0 && (shape.angle < 90 || shape.height == 0):
      name = "CONE"
      let width = shape.height == 0 ? 0 : 2 * shape.height * Angle.tangent(shape.angle)
      size = Vector(width.rounded, shape.height)
    default: isExact = false
    }
    // Particles leave a box upwards.
    if name == "BOX", launch.direction != Direction(angle: 90) || launch.spread != 0 {
      lose(
        .approximated, .directionNormal, at: "launch.direction",
        also: ["launch.spread", "launch.spreadLaw"], "directions follow from the shape",
        recipe: "upwards")
    } else if !hasLine(at: "launch.direction") {
      dropSpreadLaw()
    }
    set("type", .string("EMITTER_TYPE_\(name)"))
    let factors = shape.extent
    for (key, value, factor) in [
      ("SIZE_X", size.x, factors.x), ("SIZE_Y", size.y, factors.y), ("SIZE_Z", size.z, factors.z),
    ] {
      guard key != "SIZE_Z" || value != 0 || hasProperty("SIZE_Z") else { continue }
      guard key == "SIZE_X" || value != 0 || hasProperty(key) || name != "CIRCLE" else { continue }
      if value == 0 || factor == 1 {
        setCurve("properties", "EMITTER_KEY_\(key)", .constant(value), .shapeRectangle, at: "shape")
      } else {
        setInitial(key, factor.scaled(by: value), .shapeCurve, at: "shape.extent", prefix: "")
      }
    }
    if factors != .one,
      ["CIRCLE", "SPHERE"].contains(name) && factors.x != factors.y
        || ["SPHERE", "CONE"].contains(name) && factors.x != factors.z
    {
      lose(
        .approximated, .shapeCurve, at: "shape.extent", "round shapes have one width",
        recipe: "that along x")
    }
    if !isExact || shape.distribution != .uniform {
      lose(
        shape.kind == .point ? .restated : .approximated, .shape3D, at: "shape",
        "the shapes are circle, cone, box and sphere", recipe: "the nearest shape")
    }
  }

  private func hasProperty(_ key: String) -> Bool {
    surroundings.origin?["properties[EMITTER_KEY_\(key)]"] != nil
  }

  mutating func encodeModifiers() {
    var modifiers: [JSONValue] = []
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        let (x, y) = (force.vector.x, force.vector.y)
        if y == 0, x == 0 {
          lose(.dead, .gravity, at: place, "an acceleration of 0 has no effect")
          continue
        }
        // Along the y axis of the modifier.
        let isPlain =
          x == 0 || x.isPlainValue && x.from.isNumber && y.isPlainValue && y.from.isNumber
        let (ax, ay) = (x.mean(lifetime: lifetime), y.mean(lifetime: lifetime))
        let turn = x == 0 ? 0 : (Angle.direction(ax, ay) ?? 90) - 90
        let strength = x == 0 ? y : Track(.constant((ax * ax + ay * ay).squareRoot().rounded))
        if !isPlain {
          lose(
            .approximated, .gravity, at: place, "an acceleration has one direction",
            recipe: "the mean")
        }
        if force.vector.z != 0 { lose(.lost, .gravity, at: place, "depth is not supported") }
        modifiers.append(modifier("ACCELERATION", strength, force, turn: turn, at: place))
        if x != 0, isPlain {
          lose(.restated, .gravity, at: place, "written as a direction and a magnitude")
        }
      case .drag:
        let direction = force.direction.flatMap { Angle.direction($0.x, $0.y) }
        modifiers.append(
          modifier(
            "DRAG", force.strength, force, turn: direction ?? 0, at: place,
            usesDirection: direction != nil))
        if force.law != .euler {
          lose(
            .approximated, force.law == .constant ? .constantDrag : .exponentialDrag, at: place,
            "drag is proportional to the speed", recipe: "an equal number")
        }
      case .radial: modifiers.append(modifier("RADIAL", force.strength, force, at: place))
      case .vortex, .tangential:
        modifiers.append(modifier("VORTEX", force.strength, force, at: place))
        if force.kind == .tangential {
          lose(.restated, .tangent, at: place, "written as a vortex")
        }
      case .field:
        lose(.lost, .extra, at: place, "fields belong to the scene", level: .high)
      default:
        dropForce(index)
      }
      if force.falloff != 0 {
        lose(.approximated, .attract, at: place, "forces do not depend on the distance")
      }
      if force.space != .local || turnedBy != 0, !hasLine(at: place) {
        lose(.restated, .gravity, at: place, "modifiers turn with the emitter")
      }
    }
    if !modifiers.isEmpty { set("modifiers", .array(modifiers)) }
  }

  private mutating func modifier(
    _ type: String, _ strength: Track, _ force: Force, turn: Double = 0, at place: String,
    usesDirection: Bool = false
  ) -> JSONValue {
    var modifier: JSONObject = ["type": .string("MODIFIER_TYPE_\(type)")]
    if force.kind == .drag { modifier["use_direction"] = .int(usesDirection ? 1 : 0) }
    // Modifiers are seen from the emitter, which may have been turned.
    let back = force.space == .local ? -turnedBy : -emitter.transform.angle
    modifier["position"] = point(Quaternion(inPlane: back).turned(force.center))
    modifier["rotation"] = .quaternion(Quaternion(inPlane: turn + back))
    func property(_ key: String, _ curve: Curve, _ spread: Double) -> JSONValue {
      [
        "key": .string("MODIFIER_KEY_\(key)"), "points": points(curve, .gravity, at: place),
        "spread": format.real(spread),
      ]
    }
    var (curve, spread) = (Curve.constant(strength.from.spread.center), strength.from.spread.half)
    if strength.over == .emitter, strength.from == 0, strength.to == 1 {
      (curve, spread) = (strength.curve, 0)
    } else if !strength.isPlainValue || !strength.from.spread.isExact {
      lose(
        .approximated, force.kind.capability, at: place, "strengths change with the emitter only")
    }
    var properties = [property("MAGNITUDE", curve, spread)]
    if let most = force.maxDistance {
      properties.append(property("MAX_DISTANCE", .constant(most), 0))
    }
    modifier["properties"] = .array(properties)
    return .object(modifier)
  }

  // MARK: Look

  mutating func encodeSize() {
    var size = emitter.size
    size.width.from = clampNegative(size.width.from, .size, at: "size.width")
    if let to = size.width.to, !size.width.relative {
      size.width.to = clampNegative(to, .size, at: "size.width")
    }
    // A file keeps its mode while sizes are factors of the image.
    let isAutomatic = size.mode == .textureScale && size.width.constantStart == 1
    if isAutomatic || surroundings.origin?["size_mode"] != nil {
      set("size_mode", .string("SIZE_MODE_" + (isAutomatic ? "AUTO" : "MANUAL")))
    }
    let factor = isAutomatic ? 1 : sizeFactor(wantsFactor: false)
    setTrack(
      "SIZE", "SCALE", size.width, .sizeCurve, at: "size.width", times: factor, adds: false)
  }

  mutating func encodeStretch() {
    let stretch = emitter.size.stretch
    let isMoving = stretch?.axis == .velocity && stretch?.factor != 0
    if isMoving || surroundings.origin?["stretch_with_velocity"] != nil {
      set("stretch_with_velocity", flag: isMoving)
    }
    if isMoving, stretch?.factor != 0.001 {
      lose(
        .approximated, .stretch, at: "size.stretch", "the engine decides on the stretch by velocity"
      )
    }
    if let stretch, stretch.axis == .velocity, stretch.factor == 0 {
      lose(.dead, .stretch, at: "size.stretch", "it has no effect")
    }
    guard case .factors(let factors)? = stretch?.axis else { return }
    if stretch?.factor != 0 { lose(.lost, .stretch, at: "size.stretch.factor", "no effect") }
    for (name, track) in [("X", factors.x), ("Y", factors.y)] {
      setTrack(
        "STRETCH_FACTOR_\(name)", "STRETCH_FACTOR_\(name)", track, .stretch, at: "size.stretch",
        adds: true)
    }
    if factors.z != 0 { lose(.lost, .stretch, at: "size.stretch", "depth is not supported") }
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    let hasSpin = rotation.velocity != 0 || rotation.acceleration != 0
    var name = "DEFAULT"
    switch rotation.align {
    case .none: if hasSpin { name = "ANGULAR_VELOCITY" }
    case .birth: name = "INITIAL_DIRECTION"
    case .velocity: name = "MOVEMENT_DIRECTION"
    }
    set("particle_orientation", .string("PARTICLE_ORIENTATION_\(name)"))
    var angle = rotation.angle
    if rotation.align != .none {
      let offset = rotation.alignOffset + 90
      if offset != 0 {
        angle = angle.moved(by: offset)
        lose(
          .restated, .align, at: "rotation.alignOffset", also: ["rotation.angle"],
          "the top of the image points ahead")
      }
      if hasSpin {
        lose(
          .lost, .rotationSpeed, at: "rotation.velocity", also: ["rotation.acceleration"],
          "aligned particles have no spin")
      }
    } else {
      dropAlignOffset()
    }
    // Images that are not aligned turn with the emitter.
    let turn = emitter.transform.rotation == .identity ? emitter.transform.angle : 0
    if rotation.align == .none, turn != 0 {
      // As it is read: the rotation of the file has fewer digits.
      angle = angle.moved(by: -(Quaternion(inPlane: turn).angleInPlane ?? 0))
    }
    setTrack("ROTATION", "ROTATION", angle, .rotationCurve, at: "rotation.angle", adds: true)
    guard name == "ANGULAR_VELOCITY" else { return }
    setTrack(
      "ANGULAR_VELOCITY", "ANGULAR_VELOCITY", spinOverLife(), .rotationSpeed,
      at: "rotation.velocity",
      adds: false)
  }

  /// The range of the start colour, and for each channel a curve of its factor over life.
  private mutating func colorCurves() -> (ends: (low: Color, high: Color), curves: [Curve]) {
    func curves(_ points: [(time: Double, color: Color)]) -> [Curve] {
      (0..<4).map { channel in
        Curve(through: points.map { ($0.time, $0.color.channels[channel]) })
      }
    }
    let base = emitter.color.base
    if colorParts() == nil {
      guard let gradient = base.gradient else {
        return (startColors(), Array(repeating: .constant(1), count: 4))
      }
      let channels = [gradient.red, gradient.green, gradient.blue, gradient.alpha].compactMap { $0 }
      if channels.count == 4 { return (startColors(), channels) }
      if !gradient.hasChannels, gradient.interpolation == .linear, gradient.space == .srgb {
        lose(.restated, .gradient, at: "color.base", "a gradient is written as four curves")
        return (startColors(), curves(gradient.keys.map { ($0.time, $0.color) }))
      }
    }
    let points = colorPoints(hasOpacity: false)
    let isFirst = !hasLine(at: "color") && !hasLine(at: "color.base")
    lose(
      .restated, isFirst ? .gradient : .opacityCurve, at: "color",
      "colour and opacity are written as four curves")
    return ((.white, .white), curves(points))
  }

  mutating func encodeColor() {
    let (ends, curves) = colorCurves()
    for (index, name) in DefoldFamily.channels.enumerated() {
      let (low, high) = (ends.low.channels[index], ends.high.channels[index])
      setCurve(
        "properties", "EMITTER_KEY_PARTICLE_\(name)", .constant(((low + high) / 2).rounded),
        spread: ((high - low) / 2).magnitude.rounded, .randomColor, at: "color.base")
      setCurve(
        "particle_properties", "PARTICLE_KEY_\(name)", curves[index], .gradient,
        at: "color.base")
    }
  }
}

extension Track {
  /// The value that a curve is a factor of, if it is a number.
  fileprivate var constantStart: Double? {
    guard rate == 0, range == nil else { return nil }
    if to == nil, case .constant(let number) = from { return number }
    if from == 0, case .constant(let number)? = to { return number }
    return nil
  }
}
