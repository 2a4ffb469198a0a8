internal import ParticlesCore

// Findings about the members of `types.json` that only desktops use.

extension TypeLinter {
  /// How many bytes of a file desktops read to recognise it.
  private static let reach = 4096

  /// The greatest weight of a pattern that does not override the patterns of other types.
  private static let weight = 60

  func desktop(_ entry: Declared) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (index, pattern) in entry.value.patterns.enumerated() where pattern.leastReach > Self.reach
    {
      findings.add(
        .typesMagic, at: .key("\(entry.key).magic[\(index)]"),
        expected: "a pattern that ends at byte \(Self.reach) or before",
        found: "byte \(pattern.leastReach)")
    }
    for (index, glob) in entry.value.globs.enumerated() {
      let key = "\(entry.key).globs[\(index)]"
      if glob.weight > Self.weight {
        findings.add(
          .typesGlob, at: .key("\(key).weight"), "'\(glob.pattern)'",
          expected: "at most \(Self.weight)", found: "\(glob.weight)")
      } else if let other = owner(of: glob), other != type(entry.value.identifier) {
        findings.add(
          .typesGlob, at: .key(key), "'\(glob.pattern)'", found: "the main pattern of '\(other)'")
      }
    }
    return findings
  }

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
