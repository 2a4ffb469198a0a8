internal import ParticlesCore
internal import ParticlesModel

extension EmitterWriter<LoveFamily> {
  private static var radians: Double { .pi / 180 }

  mutating func setCall(_ name: String, _ numbers: [Double]) {
    set(name, .array(numbers.map(format.real)))
  }

  mutating func setRange(
    _ name: String, _ value: Value, _ capability: Capability, at place: String,
    times factor: Double = 1
  ) {
    let bounds = bounds(of: value, capability, at: place)
    let ends = [bounds.least * factor, bounds.most * factor].sorted()
    setCall(name, ends)
  }

  mutating func encodeBuffer() {
    let size = capacity(emitter.emission.maxAlive)
    let image = surroundings.images.first.map(JSONValue.string) ?? .null
    set("new", .array([image, .int(size)]))
    setImage("entry.texturePath")
  }

  mutating func encodeBursts() {
    guard let first = emitter.emission.bursts.first(where: { $0.time == 0 }) else {
      if !emitter.emission.bursts.isEmpty {
        lose(.lost, .burst, at: "emission.bursts", "only bursts at the start are supported")
      }
      return
    }
    let count = single(first.count, .burst, at: "emission.bursts[0].count", "it cannot be random")
    set("emit", .array([.int(Int(saturating: min(max(count * first.probability, 0), 1e6)))]))
    if count <= 0 {
      lose(.dead, .burst, at: "emission.bursts", "a burst of no particles has no effect")
    } else if emitter.emission.bursts != [Burst(count: .constant(count))] {
      lose(
        emitter.emission.bursts.count == 1 && first.cycles == 1 && first.probability == 1
          ? .restated : .approximated, .burstList, at: "emission.bursts",
        "only one burst at the start is supported")
    }
  }

  mutating func encodePlace() {
    let transform = emitter.transform
    setCall("setPosition", [transform.translation.x, -transform.translation.y])
    loseOrientation()
  }

  mutating func encodeLaunch() {
    let launch = emitter.launch
    let shape = emitter.shape
    let isOutward =
      launch.direction.mode == .normal && (launch.spread == 0 || spreadLaw == .planar)
      && (shape.kind == .ellipse || shape.kind == .rect && shape.placement == .volume)
    if isOutward {
      setCall("setDirection", [0])
      setCall("setSpread", [launch.spread * 2 * Self.radians])
    } else if launch.direction.mode == .angle, case .constant(let angle) = launch.direction.angle,
      launch.spread != 0, spreadLaw == .planar
    {
      setCall("setDirection", [-angle * Self.radians])
      setCall("setSpread", [launch.spread * 2 * Self.radians])
    } else {
      let angles = launchAngles()
      setCall("setDirection", [-(angles.least + angles.most) / 2 * Self.radians])
      setCall("setSpread", [(angles.most - angles.least) * Self.radians])
      if angles.least != angles.most, !hasLine(at: "launch.spread") {
        lose(
          .restated, .spread2D, at: "launch.spread", also: ["launch.direction"],
          "a range of angles is written as a direction and a spread")
      }
    }
    encodeShape(isOutward: isOutward)
  }

  private mutating func encodeShape(isOutward: Bool) {
    let shape = emitter.shape
    let half = shape.halfSize
    var (name, width, height) = ("uniform", half.x, half.y)
    var capability: Capability?
    switch shape.kind {
    case .point: name = "none"
    case .rect:
      if shape.distribution == .normal { name = "normal" }
      if shape.placement != .volume { name = "borderrectangle" }
    case .ellipse:
      name = shape.placement == .volume ? "ellipse" : "borderellipse"
      (width, height) = (shape.radii.x, shape.radii.y)
      if shape.inner > 0 || shape.arc != Interval(0, 360) { capability = .shapeRing }
      if shape.distribution != .uniform { capability = .shapeDisc }
    case .line: (width, height, capability) = (shape.length / 2, 0, .shapeLine)
    case .polyline, .points: capability = .shapePoints
    case .mesh: (name, capability) = ("none", .shapeMesh)
    default: capability = .shape3D
    }
    let angle = shape.transform.angle + (shape.kind == .line ? shape.angle : 0)
    set(
      "setEmissionArea",
      .array([
        .string(name), format.real(width), format.real(height),
        format.real(-angle * Self.radians), .bool(isOutward),
      ]))
    if let capability {
      lose(
        shape.kind == .line ? .restated : .approximated, capability, at: "shape",
        "only rectangles and ellipses are supported", recipe: "the nearest supported shape")
    }
    if shape.transform.translation != .zero || shape.transform.scale != .one
      || shape.transform.rotation != .identity
    {
      lose(.lost, .shapeRectangle, at: "shape.transform", "shapes are around the emitter")
    }
    if shape.kind != .point { dropSweep() }
  }

