internal import ParticlesCore
internal import ParticlesModel

// Sizes, rotations, colours, frames, trails and the renderer.

extension EmitterWriter<UnityFamily> {
  // MARK: Sizes

  private var isStretched: Bool {
    emitter.size.stretch?.axis == .velocity || place.number("m_RenderMode", .renderer) == 1
  }

  mutating func encodeSize() {
    let factor = sizeFactor(wantsFactor: false) * scaleOfWorld()
    var (width, height) = (emitter.size.width, height())
    let isSpeed = width.over == .speed && width.to != nil
    if isStretched, let tall = height, tall.mean(lifetime: lifetime) != 0 {
      // A stretched particle is longer by a factor.
      let length =
        (width.mean(lifetime: lifetime) / tall.mean(lifetime: lifetime) * 1e6).rounded() / 1e6
      if length > 0, tall.scaled(by: length) == width || tall.shares(width, factor: length) {
        set("Renderer.m_LengthScale", length)
        (width, height) = (tall, nil)
      }
    } else if isStretched, height == nil {
      set("Renderer.m_LengthScale", 1)
    }
    let (start, curve) = parts(of: width, at: "size.width")
    set(
      "InitialModule.startSize", number(start, .size, at: "size.width", times: factor))
    let tall = height.map { parts(of: $0, at: "size.height") }
    set("InitialModule.size3D", flag: tall != nil)
    if let tall {
      set(
        "InitialModule.startSizeY",
        number(tall.start, .widthAndHeight, at: "size.height", times: factor))
      if place.isNew {
        set("InitialModule.startSizeZ", number(start, .size, at: "size.width", times: factor))
      }
    }
    let module = isSpeed ? "SizeBySpeedModule" : "SizeModule"
    let others = isSpeed ? "SizeModule" : "SizeBySpeedModule"
    let isOn = curve != nil || tall?.curve != nil
    turn(module, isOn)
    turn(others, false)
    guard isOn else { return }
    let wide = curve ?? UnityCurves.constant(1)
    let isSplit = tall.map { ($0.curve ?? UnityCurves.constant(1)) != wide } ?? false
    set("\(module).separateAxes", flag: isSplit)
    let axes = UnityCurves.inOneForm([wide, tall?.curve ?? UnityCurves.constant(1)])
    set("\(module).curve", isSplit ? axes[0] : wide)
    if isSplit {
      set("\(module).y", axes[1])
      if place.isNew { set("\(module).z", axes[0]) }
    }
    if isSpeed, let domain = width.domain {
      set(
        "\(module).range", ["x": format.real(domain.lower), "y": format.real(domain.upper)])
    }
  }

  /// The start of a size, and the curve of factors over life.
  private mutating func parts(of track: Track, at path: String) -> (start: Value, curve: JSONValue?)
  {
    let track =
      track.coupled(lifetime: lifetime).map { coupled in
        lose(
          .approximated, .randomEndSize, at: path, "particles share the size over life",
          recipe: "a random factor of equal deviation", level: .low)
        return coupled
      } ?? track
    if track.isPlainValue { return (clampNegative(track.from, .size, at: path), nil) }
    var plain = Track(from: 0, to: track.to, curve: track.curve)
    (plain.over, plain.domain, plain.range) = (track.over, track.domain, track.range)
    if let to = track.to, plain == track, track.warp == .linear, track.rate == 0,
      to.bounds.lower >= 0
    {
      return (to, UnityCurves.curve(track.curve))
    }
    var (curve, isExact) = track.curve(lifetime: lifetime)
    let most = max(curve.keys.map { $0.value }.max() ?? 1, 1e-9)
    curve = curve.moved(times: 1 / most, plus: 0)
    lose(
      isExact ? .restated : .approximated, .sizeCurve, at: path,
      "the size is written as a factor over life", recipe: isExact ? nil : "the mean curve")
    return (.constant(most.rounded), UnityCurves.curve(curve))
  }

