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
