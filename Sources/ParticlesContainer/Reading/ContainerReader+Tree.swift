internal import ParticlesCore

extension ContainerReader {
  /// All entries in canonical order, checked as a whole: order, parents, names that differ in case
  /// only, contents that overlap, sizes against the limits.
  public func entries() throws -> [Entry] { try load().entries }

  /// The root directory, with contents that are read when asked for.
  public func tree() throws -> FileNode { try load().root }

  private func load() throws -> (entries: [Entry], root: FileNode) {
    try locating(Location(file: source.name)) {
      var entries: [Entry] = []
      entries.reserveCapacity(min(entryCount, limits.entries))
      var builder = TreeBuilder()
      for index in root.pages.indices {
        for entry in try page(index) {
          if let last = entries.last, !EntryPath.precedes(last.path.utf8, entry.path.utf8) {
            throw Diagnostic(
              .order, at: .offset(root.pages[index].frame.position),
              expected: "a path behind '\(last.path)'", found: "'\(entry.path)'")
          }
          try builder.append(entry, contents: contents(of: entry))
          entries.append(entry)
        }
      }
      try checkExtents(of: entries)
      return (entries, builder.finish())
    }
  }

  /// No two files may share bytes, and none may reach behind the stream.
  private func checkExtents(of entries: [Entry]) throws {
    var total = 0
    var end = 0
    let inStreamOrder = entries.lazy.filter { $0.size > 0 }.sorted { $0.offset < $1.offset }
    for entry in inStreamOrder {
      guard entry.offset >= end else {
        throw Diagnostic(
          .extent, at: .entry(entry.path), expected: "contents from \(end) on",
          found: "\(entry.offset)")
      }
      end = entry.offset + entry.size
      total += entry.size
    }
    guard end <= streamSize else {
      throw Diagnostic(
        .extent, at: .entry(inStreamOrder.last?.path ?? ""),
        expected: "an end before \(streamSize)",
        found: "\(end)")
    }
    try limits.check(total, \.totalBytes, "bytes of all entries")
  }
}

/// Builds the tree from entries in canonical order.
package struct TreeBuilder {
  package init() {}

  private var open: [(path: String, directory: FileNode.Directory)] = [("", .init())]

  /// Adds an entry behind all that were added before.
  package mutating func append(_ entry: Entry, contents: @autoclosure () -> FileContents) throws {
    let parent = EntryPath.parent(of: entry.path)
    while open.count > 1, open[open.count - 1].path != parent { closeLast() }
    guard open[open.count - 1].path == parent else {
      throw Diagnostic(.parent, at: .entry(entry.path), expected: "a directory '\(parent)'")
    }
    switch entry.kind {
    case .directory:
      // Its place among its siblings is taken now, so that twins are found in order.
      try append(.emptyDirectory, entry)
      open.append((entry.path, .init()))
    case .file(let isExecutable):
      try append(
        FileNode(regularFileWithContents: contents(), isExecutable: isExecutable), entry)
    case .symbolicLink(let destination):
      try append(FileNode(symbolicLinkWithDestination: destination), entry)
    }
  }

  /// The root, once everything has been added.
  package mutating func finish() -> FileNode {
    while open.count > 1 { closeLast() }
    return FileNode(storage: .directory(open[0].directory))
  }

  private mutating func append(_ node: FileNode, _ entry: Entry) throws {
    try locating(.entry(entry.path)) {
      try open[open.count - 1].directory.append(
        node, named: String(EntryPath.name(of: entry.path)))
    }
  }

  /// Puts the innermost open directory into the place that was taken for it.
  private mutating func closeLast() {
    let (_, directory) = open.removeLast()
    open[open.count - 1].directory.replaceLast(FileNode(storage: .directory(directory)))
  }
}
