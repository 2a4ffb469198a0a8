internal import ParticlesBrowser
package import ParticlesCore

/// The language of what people read: help, messages and findings. Output for programs is always English.
///
/// The texts come from the pages, found by the English text. Texts outside the catalogue stay English.
package struct Wording: Sendable {
  private let isGerman: Bool

  /// The texts as they are in code.
  package static let english = Wording(isGerman: false)
  /// German texts.
  package static let german = Wording(isGerman: true)

  private init(isGerman: Bool) { self.isGerman = isGerman }

  /// The language of the user, by the variables and the order of gettext: LC_ALL, LC_MESSAGES or LANG names the locale, and the
  /// list in LANGUAGE precedes its language, except in the locale C. The tool writes UTF-8 only, so that the texts
  /// of a locale with another encoding are English.
  package init(variable: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    guard let locale, !["C", "POSIX"].contains(Self.language(of: locale)), Self.isUTF8(locale)
    else {
      self = .english
      return
    }
    let list = (variable("LANGUAGE") ?? "").split(separator: ":").map(String.init)
    let languages = (list + [locale]).map(Self.language)
    // English needs no catalogue.
    isGerman = languages.first { ["de", "en", "C"].contains($0) } == "de"
  }

  /// The `de` of `de_DE.UTF-8@euro`.
  private static func language(of locale: String) -> String {
    String(locale.prefix { !"_.@".contains($0) })
  }

  /// Whether the encoding is UTF-8, or not stated.
  private static func isUTF8(_ locale: String) -> Bool {
    guard let point = locale.firstRange(of: ".") else { return true }
    let encoding = locale[point.upperBound...].prefix { $0 != "@" }
    return encoding.lowercased().filter { $0 != "-" } == "utf8"
  }
}

// MARK: - Texts

extension Wording {
  /// A text that the tool has in code, with its values.
  package func text(_ english: String) -> String {
    guard isGerman else { return english }
    return Catalogue.german.text(english) ?? english
  }

  /// A line about a result. It may begin with counted things, such as "3 files: 1 error".
  package func line(_ english: String) -> String {
    guard isGerman else { return english }
    return Catalogue.german.text(english) ?? Catalogue.german.counted(english) ?? english
  }

  /// The message of a finding, see ``ParticlesCore/Diagnostic/message``.
  package func message(_ finding: Diagnostic) -> String {
    guard isGerman else { return finding.message }
    let summary = text(finding.rule.summary)
    if finding.rule == .foreign, let found = finding.found {
      return "\(text(found)), \(summary)".escapingControls
    }
    var line = summary
    if let detail = finding.detail {
      line = finding.rule == .ignoredKey ? text(detail) : "\(line): \(text(detail))"
    }
    let values = [("expected", finding.expected), ("found", finding.found)].compactMap {
      word, value in value.map { "\(text(word)): \(text($0))" }
    }
    if !values.isEmpty { line += " (\(values.joined(separator: ", ")))" }
    return line.escapingControls
  }

  /// A text in the catalogue's languages besides English, by their codes, for files with the texts of all languages.
  package static func translations(of english: String) -> [String: String] {
    Catalogue.german.text(english, ofNames: true).map { ["de": $0] } ?? [:]
  }

  /// Whether the catalogue has a text.
  package static func isTranslated(_ english: String) -> Bool {
    Catalogue.german.text(english) != nil
  }
}

/// The texts of a language, made when the first one is needed.
private struct Catalogue: Sendable {
  static let german = Catalogue(GermanTexts.all)

  private let texts: [String: String]
  private let patterns: [Pattern]

  init(_ rows: [GermanTexts.Row]) {
    texts = Dictionary(rows.map { ($0.english, $0.german) }) { first, _ in first }
    // If two patterns match, the pattern with more text wins.
    patterns = rows.filter { $0.english.contains("{0}") }.map { Pattern($0) }
      .sorted { $0.length > $1.length }
  }

  /// - Parameter ofNames: whether values are names of the catalogue, not paths, users' words or counted things.
  func text(_ english: String, ofNames: Bool = false) -> String? {
    if let text = texts[english] { return text }
    for pattern in patterns {
      guard let values = pattern.values(in: english) else { continue }
      return pattern.text(values.map { counted($0) ?? (ofNames ? texts[$0] : nil) ?? $0 })
    }
    return nil
  }

  /// Counted things, each of which begins with a number: "3 files: 1 error, 2 warnings".
  func counted(_ english: String) -> String? {
    var (text, rest) = ("", english[...])
    while true {
      let end = [": ", ", ", "; "].compactMap { rest.firstRange(of: $0) }
        .min { $0.lowerBound < $1.lowerBound }
      let part = String(rest[..<(end?.lowerBound ?? rest.endIndex)])
      guard part.utf8.first.map({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) == true,
        let match = patterns.lazy.compactMap({ $0.counted(part) }).first
      else { return nil }
      text += match
      guard let end else { return text }
      text += rest[end]
      rest = rest[end.upperBound...]
    }
  }
}

/// A text with places for values.
private struct Pattern: Sendable {
  /// The texts before, between and after the places.
  private let parts: [String]
  /// The number of the value in each place.
  private let order: [Int]
  private let german: String
  private let kind: GermanTexts.Values

  init(_ row: GermanTexts.Row) {
    (german, kind) = (row.german, row.values)
    var (parts, order, rest) = ([String](), [Int](), row.english[...])
    while let open = rest.firstRange(of: "{"), let close = rest.firstRange(of: "}"),
      let number = Int(rest[open.upperBound..<close.lowerBound])
    {
      parts.append(String(rest[..<open.lowerBound]))
      order.append(number)
      rest = rest[close.upperBound...]
    }
    (self.parts, self.order) = (parts + [String(rest)], order)
  }

  /// How much text it has beside its values.
  var length: Int { parts.reduce(0) { $0 + $1.utf8.count } }

  /// The values of a line, by their numbers. Nil for a line that does not match.
  func values(in line: String) -> [String]? {
    guard line.hasPrefix(parts[0]), let last = parts.last, line.hasSuffix(last),
      line.utf8.count > length
    else { return nil }
    var values = Array(repeating: "", count: order.count)
    var rest = line.dropFirst(parts[0].count).dropLast(last.count)
    for (place, number) in order.enumerated() {
      let isLast = place == order.count - 1
      guard
        let end = isLast ? rest.endIndex..<rest.endIndex : rest.firstRange(of: parts[place + 1]),
        number < values.count
      else { return nil }
      let value = rest[..<end.lowerBound]
      guard !value.isEmpty, isPossible(value) else { return nil }
      values[number] = String(value)
      rest = rest[end.upperBound...]
    }
    return values
  }

  private func isPossible(_ value: Substring) -> Bool {
    switch kind {
    case .texts: true
    case .words: !value.contains(" ")
    case .numbers: value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }

  func text(_ values: [String]) -> String {
    values.enumerated().reduce(german) { $0.replacing("{\($1.offset)}", with: $1.element) }
  }

  /// The text of a counted thing. Nil if the value is no number.
  func counted(_ line: String) -> String? {
    kind == .numbers ? values(in: line).map(text) : nil
  }
}
