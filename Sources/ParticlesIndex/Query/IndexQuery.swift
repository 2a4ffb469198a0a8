package import ParticlesCore

/// A query: which documents to find. Its language is in `Spec/finding.md`.
package struct IndexQuery: Sendable {
  indirect enum Expression: Sendable {
    case all([Expression])
    case any([Expression])
    case not(Expression)
    case text(columns: [String], String)
    case word(key: String, String)
    case number(key: String, NumberRange)
    case digest(String)
    case path(String)
    case similar(String)
  }

  /// A range of numbers.
  struct NumberRange: Sendable, Equatable {
    var lower = -Double.infinity
    var includesLower = true
    var upper = Double.infinity
    var includesUpper = true
  }

  let expression: Expression

  /// The file whose look is searched; nil without such a term. The nearest documents come first then.
  package var similar: String? { expression.similar }

  /// The query without the term `similar`; nil if the other terms do not all have to hold beside it.
  var rest: Expression? {
    switch expression {
    case .similar: return .all([])
    case .all(let parts):
      guard let place = parts.firstIndex(where: { if case .similar = $0 { true } else { false } })
      else { return nil }
      var rest = parts
      rest.remove(at: place)
      return .all(rest)
    default: return nil
    }
  }

  /// Reads a query.
  /// - Throws: ``ParticlesCore/Rule/indexQuery``, with the character, the expected and the found text.
  package init(_ text: String, _ vocabulary: QueryVocabulary = QueryVocabulary()) throws {
    var parser = QueryParser(text, vocabulary)
    expression = try parser.parse()
    hasFields = parser.hasFields
  }

  /// Reads what may be a query or a text.
  /// - Returns: the query, or the fault of one that compares fields; neither for a text that is no query.
  package static func reading(_ text: String, _ vocabulary: QueryVocabulary) -> (
    query: IndexQuery?, fault: Diagnostic?
  ) {
    var parser = QueryParser(text, vocabulary)
    do {
      let expression = try parser.parse()
      return (IndexQuery(expression: expression, hasFields: parser.hasFields), nil)
    } catch {
      return (nil, parser.hasFields ? error as? Diagnostic : nil)
    }
  }

  private init(expression: Expression, hasFields: Bool) {
    (self.expression, self.hasFields) = (expression, hasFields)
  }

  /// A query for documents with a text in any of their names.
  package init(text: String) {
    (expression, hasFields) = (.text(columns: QueryField.textColumns, text), false)
  }

  /// Whether it compares a field: it is more than words.
  package let hasFields: Bool
}

extension IndexQuery.Expression {
  fileprivate var similar: String? {
    switch self {
    case .all(let parts), .any(let parts): parts.lazy.compactMap(\.similar).first
    case .not(let part): part.similar
    case .similar(let path): path
    case .text, .word, .number, .digest, .path: nil
    }
  }
}
