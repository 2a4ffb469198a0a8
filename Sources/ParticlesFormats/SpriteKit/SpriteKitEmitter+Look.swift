internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

// What particles look like.

extension SpriteKitEmitter {
  /// The size of particles: a factor of that of the image, or of a size of their own.
  /// - Parameters:
  ///   - texture: the size of the image in points, as the archive has it; nil if it has none.
  ///   - hasSprite: whether the image was found, and so is the size of the sprite.
  func size(texture: (x: Double, y: Double)?, hasSprite: Bool) throws -> Size {
    var size = Size()
    var base = try pair("_startSize").flatMap { $0.x > 0 && $0.y > 0 ? $0 : nil }
    if base == nil, !hasSprite {
      base = texture ?? (32, 32)
      if texture == nil {
        note(
          .assumed, "_startSize",
          "without image and size, particles are taken to be 32 points large")
      }
    }
    size.mode = base == nil ? .textureScale : .units
    size.width = try scale(by: base?.x ?? 1)
    if let base { size.aspect = .ratio((base.x / base.y).rounded) }
    return size
  }

  private func scale(by base: Double) throws -> Track {
    if let curve = try sequence("_particleScaleSequence")?.curve(scale: base) {
      return Track(from: 0, to: 1, curve: curve)
    }
    let value = Value(
      center: (number("_startScale", 1) * base).rounded,
      width: number("_startScaleVariance") * base)
    return Track(from: value, rate: .constant((number("_scaleSpeed") * base).rounded))
  }

  // MARK: Colour

  /// - Parameter lifetime: how long particles live.
  func tint(lifetime: Value) throws -> Tint {
    var tint = Tint()
    tint.opacity = try fraction(
      "_startOpacity", "_startOpacityVariance", "_opacitySpeed", 1, "_particleAlphaSequence",
      lifetime)
    tint.mix = try fraction(
      "_startColorMix", "_startColorBlendVariance", "_colorBlendSpeed", 0,
      "_particleColorBlendFactorSequence", lifetime)
    tint.base = try color()
    weighAlpha(of: &tint)
    return tint
  }

  /// A number that counts from 0 to 1 only, whatever it is.
  private func fraction(
    _ start: String, _ width: String, _ speed: String, _ standard: Double, _ sequenceKey: String,
    _ lifetime: Value
  ) throws -> Track {
    if let curve = try sequence(sequenceKey)?.curve() {
      var track = Track(from: 0, to: 1, curve: curve)
      if curve.keys.contains(where: { !(0...1).contains($0.value) }) { track.range = .unit }
      return track
    }
    var track = Track(
      from: value(start, width, standard), rate: .constant(number(speed)))
    if track.leavesUnit(over: lifetime) { track.range = .unit }
    return track
  }

  /// The sequence in place of the colour at birth.
  private func color() throws -> ColorTrack {
    if let sequence = try sequence("_particleColorSequence"), let keys = sequence.gradient() {
      return keys.keys.count == 1
        ? ColorTrack(.constant(keys.keys[0].color)) : ColorTrack(gradient: keys)
    }
    let channels = ["R", "G", "B", "A"]
    var start = channels.map { number("_startColor\($0)") }
    if object.index(of: "_startColorR") == nil, let color = try object.object("particleColor"),
      let rgba = try ArchivedColor.sRGB(of: color)
    {
      start = rgba
    }
    let half = channels.map { number("_startColorVariance\($0)").magnitude / 2 }
    let speed = channels.map { number("_colorSpeed\($0)") }
    func color(_ components: [Double]) -> Color {
      Color(components[0], components[1], components[2], components[3])
    }
    let least = color(zip(start, half).map { ($0 - $1).rounded })
    let most = color(zip(start, half).map { ($0 + $1).rounded })
    var track = ColorTrack(least == most ? .constant(least) : .range(least, most))
    track.rate = ColorRate(speed[0], speed[1], speed[2], speed[3])
    return track
  }

  /// Where the colour plays no part, or only some, its alpha does not either.
  private func weighAlpha(of tint: inout Tint) {
    guard case .constant(let mix) = tint.mix.from, tint.mix.isConstantOverLife, mix < 1 else {
      return
    }
    let share = max(mix, 0)
    func weighed(_ color: Color) -> Color {
      Color(color.red, color.green, color.blue, (1 + (color.alpha - 1) * share).rounded)
    }
    let before = tint.base
    switch tint.base.from {
    case .constant(let color): tint.base.from = .constant(weighed(color))
    case .range(var range):
      range.min = weighed(range.min)
      range.max = weighed(range.max)
      tint.base.from = .range(range)
    default: break
    }
    tint.base.rate.alpha = (tint.base.rate.alpha * share).rounded
    if var gradient = tint.base.gradient {
      gradient.keys = gradient.keys.map { GradientKey($0.time, weighed($0.color)) }
      tint.base.gradient = gradient
    }
    // Where it plays no part at all, nothing had to be assumed.
    guard tint.base != before, share > 0 else { return }
    note(
      .assumed, "_startColorMix",
      "the alpha of a colour that is blended in part is taken to count in part")
  }

  func render() -> Render {
    var render = Render()
    render.blend = Blend(
      object.choice(
        key("_particleBlendMode"),
        [.alpha, .add, .subtract, .multiply, .multiplyX2, .screen, .replace, .multiplyAlpha],
        .alpha))
    // The oldest particle is drawn last unless told otherwise.
    render.sort = object.choice(
      key("_particleRenderOrder"), [.youngestFirst, .oldestFirst, .none], .youngestFirst)
    render.z = Track(
      from: value("_startZPosition", "_startZPositionVariance"),
      rate: .constant(number("_zPositionSpeed")))
    return render
  }
}

extension Track {
  /// Whether the number leaves 0 to 1, as old as particles get, by more than rounding takes.
  func leavesUnit(over lifetime: Value) -> Bool {
    let change = rate.mean * max(lifetime.bounds.most, 0)
    let (least, most) = from.bounds
    return least + min(change, 0) < -1e-6 || most + max(change, 0) > 1 + 1e-6
  }
}

extension Value {
  /// The least and the greatest number that it can be.
  var bounds: (least: Double, most: Double) {
    switch self {
    case .constant(let number): (number, number)
    case .uniform(let range): (range.min, range.max)
    case .choice(let choice): (choice.numbers.min() ?? 0, choice.numbers.max() ?? 0)
    case .ramp(let ramp):
      (
        min(ramp.low.bounds.least, ramp.high.bounds.least),
        max(ramp.low.bounds.most, ramp.high.bounds.most)
      )
    }
  }
}
