internal import ParticlesCore

/// Formats numbers in decimal, without Foundation and fast enough to generate half a gigabyte.
enum Decimal {
  /// `value` with a fixed number of digits after the decimal point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    var bytes: [UInt8] = []
    append(value, digits, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `value` with a fixed number of digits after the decimal point.
  static func append(_ value: Double, _ digits: Int, to bytes: inout [UInt8]) {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int(saturating: (value.magnitude * scale).rounded())
    if value < 0, scaled > 0 { bytes.append(UInt8(ascii: "-")) }
    append(scaled / Int(saturating: scale), to: &bytes)
    guard digits > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    append(scaled % Int(saturating: scale), to: &bytes, width: digits)
  }

  /// Appends a number that is not negative, with zeros before it up to `width`.
  static func append(_ value: Int, radix: Int = 10, to bytes: inout [UInt8], width: Int = 1) {
    let start = bytes.count
    var rest = value
    while rest > 0 || bytes.count - start < width {
      let digit = UInt8(rest % radix)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      rest /= radix
    }
    bytes[start...].reverse()
  }
}
