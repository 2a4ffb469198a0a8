package import ParticlesCore
package import ParticlesFormats

/// A sentence of a loss report: the lost feature with its value, the reason, the replacement, and how much
/// the loss shows.
///
///     Lost: turbulence 40 px/s², because noise is not supported; dropped. Visible side by side (0.12)
package struct LossLine: Sendable, Hashable {
  /// The level of the loss.
  package let level: Loss.Level

  /// Whether it is about an image that was not found.
  package let isImage: Bool

  /// Whether it is shown even if nothing is lost: a key that is set without an effect.
  package let isNotice: Bool

  /// The sentence.
  package let text: String

  /// Creates the line for one document.
  /// - Parameter naming: whether the emitter is named.
  package init(_ diagnostic: Diagnostic, naming: Bool = false) {
    self.init(diagnostic, isGeneral: false, isNaming: naming)
  }

  /// Creates the line for all documents with this loss: without the values of one.
  package init(general diagnostic: Diagnostic) {
    self.init(diagnostic, isGeneral: true, isNaming: false)
  }

  private init(_ diagnostic: Diagnostic, isGeneral: Bool, isNaming: Bool) {
    level = diagnostic.lossLevel
    isImage = diagnostic.rule == .missingImage || diagnostic.isOfUnreadImage
    isNotice = diagnostic.rule == .ignoredKey && diagnostic.severity > .note
    var text = diagnostic.lossSentence(isGeneral: isGeneral)
    if isNaming, let emitter = diagnostic.loss?.emitter, !emitter.isEmpty {
      text = "\(emitter): \(text)"
    }
    guard !isImage, diagnostic.rule != .ignoredKey, diagnostic.isOfConversion else {
      self.text = text
      return
    }
    self.text = "\(text). \(diagnostic.showing(isGeneral: isGeneral))"
  }

  /// Returns the lines for one document, the worst first and missing images last.
  package static func lines(of losses: [Diagnostic]) -> [LossLine] {
    let isNaming = Set(losses.compactMap { $0.loss?.emitter }).count > 1
    let lines = losses.condensed.map { LossLine($0, naming: isNaming) }
    let groups = Loss.Level.allCases.reversed().flatMap { level in
      lines.filter { $0.level == level && !$0.isImage }
    }
    return groups + lines.filter(\.isImage)
  }
}

/// The lines of many documents; equal ones are counted together.
package struct LossGroups: Sendable {
  private var counts: [LossLine: Int] = [:]

  /// Creates an empty collection.
  package init() {}

  /// Counts the lines of a document, equal ones once.
  package mutating func add(_ lines: Set<LossLine>) {
    for line in lines { counts[line, default: 0] += 1 }
  }

  /// The lines, each with the number of documents, the worst and most frequent first, and missing images
  /// last.
  package var sorted: [(line: LossLine, count: Int)] {
    counts.sorted { a, b in
      if a.key.isImage != b.key.isImage { return b.key.isImage }
      if a.key.level != b.key.level { return a.key.level > b.key.level }
      return a.value == b.value ? a.key.text < b.key.text : a.value > b.value
    }.map { ($0.key, $0.value) }
  }
}

extension Diagnostic {
  private static let verbs: [Rule: String] = [
    .lost: "Lost", .approximated: "Approximated", .clamped: "Limited", .assumed: "Assumed",
    .restated: "Rewritten", .dead: "Left out", .uninterpreted: "Not read", .changed: "Changed",
    .missingImage: "Image not found", .image: "Image not read",
    .imageUnchecked: "Image not read", .ignoredKey: "Without effect",
  ]

  /// The titles of features that are no rows of the matrix.
  private static let engineTitles = ["blending": "blending", "law": "the law of the engine"]

  /// Whether it reports a file in the place of an image, from which no picture can be read.
  fileprivate var isOfUnreadImage: Bool { rule == .image || rule == .imageUnchecked }

  /// Whether it is about a property of an effect, not about a file.
  fileprivate var isOfConversion: Bool { Self.verbs[rule] != nil }

