package import ParticlesCore

/// Whether a stream gets colour, and which. Colour marks severity only, and never says anything
/// that the words do not say too.
package struct Style: Sendable, Hashable {
  /// What the command line says of colour.
  package enum Choice: String, Sendable, CaseIterable {
    /// Where a person is looking who has not declined.
    case auto
    /// Everywhere.
    case always
    /// Nowhere.
    case never
  }

  /// Whether there is colour.
  package let isColored: Bool

  /// No colour.
  package static let plain = Style(isColored: false)

  private init(isColored: Bool) { self.isColored = isColored }

  /// Decides for one stream.
  package init(_ choice: Choice, isTerminal: Bool, environment: [String: String]) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto:
      isColored =
        isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// The word for a severity.
  package func word(_ severity: Severity) -> String {
    let code =
      switch severity {
      case .error: "1;31"
      case .warning: "1;33"
      case .note: "1;36"
      }
    return isColored ? "\u{1B}[\(code)m\(severity)\u{1B}[0m" : "\(severity)"
  }
}

extension Diagnostic {
  /// `path:location: severity: message [family/name]`, the severity in colour where there is any.
  package func line(_ style: Style) -> String {
    let place = location.description.escapingControls
    return (place.isEmpty ? "" : "\(place): ")
      + "\(style.word(severity)): \(message) [\(rule.code)]"
  }
}
