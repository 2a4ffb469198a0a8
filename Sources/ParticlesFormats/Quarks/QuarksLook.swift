internal import ParticlesCore
internal import ParticlesModel

// Values of new particles, and how they are drawn. Colours are at the end of this file.

extension QuarksFamily {
  /// The modes of rendering by their numbers. Nil for a trail.
  fileprivate static let modes: [Billboard?] = [
    .screen, .velocity, .mesh, nil, .horizontal, .vertical,
  ]

  /// A trail of the engine, whose length is a number of points: the last second of a particle.
  fileprivate static let trail: Trail = {
    var trail = Trail()
    trail.length = 1
    return trail
  }()
}

extension TreeReader<QuarksFamily> {
  func decodeLook(of emitter: inout Emitter) {
    emitter.lifetime = generated("ps.startLife", 5).notNegative
    emitter.launch.speed = generated("ps.startSpeed")
    if text("ps.shape.type") == "point" { emitter.launch.speed = emitter.launch.speed.ofBall }
    emitter.size.aspect = .ratio(1)
    emitter.size.width = Track(generated("ps.startSize", 1).notNegative)
    decodeStartColor(of: &emitter)
    emitter.rotation.angle = Track(generated("ps.startRotation", times: QuarksFamily.degrees))
    if self["ps.startRotation.type"]?.string == "Euler" {
      note(.approximated, "ps.startRotation", "only the rotation about z is kept")
    }
    let tile = generated("ps.startTileIndex").notNegative
    if tile != 0 || self["ps.behaviors[FrameOverLife]"] != nil {
      emitter.flipbook = Flipbook()
      emitter.flipbook?.start = tile
      emitter.flipbook?.crossfade = flag("ps.blendTiles", false)
    }
    let mode = Int(saturating: number("ps.renderMode", 0))
    let billboard = QuarksFamily.modes.indices.contains(mode) ? QuarksFamily.modes[mode] : .screen
    emitter.render.billboard = billboard ?? .screen
    if billboard == .velocity {
      emitter.size.stretch = Stretch()
      emitter.size.stretch?.factor = .constant(number("ps.speedFactor", 0))
    } else if billboard == nil {
      note(.approximated, "ps.renderMode", "a trail follows the last second of a particle")
      emitter.render.trail = QuarksFamily.trail
    }
    emitter.render.order = Int(saturating: number("ps.renderOrder", 0).rounded())
    if flag("ps.softParticles", false) {
      emitter.render.soft = Softness()
      emitter.render.soft?.near = number("ps.softNearFade", 0, atLeast: 0)
      emitter.render.soft?.far = max(number("ps.softFarFade", 0), number("ps.softNearFade", 0))
    }
  }
}

extension EmitterWriter<QuarksFamily> {
  mutating func encodeStart() {
    set(
      "ps.startLife",
      generator(clampNegative(emitter.lifetime, .life, at: "lifetime"), .life, at: "lifetime"))
    set("ps.startSpeed", generator(launchSpeed(), .speedRange, at: "launch.speed"))
    encodeStartSize()
    encodeStartAngle()
    encodeStartColor()
  }

  private mutating func encodeStartSize() {
    let factor = sizeFactor(wantsFactor: false)
    shareSizeOverLife()
    let width = emitter.size.width
    if width.to != nil, width.from != 0 {
      set("ps.startSize", QuarksValue.constant(factor))
    } else {
      let start = clampNegative(width.to ?? width.from, .size, at: "size.width")
      set("ps.startSize", generator(start, .size, at: "size.width", times: factor))
    }
    loseAspect(unless: .ratio(1), "particles are always square")
  }

  private mutating func encodeStartAngle() {
    let angle = start(
      of: emitter.rotation.angle, .rotationCurve, at: "rotation.angle",
      "angles over life are not supported")
    set(
      "ps.startRotation",
      generator(angle, .rotation, at: "rotation.angle", times: QuarksFamily.radians))
  }