  /// The height, if it is not the width.
  private mutating func height() -> Track? {
    let size = emitter.size
    if let height = size.height {
      loseAspect(unless: .ratio(1), "the height is stated")
      return height
    }
    guard size.aspect != .ratio(1) else { return nil }
    let frame = frame
    let ofImage = frame.flatMap { $0.height > 0 ? $0.width / $0.height : nil }
    if ofImage == nil, image != nil {
      lose(
        .assumed, .widthAndHeight, at: "size.aspect", also: ["size.height"],
        "the missing picture is taken for square", level: .low)
    }
    let ratio = size.aspect.ratio(of: ofImage ?? 1)
    guard ratio != 1, ratio > 0 else {
      if ofImage != nil || image == nil {
        lose(.restated, .widthAndHeight, at: "size.aspect", "particles are square")
      }
      return nil
    }
    lose(
      .restated, .widthAndHeight, at: "size.aspect", also: ["size.height"],
      "the height is stated")
    return size.width.scaled(by: 1 / ratio)
  }

  /// The inverse of the scale that Unity applies to sizes of particles in the world.
  private mutating func scaleOfWorld() -> Double {
    let scale = emitter.transform.scale
    guard emitter.space == .world, place.scaling != 2, scale != .one else { return 1 }
    let mean = ((scale.x.magnitude + scale.y.magnitude + scale.z.magnitude) / 3).rounded
    return mean > 0 ? 1 / mean : 1
  }

  // MARK: Rotations

  mutating func encodeRotation() {
    let rotation = emitter.rotation
    let radians = -1 / UnityFormat.degrees
    var spin = spinOverLife()
    var start = rotation.angle.from
    if !rotation.angle.isPlainValue {
      let ends = TrackEnds(rotation.angle, lifetime: lifetime)
      start = Value(center: ends.start.center, halfWidth: ends.start.half)
      let change = lifetime > 0 ? (ends.end.center - ends.start.center) / lifetime : 0
      spin = Track(.constant((spin.mean(lifetime: lifetime) + change).rounded))
      lose(
        .approximated, .rotationCurve, at: "rotation.angle", also: ["rotation.velocity"],
        "rotation is a start angle and a speed", recipe: "the best-fit line")
    }
    var share = 0.0
    if case .choice(let choice) = start, choice.numbers.count == 2,
      choice.numbers[0] == -choice.numbers[1], choice.numbers[0] != 0
    {
      let weights = choice.weights.count == 2 ? choice.weights : [1, 1]
      share = weights[1] / max(weights[0] + weights[1], 1e-9)
      start = .constant(choice.numbers[0])
    }
    set(
      "InitialModule.startRotation",
      number(start, .rotation, at: "rotation.angle", times: radians))
    if place.isNew || place.origin("InitialModule.randomizeRotationDirection") != nil {
      set("InitialModule.randomizeRotationDirection", share)
    }
    if place.isNew { set("InitialModule.rotation3D", integer: 0) }
    let isSpeed = spin.over == .speed && spin.to != nil
    let isOn = spin != 0
    turn("RotationModule", isOn && !isSpeed)
    turn("RotationBySpeedModule", isOn && isSpeed)
    guard isOn else { return }
    let module = isSpeed ? "RotationBySpeedModule" : "RotationModule"
    set(
      "\(module).curve",
      number(spin, .rotationSpeed, at: "rotation.velocity", times: radians))
    if place.isNew { set("\(module).separateAxes", integer: 0) }
    if isSpeed, let domain = spin.domain {
      set("\(module).range", ["x": format.real(domain.lower), "y": format.real(domain.upper)])
    }
  }

  // MARK: Pictures

  mutating func encodeSprites() {
    if let material = place.material, place.isNew {
      set("Renderer.m_Materials", .array([material]))
    }
    if emitter.sprites.count < 2, emitter.spriteSelection != .first {
      lose(.dead, .randomSprites, at: "spriteSelection", "there is only one image")
    }
  }

