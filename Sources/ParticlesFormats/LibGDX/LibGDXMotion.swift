internal import ParticlesCore
internal import ParticlesModel

// Motion and look.

extension TreeReader<LibGDXFamily> {
  func decodeVelocity(of emitter: inout Emitter) {
    guard let velocity = scaled("Velocity") else {
      for block in ["Wind", "Gravity"] where scaled(block) != nil {
        note(.dead, block, "without a velocity libGDX does not move particles", severity: .note)
      }
      return
    }
    // While the direction changes, only a speed over life keeps its sign.
    let turns = scaled("Angle")?.isCurve == true
    if velocity.isCurve || turns && velocity.value(.particle).bounds.lower < 0 {
      emitter.motion.speed = velocity.track
      emitter.motion.speedMode = .replace
      emitter.launch.speed = 1
    } else {
      emitter.launch.speed = velocity.value(.particle)
    }
  }

  func decodeAngle(of emitter: inout Emitter) {
    let angle = scaled("Angle")
    if let angle, angle.isCurve {
      emitter.motion.direction = angle.track
      emitter.launch.direction = Direction(angle: angle.track.initial)
      return
    }
    if emitter.shape.kind == .ellipse, emitter.shape.placement == .edge, scaled("Velocity") != nil {
      emitter.launch.direction = Direction(.normal)
      return
    }
    emitter.launch.direction = Direction(angle: angle?.first ?? 0)
  }

  /// The direction that images are aligned with. The engine adds the direction to a rotation only where
  /// it sets both. With a rotation of a single point, the direction needs a single point, too.
  var alignment: RotationAlign {
    guard flag("Options.aligned", false) else { return .none }
    let (rotation, hasVelocity) = (scaled("Rotation"), scaled("Velocity") != nil)
    if scaled("Angle")?.isCurve == true {
      if hasVelocity, rotation?.isCurve == true { return .velocity }
    } else if hasVelocity || rotation?.isCurve == false {
      return .birth
    }
    note(
      .dead, "Options.aligned", "libGDX does not align particles with these blocks", severity: .note
    )
    return .none
  }

  var tint: ColorTrack {
    let channels = numbers("Tint.colors")
    let times = numbers("Tint.timeline")
    let count = min(channels.count / 3, times.count)
    let keys = (0..<count).map {
      GradientKey(
        times[$0], Color(channels[3 * $0], channels[3 * $0 + 1], channels[3 * $0 + 2]))
    }
    guard keys.count > 1 else { return ColorTrack(.constant(keys.first?.color ?? .white)) }
    return ColorTrack(gradient: Gradient(keys.sorted { $0.time < $1.time }))
  }

  var blend: Blend {
    switch (flag("Options.additive", true), flag("Options.premultipliedAlpha", false)) {
    case (true, true): Blend(source: 1, destination: 1)
    case (true, false): Blend(.add)
    case (false, true): Blend(.premultiplied)
    case (false, false): Blend(.alpha)
    }
  }
}

extension EmitterWriter<LibGDXFamily> {
  mutating func encodeSize() {
    let factor = sizeFactor(wantsFactor: false)
    setTrack(
      isOld ? "Scale" : "X Scale", emitter.size.width, .sizeCurve, at: "size.width", times: factor)
    guard let height = emitter.size.height else {
      if !isOld { set("Y Scale.active", flag: false) }
      if case .ratio(let ratio) = emitter.size.aspect { encodeRatio(ratio) }
      return
    }
    if isOld {
      return lose(.lost, .widthAndHeight, at: "size.height", "the older generation has one scale")
    }
    setTrack(
      "Y Scale", height, .sizeCurve, at: "size.height", times: factor, hasSwitch: true)
  }

  /// A fixed ratio of the sides needs a second scale.
  private mutating func encodeRatio(_ ratio: Double) {
    let (width, height) = shownSize
    let known = width.flatMap { width in height.map { width / $0 } } ?? 1
    guard ratio != known, ratio > 0, !isOld else {
      return lose(.restated, .widthAndHeight, at: "size.aspect", "the image decides on the ratio")
    }
    remove("Y Scale.active")
    let factor = emitter.size.mode == .textureScale ? width ?? 32 : 1
    let count = losses.count
    setTrack(
      "Y Scale", emitter.size.width, .sizeCurve, at: "size.width", times: factor / ratio,
      hasSwitch: true)
    losses.removeSubrange(count...)
    lose(
      emitter.size.width.isPlainValue && emitter.size.width.from.isNumber
        ? .restated : .approximated, .widthAndHeight, at: "size.aspect", also: ["size.height"],
      "written as a second scale, randomised independently")
  }

  /// Whether a velocity is written. Without one, the engine moves and turns nothing.
  private var isMoving: Bool {
    emitter.motion.speed != nil || emitter.launch.speed != 0 || emitter.motion.drift != .zero
      || !emitter.forces.isEmpty
  }

  mutating func encodeVelocity() {
    let motion = emitter.motion
    let speed = launchSpeed()
    guard let track = motion.speed else {
      guard isMoving else { return set("Velocity.active", flag: false) }
      if case .ramp = speed {
        lose(
          .approximated, .speedCurve, at: "launch.speed",
          also: ["motion.speed", "motion.speedMode"],
          "speeds do not depend on the time of emission", recipe: "the mean")
        return setScaled("Velocity", high: (speed.mean, speed.mean), hasSwitch: true)
      }
      return setTrack(
        "Velocity", Track(speed), .speedRange, at: "launch.speed", hasSwitch: true)
    }
    setTrack(
      "Velocity", speedOverLife(track, from: speed), .speedCurve, at: "motion.speed",
      hasSwitch: true)
  }

