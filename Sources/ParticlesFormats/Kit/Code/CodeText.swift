internal import ParticlesCore

/// A programming language, as far as literals and comments are concerned.
enum CodeLanguage: Sendable {
  case swift, csharp, lua

  /// The beginning of a comment that ends with its line.
  var comment: String { self == .lua ? "--" : "//" }

  /// The beginning of a documentation comment.
  var documentation: String { self == .lua ? "---" : "///" }

  /// A number, in C# of the type float.
  func number(_ number: Double) -> String {
    let text = JSONNumber((number.isFinite ? number + 0 : 0).rounded).text
    let short = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    return self == .csharp ? "\(short)f" : short
  }

  func list(_ numbers: [Double]) -> String { numbers.map(number).joined(separator: ", ") }

  /// A string literal. Control characters, quotation marks and backslashes are escaped, so that no
  /// name ends the literal or its line.
  func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _ where scalar.value < 0x20 || Self.breaksLines(scalar):
        literal += escape(scalar)
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  private func escape(_ scalar: Unicode.Scalar) -> String {
    switch self {
    case .swift: return "\\u{\(String(scalar.value, radix: 16))}"
    case .csharp:
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    case .lua:
      return String(scalar).utf8.map { byte in
        "\\" + String(repeating: "0", count: 3 - "\(byte)".count) + "\(byte)"
      }.joined()
    }
  }

  /// Whether some program ends a line at a character: a comment would end there, too.
  private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
    [0x7F, 0x85, 0x2028, 0x2029].contains(scalar.value)
  }

  /// Text for a comment, on one line.
  static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || breaksLines(scalar)
      plain.unicodeScalars.append(isControl ? " " : scalar)
    }
    return plain.count <= 200 ? plain : String(plain.prefix(197)) + "..."
  }

  /// A name as an identifier: its ASCII letters and digits in camel case.
  /// - Parameters:
  ///   - isType: whether it begins with a capital letter.
  ///   - standard: the identifier for a name without any letter.
  static func identifier(_ name: String, isType: Bool, or standard: String) -> String {
    var (result, startsWord) = ("", isType)
    for byte in name.utf8.prefix(200) {
      let letter = byte & ~0x20
      switch byte {
      case 48...57 where !result.isEmpty:
        result.unicodeScalars.append(Unicode.Scalar(byte))
        startsWord = true
      case _ where (65...90).contains(letter):
        let isFirst = result.isEmpty && !isType
        let shown = startsWord && !isFirst ? letter : isFirst ? byte | 0x20 : byte
        result.unicodeScalars.append(Unicode.Scalar(shown))
        startsWord = false
      default: startsWord = startsWord || !result.isEmpty
      }
    }
    return result.isEmpty ? standard : result
  }
}

/// Source code, line by line.
struct CodeText {
  let language: CodeLanguage
  private(set) var lines: [String] = []
  private var depth = 0

  init(_ language: CodeLanguage) { self.language = language }

  mutating func line(_ text: String = "") {
    let indent = language == .csharp ? 4 : 2
    lines.append(text.isEmpty ? "" : String(repeating: " ", count: depth * indent) + text)
  }

  mutating func comment(_ text: String) {
    line("\(language.comment) \(CodeLanguage.plain(text))")
  }

  mutating func documentation(_ text: String) {
    line(
      text.isEmpty
        ? language.documentation : "\(language.documentation) \(CodeLanguage.plain(text))")
  }

  mutating func block(_ opening: String, _ closing: String, _ body: (inout CodeText) -> Void) {
    line(opening)
    depth += 1
    body(&self)
    depth -= 1
    line(closing)
  }

  var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }
}