  mutating func encodeFrames() {
    let grid = sprite?.grid
    let (columns, rows) = (grid?.columns ?? 1, grid?.rows ?? 1)
    let count = Double(columns * rows)
    let isOn = place.isNew ? count > 1 : place.number("UVModule.enabled") == 1
    turn("UVModule", isOn)
    let flipbook = emitter.flipbook
    guard isOn else {
      if let flipbook, flipbook != Flipbook() || place.isNew {
        lose(.dead, .flipbook, at: "flipbook", "there is only one frame")
      }
      return
    }
    if place.isNew {
      for (key, value) in [
        ("mode", 0), ("tilesX", columns), ("tilesY", rows), ("animationType", 0), ("rowIndex", 0),
        ("cycles", 1), ("rowMode", 0),
      ] {
        set("UVModule.\(key)", integer: value)
      }
      if let grid, grid.order != .row || grid.count.map({ Double($0) != count }) ?? false {
        lose(
          .approximated, .flipbook, at: "sprites", "frames are in rows, and all are used",
          level: .low)
      }
      if flipbook == nil {
        lose(.restated, .flipbook, at: "flipbook", "the first frame is shown")
      }
    }
    let shown = flipbook ?? Flipbook()
    var start = firstFrame(of: shown, frames: count)
    if start.bounds.upper >= count, count > 0 { start = start.scaled(by: 1) }
    set(
      "UVModule.startFrame",
      number(start.notNegative, .flipbook, at: "flipbook.start", times: 1 / max(count, 1)))
    switch shown.fps {
    case .life:
      set("UVModule.timeMode", integer: 0)
      set("UVModule.frameOverTime", UnityCurves.curve(.linear))
    case .fixed(let rate) where rate.mean > 0:
      set("UVModule.timeMode", integer: 2)
      set("UVModule.fps", single(rate, .flipbook, at: "flipbook.fps", "it cannot be random"))
    default:
      set("UVModule.timeMode", integer: 0)
      set("UVModule.frameOverTime", UnityCurves.constant(0))
    }
    if shown.mode != .loop {
      let isSame = shown.mode == .once && shown.fps == .life && shown.start == 0
      lose(
        isSame ? .restated : .lost, .flipbook, at: "flipbook.mode",
        isSame ? "all frames are shown once in a life" : "frames repeat from the first",
        level: isSame ? nil : .medium)
    }
    if shown.crossfade {
      lose(
        .lost, .flipbook, at: "flipbook.crossfade", "cross-fading is not supported", level: .low)
    }
  }

  mutating func encodeTrail() {
    turn("TrailModule", emitter.render.trail != nil)
    guard let trail = emitter.render.trail else { return }
    let path = "render.trail"
    let share = lifetime > 0 ? (trail.length / lifetime).rounded : 1
    set("TrailModule.lifetime", UnityCurves.constant(min(share, 1)))
    if !emitter.lifetime.isNumber || share > 1 {
      lose(
        .approximated, .trail, at: "\(path).length",
        "a trail covers a part of the lifetime, at most the whole",
        recipe: "length / mean lifetime", level: .low)
    }
    let isPlain = trail.width.keys.count == 1
    set(
      "TrailModule.widthOverTrail",
      isPlain
        ? UnityCurves.constant(trail.width.keys[0].value) : UnityCurves.curve(trail.width))
    if let color = trail.color {
      let keys = color.keys
      let (json, error) = UnityCurves.gradient(keys, alpha: keys.map { ($0.time, $0.color.alpha) })
      set("TrailModule.colorOverTrail", UnityCurves.color(of: 1, ["maxGradient": json]))
      if error > 1e-3 || color != Gradient(keys) {
        lose(
          .approximated, .trail, at: "\(path).color", "a gradient has at most eight colours",
          level: .low)
      }
    } else {
      set(
        "TrailModule.colorOverTrail",
        UnityCurves.color(of: 0, ["maxColor": UnityCurves.color(.white)]))
    }
    guard place.isNew else { return }
    for (key, value) in [
      ("mode", 0), ("ratio", 1), ("dieWithParticles", 1), ("sizeAffectsWidth", 1),
      ("inheritParticleColor", 1), ("worldSpace", 0), ("textureMode", 0),
    ] {
      set("TrailModule.\(key)", integer: value)
    }
    set(
      "TrailModule.colorOverLifetime",
      UnityCurves.color(of: 0, ["maxColor": UnityCurves.color(.white)]))
    if let material = place.material { set("Renderer.m_Materials", .array([material, material])) }
  }