  mutating func encodeAngle() {
    let launch = emitter.launch
    if let direction = emitter.motion.direction {
      setTrack("Angle", direction, .directionCurve, at: "motion.direction", hasSwitch: true)
      if launch.direction != Direction(angle: direction.initial) || launch.spread != 0 {
        lose(
          .dead, .spread2D, at: "launch.direction", also: ["launch.spread"],
          "the direction over life replaces it")
      }
      return
    }
    let (shape, radii) = (emitter.shape, emitter.shape.radii)
    let isFromEdge =
      shape.kind == .ellipse && shape.placement != .volume && radii.x != 0 && radii.y != 0
      && isMoving
    if launch.direction.mode == .normal, isFromEdge, launch.spread == 0 {
      return set("Angle.active", flag: false)
    }
    if isFromEdge {
      lose(
        .approximated, .directionNormal, at: "launch.direction", also: ["launch.spread"],
        "from an edge particles fly outwards")
    }
    if launch.direction.mode == .angle, launch.spread == 0, case .ramp = launch.direction.angle {
      return setValue(
        "Angle", launch.direction.angle, .spread2D, at: "launch.direction", scope: .particle,
        hasSwitch: true)
    }
    setScaled("Angle", high: launchAngles(), hasSwitch: true)
  }

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    var angle = angleOverLife(isRelative: true)
    set("Options.aligned", flag: rotation.align != .none)
    let isTurning = emitter.motion.direction != nil
    if rotation.align != .none, rotation.align != (isTurning ? .velocity : .birth) {
      lose(
        .approximated, .align, at: "rotation.align",
        isTurning
          ? "particles are aligned with their direction over life"
          : "particles are aligned with their initial direction only")
    }
    if rotation.alignOffset != 0 {
      if rotation.align != .none {
        angle = angle.moved(by: rotation.alignOffset)
      }
      lose(
        rotation.align == .none ? .dead : .restated, .align, at: "rotation.alignOffset",
        also: ["rotation.angle"],
        rotation.align == .none
          ? "without alignment the offset has no effect" : "the offset is added to the angle")
    }
    let isAligned = rotation.align != .none
    if isAligned, isTurning, angle.isPlainCurve, angle.to == nil {
      // One point would not be aligned.
      let bounds = bounds(of: angle.from, .rotationCurve, at: "rotation.angle")
      lose(.restated, .align, at: "rotation.angle", "an aligned rotation has two points")
      return setScaled("Rotation", high: bounds, points: [(0, 1), (1, 1)], hasSwitch: true)
    }
    guard angle != 0 || isAligned && !isMoving else {
      return set("Rotation.active", flag: false)
    }
    setTrack("Rotation", angle, .rotationCurve, at: "rotation.angle", hasSwitch: true)
  }

  mutating func encodeDrift() {
    let drift = emitter.motion.drift
    let gravity = gravity()
    for (block, track, acceleration) in [
      ("Wind", drift.x, gravity.x), ("Gravity", drift.y, gravity.y),
    ] {
      var sum = track
      if acceleration != 0 {
        let final = (acceleration * lifetime).rounded
        if track == 0 {
          sum = Track(from: 0, to: .constant(final))
        } else {
          let curve = track.curve(lifetime: lifetime).curve
          sum = Track(from: 0, to: 1, curve: .through(16) { curve.value(at: $0) + final * $0 })
        }
      }
      guard sum != 0 else {
        set("\(block).active", flag: false)
        continue
      }
      setTrack(block, sum, .drift, at: "motion.drift", hasSwitch: true)
    }
    if gravity != .zero {
      lose(
        emitter.lifetime.isConstant ? .restated : .approximated, .gravity, at: "forces",
        also: ["motion.drift"], "an acceleration is written as a speed that grows over the life",
        recipe: "acceleration × mean lifetime")
    } else if emitter.forces.contains(where: { $0.kind == .gravity }) {
      lose(.dead, .gravity, at: "forces", "an acceleration of 0 has no effect")
    }
    if drift.z != 0 { lose(.lost, .drift, at: "motion.drift.z", "depth is not supported") }
  }

  mutating func encodeTint() {
    let (points, opacity) = colorsAndOpacity("alpha is written as the transparency")
    set("Tint.colors", .array(points.flatMap { $0.color.channels.prefix(3) }.map(format.real)))
    set("Tint.timeline", .array(points.map { format.real($0.time) }))
    setTrack("Transparency", opacity, .opacityCurve, at: "color.opacity")
  }

  mutating func encodeBlend() {
    let isBoth = emitter.render.blend == Blend(source: 1, destination: 1) && !isOld
    let modes: [BlendMode] = isOld ? [.alpha, .add] : [.alpha, .add, .premultiplied]
    let mode =
      isBoth ? .add : blendMode(of: modes, "only alpha and additive blending are supported")
    set("Options.additive", flag: mode == .add)
    if !isOld { set("Options.premultipliedAlpha", flag: isBoth || mode == .premultiplied) }
  }

  mutating func encodeSprites() {
    let names = surroundings.images
    if isOld {
      set("Image Path", .array([.string(names.first ?? "particle.png")]))
      return
    }
    let modes: [SpriteSelection: String] = [.random: "random", .life: "animated"]
    let selection = emitter.spriteSelection
    set("Options.spriteMode", .string(modes[selection] ?? "single"))
    if selection == .sequence {
      lose(
        .approximated, .randomSprites, at: "spriteSelection", "images are not shown in turn",
        recipe: "the first")
    }
    set("Image Paths", .array((names.isEmpty ? ["particle.png"] : names).map(JSONValue.string)))
    if names.isEmpty {
      loseBlankImage("the engine requires an image, so that particle.png is named")
    }
  }
}
