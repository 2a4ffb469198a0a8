internal import ParticlesModel

// Report texts for forces and triggers that a format does not support.

extension ForceKind {
  var capability: Capability {
    switch self {
    case .gravity: .gravity
    case .linear: .linearAcceleration
    case .radial: .radial
    case .tangential: .tangent
    case .vortex, .field: .attract
    case .drag: .exponentialDrag
    case .noise: .noise
    }
  }

  var consequence: String {
    switch self {
    case .linear: "acceleration along the velocity is not supported"
    case .radial: "radial forces are not supported"
    case .tangential, .vortex: "tangential forces are not supported"
    case .noise: "noise is not supported; dropped"
    default: "fields belong to the scene"
    }
  }
}

extension TriggerEvent {
  /// The row of the capability matrix that an event belongs to.
  package var capability: Capability {
    switch self {
    case .birth: .emissionAtSpawn
    case .death: .emissionAtDeath
    case .collision: .emissionAtCollision
    case .interval, .frame, .living: .emissionWhileAlive
    }
  }
}
