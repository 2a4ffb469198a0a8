package import ParticlesCore

extension Emitter {
  /// The axis that a particle rotates about.
  public enum RotationAxis: Sendable, Hashable {
    /// The view direction.
    case screen
    /// A random direction for each particle.
    case random
    /// A direction, of any length but 0.
    case vector(ParticleSystem.Vector)
  }
}

extension RotationAxis: NamedAlternative {
  package static let named: [RotationAxis] = [.screen, .random]
  package static let expected = "\"screen\", \"random\" or a vector"
  package static let typeName = "axis"
  package static func states(_ json: JSONValue) -> Bool { json.array != nil }
  package init(stating vector: Vector) { self = .vector(vector) }
  package var name: String { self == .screen ? "screen" : "random" }
  package var stated: Vector? { if case .vector(let vector) = self { vector } else { nil } }
}

extension Emitter {
  /// The axis along which a particle is stretched.
  public enum StretchAxis: Sendable, Hashable {
    /// Its velocity.
    case velocity
    /// Its own axes, by amounts that are added to the scale factors.
    case factors(ParticleSystem.VectorTrack)
  }
}

extension StretchAxis: NamedAlternative {
  package static let named: [StretchAxis] = [.velocity]
  package static let expected = "\"velocity\" or a vector of tracks"
  package static let typeName = "stretch axis"
  package static func states(_ json: JSONValue) -> Bool { json.array != nil }
  package init(stating factors: VectorTrack) { self = .factors(factors) }
  package var name: String { "velocity" }
  package var stated: VectorTrack? { if case .factors(let factors) = self { factors } else { nil } }
}
