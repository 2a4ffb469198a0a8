internal import ParticlesCore
internal import ParticlesModel

// Edited effects are written into their files of particles.js by its law. New files are those of tsParticles.

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
    let values = isShared ? track.curve.keys.map(\.value) : [0, 1]
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
      recipe: "the same ends")
  }
}
