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
    let (zero, dot) = (UInt8(ascii: "0"), UInt8(ascii: "."))
    // Digits before and after the point, and the exponent after an e. The first digits that are kept are not 0.
    var digits: [UInt8] = []
    var (point, exponent, isNegative) = (0, 0, false)
    var (isFraction, isExponent) = (false, false)
    for byte in description.utf8 {
      switch byte {
      case UInt8(ascii: "-"): isNegative = isExponent
      case UInt8(ascii: "e"): isExponent = true
      case dot: isFraction = true
      case zero...UInt8(ascii: "9"):
        if isExponent {
          exponent = exponent * 10 + Int(byte - zero)
        } else if byte == zero, digits.isEmpty {
          point -= isFraction ? 1 : 0
        } else {
          digits.append(byte)
          point += isFraction ? 0 : 1
        }
      default: break
      }
    }
    // Of most numbers, both texts are the same.
    let isWhole = digits.count <= point || digits[max(0, point)...].allSatisfy { $0 == zero }
    if !isExponent, !isWhole, (1e-4..<1e15).contains(value.magnitude) { return description }
    point += isNegative ? -exponent : exponent
    while digits.last == zero { digits.removeLast() }
    if digits.isEmpty { (digits, point) = ([zero], 1) }
    let text = (value < 0 ? [UInt8(ascii: "-")] : []) + place(point, in: digits)
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes 0.`digits` × 10^`point`.
  private static func place(_ point: Int, in digits: [UInt8]) -> [UInt8] {
    let (zero, dot) = (UInt8(ascii: "0"), UInt8(ascii: "."))
    var text = digits
    switch point {
    case digits.count...21:
      text += [UInt8](repeating: zero, count: point - digits.count)
    case 1..<max(digits.count, 1): text.insert(dot, at: point)
    case -5...0: text = [zero, dot] + [UInt8](repeating: zero, count: -point) + digits
    default:
      if text.count > 1 { text.insert(dot, at: 1) }
      text += (point > 0 ? "e+" : "e").utf8
      text += String(point - 1).utf8
    }
    return text
  }
}
