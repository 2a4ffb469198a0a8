internal import ParticlesCore
internal import ParticlesModel

// particles.js 2, the engine before tsParticles: it reads these files too, by a law of its own.

extension TSParticlesFamily {
  /// Keys that only files for an engine have.
  private static let signs: KeyValuePairs<Profile, [String]> = [
    .tsParticles: [
      "emitters", "preset", "fpsLimit", "detectRetina", "fullScreen", "interactivity.detectsOn",
      "interactivity.events.onHover", "interactivity.events.onClick", "particles.links",
      "particles.move.outModes", "particles.move.outMode", "particles.move.gravity",
      "particles.move.angle", "particles.size.animation", "particles.opacity.animation",
      "particles.size.value.min", "particles.opacity.value.min", "particles.move.speed.min",
      "particles.rotate", "particles.life", "particles.stroke", "particles.shape.options",
      "particles.shape.character", "particles.number.limit", "particles.collisions", "absorbers",
      "polygon", "themes", "responsive", "background", "manualParticles",
    ],
    .particlesJS: [
      "particles.line_linked", "particles.move.out_mode", "retina_detect", "particles.size.anim",
      "particles.opacity.anim", "interactivity.detect_on", "interactivity.events.onhover",
      "interactivity.events.onclick",
    ],
  ]

  func engine(of root: JSONValue, named: Profile?) -> EngineChoice? {
    let found = Self.signs.map { sign in (sign.key, sign.value.filter { root[$0] != nil }) }
    let newer = found[0].1
    var choice = EngineChoice(profile: .tsParticles, ground: .usual, reasons: [], others: [])
    let other = { EngineChoice.Other(profile: $0, drawsEqually: true) }
    // Emitters are more than the older engine can have.
    if let named, table.capabilities.profiles.contains(named), root["emitters"] == nil {
      (choice.profile, choice.ground) = (named, .named)
    } else if let (profile, keys) = found.first(where: { !$0.1.isEmpty }) {
      (choice.profile, choice.ground) = (profile, .file)
      let names = keys.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
      let engine = profile == .particlesJS ? "particles.js" : "tsParticles"
      choice.reasons = ["\(names) \(keys.count == 1 ? "is a key" : "are keys") of \(engine)"]
    } else {
      choice.reasons = ["no key tells, and most programs use it"]
    }
    if choice.profile == .particlesJS {
      choice.others = [other(.tsParticles)]
    } else if newer.isEmpty {
      choice.others = [other(.particlesJS)]
    }
    return choice
  }

  /// The part of the number that a canvas of this size has (`densityAutoParticles`).
  static func particlesJSDensity(of emitter: JSONValue) -> Double {
    let density = emitter["particles.number.density"]
    guard density?["enable"]?.isTruthy ?? true else { return 1 }
    let area = density?["value_area"]?.double ?? 800
    return area > 0 ? canvas.width * canvas.height / 1_000 / area : 1
  }
}

/// How particles.js launches particles: by a vector, to which a random number between −0.5 and 0.5 is added
/// along each axis (`particle`). Directions and speeds describe a fan with an equal mean and equal deviations.
struct ParticlesJSLaunch {
  /// Vectors of directions, with y up. The vector to the lower left is longer than the vectors to other corners.
  static let directions: KeyValuePairs<String, Vector2> = [
    "none": Vector2(0, 0), "top": Vector2(0, 1), "top-right": Vector2(0.5, 0.5),
    "right": Vector2(1, 0), "bottom-right": Vector2(0.5, -0.5), "bottom": Vector2(0, -1),
    "bottom-left": Vector2(-0.5, -1), "left": Vector2(-1, 0), "top-left": Vector2(-0.5, 0.5),
  ]

  /// In degrees. Nil for all directions.
  private(set) var angle: Double?
  private(set) var spread = 0.0
  /// The speeds in units per second, for a speed of 1 in the file: 0.5 in each of 60 frames a second.
  private(set) var speed = Interval(0, 0)
  /// Whether velocities equal the velocities of the engine.
  private(set) var isExact = true

