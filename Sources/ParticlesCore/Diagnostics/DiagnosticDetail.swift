/// Data that a module adds to its diagnostics, such as the loss that a conversion reports.
public protocol DiagnosticDetail: Sendable, Hashable {
  /// The key of the detail in the JSON of a diagnostic. Each type has its own.
  static var key: String { get }

  /// The detail in the JSON of a diagnostic.
  var json: JSONValue { get }
}

/// The detail of a diagnostic. A class, because the module for web pages has no values of protocols.
class Attachment: @unchecked Sendable, Hashable {
  var key: String { "" }

  var json: JSONValue { .null }

  func isEqual(to other: Attachment) -> Bool { self === other }

  func hash(into hasher: inout Hasher) {}

  static func == (a: Attachment, b: Attachment) -> Bool { a.isEqual(to: b) }
}

/// The detail of a diagnostic with its type.
final class TypedAttachment<Detail: DiagnosticDetail>: Attachment, @unchecked Sendable {
  let detail: Detail

  init(_ detail: Detail) { self.detail = detail }

  override var key: String { Detail.key }

  override var json: JSONValue { detail.json }

  override func isEqual(to other: Attachment) -> Bool {
    typed(other, as: Self.self)?.detail == detail
  }

  override func hash(into hasher: inout Hasher) { detail.hash(into: &hasher) }
}

extension Diagnostic {
  /// Returns the data that a module added, or nil if there is none of this type.
  public func detail<Detail: DiagnosticDetail>(as type: Detail.Type = Detail.self) -> Detail? {
    attachment.flatMap { typed($0, as: TypedAttachment<Detail>.self)?.detail }
  }

  /// Adds data to the diagnostic, in place of data that it has. With nil, it has none.
  public mutating func setDetail<Detail: DiagnosticDetail>(_ detail: Detail?) {
    attachment = detail.map(TypedAttachment.init)
  }
}

/// Runs `body`. Diagnostics that it throws get the missing parts of their location from `location`.
@inlinable
package func locating<Result>(
  _ location: @autoclosure () -> Diagnostic.Location, _ body: () throws(Diagnostic) -> Result
) throws(Diagnostic) -> Result {
  do {
    return try body()
  } catch {
    throw error.inside(location())
  }
}
