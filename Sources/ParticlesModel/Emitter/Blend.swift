public import ParticlesCore

extension Emitter {
  /// How particles mix with what is behind them.
  public struct Blend: Sendable, Hashable {
    /// The mode; by alpha by default.
    public var mode = BlendMode.alpha

    /// Custom: the factor of the particle, as a number of OpenGL; nil by default.
    public var source: Int?

    /// Custom: the factor of what is behind, as a number of OpenGL; nil by default.
    public var destination: Int?

    /// Custom: what happens to both; they are added by default.
    public var equation = BlendEquation.add

    /// Whether colours are multiplied by alpha before; as the mode wants by default.
    public var premultiply = Premultiply.auto

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates mixing by alpha.
    public init() {}

    /// Creates mixing of a mode.
    public init(_ mode: BlendMode) { self.mode = mode }

    /// Creates mixing by two factors of OpenGL, such as 770 and 1.
    public init(source: Int, destination: Int) {
      mode = .custom
      self.source = source
      self.destination = destination
    }
  }
}

extension Blend: ModelObject {
  package static let title = "Blend"
  package static let about = "How particles mix with what is behind them."

  package static let properties: [Property<Blend>] = [
    .value("mode", \.mode, "The mode."),
    .optional(
      "src", \.source, in: .nonNegative,
      "custom: the factor of the particle, as a number of OpenGL."),
    .optional(
      "dst", \.destination, in: .nonNegative,
      "custom: the factor of what is behind, as a number of OpenGL."),
    .value("equation", \.equation, "custom: what happens to both."),
    .value("premultiply", \.premultiply, "Whether colours are multiplied by alpha before."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    for (key, factor) in [("src", source), ("dst", destination)]
    where mode == .custom && factor == nil {
      diagnostics.append(
        Diagnostic(
          .range, at: path.appending(key).location, expected: "a factor, as the mode is custom",
          found: "nothing"))
    }
  }
}

extension Emitter {
  /// How a particle with colour S, alpha A and P = S · A mixes with D, what is behind it.
  public enum BlendMode: String, ClosedName {
    /// P + D · (1 − A)
    case alpha
    /// P + D
    case add
    /// D − P
    case subtract
    /// S · D
    case multiply
    /// D · (P + 1 − A)
    case multiplyAlpha
    /// 2 · S · D
    case multiplyX2
    /// P + D · (1 − P)
    case screen
    /// S
    case replace
    /// S + D · (1 − A), for images whose colours are multiplied by alpha already.
    case premultiplied
    /// By two factors.
    case custom
  }

  /// What happens to two colours after each was multiplied by its factor.
  public enum BlendEquation: String, ClosedName {
    /// They are added.
    case add
    /// What is behind is subtracted from the particle.
    case subtract
    /// The particle is subtracted from what is behind.
    case reverseSubtract
    /// The lesser counts.
    case min
    /// The greater counts.
    case max
  }

  /// Whether colours are multiplied by alpha before mixing.
  public enum Premultiply: String, ClosedName {
    /// As the mode wants.
    case auto
    /// Yes.
    case always
    /// No.
    case never
  }
}
