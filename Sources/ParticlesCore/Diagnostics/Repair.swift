extension Diagnostic {
  /// A violation of a rule that was fixed.
  public struct Repair: Sendable, Hashable {
    /// The rule that was broken.
    public var rule: Rule

    /// The file, entry and position.
    public var location: Location

    /// The change, in the past tense, such as "sorted the keys by time".
    public var action: String

    /// Creates a repair.
    public init(_ rule: Rule, at location: Location = .unknown, _ action: String) {
      self.rule = rule
      self.location = location
      self.action = action
    }

    /// Returns this repair with the missing parts of its location taken from `outer`.
    public func inside(_ outer: Location) -> Repair {
      Repair(rule, at: location.inside(outer), action)
    }
  }
}

extension Repair: CustomStringConvertible {
  /// `path:location: fixed: action [family/name]`, on one line.
  public var description: String { line("fixed") }

  /// The same line with another word in place of "fixed".
  package func line(_ word: String) -> String {
    let place = location.description
    return ((place.isEmpty ? "" : "\(place): ") + "\(word): \(action) [\(rule.code)]")
      .escapingControls
  }
}
