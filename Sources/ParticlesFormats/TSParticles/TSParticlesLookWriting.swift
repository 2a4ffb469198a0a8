internal import ParticlesCore
internal import ParticlesModel

extension EmitterWriter<TSParticlesFamily> {
  mutating func encodeLook() {
    let factor = sizeFactor(wantsFactor: false) / figureExtent
    var width = emitter.size.width
    width.from = clampNegative(width.from, .size, at: "size.width")
    if isParticlesJS {
      setSwing("particles.size", width, .sizeCurve, at: "size.width", times: factor / 2)
    } else {
      setAnimated("particles.size", width, .sizeCurve, at: "size.width", times: factor / 2)
    }
    drop("size.aspect", "the ratio is that of the image")
    if surroundings.origin?["particles.size.random"]?.bool != nil, !isParticlesJS {
      set("particles.size.random", flag: false)
    }
    encodeColor()
    let rotation = emitter.rotation
    if isParticlesJS {
      if rotation != Emitter.Rotation() {
        lose(.lost, .rotation, at: "rotation", "particles are not rotated")
      }
      return
    }
    setPlain(
      "particles.rotate.value", rotation.angle, .rotationCurve, at: "rotation.angle", times: -1)
    var velocity = rotation.velocity
    if rotation.acceleration != 0 {
      velocity = .constant(
        velocity.mean(lifetime: lifetime) + rotation.acceleration.mean * lifetime / 2)
      lose(
        .approximated, .angularAcceleration, at: "rotation.acceleration",
        also: ["rotation.velocity"],
        "spin is constant", recipe: "the mean")
    }
    set("particles.rotate.animation.enable", flag: velocity != 0)
    guard velocity != 0 else { return }
    var (speed, direction) = (velocity.mean(lifetime: lifetime), "")
    let bounds = velocity.from.bounds
    // Without this flag, the speed is a random part of the number.
    var isSync = true
    var isExact = velocity.isPlainValue && velocity.from.isNumber
    if velocity.isPlainValue, bounds.lower == -bounds.upper, bounds.upper > 0 {
      (speed, direction) = (bounds.upper, "random")
      if case .uniform = velocity.from { isSync = false }
      isExact = true
    } else {
      direction = speed < 0 ? "clockwise" : "counter-clockwise"
      if velocity.isPlainValue, case .uniform = velocity.from,
        bounds.lower == 0 || bounds.upper == 0, bounds.lower != bounds.upper
      {
        (speed, isSync, isExact) = (speed < 0 ? bounds.lower : bounds.upper, false, true)
      }
    }
    if !isExact {
      lose(
        .approximated, .rotationSpeed, at: "rotation.velocity", "spin has one magnitude",
        recipe: "the mean")
    }
    set("particles.rotate.direction", .string(direction))
    set("particles.rotate.animation.sync", flag: isSync)
    set("particles.rotate.animation.speed", (speed.magnitude * .pi / 180 * 6).rounded)
  }

  /// Writes a value that does not change over life.
  private mutating func setPlain(
    _ key: String, _ track: Track, _ capability: Capability, at place: String, times factor: Double
  ) {
    let value = start(of: track, capability, at: place, "changes over life are not supported")
    setRanged(key, value, capability, at: place, times: factor)
  }

  /// Writes a value that keeps still, or that goes from one end of a range to the other once.
  private mutating func setAnimated(
    _ key: String, _ track: Track, _ capability: Capability, at place: String, times factor: Double
  ) {
    let animation = "\(key).animation"
    guard let way = way(of: track) else {
      if surroundings.origin?["\(animation).enable"] != nil {
        set("\(animation).enable", flag: false)
      }
      return setPlain("\(key).value", track, capability, at: place, times: factor)
    }
    if !way.isExact {
      lose(
        .approximated, capability, at: place, "it changes with one speed",
        recipe: "the mean lifetime")
    } else if track.to != nil {
      lose(.restated, capability, at: place, "changes over life are a speed")
    }
    let (low, high) = (min(way.from, way.to) * factor, max(way.from, way.to) * factor)
    set("\(key).value.min", low.rounded)
    set("\(key).value.max", high.rounded)
    set("\(animation).enable", flag: true)
    set("\(animation).speed", (way.speed * factor / 0.6).rounded)
    set("\(animation).startValue", .string(way.from < way.to ? "min" : "max"))
    set("\(animation).sync", flag: way.isSync)
    set("\(animation).count", integer: 1)
    if surroundings.origin?["\(animation).destroy"] != nil {
      set("\(animation).destroy", .string("none"))
    }
  }