  mutating func encodeRender() {
    let (render, stretch) = (emitter.render, emitter.size.stretch)
    let wanted: Billboard? =
      stretch?.axis == .velocity ? .velocity : render.trail != nil ? nil : render.billboard
    let mode = QuarksFamily.modes.firstIndex(of: wanted) ?? 0
    set("ps.renderMode", integer: mode)
    if !QuarksFamily.modes.contains(render.billboard) {
      lose(.approximated, .billboard, at: "render.billboard", "particles face the screen")
    }
    if QuarksFamily.modes[mode] == .velocity {
      set(
        "ps.speedFactor",
        single(stretch?.factor ?? 0, .stretch, at: "size.stretch", "it cannot be random"))
      if render.billboard != .velocity || stretch == nil {
        lose(
          .restated, .stretch, at: "size.stretch", also: ["render.billboard"],
          "stretched particles are along their velocity")
      }
    }
    if let stretch, stretch.axis != .velocity {
      lose(.lost, .stretch, at: "size.stretch", "only stretching along the velocity is supported")
    }
    if let trail = render.trail, trail != QuarksFamily.trail || render.billboard != .screen {
      lose(
        .approximated, .trail, at: "render.trail", also: ["render.billboard"],
        "trails have a number of points")
    }
    set("ps.renderOrder", integer: render.order)
    if let soft = render.soft {
      set("ps.softParticles", flag: true)
      set("ps.softNearFade", soft.near)
      set("ps.softFarFade", soft.far)
    }
    encodeTiles()
  }

  private mutating func encodeTiles() {
    let (grid, flipbook) = (sprite?.grid, emitter.flipbook)
    let (columns, rows) = (grid?.columns ?? 1, grid?.rows ?? 1)
    set("ps.uTileCount", integer: columns)
    set("ps.vTileCount", integer: rows)
    if let grid, grid != SpriteGrid(columns: columns, rows: rows) {
      lose(.approximated, .flipbook, at: "sprites", "tiles are in rows, and all are used")
    }
    set("ps.startTileIndex", generator(flipbook?.start ?? 0, .flipbook, at: "flipbook.start"))
    let blends = flipbook?.crossfade ?? false
    if blends || surroundings.origin?["ps.blendTiles"] != nil { set("ps.blendTiles", flag: blends) }
    guard let flipbook else { return }
    var still = flipbook
    still.crossfade = false
    let isStill = still == Flipbook()
    if flipbook.fps != .life && flipbook.fps != .fixed(0) || flipbook.mode != .loop
      || flipbook.startRandom || isStill
    {
      lose(
        isStill ? .dead : .approximated, .flipbook, at: "flipbook",
        "tiles are shown over the life, or one tile")
    }
  }
}

// Colours of new particles, and the gradient over life that multiplies them.

extension TreeReader<QuarksFamily> {
  func decodeStartColor(of emitter: inout Emitter) {
    let color = self["ps.startColor"].flatMap(QuarksValue.colorValue)
    if color == nil, has("ps.startColor") {
      note(
        .uninterpreted, "ps.startColor", "a colour that is not known",
        found: self["ps.startColor.type"]?.shortExcerpt)
    }
    emitter.color.base = ColorTrack(color ?? .white)
    emitter.color.base.clamp = emitter.color.base.from.componentBounds
  }

  /// The colour over life. Nil for an unknown generator.
  func gradient(_ value: JSONValue, _ key: String) -> Gradient? {
    guard let (gradient, isMean) = QuarksValue.colorOverLife(of: value) else {
      note(.uninterpreted, key, "a colour that is not known", found: value["type"]?.shortExcerpt)
      return nil
    }
    if isMean { note(.approximated, key, "all particles have equal colours over life") }
    return gradient
  }
}

extension EmitterWriter<QuarksFamily> {
  mutating func encodeStartColor() {
    let base = emitter.color.base
    if base.clamp != base.from.componentBounds {
      lose(.restated, .gradient, at: "color.base.clamp", "components are not clamped")
    }
    var (ends, isLine) = (colorParts().map { ($0.low, $0.high) }, false)
    if case .range(let range) = base.from, range.mode == .line {
      isLine = ends != nil || range.jitter == nil
      if isLine { ends = ends ?? (range.min, range.max) }
    }
    let (low, high) = ends ?? startColors()
    set("ps.startColor", QuarksValue.generator(low, high, isLine: isLine))
  }

  /// The colour over life as a factor of the start colour. Nil if it does not change.
  mutating func colorOverLife() -> JSONValue? {
    if let parts = colorParts() {
      loseColorParts()
      let keys = parts.shares.enumerated().map { GradientKey(Double($0) / 16, $1) }
      return QuarksValue.gradient(keys, alpha: keys.map { ($0.time, $0.color.alpha) })
    }
    guard let lines = gradientLines() else { return nil }
    return QuarksValue.gradient(lines.colors, alpha: lines.alpha)
  }
}
