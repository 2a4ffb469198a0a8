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

  private static let bytes: [UInt8] = (0...16_384).map {
    UInt8(encoded(Float($0) / 16_384) * 255 + 0.5)
  }

  /// The encoded component with 8 bits of light, 0…1. Off by at most 0.1 beside rounding.
  package static func byte(_ light: Float) -> UInt8 {
    bytes[Int(min(max(light, 0), 1) * 16_384 + 0.5)]
  }

  private static let lights: [Float] = (0...1_024).map { light(Float($0) / 1_024) }

  /// As ``light(_:)``, to five digits and faster up to 1.
  package static func quickLight(_ encoded: Float) -> Float {
    guard encoded >= 0, encoded < 1 else { return light(encoded) }
    let place = encoded * 1_024
    let index = Int(place)
    return lights[index] + (lights[index + 1] - lights[index]) * (place - Float(index))
  }
}
