public import ParticlesCore

/// What a particle turns about.
public enum RotationAxis: Sendable, Hashable {
  /// The direction of view.
  case screen
  /// Any direction, drawn for each particle.
  case random
  /// A direction, of any length but 0.
  case vector(Vector)
}

extension RotationAxis: JSONConvertible {
  /// Reads `"screen"`, `"random"` or a vector.
  public init(json: JSONValue, at path: JSONPath) throws {
    switch json {
    case "screen": self = .screen
    case "random": self = .random
    case .array: self = .vector(try Vector(json: json, at: path))
    default: throw json.mismatch("\"screen\", \"random\" or a vector", at: path)
    }
  }

  /// `"screen"`, `"random"` or a vector.
  public var json: JSONValue {
    switch self {
    case .screen: "screen"
    case .random: "random"
    case .vector(let vector): vector.json
    }
  }

  /// "axis"
  public static var typeName: String { "axis" }

  /// A name or a vector.
  public static func schema(_ bounds: Bounds?) -> JSONSchema {
    .any([.oneOf(["screen", "random"]), Vector.schema(nil)])
  }

  /// Checks the vector.
  public func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard case .vector(let vector) = self else { return }
    vector.check(bounds, at: path, into: &diagnostics)
  }
}

/// Along what a particle is drawn out.
public enum StretchAxis: Sendable, Hashable {
  /// Its velocity.
  case velocity
  /// Its own axes, by what is added to the factors along them.
  case factors(VectorTrack)
}

extension StretchAxis: JSONConvertible {
  /// Reads `"velocity"` or a vector of tracks.
  public init(json: JSONValue, at path: JSONPath) throws {
    switch json {
    case "velocity": self = .velocity
    case .array: self = .factors(try VectorTrack(json: json, at: path))
    default: throw json.mismatch("\"velocity\" or a vector of tracks", at: path)
    }
  }

  /// `"velocity"` or a vector of tracks.
  public var json: JSONValue {
    switch self {
    case .velocity: "velocity"
    case .factors(let factors): factors.json
    }
  }

  /// "stretch axis"
  public static var typeName: String { "stretch axis" }

  /// The name or a vector of tracks.
  public static func schema(_ bounds: Bounds?) -> JSONSchema {
    .any([.oneOf(["velocity"]), VectorTrack.schema(nil)])
  }

  /// Those of a track.
  public static var objects: [any ModelObject.Type] { VectorTrack.objects }

  /// Checks the tracks.
  public func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard case .factors(let factors) = self else { return }
    factors.check(bounds, at: path, into: &diagnostics)
  }
}
