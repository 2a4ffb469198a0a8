extension Diagnostic {
  /// Something that broke a rule and was put in order.
  public struct Repair: Sendable, Hashable {
    /// The rule that was broken.
    public var rule: Rule

    /// Where.
    public var location: Location

    /// What was done, in the past: "sorted the keys by time".
    public var action: String

    /// Creates a repair.
    public init(_ rule: Rule, at location: Location = .unknown, _ action: String) {
      self.rule = rule
      self.location = location
      self.action = action
    }

    /// This repair with what its location does not say filled in from `outer`.
    public func inside(_ outer: Location) -> Repair {
      Repair(rule, at: location.inside(outer), action)
    }
  }
}

extension Repair: CustomStringConvertible {
  /// `path:location: fixed: action [family/name]`, on one line.
  public var description: String { line("fixed") }

  /// The same with another word for what became of it.
  package func line(_ word: String) -> String {
    let place = location.description
    return ((place.isEmpty ? "" : "\(place): ") + "\(word): \(action) [\(rule.code)]")
      .escapingControls
  }
}
