internal import ParticlesCore
internal import ParticlesModel

extension Emitter {
  /// Takes the value of a property from another emitter.
  /// - Parameters:
  ///   - path: the path in the emitter: `size.width`.
  ///   - other: the emitter that the result of a conversion has in its place.
  /// - Returns: what of the particles may change; nil if that cannot be estimated.
  mutating func take(_ path: Substring, from other: Emitter) -> ExpectedParts? {
    let steps = path.split { $0 == "." || $0 == "[" || $0 == "]" }
    guard let section = steps.first else { return nil }
    let key = steps.count > 1 ? String(steps[1]) : ""
    switch section {
    case "size": return takeSize(key, from: other.size)
    case "color": return takeColor(key, from: other.color)
    case "rotation":
      switch key {
      case "angle": rotation.angle = other.rotation.angle
      case "velocity": rotation.velocity = other.rotation.velocity
      case "acceleration": rotation.acceleration = other.rotation.acceleration
      case "align", "alignOffset", "":
        rotation.align = other.rotation.align
        rotation.alignOffset = other.rotation.alignOffset
        if key.isEmpty { rotation = other.rotation }
      default: return nil
      }
      return .rotation
    case "launch", "motion", "forces", "shape", "transform":
      guard ExpectedMotion.isKnown(self), ExpectedMotion.isKnown(other),
        takeMotion(section, steps.dropFirst(), from: other)
      else { return nil }
      return rotation.align == .none ? .place : [.place, .rotation]
    case "lifetime":
      lifetime = other.lifetime
      return .lives
    case "emission": return takeEmission(key, from: other.emission)
    case "timing":
      switch key {
      case "duration": timing.duration = other.timing.duration
      case "loop": timing.loop = other.timing.loop
      case "idle": timing.idle = other.timing.idle
      case "delay": timing.delay = other.timing.delay
      case "prewarm": timing.prewarm = other.timing.prewarm
      case "": timing = other.timing
      default: return nil
      }
      return .times
    default: return nil
    }
  }

  private mutating func takeSize(_ key: String, from other: Size) -> ExpectedParts? {
    switch key {
    case _ where size.mode != other.mode, "": size = other
    case "width": size.width = other.width
    case "height": size.height = other.height
    case "aspect": size.aspect = other.aspect
    case "mode": break
    default: return nil
    }
    return .size
  }

  private mutating func takeColor(_ key: String, from other: Tint) -> ExpectedParts? {
    switch key {
    case "base", "opacity":
      // Alpha may be in either of both.
      if color.base != other.base, color.opacity != other.opacity {
        (color.base, color.opacity) = (other.base, other.opacity)
      } else if key == "base" {
        color.base = other.base
      } else {
        color.opacity = other.opacity
      }
    case "intensity": color.intensity = other.intensity
    case "":
      (color.base, color.opacity, color.intensity) = (other.base, other.opacity, other.intensity)
    default: return nil
    }
    return .color
  }

  private mutating func takeEmission(
    _ key: String, from other: Emission
  ) -> ExpectedParts? {
    switch key {
    case "rate": emission.rate = other.rate
    case "bursts": emission.bursts = other.bursts
    case "maxAlive": emission.maxAlive = other.maxAlive
    case "total": emission.total = other.total
    case "explosiveness": emission.explosiveness = other.explosiveness
    case "probability": emission.probability = other.probability
    case "minAlive": emission.minAlive = other.minAlive
    case "whenFull": emission.whenFull = other.whenFull
    case "": emission = other
    default: return nil
    }
    return .times
  }

  private mutating func takeMotion(
    _ section: Substring, _ steps: ArraySlice<Substring>, from other: Emitter
  ) -> Bool {
    let key = steps.first.map(String.init) ?? ""
    switch section {
    case "launch":
      switch key {
      case "direction": launch.direction = other.launch.direction
      case "spread": launch.spread = other.launch.spread
      case "spreadLaw": launch.spreadLaw = other.launch.spreadLaw
      case "speed": launch.speed = other.launch.speed
      case "": launch = other.launch
      default: return false
      }
    case "motion":
      switch key {
      case "drift": motion.drift = other.motion.drift
      case "orbitVelocity": motion.orbitVelocity = other.motion.orbitVelocity
      case "orbitAxis": break
      case "speed", "speedMode":
        (motion.speed, motion.speedMode) = (other.motion.speed, other.motion.speedMode)
      case "maxSpeed": motion.maxSpeed = other.motion.maxSpeed
      case "direction": motion.direction = other.motion.direction
      case "", "mode", "orbit": motion = other.motion
      default: return false
      }
    case "forces":
      guard let index = Int(key) else {
        forces = other.forces
        return true
      }
      guard forces.indices.contains(index) else { return false }
      let kind = forces[index].kind
      let place = forces[..<index].count { $0.kind == kind }
      let same = other.forces.filter { $0.kind == kind }
      if same.indices.contains(place) {
        forces[index] = same[place]
      } else {
        forces.remove(at: index)
      }
    case "shape":
      let transform = shape.transform
      if key == "transform" {
        shape.transform = other.shape.transform
      } else {
        shape = other.shape
        if !key.isEmpty { shape.transform = transform }
      }
    default: transform = other.transform
    }
    return true
  }
}