  init(direction: String, isStraight: Bool, isRandom: Bool) {
    let base = Self.directions.first { $0.key == direction }?.value ?? Vector2(0, 0)
    let length = (base.x * base.x + base.y * base.y).squareRoot()
    angle = Angle.direction(base.x, base.y)
    if isStraight {
      guard isRandom, base.x != 0, base.y != 0 else {
        speed = Interval(isRandom ? 0 : 30 * length, 30 * length)
        return
      }
      // A random part of each component.
      let variance = (base.x * base.x + base.y * base.y) / 24
      setFan(length: length / 2, variance: variance)
    } else if length > 0 {
      setFan(length: length, variance: 1.0 / 12)
    } else {
      // The mean distance from the centre of a square with sides of 1, and the mean of its square.
      let mean = (2.0.squareRoot() + logarithm(1 + 2.0.squareRoot())) / 6
      setSpeeds(mean: mean, square: 1.0 / 6)
    }
    isExact = false
  }

  /// The fan and the speeds of velocities with a mean of this length, and a variance along each axis.
  private mutating func setFan(length: Double, variance: Double) {
    let square = length * length + 2 * variance
    let wanted = length * length / square
    // The share sin x ÷ x falls from 1 to 0.
    var (low, high) = (0.0, Double.pi)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if sine(middle) / middle > wanted { low = middle } else { high = middle }
    }
    let half = low / 2
    spread = thousandths(half * 180 / .pi)
    setSpeeds(mean: length * half / sine(half), square: square)
  }

  private mutating func setSpeeds(mean: Double, square: Double) {
    let half = (3 * max(square - mean * mean, 0)).squareRoot()
    speed = Interval(thousandths(30 * (mean - half)), thousandths(30 * (mean + half)))
  }

  private func thousandths(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }
}

extension TreeReader<TSParticlesFamily> {
  /// Whether the file is read by the law of particles.js.
  var isParticlesJS: Bool { engine?.profile == .particlesJS }

  func decodeParticlesJSEmission(of emitter: inout Emitter) {
    let stated = number("particles.number.value", 400, atLeast: 0)
    let (first, wanted) = (
      stated.rounded(.up), stated * TSParticlesFamily.particlesJSDensity(of: value)
    )
    // Particles are added until there are enough, or whole ones removed.
    let count =
      wanted > first
      ? first + (wanted - first - 1e-6).rounded(.up)
      : first - (first - wanted + 1e-6).rounded(.down)
    fillCanvas(with: count, of: &emitter)
    emitter.lifetime = 30
    note(
      .assumed, "particles.number.value",
      "particles are on the page until it is closed: they live 30 s", severity: .note)
  }

  func decodeParticlesJSMotion(of emitter: inout Emitter) {
    let launch = ParticlesJSLaunch(
      direction: self["particles.move.direction"]?.string ?? "none",
      isStraight: holds("particles.move.straight", false),
      isRandom: holds("particles.move.random", false))
    emitter.launch.direction =
      launch.angle.map { Direction(angle: .constant($0)) } ?? Direction(.random)
    emitter.launch.spread = launch.spread
    guard holds("particles.move.enable", true) else { return emitter.launch.speed = 0 }
    let speed = number("particles.move.speed", 2)
    emitter.launch.speed = .between(launch.speed.lower * speed, launch.speed.upper * speed)
    guard emitter.launch.speed != 0 else { return }
    if !launch.isExact {
      note(
        .approximated, "particles.move.direction",
        "velocities are random in a square. A fan has an equal mean and equal deviations",
        severity: .note
      )
    }
    let isBouncing = self["particles.move.out_mode"]?.string == "bounce"
    note(
      .approximated, "particles.move.out_mode",
      isBouncing
        ? "particles leave the canvas at its edge, where particles of the engine turn back"
        : "particles that leave the canvas do not come back on its other side")
  }

  func decodeParticlesJSLook(of emitter: inout Emitter, sides: Double) {
    emitter.size.width = swing("particles.size", 20, "size_min", 20, times: sides)
    emitter.color.opacity = swing("particles.opacity", 1, "opacity_min", 2, times: 1)
  }

