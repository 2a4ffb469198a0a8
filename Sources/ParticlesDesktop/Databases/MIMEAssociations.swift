internal import ParticlesTypes

/// A file `mimeapps.list`: associations between MIME types and programs.
///
/// Lines that are not edited keep their text, comments and unknown groups included. Undoing an edit
/// restores the file, except for a group that was empty before.
package struct MIMEAssociations: Sendable, Hashable {
  /// The kind of an association.
  package enum Group: String, Sendable, CaseIterable {
    /// The default program of the type; of several, the first that is installed.
    case defaults = "Default Applications"
    /// The program is offered for the type.
    case added = "Added Associations"
    /// The program is not offered, although its entry declares the type.
    case removed = "Removed Associations"
  }

  private var lines: [String]

  /// Parses a file; an empty text is an empty file.
  package init(_ text: String = "") {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
  }

  /// The text of the file.
  package var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

  /// Returns the desktop entries of a MIME type, in order.
  package func entries(for mimeType: String, in group: Group) -> [String] {
    line(of: mimeType, in: group).map { Self.entries(in: lines[$0]) } ?? []
  }

  /// Puts a desktop entry before all others of a MIME type.
  package mutating func prepend(_ entry: String, for mimeType: String, in group: Group) {
    set([entry] + entries(for: mimeType, in: group).filter { $0 != entry }, mimeType, group)
  }

  /// Appends a desktop entry to those of a MIME type, unless it is there.
  package mutating func append(_ entry: String, for mimeType: String, in group: Group) {
    let entries = entries(for: mimeType, in: group)
    if !entries.contains(entry) { set(entries + [entry], mimeType, group) }
  }

  /// Removes a desktop entry from a MIME type.
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

  /// Returns the lines of a group without its header; nil if there is no such group.
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

  /// Removes the header of an empty group, and the empty lines before the next one.
  private mutating func removeHead(of group: Group) {
    guard let range = range(of: group), lines[range].allSatisfy(\.isEmpty) else { return }
    let isLast = range.upperBound == lines.endIndex
    lines.removeSubrange(range.lowerBound - 1..<range.upperBound)
    if isLast, lines.last == "" { lines.removeLast() }
  }
}
