internal import ParticlesCore
internal import ParticlesModel

extension TreeReader<TSParticlesFamily> {
  func decodeLook(of emitter: inout Emitter) {
    decodeColor(of: &emitter)
    let sides = 2 * figures.extent
    if isParticlesJS { return decodeParticlesJSLook(of: &emitter, sides: sides) }
    emitter.size.width = animated("particles.size", 3, speed: 5, times: sides, &emitter)
    emitter.size.width.from = emitter.size.width.from.notNegative
    if self["particles.size.random"]?.bool == true || holds("particles.size.random.enable", false) {
      let least = number("particles.size.random.minimumValue", 1) * sides
      emitter.size.width = Track(.between(least, emitter.size.width.from.bounds.upper))
    }
    emitter.color.opacity = animated("particles.opacity", 1, speed: 2, times: 1, &emitter)
    if self["particles.opacity.random"]?.bool == true
      || holds("particles.opacity.random.enable", false)
    {
      emitter.color.opacity = Track(
        .between(
          number("particles.opacity.random.minimumValue", 0),
          emitter.color.opacity.from.bounds.upper))
    }
    decodeRotation(of: &emitter)
    // Keys of particles.js, which tsParticles translates.
    for key in ["particles.size.anim", "particles.opacity.anim"]
    where holds("\(key).enable", false) {
      note(.uninterpreted, key, "it is read in files of particles.js only", found: "an object")
    }
    if let mode = self["particles.move.out_mode"], mode.string != "out" {
      note(.uninterpreted, "particles.move.out_mode", "", found: mode.shortExcerpt)
    }
  }

  /// A value that goes to and fro between the ends of a range, if it is animated (`Utils.ts`,
  /// `updateAnimation`): by hundredths of the speed in each of 60 frames a second.
  private func animated(
    _ key: String, _ standard: Double, speed usual: Double, times factor: Double,
    _ emitter: inout Emitter
  ) -> Track {
    let value = ranged("\(key).value", standard, times: factor)
    let animation = "\(key).animation"
    guard holds("\(animation).enable", false), !value.isConstant else { return Track(value) }
    let (low, high) = (value.bounds.lower, value.bounds.upper)
    let speeds = ranged("\(animation).speed", usual, times: 0.6 * factor)
    let (isSync, speed) = (holds("\(animation).sync", false), speeds.mean.magnitude)
    let start = choice(
      "\(animation).startValue", ["random": "random", "min": "min", "max": "max"])
    let isAuto = choice(
      "\(animation).mode",
      ["auto": true, "increase": false, "decrease": false, "random": false])
    let destroy = choice(
      "\(animation).destroy", ["none": "none", "max": "max", "min": "min"])
    let isPlain =
      ["min", "max"].contains(start) && speeds.isConstant && speed > 0
      && isAuto && ranged("\(animation).decay", 0) == 0
      && ranged("\(animation).delay", 0) == 0
    guard isPlain else {
      note(.approximated, animation, "particles keep a value of the range")
      return Track(value)
    }
    let rises = start == "min"
    let (from, to) = rises ? (low, high) : (high, low)
    // The end is reached in a frame, and the next one turns back.
    let way = ((high - low) / speed * 60 - 1e-6).rounded(.up) / 60
    let life = emitter.lifetime.bounds.upper
    if destroy == (rises ? "max" : "min") {
      if isSync {
        endLives(of: &emitter, at: way, animation)
      } else {
        note(.approximated, animation, "particles live until the end of the mean speed")
        endLives(of: &emitter, at: 2 * way, animation)
      }
    }
    var turns = ranged("\(animation).count", 0).mean.rounded(.up)
    if turns <= 0 || emitter.lifetime.bounds.upper <= way { turns = .infinity }
    let isShort = emitter.lifetime.bounds.upper <= way + 1.0 / 60
    if turns == 1 || isShort || !isSync {
      if !isSync, turns != 1, !isShort {
        note(.approximated, animation, "values stay at the end of the range")
      }
      var track = Track(.constant(from))
      let change = rises ? speed : -speed
      track.rate = isSync ? .constant(change.rounded) : .between(0, change)
      track.range = Interval(low, high)
      return track
    }
    guard life / way <= 60 else {
      note(.approximated, animation, "particles keep a value of the range")
      return Track(value)
    }
    var points: [(time: Double, value: Double)] = [(0, from)]
    var (time, end, turn) = (way, to, 0.0)
    while time < life, turn < turns {
      points.append((time / life, end))
      time += 1.0 / 60
      turn += 1
      if time < life { points.append((time / life, end)) }
      time += way
      end = end == to ? from : to
    }
    if let last = points.last, last.time < 1 {
      let share = turn < turns ? (1 - last.time) * life / way : 0
      points.append((1, last.value + (end - last.value) * share))
    }
    var track = Track(points: points)
    track.over = .age
    track.domain = Interval(0, life)
    return track
  }

