package import ParticlesCore
package import Testing

/// Expects `body` to throw a diagnostic of this rule, and returns it.
@discardableResult
package func expectThrows<Result>(
  _ rule: Rule, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) -> Diagnostic? {
  do {
    _ = try body()
    Issue.record("nothing was thrown instead of \(rule.code)", sourceLocation: sourceLocation)
  } catch let diagnostic as Diagnostic {
    #expect(diagnostic.rule == rule, comment, sourceLocation: sourceLocation)
    return diagnostic
  } catch {
    Issue.record("\(error) was thrown instead of \(rule.code)", sourceLocation: sourceLocation)
  }
  return nil
}