  /// A value that goes down to the least value and back to the value of the file, by a hundredth of
  /// the speed in each of 60 frames a second.
  private func swing(
    _ key: String, _ standard: Double, _ leastKey: String, _ usual: Double, times factor: Double
  ) -> Track {
    let stated = number("\(key).value", standard, atLeast: 0)
    let end = number("\(key).anim.\(leastKey)", 0, atLeast: 0)
    let change = number("\(key).anim.speed", usual) / 100
    let (most, least, speed) = (stated * factor, end * factor, change * 60 * factor)
    let isRandom = holds("\(key).random", false)
    let start: Value = isRandom ? .between(0, most) : .constant(most.rounded)
    guard holds("\(key).anim.enable", false), speed > 0, most > least else { return Track(start) }
    let isSync = holds("\(key).anim.sync", false)
    if isSync, !isRandom, let points = Self.swing(from: stated, to: end, by: change, for: 30) {
      var track = Track(points: points.map { ($0.time, ($0.value * factor).rounded) })
      (track.over, track.domain) = (.age, Interval(0, 30))
      return track
    }
    note(
      .approximated, "\(key).anim", "each particle goes to and fro between two random values",
      severity: .note)
    // The speed of a particle is a random part of the number, unless all have equal speeds.
    let time = (most - least) / (isSync ? speed : speed / 2)
    var track = Track(
      from: isRandom ? start : .between(least, most), to: .between(least, most),
      curve: Curve(Curve.linear.keys, extend: .mirror))
    (track.over, track.domain) = (.age, Interval(0, max(time, 1.0 / 30).rounded))
    return track
  }

  /// The turning points of a value, as the engine steps from frame to frame. Nil if there are too many.
  private static func swing(
    from most: Double, to least: Double, by change: Double, for life: Double
  ) -> [(time: Double, value: Double)]? {
    var points = [(time: 0.0, value: most)]
    var (value, rises) = (most, false)
    for frame in 1...max(1, Int(saturating: life * 60)) {
      let (before, old) = (rises, value)
      if rises ? value >= most : value <= least { rises.toggle() }
      value += before ? change : -change
      if value < 0, old > 0 { points.append((Double(frame - 1) / 60 / life, old)) }
      value = max(value, 0)
      if rises != before { points.append((Double(frame) / 60 / life, value)) }
      guard points.count <= 600 else { return nil }
    }
    points.append((1, value))
    return points
  }
}

// Edited effects are written into their files of particles.js by its law. New files are written for tsParticles.

extension EmitterWriter<TSParticlesFamily> {
  /// Whether the file is one of particles.js.
  var isParticlesJS: Bool { surroundings.engine == .particlesJS }

  mutating func encodeParticlesJSEmission() {
    let density = surroundings.origin.map { TSParticlesFamily.particlesJSDensity(of: $0) } ?? 1
    let count = countOfCanvas() / density
    set("particles.number.value", density > 1 ? count.rounded : (count + 1e-6).rounded(.down))
    dropLimit()
    if emitter.lifetime != 30 {
      lose(.lost, .life, at: "lifetime", "particles are on the page until it is closed")
    }
  }