  /// A way of a value, from one number to another.
  private struct Way {
    var from = 0.0
    var to = 0.0
    /// Per second.
    var speed = 0.0
    var isSync = true
    var isExact = true
  }

  /// The way of a track that goes along a line; nil for others.
  private func way(of track: Track) -> Way? {
    guard case .constant(let from) = track.from, track.over == .life else { return nil }
    var way = Way(from: from)
    if track.to == nil, let range = track.range, track.rate != 0 {
      let rates = track.rate.bounds
      guard rates.lower >= 0 && from == range.lower || rates.upper <= 0 && from == range.upper,
        range.upper > range.lower, range.upper < .infinity
      else { return nil }
      way.to = from == range.lower ? range.upper : range.lower
      way.speed = max(rates.lower.magnitude, rates.upper.magnitude)
      way.isSync = track.rate.isConstant
      way.isExact = way.isSync || min(rates.lower.magnitude, rates.upper.magnitude) == 0
      return way
    }
    guard case .constant(let to)? = track.to,
      track == Track(from: track.from, to: track.to, relative: track.relative)
    else { return nil }
    way.to = track.relative ? from + to : to
    guard way.to != from, emitter.lifetime.mean > 0 else { return nil }
    way.speed = (way.to - from).magnitude / emitter.lifetime.mean
    way.isExact = emitter.lifetime.isConstant
    return way
  }

  private mutating func encodeColor() {
    let color = emitter.color
    var colors: [Color] = []
    if case .choice(let choice) = color.base.from, choice.weights.isEmpty, choice.jitter == nil {
      colors = choice.colors
    } else if color == Tint.ofAnyColor(opacity: color.opacity) {
      set("particles.color.value", .string("random"))
      return encodeOpacity(color.opacity)
    } else {
      colors = [color.base.from.mean]
      if !color.base.from.isColor {
        lose(
          .approximated, .randomColor, at: "color.base", "colours are one of several",
          recipe: "the mean")
      }
    }
    let changes =
      color.base.to != nil || color.base.gradient != nil || color.base.rate != .zero
      || color.intensity != 1 || color.mix != 1 || colors.contains { $0.alpha != 1 }
    var opacity = color.opacity
    if changes {
      let seen = color.seen(lifetime: lifetime).points
      let count = Double(seen.count)
      colors = [
        Color((0..<4).map { channel in seen.reduce(0) { $0 + $1.channels[channel] } / count })
      ]
      opacity = .constant(colors[0].alpha)
      lose(
        .approximated, .gradient, at: "color", "colours do not change over life",
        recipe: "the mean",
        level: .high)
    } else {
      explainColorDepth(of: colors)
    }
    let texts = colors.map { JSONValue.string($0.hexadecimal) }
    let isList = surroundings.origin?["particles.color.value"]?.array != nil || texts.count > 1
    set("particles.color.value", isList ? .array(texts) : texts[0])
    encodeOpacity(opacity)
  }

  private mutating func encodeOpacity(_ opacity: Track) {
    if isParticlesJS {
      return setSwing("particles.opacity", opacity, .opacityCurve, at: "color.opacity", times: 1)
    }
    setAnimated("particles.opacity", opacity, .opacityCurve, at: "color.opacity", times: 1)
    if surroundings.origin?["particles.opacity.random"]?.bool != nil {
      set("particles.opacity.random", flag: false)
    }
  }
}

extension Tint {
  /// Any colour, of an opacity.
  fileprivate static func ofAnyColor(opacity: Track) -> Tint {
    var tint = Tint()
    tint.base = ColorTrack(.range(Color(0, 0, 0), .white))
    tint.opacity = opacity
    return tint
  }
}
