internal import ParticlesCore

extension ContainerReader {
  /// All entries in canonical order, checked as a whole: order, parents, names that differ in case
  /// only, contents that overlap, sizes against the limits.
  public func entries() throws -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(min(entryCount, limits.entries))
    try forEachEntry { entries.append($0.entry) }
    return entries
  }

  /// The root directory, with contents that are read when asked for.
  public func tree() throws -> FileNode {
    var builder = TreeBuilder()
    try forEachEntry { raw in
      let entry = raw.entry
      builder.append(entry, contents: contents(of: entry))
    }
    return builder.finish()
  }

  /// Calls `body` with every entry, as it stands in the index; checks as ``entries()`` does.
  package func forEachEntry(_ body: (borrowing RawEntry) throws -> Void) throws {
    try locating(Location(file: source.name)) {
      var check = TreeCheck()
      let inflate = Inflate()
      for page in root.pages {
        let location = Location.offset(page.frame.position)
        var count = 0
        let payload = try frame(page.frame, .tree, place: page.frame.position).unpacked(inflate)
        try TreePage.forEach(payload, at: page.frame.position, limits: limits) { entry in
          if count == 0, !entry.path.elementsEqual(page.firstPath.utf8) {
            throw pageMismatch(page, found: "'\(entry.pathText)' first")
          }
          count += 1
          try locating(location) { try check.check(entry) }
          try body(entry)
        }
        guard count == page.entries else { throw pageMismatch(page, found: "\(count) entries") }
      }
      try check.finish(streamSize: streamSize, limits: limits)
    }
  }
}

/// Builds the tree from entries in canonical order that have been checked.
struct TreeBuilder {
  private var open: [(path: String, name: String, directory: FileNode.Directory)] = [
    ("", "", .init())
  ]

  /// Adds an entry behind all that were added before.
  mutating func append(_ entry: Entry, contents: @autoclosure () -> FileContents) {
    let parent = EntryPath.parent(of: entry.path)
    while open.count > 1, open[open.count - 1].path != parent { closeLast() }
    let name = String(EntryPath.name(of: entry.path))
    switch entry.kind {
    case .directory:
      open.append((entry.path, name, .init()))
    case .file(let isExecutable):
      open[open.count - 1].directory.append(
        FileNode(regularFileWithContents: contents(), isExecutable: isExecutable), named: name)
    case .symbolicLink(let destination):
      open[open.count - 1].directory.append(
        FileNode(symbolicLinkWithDestination: destination), named: name)
    }
  }

  /// The root, once everything has been added.
  mutating func finish() -> FileNode {
    while open.count > 1 { closeLast() }
    return FileNode(storage: .directory(open[0].directory))
  }

  private mutating func closeLast() {
    let (_, name, directory) = open.removeLast()
    open[open.count - 1].directory.append(
      FileNode(storage: .directory(directory)), named: name)
  }
}