  mutating func encodeParticlesJSMotion() {
    let launch = emitter.launch
    let speed = meanSpeed()
    let isAll = launch.direction.mode == .random
    let angles = isAll ? (least: 0, most: 0) : launchAngles()
    let (middle, spread) = ((angles.least + angles.most) / 2, (angles.most - angles.least) / 2)
    /// How much the directions of a launch differ, and how much its speeds, as shares of their mean.
    func difference(_ law: ParticlesJSLaunch) -> (directions: Double, speeds: Double) {
      let share = law.speed.upper > 0 ? law.speed.lower / law.speed.upper : 1
      let bounds = speed.bounds
      let own = bounds.upper != 0 ? bounds.lower / bounds.upper : share
      guard let angle = law.angle, !isAll else {
        return (law.angle == nil && isAll ? 0 : 360, (share - own).magnitude)
      }
      let turn = (angle - middle).remainder(dividingBy: 360).magnitude
      return (turn + (law.spread - spread).magnitude, (share - own).magnitude)
    }
    let move = surroundings.origin?["particles.move"]
    var best = (
      name: move?["direction"]?.string ?? "none", isStraight: move?["straight"]?.isTruthy ?? false,
      isRandom: move?["random"]?.isTruthy ?? false
    )
    func law() -> ParticlesJSLaunch {
      ParticlesJSLaunch(
        direction: best.name, isStraight: best.isStraight, isRandom: best.isRandom)
    }
    var found = (law: law(), difference: difference(law()))
    for (name, _) in ParticlesJSLaunch.directions {
      for (isStraight, isRandom) in [(false, best.isRandom), (true, false), (true, true)]
      where name != "none" || !isStraight {
        let other = ParticlesJSLaunch(
          direction: name, isStraight: isStraight, isRandom: isRandom)
        let new = difference(other)
        guard
          new.directions + 10 * new.speeds + 1e-3 < found.difference.directions
            + 10 * found.difference.speeds
        else { continue }
        (found, best) = ((other, new), (name, isStraight, isRandom))
      }
    }
    set("particles.move.direction", .string(best.name))
    set("particles.move.straight", flag: best.isStraight)
    set("particles.move.random", flag: best.isRandom)
    set("particles.move.enable", flag: speed != 0)
    let mean = (found.law.speed.lower + found.law.speed.upper) / 2
    if speed != 0, mean > 0 { set("particles.move.speed", (speed.mean / mean).rounded) }
    if found.difference.directions > 1e-3 {
      lose(
        .approximated, .spread2D, at: "launch.direction",
        also: ["launch.spread", "launch.spreadLaw"],
        "directions are one of eight, each with a fan of its own, or all")
    }
    if found.difference.speeds > 1e-4, speed != 0 {
      lose(
        .approximated, .speedRange, at: "launch.speed", "the range of speeds follows from the mean")
    }
    if !emitter.forces.isEmpty {
      lose(.lost, .gravity, at: "forces", "forces are not supported")
    }
  }

  /// Writes a value that keeps still, or that goes to and fro.
  mutating func setSwing(
    _ key: String, _ track: Track, _ capability: Capability, at place: String, times factor: Double
  ) {
    let (animation, first) = ("\(key).anim", track.from.bounds)
    guard let to = track.to, track.over == .age else {
      let value = start(
        of: track, capability, at: place, "changes over life are not supported")
      let bounds = bounds(of: value, capability, at: place)
      let isPart = bounds.least == 0 && bounds.most > 0
      if bounds.least != bounds.most, !isPart {
        lose(
          .approximated, capability, at: place, "ranges begin at 0", recipe: "the mean")
      }
      let isRange = bounds.least != bounds.most && !isPart
      set("\(key).value", ((isRange ? value.mean : bounds.most) * factor).rounded)
      set("\(key).random", flag: isPart)
      if surroundings.origin?["\(animation).enable"] != nil {
        set("\(animation).enable", flag: false)
      }
      return
    }
    // All values of a swing that particles share are in its curve.
    let isShared = first.lower == first.upper
    let values = isShared ? track.curve.keys.map { $0.value } : [0, 1]
    let ends = isShared ? to.bounds.upper : 1
    let (least, most) = (
      isShared ? (values.min() ?? 0) * ends : to.bounds.lower,
      isShared ? (values.max() ?? 0) * ends : to.bounds.upper
    )
    let isSync = surroundings.origin?["\(animation).sync"]?.isTruthy ?? isShared
    let width = (track.domain ?? .unit).upper - (track.domain ?? .unit).lower
    let time = track.curve.keys.count > 1 ? track.curve.keys[1].time * width : width
    set("\(key).value", (most * factor).rounded)
    set("\(key).random", flag: !isShared && first.lower == 0 && to.bounds.lower > 0)
    set("\(animation).enable", flag: true)
    set(
      "\(animation).\(key == "particles.size" ? "size_min" : "opacity_min")",
      (least * factor).rounded)
    set("\(animation).sync", flag: isSync)
    set(
      "\(animation).speed",
      ((most - least) * factor / max(time, 1.0 / 60) / 0.6 * (isSync ? 1 : 2)).rounded)
    lose(
      .approximated, capability, at: place, "it goes to and fro with one speed",
      recipe: "equal ends")
  }
}
