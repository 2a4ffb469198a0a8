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

extension Aspect: NamedAlternative {
  package static let named: [Aspect] = [.sprite]
  package static let expected = "\"sprite\" or a number"
  package static let typeName = "aspect"
  package static let bounds: Bounds? = .positive
  package static func states(_ json: JSONValue) -> Bool {
    if case .number = json { true } else { false }
  }
  package init(stating ratio: Double) { self = .ratio(ratio) }
  package var name: String { "sprite" }
  package var stated: Double? { if case .ratio(let ratio) = self { ratio } else { nil } }
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

extension FrameRate: NamedAlternative {
  package static let named: [FrameRate] = [.life]
  package static let expected = "\"life\" or a value"
  package static let typeName = "frame rate"
  package static func states(_ json: JSONValue) -> Bool {
    switch json {
    case .number, .object: true
    default: false
    }
  }
  package init(stating value: Value) { self = .fixed(value) }
  package var name: String { "life" }
  package var stated: Value? { if case .fixed(let value) = self { value } else { nil } }
}
