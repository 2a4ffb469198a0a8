package import ParticlesCore

extension Emitter {
  /// The aspect ratio of a particle: width divided by height.
  public enum Aspect: Sendable, Hashable {
    /// The aspect ratio of its sprite.
    case sprite
    /// A number; 1 for a square.
    case ratio(Double)
  }
}

extension Aspect {
  /// Width divided by height; `sprite` is that of the image.
  package func ratio(of image: Double) -> Double {
    switch self {
    case .sprite: image
    case .ratio(let ratio): ratio
    }
  }
}

extension Aspect: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    switch json {
    case "sprite": self = .sprite
    case .number: self = .ratio(try Double(json: json, at: path))
    default: throw json.mismatch("\"sprite\" or a number", at: path)
    }
  }

  package var json: JSONValue {
    switch self {
    case .sprite: "sprite"
    case .ratio(let ratio): ratio.json
    }
  }

  package static var typeName: String { "aspect" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .any([.oneOf(["sprite"]), .number(.positive)])
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard case .ratio(let ratio) = self else { return }
    ratio.check(.positive, at: path, into: &diagnostics)
  }
}

extension Emitter {
  /// The frame rate of a flipbook.
  public enum FrameRate: Sendable, Hashable {
    /// Frames per second.
    case fixed(ParticleSystem.Value)
    /// All frames over the life of the particle.
    case life
  }
}

extension FrameRate: JSONConvertible {
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    switch json {
    case "life": self = .life
    case .number, .object: self = .fixed(try Value(json: json, at: path))
    default: throw json.mismatch("\"life\" or a value", at: path)
    }
  }

  package var json: JSONValue {
    switch self {
    case .life: "life"
    case .fixed(let value): value.json
    }
  }

  package static var typeName: String { "frame rate" }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .any([.oneOf(["life"]), Value.schema(nil)])
  }

  package static var objects: [any ModelObject.Type] { Value.objects }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    guard case .fixed(let value) = self else { return }
    value.check(bounds, at: path, into: &diagnostics)
  }
}
