internal import ParticlesCore

/// The escapes in the texts of a language: the characters after a backslash.
struct TextEscapes: Sendable {
  /// How a control character is written.
  enum Form: Sendable {
    /// `\u{85}`
    case braces
    /// `\u0085`
    case fourDigits
    /// Its bytes in UTF-8, each as three digits: `\194\133`.
    case bytes
  }

  let form: Form

  /// Letters that mean a control character. They are read, and not written.
  var letters: [UInt8: UInt8] = [:]

  /// The radix of a byte in up to three digits. Nil if there is no such escape.
  var radix: Int?

  /// Letters that hexadecimal digits follow: at most how many, and whether they are a byte.
  var hexadecimal: [UInt8: (digits: Int, isByte: Bool)] = [:]

  static let swift = TextEscapes(form: .braces)
  static let csharp = TextEscapes(form: .fourDigits)

  /// Lua 5.1 and LuaJIT, without `\z` and `\u{…}`.
  static let lua = TextEscapes(
    form: .bytes, letters: letters("abfnrtv"), radix: 10,
    hexadecimal: [UInt8(ascii: "x"): (2, true)])

  /// The text format of protocol buffers.
  static let protobuf = TextEscapes(
    form: .bytes, letters: letters("abfnrtv"), radix: 8,
    hexadecimal: [
      UInt8(ascii: "x"): (2, true), UInt8(ascii: "u"): (4, false), UInt8(ascii: "U"): (8, false),
    ])

  /// Scenes of Godot 3 and 4.
  static let godot = TextEscapes(
    form: .fourDigits, letters: letters("bfnrt"),
    hexadecimal: [UInt8(ascii: "u"): (4, false), UInt8(ascii: "U"): (6, false)])

  private static func letters(_ letters: String) -> [UInt8: UInt8] {
    let known = Dictionary(uniqueKeysWithValues: zip("abtnvfr".utf8, UInt8(7)...13))
    return Dictionary(uniqueKeysWithValues: letters.utf8.map { ($0, known[$0] ?? $0) })
  }

  // MARK: Writing

  /// A text in quotes. Control characters, quotation marks and backslashes are escaped, so that no
  /// name ends the text or its line, or changes the characters after it.
  func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.isControl: quoted += escape(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private func escape(_ scalar: Unicode.Scalar) -> String {
    switch form {
    case .braces: return "\\u{\(String(scalar.value, radix: 16))}"
    case .fourDigits: return "\\u" + scalar.fourDigits
    case .bytes:
      return String(scalar).utf8.map { byte in
        let digits = String(byte, radix: radix ?? 10)
        return "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
      }.joined()
    }
  }

  // MARK: Reading

  /// Reads an escape. Where there is none, the byte after the backslash means itself.
  /// - Parameter place: the place after the backslash, where there is a byte. It becomes the place after
  ///   the escape.
  /// - Returns: the bytes in UTF-8.
  func read<Text: RandomAccessCollection>(_ text: Text, at place: inout Int) -> [UInt8]
  where Text.Element == UInt8, Text.Index == Int {
    let letter = text[place]
    if let radix, let byte = Self.number(text, at: &place, digits: 3, radix) {
      return [UInt8(truncatingIfNeeded: byte)]
    }
    place += 1
    if let byte = letters[letter] { return [byte] }
    if let (digits, isByte) = hexadecimal[letter],
      let number = Self.number(text, at: &place, digits: digits, 16)
    {
      return isByte
        ? [UInt8(truncatingIfNeeded: number)]
        : Array(String(Unicode.Scalar(number) ?? "\u{FFFD}").utf8)
    }
    return [letter]
  }

  /// Reads a number of at least one digit. Nil if there is none.
  private static func number<Text: RandomAccessCollection>(
    _ text: Text, at place: inout Int, digits: Int, _ radix: Int
  ) -> UInt32? where Text.Element == UInt8, Text.Index == Int {
    var number: UInt32?
    for byte in text[place...].prefix(digits) {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else { break }
      number = (number ?? 0) &* UInt32(radix) &+ UInt32(digit)
      place += 1
    }
    return number
  }
}

extension String {
  /// This text on one line, for formats without escapes: a space is in place of each line break and each
  /// other control character.
  var onOneLine: String {
    split(whereSeparator: { $0.isNewline }).joined(separator: " ").replacingControls { _ in " " }
  }
}
