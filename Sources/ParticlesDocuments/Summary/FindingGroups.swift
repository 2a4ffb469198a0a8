package import ParticlesCore
internal import ParticlesFormats

extension [Diagnostic] {
  /// The findings of one document, shortened: equal ones once, images that were not found as one finding, and
  /// values that are kept without being shown as one.
  package var condensed: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    let all = filter { seen.insert($0).inserted }
    return all.merging({ $0.isOfImage }) { findings in
      findings.imageNames.named
    }.merging({ $0.isOfKeptValue }) { findings in
      "\(findings.count) values: \(findings.map(\.subject).named)"
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
    return filter(\.isOfImage).map(\.subject).filter { seen.insert($0).inserted }
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
    /// The first finding.
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

  /// Creates an empty collection.
  package init() {}

  /// Adds the findings of a document.
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

  /// The causes: errors first, then those of the most documents.
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
    // Names and numbers are those of one document.
    let isGeneral = !detail.unicodeScalars.contains {
      "'\"\n".unicodeScalars.contains($0) || ("0"..."9").contains($0)
    }
    self.detail = isGeneral ? detail : nil
  }

  fileprivate var text: String {
    rule.summary + (detail.map { ": \($0.escapingControls)" } ?? "") + " [\(rule.code)]"
  }
}
