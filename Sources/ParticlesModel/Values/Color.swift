package import ParticlesCore

extension ParticleSystem {
  /// A colour in sRGB with straight alpha. Components run from 0 to 1 and may be greater.
  public struct Color: Sendable, Hashable {
    /// Red, as encoded by sRGB.
    public var red: Double
    /// Green, as encoded by sRGB.
    public var green: Double
    /// Blue, as encoded by sRGB.
    public var blue: Double
    /// Coverage: 0 is transparent, 1 is opaque. The other components are not multiplied by it.
    public var alpha: Double

    /// Creates a colour, opaque unless `alpha` is given.
    public init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    /// Opaque white.
    public static let white = Color(1, 1, 1)
    /// Opaque black.
    public static let black = Color(0, 0, 0)
    /// Fully transparent.
    public static let clear = Color(0, 0, 0, 0)
  }
}

extension Color: ComponentValue {
  package static var typeName: String { "colour" }
  package static var count: Int { 4 }
  package static var lastComponent: Double? { 1 }
  package static var expected: String { "three or four numbers" }

  package init(components: [Double]) {
    self.init(components[0], components[1], components[2], components[3])
  }

  package var components: [Double] { [red, green, blue, alpha] }
}

extension ParticleSystem {
  /// Half widths by which a colour is changed at random, in hue, saturation, brightness and alpha.
  public struct ColorJitter: Sendable, Hashable {
    /// Of the hue, in degrees; the hue wraps around.
    public var hue: Double
    /// Of the saturation, which is clamped to 0…1.
    public var saturation: Double
    /// Of the brightness, which is clamped to 0…1.
    public var brightness: Double
    /// Of alpha, which is clamped to 0…1.
    public var alpha: Double

    /// Creates half widths.
    public init(hue: Double, saturation: Double, brightness: Double, alpha: Double) {
      self.hue = hue
      self.saturation = saturation
      self.brightness = brightness
      self.alpha = alpha
    }
  }
}

extension ColorJitter: ComponentValue {
  package static var typeName: String { "colour jitter" }
  package static var count: Int { 4 }
  package static var expected: String { "four numbers: hue, saturation, brightness, alpha" }

  package init(components: [Double]) {
    self.init(
      hue: components[0], saturation: components[1], brightness: components[2], alpha: components[3]
    )
  }

  package var components: [Double] { [hue, saturation, brightness, alpha] }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .array(of: .number(.nonNegative), 4...4)
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    components.check(.nonNegative, at: path, into: &diagnostics)
  }
}