  // MARK: Renderer

  private static var sorts: [SortMode] { [.none, .distance, .youngestFirst, .oldestFirst, .depth] }

  mutating func encodeRenderer() {
    let (render, stretch) = (emitter.render, emitter.size.stretch)
    var (mode, alignment) = (0, 0)
    switch render.billboard {
    case _ where stretch?.axis == .velocity: mode = 1
    case .screen: break
    case .view: alignment = 3
    case .free: alignment = 2
    case .velocity: alignment = 4
    case .horizontal: mode = 2
    case .vertical, .axisY: mode = 3
    // A mesh in the file stays one.
    case .mesh: mode = place.number("m_RenderMode", .renderer) == 4 ? 4 : 0
    }
    if !place.isNew, place.number("m_RenderAlignment", .renderer) == 1, alignment == 2 {
      alignment = 1
    }
    set("Renderer.m_RenderMode", integer: mode)
    if mode == 0 || place.isNew { set("Renderer.m_RenderAlignment", integer: alignment) }
    if place.isNew, mode == 0, render.billboard == .mesh {
      lose(.approximated, .billboard, at: "render.billboard", "particles face the screen")
    }
    if let stretch {
      set(
        "Renderer.m_VelocityScale",
        single(stretch.factor, .stretch, at: "size.stretch.factor", "it cannot be random"))
      if stretch.axis != .velocity {
        lose(.lost, .stretch, at: "size.stretch", "stretching is always along the motion")
      } else if render.billboard != .velocity {
        lose(
          .restated, .billboard, at: "render.billboard",
          "stretched particles are along their velocity")
      }
      if place.isNew { set("Renderer.m_CameraVelocityScale", integer: 0) }
    }
    let sort = Self.sorts.firstIndex(of: render.sort)
    set("Renderer.m_SortMode", integer: sort ?? 3)
    if sort == nil {
      lose(.approximated, .sort, at: "render.sort", "the newest particles are on top")
    }
    let order = min(max(render.order, Int(Int16.min)), Int(Int16.max))
    set("Renderer.m_SortingOrder", integer: order)
    if order != render.order {
      lose(.clamped, .sort, at: "render.order", "Unity clamps it to \(order)")
    }
    encodeAlignment()
    explainImageAlpha(of: render.blend, in: format.table.capabilities.profile)
    guard place.isNew else { return }
    let blend = render.blend.named
    var plain = Blend(blend.mode)
    (plain.source, plain.destination) = (blend.source, blend.destination)
    if blend != plain {
      lose(
        .approximated, .premultipliedAlpha, at: "render.blend", "only the two factors are written")
    }
    set("Renderer.m_Enabled", integer: 1)
    set("Renderer.m_MinParticleSize", integer: 0)
    set("Renderer.m_MaxParticleSize", integer: 10)
    setVector("Renderer.m_Pivot", .zero)
    setVector("Renderer.m_Flip", .zero)
  }

  /// Particles that begin in the direction of their motion.
  private mutating func encodeAlignment() {
    let rotation = emitter.rotation
    if place.isNew || place.origin("ShapeModule.alignToDirection") != nil {
      set("ShapeModule.alignToDirection", flag: rotation.align != .none)
    }
    if rotation.align == .velocity {
      lose(.approximated, .align, at: "rotation.align", "particles keep their first direction")
    }
  }
}

extension Track {
  /// Whether another track is a multiple of this track, but for rounding.
  fileprivate func shares(_ other: Track, factor: Double) -> Bool {
    guard let to, let end = other.to else {
      return isPlainValue && other.isPlainValue
        && (from.mean * factor - other.from.mean).magnitude < 1e-4 * other.from.mean.magnitude
    }
    return from == 0 && other.from == 0 && curve == other.curve
      && (to.mean * factor - end.mean).magnitude < 1e-4 * end.mean.magnitude
  }
}
