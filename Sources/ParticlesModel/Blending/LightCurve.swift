/// Encoding of light by sRGB (IEC 61966-2-1).
package enum LightCurve {
  /// Light of an encoded component.
  package static func light(_ encoded: Float) -> Float {
    guard encoded > 0.04045 else { return encoded / 12.92 }
    return Float(power((Double(encoded) + 0.055) / 1.055, 2.4))
  }

  /// An encoded component of light.
  package static func encoded(_ light: Float) -> Float {
    guard light > 0.0031308 else { return light * 12.92 }
    return Float(1.055 * power(Double(light), 1 / 2.4) - 0.055)
  }
}