  mutating func encodeSpeed() { setRange("setSpeed", meanSpeed(), .speedRange, at: "launch.speed") }

  mutating func encodeForces() {
    var gravity = (x: (least: 0.0, most: 0.0), y: (least: 0.0, most: 0.0))
    var others: [ForceKind: (least: Double, most: Double)] = [:]
    for (index, force) in emitter.forces.enumerated() {
      let place = "forces[\(index)]"
      switch force.kind {
      case .gravity:
        let x = ends(force.vector.x, .gravity, at: place)
        let y = ends(force.vector.y, .gravity, at: place)
        gravity.x = (gravity.x.least + x.least, gravity.x.most + x.most)
        gravity.y = (gravity.y.least + y.least, gravity.y.most + y.most)
        if force.vector.z != 0 { lose(.lost, .gravity, at: place, "depth is not supported") }
      case .radial, .tangential, .vortex, .drag:
        let kind = force.kind.withoutVortex
        let capability = kind == .drag ? Capability.exponentialDrag : kind.capability
        let value = ends(force.strength, capability, at: place)
        let sum = others[kind] ?? (0, 0)
        others[kind] = (sum.least + value.least, sum.most + value.most)
        explain(force, place, isAlone: sum == (0, 0))
      default: dropForce(index)
      }
    }
    setCall(
      "setLinearAcceleration",
      [gravity.x.least, -gravity.y.most, gravity.x.most, -gravity.y.least])
    let radial = others[.radial] ?? (0, 0)
    setCall("setRadialAcceleration", [radial.least, radial.most])
    let tangential = others[.tangential] ?? (0, 0)
    setCall("setTangentialAcceleration", [-tangential.most, -tangential.least])
    let drag = others[.drag] ?? (0, 0)
    setCall("setLinearDamping", [drag.least, drag.most])
    explainOrder(
      of: emitter.forces.map { $0.kind }, by: [.gravity, .radial, .tangential, .drag], in: .world)
  }

  private mutating func ends(_ track: Track, _ capability: Capability, at place: String) -> (
    least: Double, most: Double
  ) {
    let value = start(of: track, capability, at: place, "forces are constant")
    return bounds(of: value, capability, at: place)
  }

  private mutating func explain(_ force: Force, _ place: String, isAlone: Bool) {
    if force.kind == .drag {
      if force.law != .exponential || force.direction != nil {
        lose(
          .approximated, force.law == .constant ? .constantDrag : .linearDrag, at: place,
          "drag is proportional to the speed", recipe: "an equal number")
      }
    } else if loseDistance(of: force, at: place, isSame: isAlone) {
      return
    } else if force.kind == .vortex {
      lose(.restated, .tangent, at: place, "written as a tangential acceleration")
    } else if force.axis != Vector(0, 0, 1) {
      lose(.restated, force.kind.capability, at: place, "forces act in the plane")
    }
  }

  mutating func encodeSizes() {
    let factor = sizeFactor(wantsFactor: true)
    if encodeRandomSizes(times: factor) { return }
    let points = points(of: emitter.size.width, .sizeCurve, at: "size.width").points
    let curve = Curve.lines(points)
    let steps = equalSteps(points.map { $0.time }, most: 8, otherwise: 8)
    setCall("setSizes", steps.times.map { (curve.value(at: $0) * factor).rounded })
    setCall("setSizeVariation", [0])
    if !steps.isExact, !hasLine(at: "size.width") {
      lose(
        .approximated, .sizeCurve, at: "size.width", "sizes are at equal distances",
        recipe: "eight sizes")
    }
  }

