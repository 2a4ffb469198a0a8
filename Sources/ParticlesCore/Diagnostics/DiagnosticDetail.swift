/// Data that a module adds to its diagnostics, such as the loss that a conversion reports.
public protocol DiagnosticDetail: Sendable, Hashable {
  /// The key of the detail in the JSON of a diagnostic.
  static var key: String { get }

  /// The detail in the JSON of a diagnostic.
  var json: JSONValue { get }
}

/// Wraps a detail of any type to make it `Hashable`.
struct Attachment: Sendable, Hashable {
  let detail: any DiagnosticDetail

  static func == (a: Attachment, b: Attachment) -> Bool {
    func isSame<Detail: DiagnosticDetail>(_ detail: Detail) -> Bool {
      b.detail as? Detail == detail
    }
    return isSame(a.detail)
  }

  func hash(into hasher: inout Hasher) { detail.hash(into: &hasher) }

  /// Writes the detail under its key.
  func write(to object: inout JSONObject) { object[type(of: detail).key] = detail.json }
}

extension Diagnostic {
  /// The data that a module added, nil by default.
  public var detailed: (any DiagnosticDetail)? {
    get { attachment?.detail }
    set { attachment = newValue.map { Attachment(detail: $0) } }
  }
}

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
