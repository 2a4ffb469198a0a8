extension Emitter {
  /// The kinds of forces.
  public enum ForceKind: String, ClosedName {
    /// The same acceleration everywhere.
    case gravity
    /// Along the velocity.
    case linear
    /// Away from a centre.
    case radial
    /// Counter-clockwise about a centre, perpendicular to the radius.
    case tangential
    /// Counter-clockwise about an axis.
    case vortex
    /// Against the velocity.
    case drag
    /// In a direction that varies smoothly over space.
    case noise
    /// By a field of the scene, of unknown effect.
    case field
  }
}

extension ForceKind {
  /// The keys of the properties that forces of this kind use, in addition to those that all kinds
  /// use.
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

  /// The keys that some kinds use and others do not.
  package static let allParameters = Set(allCases.flatMap { $0.parameters })
}

extension Emitter {
  /// The coordinate space of a force.
  public enum ForceSpace: String, ClosedName {
    /// World coordinates.
    case world
    /// Emitter coordinates.
    case local
  }

  /// How drag of strength s slows a particle.
  public enum DragLaw: String, ClosedName {
    /// The speed is multiplied by (1 − s) for each sixtieth of a second.
    case perFrame60
    /// The speed is multiplied by e to the power of −s for each second.
    case exponential
    /// In a step of dt the speed is reduced by the fraction min(s · dt, 1).
    case euler
    /// The speed decreases by s units per second each second.
    case constant
    /// In a step of dt, the excess over the limit is reduced by the fraction min(s · dt, 1).
    case limit
  }

  /// The property that noise changes.
  public enum NoiseTarget: String, ClosedName {
    /// The position; the velocity stays as it is.
    case position
    /// The velocity.
    case velocity
  }
}
