internal import ParticlesBrowser
package import ParticlesCore

/// The language of what people read: help, messages and findings. Output for programs is always English.
///
/// English texts are in code. The texts of other languages are found by keys, see ``ParticlesBrowser/Texts``. A text that a
/// language does not have stays English.
package struct Wording: Sendable {
  /// The code of the language.
  private let language: String

  /// The texts as they are in code.
  package static let english = Wording(language: "en")

  private init(language: String) { self.language = language }

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
    let known = languages.first { $0 == "C" || Texts.languages.contains($0) }
    self.language = known.map { $0 == "C" ? "en" : $0 } ?? "en"
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
  private func text(_ key: String, of section: Texts.Section) -> String? {
    language == "en" ? nil : Texts.text(key, of: section, in: language)
  }

  /// A text that the tool has in code, with its values.
  package func text(_ phrase: Phrase) -> String {
    guard language != "en" else { return phrase.description }
    let values = phrase.texts(text)
    guard !phrase.isPlain, let pattern = pattern(phrase.key, hasValues: !values.isEmpty) else {
      return phrase.around(values)
    }
    return Texts.filled(pattern, values)
  }

  /// The text of the tool with a key. A fixed text may also be one of the words of findings, which may have numbers.
  private func pattern(_ key: String, hasValues: Bool) -> String? {
    text(key, of: .tool) ?? (hasValues ? nil : Texts.made(key, of: .words, in: language))
  }

  /// A word that the tool has in code, such as a heading.
  package func word(_ english: String) -> String { text(english, of: .tool) ?? english }

  /// A short line of the help, by the first key that has one, see ``ParticlesBrowser/Texts/Section/help``.
  package func help(_ keys: [String], _ english: String) -> String {
    guard language != "en" else { return english }
    return keys.lazy.compactMap { text($0, of: .help) }.first ?? english
  }

  /// The description of a property, by its key: `emitters[].emission.rate`.
  package func description(of key: String, _ english: String) -> String {
    text(Texts.shortKey(key), of: .descriptions) ?? english
  }

  /// The message of a rule.
  package func summary(of rule: Rule) -> String { text(rule.code, of: .rules) ?? rule.summary }

  /// A detail or a value of a finding.
  package func value(_ english: String) -> String {
    guard language != "en" else { return english }
    return Texts.made(english, of: .words, in: language) ?? english
  }

  /// The next step for a finding.
  package func hint(_ hint: String, of rule: Rule) -> String {
    guard language != "en" else { return hint }
    if hint == rule.hint, let text = text(rule.code, of: .hints) { return text }
    return Texts.made(hint, of: .tool, in: language) ?? value(hint)
  }

  /// The message of a finding, see ``ParticlesCore/Diagnostic/message``.
  package func message(_ finding: Diagnostic) -> String {
    guard language != "en" else { return finding.message }
    let summary = summary(of: finding.rule)
    if finding.rule == .foreign, let found = finding.found {
      return "\(value(found)), \(summary)".escapingControls
    }
    var line = summary
    if let detail = finding.detail {
      line = finding.rule == .ignoredKey ? value(detail) : "\(line): \(value(detail))"
    }
    let values = [("expected", finding.expected), ("found", finding.found)].compactMap {
      word, text in text.map { "\(value(word)): \(value($0))" }
    }
    if !values.isEmpty { line += " (\(values.joined(separator: ", ")))" }
    return line.escapingControls
  }

  /// The name of a type or an operation in the languages besides English, by their codes, for files with the texts of all
  /// languages.
  package static func translations(of english: String) -> [String: String] {
    let others = Texts.languages.dropFirst().compactMap { language in
      name(english, in: language).map { (language, $0) }
    }
    return Dictionary(uniqueKeysWithValues: others)
  }

  private static func name(_ english: String, in language: String) -> String? {
    for prefix in ["type", "operation"] {
      if let name = Texts.text(Texts.key(prefix, english), of: .pages, in: language) { return name }
    }
    let start = "Convert to "
    if english.hasPrefix(start), let pattern = Texts.text("\(start){0}", of: .tool, in: language) {
      let target = String(english.dropFirst(start.count))
      return Texts.filled(pattern, [name(target, in: language) ?? target])
    }
    return Texts.text(english, of: .tool, in: language)
  }
}
