package import ParticlesCore
package import ParticlesFormats

extension [Diagnostic] {
  /// The findings of one document, shortened: equal ones once, images that were not found as one finding, and
  /// values that are kept without being shown as one.
  package var condensed: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    let all = filter { seen.insert($0).inserted }
    return all.merging({ $0.isOfImage }) { findings in
      findings.imageNames.named
    }.merging({ $0.isOfKeptValue }) { findings in
      "\(findings.count) values: \(findings.map { $0.subject }.named)"
    }
  }

  /// Replaces several findings by one at the place of the first.
  private func merging(
    _ isMember: (Diagnostic) -> Bool, detail: ([Diagnostic]) -> String
  ) -> [Diagnostic] {
    let members = filter(isMember)
    guard members.count > 1, var first = members.first, let place = firstIndex(where: isMember)
    else { return self }
    first.location = Location(file: first.location.file)
    first.detail = detail(members)
    first.found = nil
    return self[..<place] + [first] + self[place...].filter { !isMember($0) }
  }

  /// The images that were not found, each once.
  fileprivate var imageNames: [String] {
    var seen: Set<String> = []
    return filter { $0.isOfImage }.map { $0.subject }.filter { seen.insert($0).inserted }
  }
}

extension [String] {
  /// `a, b, c and 9 others`
  fileprivate var named: String {
    let most = 3
    guard count > most + 1 else { return joined(separator: ", ") }
    return prefix(most).joined(separator: ", ") + " and \(count - most) others"
  }
}

extension Diagnostic {
  /// Whether it reports an image that was not found.
  package var isOfImage: Bool { rule == .missingImage || rule == .absentImage && severity > .note }

  /// Whether it reports a value that is kept for the format it came from and has no effect here.
  fileprivate var isOfKeptValue: Bool { rule == .uninterpreted && loss == nil }

  /// The name of an image, or of a value.
  fileprivate var subject: String {
    if rule == .absentImage {
      let quoted = (detail ?? "").split(separator: "'", omittingEmptySubsequences: false)
      if quoted.count > 2 { return Files.lastComponent(of: String(quoted[1])) }
      return location.entry.map(Files.lastComponent) ?? message
    }
    if let detail { return detail }
    if case .key(let key) = location.position { return key }
    return location.entry ?? message
  }
}

/// The findings of many documents, grouped by their cause.
package struct FindingGroups: Sendable {
  /// A cause, and how many documents and findings have it.
  package struct Group: Sendable {
    package let severity: Diagnostic.Severity
    /// The message without the values of one document, and the code of the rule.
    package let text: String
    /// The number of documents.
    package let files: Int
    /// The number of findings.
    package let count: Int
    package let first: Diagnostic
  }

  fileprivate struct Cause: Hashable {
    var severity: Diagnostic.Severity
    var rule: Rule
    var detail: String?
  }

  private var counts: [Cause: (files: Int, count: Int, first: Diagnostic)] = [:]

  /// The images that were not found.
  package private(set) var images: Set<String> = []

  /// The number of documents whose images were not found.
  package private(set) var imageFiles = 0

  package init() {}

  package mutating func add(_ findings: [Diagnostic]) {
    let names = findings.imageNames
    imageFiles += names.isEmpty ? 0 : 1
    images.formUnion(names)
    var seen: Set<Diagnostic> = []
    var own: [Cause: (count: Int, first: Diagnostic)] = [:]
    for finding in findings where !finding.isOfImage && seen.insert(finding).inserted {
      own[Cause(of: finding), default: (0, finding)].count += 1
    }
    for (cause, found) in own {
      let before = counts[cause] ?? (0, 0, found.first)
      counts[cause] = (before.files + 1, before.count + found.count, before.first)
    }
  }

  /// The causes: errors first, then by the number of documents.
  package var sorted: [Group] {
    counts.map { cause, counts in
      Group(
        severity: cause.severity, text: cause.text, files: counts.files, count: counts.count,
        first: counts.first)
    }.sorted { a, b in
      if a.severity != b.severity { return a.severity > b.severity }
      if a.files != b.files { return a.files > b.files }
      return a.count == b.count ? a.text < b.text : a.count > b.count
    }
  }
}

extension FindingGroups.Cause {
  fileprivate init(of finding: Diagnostic) {
    severity = finding.severity
    rule = finding.rule
    guard !finding.isOfKeptValue, let detail = finding.detail else { return }
    // Names and numbers belong to a single document.
    let isGeneral = !detail.unicodeScalars.contains {
      "'\"\n".unicodeScalars.contains($0) || ("0"..."9").contains($0)
    }
    self.detail = isGeneral ? detail : nil
  }

  fileprivate var text: String {
    rule.summary + (detail.map { ": \($0.escapingControls)" } ?? "") + " [\(rule.code)]"
  }
}

/// A sentence of a loss report: the lost feature with its value, the reason, the replacement, and how much
/// the loss shows.
///
///     Lost: turbulence 40 px/s², because noise is not supported. Visible side by side (0.12)
package struct LossLine: Sendable, Hashable {
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
    return groups + lines.filter { $0.isImage }
  }
}

/// The lines of many documents. Equal lines are counted together.
package struct LossGroups: Sendable {
  private var counts: [LossLine: Int] = [:]

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
    if let recipe = loss.recipe { text += ". Instead: \(recipe)" }
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

  /// The words for a level that was not measured.
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
