/// Runs `body`. Diagnostics that it throws get the missing parts of their location from `location`.
@inlinable
package func locating<Result>(
  _ location: @autoclosure () -> Diagnostic.Location, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let diagnostic as Diagnostic {
    throw diagnostic.inside(location())
  }
}

extension Rule {
  /// Matches errors by rule, as in `catch Rule.signature { … }`.
  public static func ~= (rule: Rule, error: any Error) -> Bool {
    (error as? Diagnostic)?.rule == rule
  }
}
