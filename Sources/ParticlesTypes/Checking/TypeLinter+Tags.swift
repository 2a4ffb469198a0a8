internal import ParticlesCore

// Findings about tags, and about the members of `types.json` that only desktops use.

extension TypeLinter {
  /// MIME types that many kinds of files share.
  private static let genericMIMETypes: Set = [
    "application/octet-stream", "application/zip", "application/x-zip-compressed",
    "application/gzip", "application/xml", "text/xml", "application/json", "text/plain",
  ]

  func tags(_ entry: Declared) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for name in entry.value.tags[.filenameExtension] {
      guard let fault = Self.fault(inExtension: name) else { continue }
      findings.append(
        Diagnostic(.typesExtension, at: .key(entry.key), fault, found: "'\(name)'"))
    }
    for name in entry.value.tags[.mimeType] where Self.genericMIMETypes.contains(name.caseFolded) {
      findings.append(Diagnostic(.typesGenericMIME, at: .key(entry.key), found: "'\(name)'"))
    }
    return findings
  }

  private static func fault(inExtension name: String) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "it is blank" }
    if name.hasPrefix(".") { return "it begins with a full stop" }
    if name.contains(".") { return "only the part after the last full stop is compared" }
    if name != name.caseFolded, name == name.uppercased() {
      return "new files would get an extension in upper case"
    }
    return nil
  }

  // MARK: Desktops

  /// How many bytes of a file desktops read to recognise it.
  private static let reach = 4096

  /// The greatest weight of a pattern that does not override the patterns of other types.
  private static let weight = 60

  func desktop(_ entry: Declared) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (index, pattern) in entry.value.patterns.enumerated() where !Self.canMatch(pattern) {
      findings.append(
        Diagnostic(
          .typesMagic, at: .key("\(entry.key).magic[\(index)]"),
          expected: "a pattern that ends at byte \(Self.reach) or before",
          found: "byte \(pattern.leastReach)"))
    }
    for (index, glob) in entry.value.globs.enumerated() {
      let key = "\(entry.key).globs[\(index)]"
      if glob.weight > Self.weight {
        findings.append(
          Diagnostic(
            .typesGlob, at: .key("\(key).weight"), "'\(glob.pattern)'",
            expected: "at most \(Self.weight)", found: "\(glob.weight)"))
      } else if let other = owner(of: glob), other != type(entry.value.identifier) {
        findings.append(
          Diagnostic(
            .typesGlob, at: .key(key), "'\(glob.pattern)'", found: "the main pattern of '\(other)'")
        )
      }
    }
    return findings
  }

  private static func canMatch(_ pattern: ContentPattern) -> Bool { pattern.leastReach <= reach }

  /// The type, declared without the file, that prefers the extension of a pattern.
  private func owner(of glob: FileNamePattern) -> UniformType? {
    guard glob.pattern.hasPrefix("*.") else { return nil }
    let name = String(glob.pattern.dropFirst(2))
    return known.select(tag: name, tagClass: .filenameExtension).candidates
      .first { $0.position == 0 }?.type
  }
}

extension ContentPattern {
  /// The number of bytes that have to be read for the pattern to match at all.
  fileprivate var leastReach: Int {
    max(offsets.lowerBound + bytes.count, also.map(\.leastReach).min() ?? 0)
  }
}
