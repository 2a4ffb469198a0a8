internal import ParticlesCore

extension Emitter {
  /// The kinds of forces.
  public enum ForceKind: String, ClosedName {
    /// The same acceleration everywhere.
    case gravity
    /// Along the velocity.
    case linear
    /// Away from a centre.
    case radial
    /// Counter-clockwise about a centre, at a right angle to the way there.
    case tangential
    /// Counter-clockwise about an axis.
    case vortex
    /// Against the velocity.
    case drag
    /// In a direction that changes smoothly from place to place.
    case noise
    /// By a field of the scene, of which nothing more is known.
    case field
  }
}

extension ForceKind {
  /// The keys of the properties that forces of this kind use, beside those that all kinds use.
  package var parameters: [String] {
    switch self {
    case .gravity: ["vector"]
    case .linear: ["strength"]
    case .radial: ["strength", "center", "maxDistance", "falloff"]
    case .tangential, .vortex: ["strength", "center", "maxDistance", "falloff", "axis"]
    case .drag: ["strength", "law", "direction", "limit"]
    case .noise: ["strength", "scale", "speed", "octaves", "target"]
    case .field: ["strength", "field"]
    }
  }

  /// The keys that at least one kind uses and not all kinds do.
  package static let allParameters = Set(allCases.flatMap(\.parameters))
}

extension Emitter {
  /// Whose axes a force has.
  public enum ForceSpace: String, ClosedName {
    /// Those of the world.
    case world
    /// Those of the emitter.
    case local
  }

  /// How drag of a strength s slows a particle.
  public enum DragLaw: String, ClosedName {
    /// The speed is multiplied by (1 − s) for each sixtieth of a second.
    case perFrame60
    /// The speed is multiplied by e to the power of −s for each second.
    case exponential
    /// In a step of dt the speed loses the share min(s · dt, 1).
    case euler
    /// The speed loses s units per second for each second.
    case constant
    /// In a step of dt, what exceeds the limit loses the share min(s · dt, 1).
    case limit
  }

  /// What noise changes.
  public enum NoiseTarget: String, ClosedName {
    /// The position; the velocity stays as it is.
    case position
    /// The velocity.
    case velocity
  }
}
