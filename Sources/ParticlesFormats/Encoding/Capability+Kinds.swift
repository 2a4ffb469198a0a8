internal import ParticlesModel

// What reports say of forces and triggers that a format does not have.

extension ForceKind {
  var capability: Capability {
    switch self {
    case .gravity: .gravity
    case .linear: .linAcc
    case .radial: .radial
    case .tangential: .tangent
    case .vortex, .field: .attract
    case .drag: .dragExp
    case .noise: .noise
    }
  }

  var consequence: String {
    switch self {
    case .linear: "particles keep their speed"
    case .radial: "particles are not drawn to the centre, nor driven from it"
    case .tangential, .vortex: "particles do not swirl"
    case .noise: "particles fly smoothly"
    default: "fields are part of the scene"
    }
  }
}

extension TriggerEvent {
  /// The row of the capability matrix that an event belongs to.
  package var capability: Capability {
    switch self {
    case .birth: .subBirth
    case .death: .subDeath
    case .collision: .subColl
    case .interval, .frame, .living: .subLive
    }
  }
}
