package import ParticlesCore

/// The colours of a stream. Colour marks severities only; the text states them, too.
package struct Style: Sendable, Hashable {
  /// The value of `--color`.
  package enum Choice: String, Sendable, CaseIterable {
    /// On terminals, unless the environment disables it.
    case auto
    /// On every stream.
    case always
    /// On no stream.
    case never
  }

  /// Whether there is colour.
  package let isColored: Bool

  private init(isColored: Bool) { self.isColored = isColored }

  /// The style of a stream.
  package init(_ choice: Choice, isTerminal: Bool, environment: [String: String]) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto:
      isColored =
        isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// The word for a severity, in the language of the user.
  package func word(_ severity: Severity, _ wording: Wording = .english) -> String {
    let code =
      switch severity {
      case .error: "1;31"
      case .warning: "1;33"
      case .note: "1;36"
      }
    let word = wording.text("\(severity)")
    return isColored ? "\u{1B}[\(code)m\(word)\u{1B}[0m" : word
  }
}

extension Diagnostic {
  /// `path:location: severity: message [family/name]`, the severity in colour where there is any.
  package func line(_ style: Style, _ wording: Wording = .english) -> String {
    let place = location.description.escapingControls
    return (place.isEmpty ? "" : "\(place): ")
      + "\(style.word(severity, wording)): \(location.replacedKey)\(wording.message(self)) [\(rule.code)]"
  }
}
