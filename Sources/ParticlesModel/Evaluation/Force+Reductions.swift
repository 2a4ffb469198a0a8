internal import ParticlesPlatform

extension Force {
  /// The fraction of the speed at which particles travel as far as with this force along their
  /// path; nil if there is none.
  /// - Parameters:
  ///   - speed: the initial speed.
  ///   - life: the mean lifetime in seconds.
  package func speedShare(from speed: Double, over life: Double) -> Double? {
    let strength = strength.mean(lifetime: life)
    guard life > 0, direction == nil, strength.isFinite else { return nil }
    func decay(_ rate: Double) -> Double {
      rate * life < 1e-9 ? 1 : (1 - exp(-rate * life)) / (rate * life)
    }
    switch (kind, law) {
    case (.linear, _): return speed > 0 ? max(1 + strength * life / (2 * speed), 0) : nil
    case (.drag, .exponential), (.drag, .euler): return strength >= 0 ? decay(strength) : nil
    case (.drag, .perFrame60):
      return 0...1 ~= strength ? decay(-60 * log(max(1 - strength, 1e-9))) : nil
    case (.drag, .constant):
      guard speed > 0, strength > 0 else { return nil }
      // It may stop before its life ends.
      let time = min(life, speed / strength)
      return (speed * time - strength * time * time / 2) / (speed * life)
    case (.drag, .limit):
      guard speed > 0, strength >= 0 else { return nil }
      // The excess over the limit decays.
      let rest = min(limit / speed, 1)
      return rest + (1 - rest) * decay(strength)
    default: return nil
    }
  }

  /// The fraction of the speed that drag removes in a sixtieth of a second; nil if the law is not
  /// proportional.
  package func dragShare(over life: Double) -> Double? {
    let strength = strength.mean(lifetime: life)
    switch law {
    case .perFrame60: return strength
    case .exponential: return 1 - exp(-strength / 60)
    case .euler: return strength / 60
    case .constant, .limit: return nil
    }
  }
}

extension Emitter {
  /// The indices of radial forces that act nearly along the motion of particles: they start near the
  /// centre, fly away from it and do not pass it again, and nothing turns them much.
  package var forcesAlongMotion: [Int] {
    let turning: Set<ForceKind> = [.tangential, .vortex, .noise]
    let (speed, life) = (launch.speed.mean, lifetime.mean)
    guard motion.mode == .ballistic, launch.direction.mode != .none, speed > 0, life > 0 else {
      return []
    }
    let turn = forces.filter { turning.contains($0.kind) }
      .reduce(0) { $0 + $1.strength.mean(lifetime: life).magnitude }
    let shape = shape.settled()
    let half = shape.halfSize
    let center = shape.transform.translation
    let away = half.x * half.x + half.y * half.y + center.x * center.x + center.y * center.y
    return forces.indices.filter { index in
      let force = forces[index]
      guard force.kind == .radial, force.center == .zero, force.falloff == 0,
        force.maxDistance == nil
      else { return false }
      let strength = force.strength.mean(lifetime: life)
      let reach = speed * life + strength * life * life / 2
      return turn <= strength.magnitude / 2 && reach > 0 && away.squareRoot() <= reach / 2
    }
  }
}
