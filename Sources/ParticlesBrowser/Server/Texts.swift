internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesModel
internal import ParticlesPlatform

/// The texts for people in other languages than English, by keys. Each language is a file of the pages, such as `de.json`,
/// with one line for each text. English texts are in code, and those of the pages in `en.json`.
package enum Texts {
  /// The sections of the file of a language.
  package enum Section: String, Sendable, CaseIterable {
    /// Texts that the tool prints, by the English text, in which `{0}` is the place of a value.
    case tool
    /// The messages of rules, by the codes of the rules.
    case rules
    /// The hints of rules, by the codes of the rules.
    case hints
    /// Details, expected and found values and hints, by the English text.
    case words
    /// Comments of versions and names of edits, by the English text.
    case comments
    /// The short lines of commands, arguments and options: `convert`, `convert.<in>`, `convert.--to`, and `--json` for
    /// options with one text everywhere. The text of a default has the key `convert.--to.default`.
    case help
    /// The descriptions of properties, by their keys: `emission.rate`.
    case descriptions
    /// The names of properties, by their keys.
    case labels
    /// The names of the values of closed lists.
    case values
    /// The texts of the pages.
    case pages
    /// The texts of the editor.
    case editor
  }

  /// The languages, by their codes. English is the first.
  package static let languages = ["en", "de"]

  /// The text of a key. The file is searched, and not parsed: a command needs few texts.
  /// - Complexity: O(the size of the file).
  package static func text(_ key: String, of section: Section, in language: String) -> String? {
    guard let file = BrowserPages.contents("\(language).json") else { return nil }
    return find(line("    ", key, ": \""), behind: line("  ", section.rawValue, ": {"), in: file)
  }

  private static func line(_ margin: String, _ key: String, _ end: String) -> [UInt8] {
    var bytes = Array(margin.utf8) + [UInt8(ascii: "\"")]
    for byte in key.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    return bytes + [UInt8(ascii: "\"")] + end.utf8
  }

  /// The text of the line that begins with some bytes, in the section that begins with a line.
  private static func find(
    _ start: [UInt8], behind heading: [UInt8], in file: UnsafeRawBufferPointer
  ) -> String? {
    guard var line = file.baseAddress else { return nil }
    let end = line + file.count
    var isInside = false
    while let next = memchr(line, Int32(UInt8(ascii: "\n")), end - line) {
      let count = UnsafeRawPointer(next) - line
      func begins(_ bytes: [UInt8]) -> Bool {
        count >= bytes.count && memcmp(line, bytes, bytes.count) == 0
      }
      if !isInside {
        isInside = begins(heading)
      } else if begins(start) {
        let text = UnsafeRawBufferPointer(start: line, count: count).dropFirst(start.count)
        let whole = text.last == UInt8(ascii: ",") ? text.dropLast(2) : text.dropLast()
        return unescaped(String(decoding: whole, as: UTF8.self))
      } else if count < 5 {
        return nil
      }
      line = UnsafeRawPointer(next) + 1
    }
    return nil
  }

  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    return text.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }
}

extension Texts {
  /// A text of a section that is made in code: a text as it is, with numbers and quoted names as values, or with a name at
  /// its end.
  package static func made(
    _ english: String, of section: Section, in language: String
  ) -> String? {
    if let text = text(english, of: section, in: language) { return text }
    var values: [String] = []
    var words = english.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard let value = value(in: word) else { return String(word) }
      values.append(String(word[value]))
      return word[..<value.lowerBound] + "{\(values.count - 1)}" + word[value.upperBound...]
    }
    if !values.isEmpty,
      let text = text(words.joined(separator: " "), of: section, in: language)
    {
      return filled(text, values)
    }
    values.append(words.removeLast())
    let ended = (words + ["{\(values.count - 1)}"]).joined(separator: " ")
    return text(ended, of: section, in: language).map { filled($0, values) }
  }

  /// The part of a word that is a number, or a name in quotes.
  private static func value(in word: Substring) -> Range<Substring.Index>? {
    var core = word
    if core.first == "(" { core.removeFirst() }
    while let last = core.last, "),".contains(last) { core.removeLast() }
    if core.count > 2, core.first == "'", core.last == "'" {
      return core.index(after: core.startIndex)..<core.index(before: core.endIndex)
    }
    return Double(core) == nil ? nil : core.startIndex..<core.endIndex
  }

  /// A text with the values in their places.
  package static func filled(_ pattern: String, _ values: [String]) -> String {
    guard !values.isEmpty else { return pattern }
    var (text, rest) = ("", pattern[...])
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let number = Int(rest[rest.index(after: open)..<close])
      text += rest[..<open]
      text += number.flatMap { values.indices.contains($0) ? values[$0] : nil } ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// The key of a property without the emitter: `emission.rate` of `emitters[].emission.rate`.
  package static func shortKey(_ key: String) -> String {
    let start = "emitters[]."
    return key.hasPrefix(start) ? String(key.dropFirst(start.count)) : key
  }

  /// The key of a name that the program gives to something, without accents: `typeStarlingParticleSystem`.
  package static func key(_ prefix: String, _ name: String) -> String {
    let letters = UnicodeNormalization.decomposed(name).filter {
      $0.properties.canonicalCombiningClass == .notReordered
    }
    let plain = String(String.UnicodeScalarView(letters))
    let words = plain.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return prefix + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension Texts {
  /// The English names of properties, unless they are the words of the key.
  static let labels: JSONObject = {
    var labels: JSONObject = [:]
    for key in SettableKey.all() {
      guard let label = key.statedLabel else { continue }
      labels[shortKey(key.key)] = .string(label)
    }
    // A curve of a trail has one row in the pages.
    for key in ["width", "color"] {
      labels["render.trail.\(key)"] = Trail.property(key)?.label.map(JSONValue.string)
    }
    return labels
  }()

  /// The parts of the texts that a page loads.
  enum Part: String, CaseIterable {
    /// Texts that the first rows need.
    case pages
    /// Texts of the editor.
    case editor
    /// Texts that the program has in English: messages, their values, comments of versions.
    case messages
  }

  /// The texts of a part for a page: tables by their names.
  static func json(_ part: Part, in language: String) throws -> JSONValue {
    guard languages.contains(language), let file = BrowserPages.file("\(language).json") else {
      throw Diagnostic(
        .usage, "'language'", expected: languages.joined(separator: ", "), found: language.excerpt)
    }
    let sections = try JSONValue(parsing: file).object ?? [:]
    func table(_ section: Section) -> JSONValue {
      if language == "en", section == .labels { return .object(labels) }
      return sections[section.rawValue] ?? [:]
    }
    switch part {
    case .pages: return ["pages": table(.pages)]
    case .editor:
      return [
        "pages": table(.editor), "labels": table(.labels), "values": table(.values),
        "descriptions": table(.descriptions),
      ]
    case .messages:
      // Pages know hints by their English texts.
      var words = table(.words).object ?? [:]
      for rule in Rule.all {
        if let hint = rule.hint { words[hint] = table(.hints).object?[rule.code] }
      }
      return ["rules": table(.rules), "words": .object(words), "comments": table(.comments)]
    }
  }
}