  /// Ends lives after a time: particles die at the end of their animation.
  private func endLives(of emitter: inout Emitter, at time: Double, _ key: String) {
    let (low, high) = (emitter.lifetime.bounds.lower, emitter.lifetime.bounds.upper)
    guard high > time else { return }
    if low < time, low != high {
      note(.approximated, key, "lives that end earlier are a range up to there")
    }
    emitter.lifetime = .between(min(low, time), time)
  }

  private func decodeRotation(of emitter: inout Emitter) {
    let angle = ranged("particles.rotate.value", 0, times: -1)
    emitter.rotation.angle = Track(
      holds("particles.rotate.random", false) ? .range(-360, 0) : angle)
    guard holds("particles.rotate.animation.enable", false) else { return }
    // Parts of a turn in each of 60 frames a second, taken for radians.
    let speeds = ranged("particles.rotate.animation.speed", 0, times: 180 / .pi / 6)
    let isSync = holds("particles.rotate.animation.sync", false)
    let (speed, least) = (speeds.bounds.upper.rounded, isSync ? speeds.bounds.lower : 0)
    if !speeds.isConstant, !isSync {
      note(.approximated, "particles.rotate.animation.speed", "it is between 0 and its greatest")
    }
    let direction = choice(
      "particles.rotate.direction",
      ["clockwise": -1, "counter-clockwise": 1, "counterClockwise": 1, "random": 0])
    switch direction {
    case 0:
      if isSync, !speeds.isConstant {
        note(.approximated, "particles.rotate.animation.speed", "it is its mean")
      }
      emitter.rotation.velocity = Track(
        isSync ? .oneOf([-speeds.mean.rounded, speeds.mean.rounded]) : .between(-speed, speed))
    case 1:
      emitter.rotation.velocity = Track(.between(least, speed))
    default: emitter.rotation.velocity = Track(.between(-least, -speed))
    }
  }

  private func decodeColor(of emitter: inout Emitter) {
    guard let value = self["particles.color.value"] ?? self["particles.color"] else { return }
    if isParticlesJS, value.object != nil {
      // Members of an object are set on the text of the default (`deepExtend`).
      note(
        .ignoredKey, "particles.color.value", "the engine keeps white in place of an object",
        found: "an object")
      return
    }
    if value.string == "random" {
      emitter.color.base = ColorTrack(.range(Color(0, 0, 0), .white))
      return
    }
    let colors = (value.array ?? [value]).compactMap { color($0, "particles.color") }
    guard let first = colors.first else {
      if value.string == "mid" { note(.approximated, "particles.color", "particles are white") }
      return
    }
    emitter.color.base = ColorTrack(colors.count == 1 ? .constant(first) : .choice(.init(colors)))
  }

  func color(_ value: JSONValue, _ key: String) -> Color? {
    let parts = value["value"] ?? value
    if let red = parts["r"]?.double, let green = parts["g"]?.double, let blue = parts["b"]?.double {
      return Color(red / 255, green / 255, blue / 255)
    }
    if let hue = parts["h"]?.double, let saturation = parts["s"]?.double,
      let lightness = parts["l"]?.double
    {
      return Color(hue: hue, saturation: saturation / 100, lightness: lightness / 100)
    }
    guard let text = parts.string, text != "random", text != "mid" else { return nil }
    if let color = Color(hexadecimal: text) { return color }
    if let color = Color(hexadecimal: "#\(text)") { return color }
    let names: [String: Color] = [
      "white": .white, "black": .black, "red": Color(1, 0, 0), "lime": Color(0, 1, 0),
      "blue": Color(0, 0, 1), "yellow": Color(1, 1, 0),
    ]
    if let color = names[text.lowercased()] { return color }
    note(.assumed, key, "a colour that cannot be read is left out", found: "'\(text.excerpt)'")
    return nil
  }
}

extension Color {
  /// A colour of hue in degrees, saturation and lightness, as pages state it.
  fileprivate init(hue: Double, saturation: Double, lightness: Double) {
    let spread = min(max(saturation, 0), 1) * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> Double {
      var place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      if place < 0 { place += 12 }
      return lightness - spread * max(-1, min(place - 3, 9 - place, 1))
    }
    self.init(channel(0), channel(8), channel(4))
  }
}

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
    drop("size.aspect", "the image decides on the ratio")
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

  /// Writes a value that keeps still, or that goes from one end of a range to its opposite once.
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

  /// The way of a track that goes along a line. Nil for other tracks.
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
  fileprivate static func ofAnyColor(opacity: Track) -> Tint {
    var tint = Tint()
    tint.base = ColorTrack(.range(Color(0, 0, 0), .white))
    tint.opacity = opacity
    return tint
  }
}
