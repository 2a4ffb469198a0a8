internal import ParticlesTypes

/// The associations of a desktop (`mimeapps.list`): which program opens which MIME type.
///
/// Lines that are not touched stay as they are, comments and groups of others among them. A change
/// that is undone leaves the file as it was, but for a group that stood there empty.
package struct MIMEAssociations: Sendable, Hashable {
  /// What an association means.
  package enum Group: String, Sendable, CaseIterable {
    /// The program that opens the type ordinarily; of several, the first that is installed.
    case defaults = "Default Applications"
    /// The program is offered for the type.
    case added = "Added Associations"
    /// The program is not offered, although it says that it opens the type.
    case removed = "Removed Associations"
  }

  private var lines: [String]

  /// Reads a file; an empty text is an empty file.
  package init(_ text: String = "") {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
  }

  /// The file.
  package var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

  /// The desktop entries for a MIME type, in order.
  package func entries(for mimeType: String, in group: Group) -> [String] {
    line(of: mimeType, in: group).map { Self.entries(in: lines[$0]) } ?? []
  }

  /// The MIME types that a group speaks of, in the order of its lines.
  package func mimeTypes(in group: Group) -> [String] {
    (range(of: group) ?? 0..<0).compactMap { index in
      lines[index].firstIndex(of: "=").map {
        lines[index][..<$0].filter { !$0.isWhitespace }.caseFolded
      }
    }
  }

  /// Puts a desktop entry before all others for a MIME type.
  package mutating func prepend(_ entry: String, for mimeType: String, in group: Group) {
    set([entry] + entries(for: mimeType, in: group).filter { $0 != entry }, mimeType, group)
  }

  /// Puts a desktop entry behind all others for a MIME type, unless it is there.
  package mutating func append(_ entry: String, for mimeType: String, in group: Group) {
    let entries = entries(for: mimeType, in: group)
    if !entries.contains(entry) { set(entries + [entry], mimeType, group) }
  }

  /// Takes a desktop entry away from a MIME type.
  package mutating func remove(_ entry: String, for mimeType: String, in group: Group) {
    let entries = entries(for: mimeType, in: group)
    if entries.contains(entry) { set(entries.filter { $0 != entry }, mimeType, group) }
  }

  // MARK: Lines

  private static func entries(in line: String) -> [String] {
    let value = line[line.index(after: line.firstIndex(of: "=") ?? line.startIndex)...]
    return value.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      .filter { !$0.isEmpty }
  }

  /// The lines of a group without its head; nil if it is not there.
  private func range(of group: Group) -> Range<Int>? {
    guard let head = lines.firstIndex(of: "[\(group.rawValue)]") else { return nil }
    let rest = lines[(head + 1)...]
    return head + 1..<(rest.firstIndex { $0.hasPrefix("[") } ?? lines.endIndex)
  }

  private func line(of mimeType: String, in group: Group) -> Int? {
    range(of: group)?.first { index in
      let name = lines[index].prefix { $0 != "=" }
      return name.count < lines[index].count
        && String(name.filter { !$0.isWhitespace }).caseFolded == mimeType.caseFolded
    }
  }

  private mutating func set(_ entries: [String], _ mimeType: String, _ group: Group) {
    let text = "\(mimeType)=" + entries.map { "\($0);" }.joined()
    if let line = line(of: mimeType, in: group) {
      if entries.isEmpty { lines.remove(at: line) } else { lines[line] = text }
      if entries.isEmpty { removeHead(of: group) }
    } else if !entries.isEmpty, let range = range(of: group) {
      // Before the empty lines that separate the group from the next one.
      let end = lines[range].lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? range.lowerBound
      lines.insert(text, at: end)
    } else if !entries.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines += ["[\(group.rawValue)]", text]
    }
  }

  /// A group in which nothing is left goes, and the empty lines that separated it.
  private mutating func removeHead(of group: Group) {
    guard let range = range(of: group), lines[range].allSatisfy(\.isEmpty) else { return }
    let isLast = range.upperBound == lines.endIndex
    lines.removeSubrange(range.lowerBound - 1..<range.upperBound)
    if isLast, lines.last == "" { lines.removeLast() }
  }
}
