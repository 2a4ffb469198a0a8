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

  private var escapes: TextEscapes {
    switch self {
    case .swift: .swift
    case .csharp: .csharp
    case .lua: .lua
    }
  }

  /// A string literal.
  func string(_ text: String) -> String { escapes.quoted(text) }

  /// Text for a comment, on one line. A space is in place of each control character, because a comment has
  /// no escapes.
  static func plain(_ text: String) -> String {
    let plain = text.replacingControls { _ in " " }
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
