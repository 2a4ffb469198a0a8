public import ParticlesCore

extension Emitter {
  /// How particles are blended with the background.
  public struct Blend: Sendable, Hashable {
    /// The mode; by alpha by default.
    public var mode = BlendMode.alpha

    /// Custom: the source factor, as an OpenGL constant; nil by default.
    public var source: Int?

    /// Custom: the destination factor, as an OpenGL constant; nil by default.
    public var destination: Int?

    /// Custom: the blend equation; addition by default.
    public var equation = BlendEquation.add

    /// Whether colours are premultiplied by alpha before blending; decided by the mode by default.
    public var premultiply = Premultiply.auto

    /// Unknown JSON members, preserved on save; see ``Extensible``.
    public var additions = JSONObject()

    /// Creates alpha blending.
    public init() {}

    /// Creates blending of a mode.
    public init(_ mode: BlendMode) { self.mode = mode }

    /// Creates blending by two OpenGL factors, such as 770 and 1.
    public init(source: Int, destination: Int) {
      mode = .custom
      self.source = source
      self.destination = destination
    }
  }
}

extension Blend: ModelObject {
  package static let title = "Blend"
  package static let about = "How particles are blended with the background."

  package static let properties: [Property<Blend>] = [
    .value("mode", { $1(&$0.mode) }, "The mode."),
    .optional(
      "src", { $1(&$0.source) }, in: .nonNegative,
      "custom: the source factor, as an OpenGL constant."),
    .optional(
      "dst", { $1(&$0.destination) }, in: .nonNegative,
      "custom: the destination factor, as an OpenGL constant."),
    .value("equation", { $1(&$0.equation) }, "custom: the blend equation."),
    .value(
      "premultiply", { $1(&$0.premultiply) },
      "Whether colours are premultiplied by alpha before blending."),
  ]

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    for (key, factor) in [("src", source), ("dst", destination)]
    where mode == .custom && factor == nil {
      diagnostics.append(
        Diagnostic(
          .range, at: path.appending(key).location,
          expected: "a factor, because the mode is custom",
          found: "nothing"))
    }
  }
}

extension Emitter {
  /// How a particle with colour S, alpha A and P = S · A is blended with the background D.
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
    /// S + D · (1 − A), for images with premultiplied alpha.
    case premultiplied
    /// By the two factors.
    case custom
  }

  /// The blend equation: how two colours are combined after each was multiplied by its factor.
  public enum BlendEquation: String, ClosedName {
    /// Addition.
    case add
    /// The background is subtracted from the particle.
    case subtract
    /// The particle is subtracted from the background.
    case reverseSubtract
    /// The minimum of both.
    case min
    /// The maximum of both.
    case max
  }

  /// Whether colours are premultiplied by alpha before blending.
  public enum Premultiply: String, ClosedName {
    /// Decided by the mode.
    case auto
    /// Yes.
    case always
    /// No.
    case never
  }
}
