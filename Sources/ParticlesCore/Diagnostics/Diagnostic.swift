/// A violation of a ``Rule``: the location, the expected and the found value.
///
/// Validation and conversion collect diagnostics. Every error that the library throws is a
/// diagnostic.
public struct Diagnostic: Error, Sendable, Hashable {
  /// The rule that was broken.
  public var rule: Rule

  /// The severity; that of the rule by default.
  public var severity: Severity

  /// The file, entry and position.
  public var location: Location

  /// Text that is added to the summary of the rule, such as a name.
  public var detail: String?

  /// The expected value.
  public var expected: String?

  /// The value that was found.
  public var found: String?

  /// The next step for the user; the hint of the rule by default.
  public var hint: String?

  var attachment: Attachment?

  /// Creates a diagnostic.
  public init(
    _ rule: Rule, at location: Location = .unknown, _ detail: String? = nil,
    expected: String? = nil, found: String? = nil, severity: Severity? = nil, hint: String? = nil
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.location = location
    self.detail = detail
    self.expected = expected
    self.found = found
    self.hint = hint ?? rule.hint
  }

  /// The summary of the rule with the detail, the expected and the found value, on one line and
  /// without location. The kind of a file that is not read comes first. The detail about a key that an engine does not
  /// read is a sentence of its own.
  public var message: String {
    if rule == .foreign, let found { return "\(found), \(rule.summary)".escapingControls }
    var text = rule.summary
    if let detail { text = rule == .ignoredKey ? detail : "\(text): \(detail)" }
    switch (expected, found) {
    case (let expected?, let found?): text += " (expected \(expected), found \(found))"
    case (let expected?, nil): text += " (expected \(expected))"
    case (nil, let found?): text += " (found \(found))"
    case (nil, nil): break
    }
    return text.escapingControls
  }

  /// Returns this diagnostic with the missing parts of its location taken from `outer`.
  public func inside(_ outer: Location) -> Diagnostic {
    var copy = self
    copy.location = location.inside(outer)
    return copy
  }
}

extension [Diagnostic] {
  /// Appends a diagnostic.
  package mutating func add(
    _ rule: Rule, at location: Location = .unknown, _ detail: String? = nil,
    expected: String? = nil, found: String? = nil, severity: Diagnostic.Severity? = nil,
    hint: String? = nil
  ) {
    append(
      Diagnostic(
        rule, at: location, detail, expected: expected, found: found, severity: severity,
        hint: hint))
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `path:location: severity: message [family/name]`, on one line. If the location has a line and a
  /// column, the key precedes the message.
  public var description: String {
    let place = location.description.escapingControls
    return (place.isEmpty ? "" : "\(place): ")
      + "\(severity): \(location.replacedKey)\(message) [\(rule.code)]"
  }
}

extension String {
  /// The first 80 Unicode scalars of this text, for messages.
  package var excerpt: String {
    // By scalars, because a character may consist of any number of them.
    let scalars = unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: 80, limitedBy: scalars.endIndex)
    return end.map { String(scalars[..<$0]) } ?? self
  }
}

extension [UInt8] {
  /// These bytes as text, with `\xFF` for each byte that is not part of valid UTF-8.
  package var escapingInvalidUTF8: String {
    replacingInvalidUTF8 { "\\x" + [$0].hexDigits.uppercased() }
  }

  /// These bytes as text, with another text in place of each byte that is not part of valid UTF-8.
  func replacingInvalidUTF8(_ replacement: (UInt8) -> String) -> String {
    if let text = String(validating: self, as: UTF8.self) { return text }
    var text = ""
    var rest = self[...]
    while let first = rest.first {
      let valid = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }
        .first
      text += valid ?? replacement(first)
      rest = rest.dropFirst(valid?.utf8.count ?? 1)
    }
    return text
  }
}