  /// The change, the reason and the replacement.
  fileprivate func lossSentence(isGeneral: Bool) -> String {
    guard let verb = Self.verbs[rule] else {
      let place = placeText
      return (place.isEmpty ? "" : "\(place): ") + "\(message) [\(rule.code)]"
    }
    if rule == .missingImage {
      return isGeneral ? "\(verb): an image that the file names" : "\(verb): \(detail ?? placeText)"
    }
    if isOfUnreadImage {
      let name = isGeneral ? "a file in the place of an image" : detail ?? placeText
      return "\(verb): \(name)" + (found.map { " (found \($0))" } ?? "")
    }
    guard let loss else {
      if isGeneral, rule == .uninterpreted {
        return "\(verb): values that have no place here; kept for re-export"
      }
      let isWhole = detail != nil && (isGeneral || rule == .ignoredKey)
      let parts = [isWhole ? "" : placeText, detail ?? ""]
      return "\(verb): " + parts.filter { !$0.isEmpty }.joined(separator: ": ")
    }
    let capability = Capability.all.first { $0.id == loss.feature }
    guard capability != nil || !loss.isOfWholeEffect else {
      // The only such line of this rule: nothing can be seen, before and after.
      let verb = rule == .assumed && loss.feature == "unseen" ? "Not compared" : verb
      return "\(verb): \(detail ?? loss.path)"
    }
    let title = capability?.title ?? Self.engineTitles[loss.feature] ?? loss.path
    var text = "\(verb): \(title)"
    if !isGeneral, let value = loss.source?.text, !title.hasPrefix(value), !title.hasSuffix(value) {
      text += " \(value)"
    }
    if !isGeneral, let expected, let found { text += " (\(expected) became \(found))" }
    let isReason = [Rule.lost, .approximated].contains(rule)
    if let detail { text += (isReason ? ", because " : ": ") + detail }
    if let recipe = loss.recipe {
      text += "; instead: \(recipe)"
    } else if rule == .lost, !(detail ?? "").contains("; ") {
      // The reason is followed by what is there instead, or that the value is dropped.
      text += "; dropped"
    }
    if !isGeneral, let metric = loss.metric, metric.value != 0 {
      text += " (\(metric.name) \(JSONNumber(metric.value).text) \(metric.unit))"
    }
    return text
  }

  /// How much a loss shows that was neither measured nor estimated.
  private static let unknown = "Not measured"

  private var placeText: String {
    switch location.position {
    case .key(let key): key
    case .offset(let offset): "byte \(offset)"
    case nil: location.entry ?? ""
    }
  }

  /// How much it shows, with the measured difference.
  fileprivate func showing(isGeneral: Bool) -> String {
    guard let difference = loss?.difference else {
      return isOfUnknownLevel ? Self.unknown : lossLevel.estimate
    }
    guard !isGeneral else { return lossLevel.words }
    let aspect = loss?.aspect.map { ", \($0)" } ?? ""
    return "\(lossLevel.words) (\(difference.hundredths)\(aspect))"
  }
}

extension Loss.Level {
  /// The difference that a viewer notices, in words.
  fileprivate var words: String {
    switch self {
    case .info: "No visible change"
    case .low: "Hardly visible"
    case .medium: "Visible side by side"
    case .high: "Looks different"
    }
  }

  /// The same, if it was not measured.
  fileprivate var estimate: String {
    self == .info ? words : "Probably " + words.prefix(1).lowercased() + words.dropFirst()
  }
}

extension Loss {
  /// Whether the line is about the running effect, not about a property.
  fileprivate var isOfWholeEffect: Bool { path == "emitters" }
}

extension Double {
  /// Two digits after the point, for numbers from 0 to 1.
  package var hundredths: String {
    let digits = String(Int(saturating: (min(max(self, 0), 1) * 100).rounded()) + 100)
    return "\(digits.first == "2" ? 1 : 0).\(digits.dropFirst())"
  }
}