  /// Writes sizes that are random at both ends as two. Each particle runs through a part of the way.
  /// - Returns: false for other sizes.
  private mutating func encodeRandomSizes(times factor: Double) -> Bool {
    let width = emitter.size.width
    let end = width.to ?? width.from
    guard !(width.from.isNumber && end.isNumber), width == Track(from: width.from, to: width.to),
      width.from.spread.isExact, end.spread.isExact
    else { return false }
    let (first, last) = (width.from.spread, end.spread)
    // Both ends vary by an equal part of the way.
    let half = (first.half + last.half) / 2
    let old = (surroundings.origin?["setSizes"]?.array ?? []).compactMap { $0.double }
    // With the whole way as variation, the order has no effect.
    let wasFalling = old.count == 2 && old[1] < old[0]
    let rises = last.center > first.center || last.center == first.center && !wasFalling
    let (start, finish) = (
      first.center + (rises ? -half : half), last.center + (rises ? half : -half)
    )
    let variation = (2 * half / (finish - start).magnitude).rounded
    setCall("setSizes", [(start * factor).rounded, (finish * factor).rounded])
    setCall("setSizeVariation", [min(variation, 1)])
    if width.to == nil || first.half != last.half {
      lose(
        .approximated, .randomEndSize, at: "size.width",
        "both ends of the size vary by one amount",
        recipe: width.to == nil ? "sizes that change" : "the mean of both", level: .low)
    }
    return true
  }

  mutating func encodeColors() {
    let points = colorPoints(hasOpacity: false)
    let gradient = Gradient(points.map { GradientKey($0.time, $0.color) })
    let steps = equalSteps(points.map { $0.time }, most: 8, otherwise: 8)
    let colors = steps.times.map { gradient.color(at: $0) }
    setCall("setColors", colors.flatMap { $0.channels.map { $0.rounded } })
    let written = Gradient(zip(steps.times, colors).map { GradientKey($0, $1) })
    if written != gradient, !hasLine(at: "color.base"), !hasLine(at: "color") {
      let isExact = steps.isExact && Set(points.map { $0.time }).count == points.count
      lose(
        isExact ? .restated : .approximated, .gradient, at: "color.base", also: ["color.opacity"],
        "colours are at equal distances", recipe: isExact ? nil : "\(colors.count) colours")
    }
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    let angle = rotation.angle
    if !angle.isPlainValue {
      lose(
        .approximated, .rotationCurve, at: "rotation.angle", also: ["rotation.velocity"],
        "only the first angle is supported",
        recipe: "the change over the life is spin")
    }
    let factor = -Self.radians
    setRange("setRotation", angle.from, .rotation, at: "rotation.angle", times: factor)
    var (start, end) = (rotation.velocity.from, rotation.velocity.to ?? rotation.velocity.from)
    if rotation.velocity.relative || rotation.velocity.curve != .linear
      || rotation.velocity.rate != 0 || rotation.velocity.range != nil
    {
      let ends = TrackEnds(rotation.velocity, lifetime: lifetime)
      (start, end) = (.constant(ends.start.center), .constant(ends.end.center))
      lose(
        .approximated, .rotationCurve, at: "rotation.velocity", "spin changes along a line",
        recipe: "best-fit line")
    }
    if !angle.isPlainValue, lifetime > 0 {
      let change = angle.curve(lifetime: lifetime).curve
      let spin = (change.value(at: 1) - change.value(at: 0)) / lifetime
      (start, end) = (start.moved(by: spin), end.moved(by: spin))
    }
    if rotation.acceleration != 0 {
      end = end.moved(by: rotation.acceleration.mean * lifetime)
      lose(
        .approximated, .angularAcceleration, at: "rotation.acceleration",
        also: ["rotation.velocity"],
        "written as spin that changes along a line")
    }
    let (from, to) = (start.spread, end.spread)
    setCall("setSpin", [from.center * factor, to.center * factor])
    // Each end varies in proportion to the opposite end.
    let variation = to.center == 0 ? 0 : (2 * from.half / to.center.magnitude)
    setCall("setSpinVariation", [min(variation, 1).rounded])
    let isExact =
      from.isExact && to.isExact && variation <= 1
      && (to.half - variation * from.center.magnitude / 2).magnitude < 1e-9 * (1 + to.half)
      && (from.half - variation * to.center.magnitude / 2).magnitude < 1e-9 * (1 + from.half)
      && (rotation.velocity.to != nil || from.half == 0)
    if !isExact, !hasLine(at: "rotation.velocity") {
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity", "spin varies by a part of itself",
        recipe: "the nearest part")
    }
    set("setRelativeRotation", .array([.bool(rotation.align != .none)]))
    if rotation.align == .birth {
      lose(.approximated, .align, at: "rotation.align", "particles follow their velocity")
    }
    if rotation.alignOffset != 0 {
      lose(
        rotation.align == .none ? .dead : .lost, .align, at: "rotation.alignOffset",
        "there is no offset of the alignment")
    }
  }
}
