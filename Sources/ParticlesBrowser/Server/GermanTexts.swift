internal import ParticlesCore

/// The German texts of pages and tool, found by the English text. They are in the files of the pages.
package enum GermanTexts {
  /// A text in both languages.
  package struct Row: Sendable, Hashable {
    /// The English text, in which `{0}` is the place of a value.
    package let english: String
    /// The German text, with equal places.
    package let german: String
    /// The kind of its values.
    package let values: Values
  }

  /// The kinds of values in a text.
  package enum Values: Sendable {
    /// Any text.
    case texts
    /// A word without spaces.
    case words
    /// A number.
    case numbers
  }

  /// The texts of the tool, and the texts that tool and pages share.
  package static var all: [Row] {
    rows(of: "german-tool.js", .texts) + rows(of: "german.js", .words) + names
  }

  /// The names of types and operations.
  package static var names: [Row] {
    var (texts, language) = ([String: [String: String]](), "")
    for line in lines(of: "strings.js") {
      if let next = line.dropFirst(2).firstRange(of: ": {"), line.starts(with: "  ") {
        let name = String(line.dropFirst(2)[..<next.lowerBound])
        if !name.starts(with: " ") { language = name }
      }
      guard line.starts(with: "    type") || line.starts(with: "    operation"),
        let (key, text) = pair(line.dropFirst(4))
      else { continue }
      texts[key, default: [:]][language] = text
    }
    return texts.sorted { $0.key < $1.key }.compactMap { _, texts in
      guard let english = texts["en"], let german = texts["de"] else { return nil }
      return Row(english: english, german: german, values: .texts)
    }
  }

  private static func rows(of file: String, _ values: Values) -> [Row] {
    var counts = false
    return lines(of: file).compactMap { line in
      if line.starts(with: "const ") { counts = line.starts(with: "const counts ") }
      guard line.starts(with: "  "), let (english, german) = pair(line.dropFirst(2)) else {
        return nil
      }
      return Row(english: english, german: german, values: counts ? .numbers : values)
    }
  }

  private static func lines(of file: String) -> [Substring] {
    let text = String(decoding: BrowserPages.file(file) ?? [], as: UTF8.self)
    return text.split(separator: "\n")
  }

  /// The key and the text of a line `key: "text",` or `"key": "text",`.
  private static func pair(_ line: Substring) -> (key: String, text: String)? {
    guard line.hasSuffix("\",") else { return nil }
    let isQuoted = line.hasPrefix("\"")
    guard let colon = line.firstRange(of: isQuoted ? "\": \"" : ": \"") else { return nil }
    let key = line[..<colon.lowerBound].dropFirst(isQuoted ? 1 : 0)
    return (unescaped(key), unescaped(line[colon.upperBound...].dropLast(2)))
  }

  private static func unescaped(_ literal: Substring) -> String {
    String(literal).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }
}
