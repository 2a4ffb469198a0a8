internal import ParticlesCore
internal import ParticlesModel

extension EmitterWriter<DefoldFamily> {
  // MARK: Curves

  /// The points of a curve. Reports added points.
  mutating func points(_ curve: Curve, _ capability: Capability, at place: String) -> JSONValue {
    let written = DefoldCurve(curve)
    if written.isRounded, !hasLine(at: place) {
      lose(
        .approximated, capability, at: place, "curves have one slope at a point",
        recipe: "corners become two points", level: .info)
    }
    return written.json
  }

  mutating func setCurve(
    _ list: String, _ key: String, _ curve: Curve, spread: Double = 0, _ capability: Capability,
    at place: String
  ) {
    if curve.keys.count > 1, !hasLine(at: place),
      curve.interpolation != .cubic || curve.keys.contains(where: { $0.inSlope == nil })
    {
      lose(.restated, capability, at: place, "curves are cubic, with slopes")
    } else if let first = curve.keys.first, let last = curve.keys.last, !hasLine(at: place),
      first.inSlope != first.outSlope || last.inSlope != last.outSlope
    {
      lose(.restated, capability, at: place, "points at the ends of a curve have one slope")
    }
    set("\(list)[\(key)].points", points(curve, capability, at: place))
    if spread != 0 || surroundings.origin?["\(list)[\(key)].spread"] != nil {
      set("\(list)[\(key)].spread", spread)
    }
  }

  /// Writes the value of new particles, over the period of the emitter.
  mutating func setInitial(
    _ key: String, _ value: Value, _ capability: Capability, at place: String,
    prefix: String = "PARTICLE_", scope: Scope = .particle, times factor: Double = 1
  ) {
    let name = "EMITTER_KEY_\(prefix)\(key)"
    if case .ramp(let ramp) = value, ramp.relative, case .constant(let high) = ramp.high,
      let spread = Optional(ramp.low.spread), spread.isExact, spread.center == 0
    {
      return setCurve(
        "properties", name, ramp.curve.multiplied(by: high * factor), spread: spread.half * factor,
        capability, at: place)
    }
    if case .ramp(let ramp) = value {
      let (low, high) = (ramp.low.spread, ramp.high.spread)
      if low.half != 0 || high.half != 0 || !low.isExact || !high.isExact {
        lose(
          .approximated, capability, at: place, "the spread does not change", recipe: "the lesser")
      }
      return setCurve(
        "properties", name, ramp.meanCurve(times: factor),
        spread: min(low.half, high.half) * factor, capability, at: place)
    }
    explain(value, capability, at: place, scope: scope)
    let (center, half, _) = value.spread
    setCurve(
      "properties", name, .constant((center * factor).rounded), spread: (half * factor).rounded,
      capability, at: place)
  }

  /// Writes a track as a start value, times or plus a curve over life.
  mutating func setTrack(
    _ initial: String, _ life: String, _ track: Track, _ capability: Capability, at place: String,
    times factor: Double = 1, adds: Bool
  ) {
    let key = "PARTICLE_KEY_\(life)"
    let plain = track.isPlainCurve
    if plain, track.to == nil {
      setInitial(initial, track.from, capability, at: place, times: factor)
      return setCurve(
        "particle_properties", key, .constant(adds ? 0 : 1), capability, at: place)
    }
    if plain, adds, track.relative, let to = track.to, to.isNumber {
      setInitial(initial, track.from, capability, at: place, times: factor)
      return setCurve(
        "particle_properties", key, track.curve.multiplied(by: to.mean * factor), capability,
        at: place)
    }
    if plain, !adds, track.from == 0, let to = track.to {
      if Set(track.curve.keys.map({ $0.value })).count < 2 {
        lose(.restated, capability, at: place, "a curve without a change is a factor")
      }
      setInitial(initial, to, capability, at: place, times: factor)
      return setCurve("particle_properties", key, track.curve, capability, at: place)
    }
    let (curve, isExact) = track.curve(lifetime: lifetime)
    let most = curve.keys.map { $0.value.magnitude }.max() ?? 0
    lose(
      isExact ? .restated : .approximated, capability, at: place,
      "written as a start \(adds ? "plus" : "times") a curve over life")
    setInitial(
      initial, .constant(adds ? 0 : most), capability, at: place, times: factor)
    setCurve(
      "particle_properties", key,
      curve.multiplied(by: adds ? factor : most == 0 ? 0 : 1 / most), capability, at: place)
  }

  // MARK: Emission

  mutating func encodeTiming() {
    let timing = emitter.timing
    let loops = timing.duration == nil || timing.loop
    set("mode", .string(loops ? "PLAY_MODE_LOOP" : "PLAY_MODE_ONCE"))
    let duration = period(endless: 1)
    explain(duration, .duration, at: "timing.duration", scope: .effect)
    set("duration", isBurst ? 0.1 : duration.spread.center)
    setSpread("duration_spread", duration.spread.half)
    explain(timing.delay, .delay, at: "timing.delay", scope: .effect)
    set("start_delay", timing.delay.spread.center)
    setSpread("start_delay_spread", timing.delay.spread.half)
  }

  private mutating func setSpread(_ key: String, _ half: Double) {
    if half != 0 || surroundings.origin?[key] != nil { set(key, half) }
  }

  mutating func encodeCapacity() {
    let emission = emitter.emission
    var most = capacity(emission.maxAlive)
    if isBurst {
      most = max(most, Int(saturating: min(emission.largestBurst?.count.bounds.upper ?? 1, 1e6)))
    }
    set("max_particle_count", integer: most)
  }

  mutating func encodeRate() {
    var rate = rateOfChance()
    if isBurst, let burst = emitter.emission.largestBurst {
      rate = .constant(burst.count.mean * burst.probability * 10)
      lose(
        .approximated, .burst, at: "emission.bursts",
        also: ["emission.rate", "emission.maxAlive", "timing.duration"],
        "instantaneous bursts are not supported",
        recipe: "the particles of the largest burst within 0.1 s")
    } else {
      dropBursts()
    }
    setInitial("SPAWN_RATE", rate, .randomRate, at: "emission.rate", prefix: "", scope: .effect)
  }

  mutating func encodeTransform() {
    let transform = emitter.transform
    set("position", point(transform.translation))
    guard transform.rotation != .identity else {
      return set("rotation", .quaternion(Quaternion(inPlane: transform.angle)))
    }
    set("rotation", .quaternion(AffineTransform(transform).transformInSpace.rotation))
    if transform.angle != 0 {
      lose(.restated, .place, at: "transform.angle", "there is one rotation")
    }
  }

  mutating func encodeImage() {
    let name = surroundings.images.first.map { String(Files.stem(of: $0)) }
    if surroundings.origin == nil {
      set(
        "tile_source",
        .string(name.map { "/\($0).atlas" } ?? "/builtins/graphics/particle_blob.tilesource"))
    }
    set("animation", .string(name ?? "anim"))
    if name == nil {
      loseBlankImage("an image is required, so that the image of the editor is named")
    } else if surroundings.origin == nil {
      lose(
        .assumed, .texture, at: "sprites",
        "images are in an atlas. Make one of the images beside the file",
        level: .low)
    }
  }
}
