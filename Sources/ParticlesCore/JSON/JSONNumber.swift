/// A JSON number, stored as text.
public struct JSONNumber: Sendable, Hashable {
  /// The number as written, in the grammar of RFC 8259.
  public let text: String

  init(text: String) { self.text = text }

  /// Creates an integer.
  public init(_ value: Int) { text = String(value) }

  /// Creates an integer of 64 bits, such as a seed.
  public init(_ value: UInt64) { text = String(value) }

  /// Creates a number with the shortest text that reads back as `value`, in the form of RFC 8785
  /// (ECMAScript): without exponent from 1e-6 up to 1e21. Negative zero becomes zero.
  /// - Precondition: the value is finite.
  public init(_ value: Double) {
    precondition(value.isFinite, "JSON has no number for \(value)")
    if let integer = Int(exactly: value), integer.magnitude < 1 << 53 {
      text = String(integer)
    } else {
      text = Self.text(of: value)
    }
  }

  /// The value, or nil if it is too large for a double.
  public var double: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// Swift prints the shortest digits too, but with other rules for point and exponent.
  private static func text(of value: Double) -> String {
    let description = value.description
    // Of most numbers, both texts are the same.
    if (1e-4..<1e15).contains(value.magnitude), !description.hasSuffix(".0"),
      !description.utf8.contains(UInt8(ascii: "e"))
    {
      return description
    }
    let sign = value < 0 ? "-" : ""
    let parts = value.magnitude.description.split(separator: "e", maxSplits: 1)
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    var digits = Array((mantissa[0] + fraction).utf8)
    var point = mantissa[0].utf8.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
    while digits.count > 1, digits.first == UInt8(ascii: "0") {
      digits.removeFirst()
      point -= 1
    }
    return sign + place(point, in: String(decoding: digits, as: UTF8.self))
  }

  /// Writes 0.`digits` × 10^`point`.
  private static func place(_ point: Int, in digits: String) -> String {
    let count = digits.utf8.count
    switch point {
    case count...21: return digits + String(repeating: "0", count: point - count)
    case 1..<max(count, 1): return digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0: return "0." + String(repeating: "0", count: -point) + digits
    default:
      let exponent = point - 1
      let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst(1)
      return mantissa + "e" + (exponent < 0 ? "" : "+") + String(exponent)
    }
  }
}
