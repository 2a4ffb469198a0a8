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
    /// Coverage: 0 is transparent, 1 is opaque. Red, green and blue are not multiplied by alpha.
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
    /// The half width of the hue, in degrees. The hue wraps around.
    public var hue: Double
    /// The half width of the saturation. The result is clamped to 0…1.
    public var saturation: Double
    /// The half width of the brightness. The result is clamped to 0…1.
    public var brightness: Double
    /// The half width of alpha. The result is clamped to 0…1.
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

extension ParticleSystem.Color {
  /// Reads `#ff8800`, `#f80`, or with alpha `#ff8800cc`, `#f80c`. Nil for other texts.
  package init?(hexadecimal text: String) {
    // The length comes first: the text of an untrusted file may be as long as the file.
    let count = text.utf8.count
    guard count == 4 || count == 5 || count == 7 || count == 9 else { return nil }
    let isShort = count < 6
    var (components, byte, isHalf) = ([Double](), 0, false)
    for (place, character) in text.utf8.enumerated() {
      guard place > 0 else {
        guard character == UInt8(ascii: "#") else { return nil }
        continue
      }
      guard let digit = character.hexDigitValue else { return nil }
      byte = isShort ? Int(digit) * 17 : byte * 16 + Int(digit)
      isHalf = !isShort && !isHalf
      guard !isHalf else { continue }
      // Four decimals are enough to restore the byte.
      components.append((Double(byte) / 255 * 10000).rounded() / 10000)
      byte = 0
    }
    self.init(
      components[0], components[1], components[2], components.count == 4 ? components[3] : 1)
  }

  /// `#ff8800`, without alpha. Components are clamped to 0 and 1, and rounded to 8 bits.
  package var hexadecimal: String {
    let bytes = [red, green, blue].map { component in
      UInt8(saturating: (min(max(component.isNaN ? 0 : component, 0), 1) * 255).rounded())
    }
    return "#" + bytes.hexDigits
  }

  /// Reads the forms of ``init(hexadecimal:)`` and CSS names in any case, such as `black` and `rebeccapurple`. Nil for
  /// other texts.
  package init?(text: String) {
    if text.utf8.first == UInt8(ascii: "#") {
      self.init(hexadecimal: text)
      return
    }
    guard text.utf8.count <= 20, text.utf8.allSatisfy({ $0 | 32 >= 97 && $0 | 32 <= 122 }) else {
      return nil
    }
    let wanted = text.utf8.map { $0 | 32 }
    // A name, a space, its colour, a comma.
    var (word, isFound) = ([UInt8](), false)
    for byte in (Self.names + ",").utf8 {
      guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",") else {
        word.append(byte)
        continue
      }
      if isFound {
        self.init(hexadecimal: "#" + String(decoding: word, as: UTF8.self))
        return
      }
      isFound = byte == UInt8(ascii: " ") && !word.isEmpty && word == wanted
      word = []
    }
    return nil
  }

  /// The names of "CSS Color Module Level 4", section 6.1, with their colours.
  private static let names = """
    aliceblue f0f8ff, antiquewhite faebd7, aqua 00ffff, aquamarine 7fffd4, azure f0ffff, \
    beige f5f5dc, bisque ffe4c4, black 000000, blanchedalmond ffebcd, blue 0000ff, \
    blueviolet 8a2be2, brown a52a2a, burlywood deb887, cadetblue 5f9ea0, chartreuse 7fff00, \
    chocolate d2691e, coral ff7f50, cornflowerblue 6495ed, cornsilk fff8dc, crimson dc143c, \
    cyan 00ffff, darkblue 00008b, darkcyan 008b8b, darkgoldenrod b8860b, darkgray a9a9a9, \
    darkgreen 006400, darkgrey a9a9a9, darkkhaki bdb76b, darkmagenta 8b008b, \
    darkolivegreen 556b2f, darkorange ff8c00, darkorchid 9932cc, darkred 8b0000, \
    darksalmon e9967a, darkseagreen 8fbc8f, darkslateblue 483d8b, darkslategray 2f4f4f, \
    darkslategrey 2f4f4f, darkturquoise 00ced1, darkviolet 9400d3, deeppink ff1493, \
    deepskyblue 00bfff, dimgray 696969, dimgrey 696969, dodgerblue 1e90ff, firebrick b22222, \
    floralwhite fffaf0, forestgreen 228b22, fuchsia ff00ff, gainsboro dcdcdc, ghostwhite f8f8ff, \
    gold ffd700, goldenrod daa520, gray 808080, green 008000, greenyellow adff2f, grey 808080, \
    honeydew f0fff0, hotpink ff69b4, indianred cd5c5c, indigo 4b0082, ivory fffff0, khaki f0e68c, \
    lavender e6e6fa, lavenderblush fff0f5, lawngreen 7cfc00, lemonchiffon fffacd, \
    lightblue add8e6, lightcoral f08080, lightcyan e0ffff, lightgoldenrodyellow fafad2, \
    lightgray d3d3d3, lightgreen 90ee90, lightgrey d3d3d3, lightpink ffb6c1, lightsalmon ffa07a, \
    lightseagreen 20b2aa, lightskyblue 87cefa, lightslategray 778899, lightslategrey 778899, \
    lightsteelblue b0c4de, lightyellow ffffe0, lime 00ff00, limegreen 32cd32, linen faf0e6, \
    magenta ff00ff, maroon 800000, mediumaquamarine 66cdaa, mediumblue 0000cd, \
    mediumorchid ba55d3, mediumpurple 9370db, mediumseagreen 3cb371, mediumslateblue 7b68ee, \
    mediumspringgreen 00fa9a, mediumturquoise 48d1cc, mediumvioletred c71585, \
    midnightblue 191970, mintcream f5fffa, mistyrose ffe4e1, moccasin ffe4b5, navajowhite ffdead, \
    navy 000080, oldlace fdf5e6, olive 808000, olivedrab 6b8e23, orange ffa500, orangered ff4500, \
    orchid da70d6, palegoldenrod eee8aa, palegreen 98fb98, paleturquoise afeeee, \
    palevioletred db7093, papayawhip ffefd5, peachpuff ffdab9, peru cd853f, pink ffc0cb, \
    plum dda0dd, powderblue b0e0e6, purple 800080, rebeccapurple 663399, red ff0000, \
    rosybrown bc8f8f, royalblue 4169e1, saddlebrown 8b4513, salmon fa8072, sandybrown f4a460, \
    seagreen 2e8b57, seashell fff5ee, sienna a0522d, silver c0c0c0, skyblue 87ceeb, \
    slateblue 6a5acd, slategray 708090, slategrey 708090, snow fffafa, springgreen 00ff7f, \
    steelblue 4682b4, tan d2b48c, teal 008080, thistle d8bfd8, tomato ff6347, transparent 00000000, turquoise 40e0d0, \
    violet ee82ee, wheat f5deb3, white ffffff, whitesmoke f5f5f5, yellow ffff00, \
    yellowgreen 9acd32
    """
}
