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

extension RotationAxis: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    switch json {
    case "screen": self = .screen
    case "random": self = .random
    case .array: self = .vector(try Vector(json: json, at: path))
    default: throw json.mismatch("\"screen\", \"random\" or a vector", at: path)
    }
  }

  package var json: JSONValue {
    switch self {
    case .screen: "screen"
    case .random: "random"
    case .vector(let vector): vector.json
    }
  }

  package static var typeName: String { "axis" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .any([.oneOf(["screen", "random"]), Vector.schema(nil)])
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard case .vector(let vector) = self else { return }
    vector.check(bounds, at: path, into: &diagnostics)
  }
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

extension StretchAxis: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    switch json {
    case "velocity": self = .velocity
    case .array: self = .factors(try VectorTrack(json: json, at: path))
    default: throw json.mismatch("\"velocity\" or a vector of tracks", at: path)
    }
  }

  package var json: JSONValue {
    switch self {
    case .velocity: "velocity"
    case .factors(let factors): factors.json
    }
  }

  package static var typeName: String { "stretch axis" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .any([.oneOf(["velocity"]), VectorTrack.schema(nil)])
  }

  package static var objects: [any ModelObject.Type] { VectorTrack.objects }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard case .factors(let factors) = self else { return }
    factors.check(bounds, at: path, into: &diagnostics)
  }
}
