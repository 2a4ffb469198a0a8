package import ParticlesCore
package import ParticlesFormats

/// A line of a loss report.
package struct LossLine: Sendable, Hashable {
  /// The level of the loss.
  package let level: Loss.Level

  /// The row of the capability matrix, or `source` for a finding of the import.
  package let feature: String

  /// The location in the document; empty in a line for several documents.
  package let place: String

  /// The loss, its replacement, and the rule.
  package let text: String

  private init(_ diagnostic: Diagnostic, _ place: String, _ text: String) {
    level = diagnostic.lossLevel
    feature = diagnostic.loss?.feature ?? "source"
    self.place = place
    self.text = "\(text) [\(diagnostic.rule.code)]"
  }

  /// Creates the line for one document.
  package init(_ diagnostic: Diagnostic) {
    self.init(diagnostic, diagnostic.place, diagnostic.fullMessage)
  }

  /// Creates the line for all documents with this loss.
  package init(general diagnostic: Diagnostic) {
    self.init(diagnostic, "", diagnostic.generalMessage)
  }

  /// Returns the lines for one document, the worst first.
  package static func lines(of losses: [Diagnostic]) -> [LossLine] {
    let lines = losses.map { LossLine($0) }
    return Loss.Level.allCases.reversed().flatMap { level in lines.filter { $0.level == level } }
  }
}

/// The lines of many documents; equal ones are counted together.
package struct LossGroups: Sendable {
  private var counts: [LossLine: Int] = [:]

  /// Creates an empty collection.
  package init() {}

  /// Counts the lines of a document, equal ones once.
  package mutating func add(_ losses: [Diagnostic]) {
    for line in Set(losses.map { LossLine(general: $0) }) { counts[line, default: 0] += 1 }
  }

  /// The lines, each with the number of documents, the worst and most frequent first.
  package var sorted: [(line: LossLine, count: Int)] {
    counts.sorted { a, b in
      if a.key.level != b.key.level { return a.key.level > b.key.level }
      return a.value == b.value ? a.key.text < b.key.text : a.value > b.value
    }.map { ($0.key, $0.value) }
  }
}

extension Diagnostic {
  /// The location without the file.
  fileprivate var place: String {
    switch location.position {
    case .key(let key): key
    case .offset(let offset): "byte \(offset)"
    case nil: location.entry ?? ""
    }
  }

  /// The message with the replacement, the old and the new value, and the error.
  fileprivate var fullMessage: String {
    guard let loss else { return message }
    var text = generalMessage
    if let expected, let found { text += " (\(expected) became \(found))" }
    if let metric = loss.metric { text += " (\(metric.name) \(metric.value) \(metric.unit))" }
    return text
  }

  /// The message without the values of one document.
  fileprivate var generalMessage: String {
    guard let loss else { return "\(rule.summary): \(detail ?? place)" }
    let recipe = loss.recipe.map { "; instead: \($0)" } ?? ""
    return (detail ?? "\(rule.summary): \(loss.path)") + recipe
  }
}
