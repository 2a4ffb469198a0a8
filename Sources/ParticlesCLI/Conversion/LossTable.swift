internal import ParticlesCore
internal import ParticlesFormats

/// The loss report of one document as a table, the worst first.
enum LossTable {
  static func text(of losses: [Diagnostic]) -> String {
    var table = Table(.left, .left, .left, .left)
    let order = Loss.Level.allCases.reversed()
    for level in order {
      for line in losses where line.lossLevel == level {
        table.add(
          level.rawValue, line.loss?.feature ?? "source", line.place,
          "\(line.told) [\(line.rule.code)]")
      }
    }
    return table.text
  }
}

/// The lines of many documents, those that say the same counted together.
struct LossGroups {
  private struct Key: Hashable {
    var level: Loss.Level
    var feature: String
    var text: String
  }

  private var counts: [Key: Int] = [:]

  /// Counts the lines of a document, each kind once.
  mutating func add(_ losses: [Diagnostic]) {
    let keys = losses.map { line in
      Key(
        level: line.lossLevel, feature: line.loss?.feature ?? "source",
        text: "\(line.toldInGeneral) [\(line.rule.code)]")
    }
    for key in Set(keys) { counts[key, default: 0] += 1 }
  }

  /// A table, the worst and most frequent first; remarks too if `all`.
  func text(all: Bool) -> String {
    var table = Table(.left, .left, .right, .left)
    let sorted = counts.sorted { a, b in
      if a.key.level != b.key.level { return a.key.level > b.key.level }
      return a.value == b.value ? a.key.text < b.key.text : a.value > b.value
    }
    for (key, count) in sorted where all || key.level > .info {
      table.add(key.level.rawValue, key.feature, count.of("file"), key.text)
    }
    return table.text
  }
}

extension Diagnostic {
  /// Where it is, without the file.
  fileprivate var place: String {
    switch location.position {
    case .key(let key): key
    case .offset(let offset): "byte \(offset)"
    case nil: location.entry ?? ""
    }
  }

  /// What is said, with what was done instead and what stands there now.
  fileprivate var told: String {
    guard let loss else { return message }
    var text = toldInGeneral
    if let expected, let found { text += " (\(expected) became \(found))" }
    if let metric = loss.metric { text += " (\(metric.name) \(metric.value) \(metric.unit))" }
    return text
  }

  /// The same for all documents that it is true of.
  fileprivate var toldInGeneral: String {
    guard let loss else { return "\(rule.summary): \(detail ?? place)" }
    let recipe = loss.recipe.map { "; instead: \($0)" } ?? ""
    return (detail ?? "\(rule.summary): \(loss.path)") + recipe
  }
}
