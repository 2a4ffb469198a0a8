internal import ParticlesCore

extension ContainerReader {
  /// All entries in canonical order, checked as a whole: order, parents, names that differ in case
  /// only, contents that overlap, sizes against the limits. Reads all pages of the tree, and no
  /// contents.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`; what
  ///   reading the source throws.
  public func entries() throws -> [Container.Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(min(entryCount, limits.entries))
    try forEachEntry { entries.append($0.entry) }
    return entries
  }

  /// The root directory, checked as ``entries()`` does, with contents that are read when asked for.
  /// - Throws: what ``entries()`` throws.
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
      do {
        var check = TreeCheck()
        try forEachRawEntry { entry in
          try check.check(entry)
          try body(entry)
        }
        try check.finish(streamSize: streamSize, limits: limits)
      } catch Rule.twins {
        throw try twins()
      }
    }
  }

  /// Calls `body` with every entry; checks pages, but not the tree as a whole.
  private func forEachRawEntry(_ body: (borrowing RawEntry) throws -> Void) throws {
    try Self.forEachRawEntry(root, source, limits, body)
  }

  private static func forEachRawEntry(
    _ root: Root, _ source: ByteSource, _ limits: Limits,
    _ body: (borrowing RawEntry) throws -> Void
  ) throws {
    let inflate = Inflate()
    var reader = TreePageReader(limits: limits)
    for page in root.pages {
      let position = page.frame.position
      let payload = try Frame(source, page.frame, .tree, place: position).unpacked(inflate)
      var count = 0
      try reader.forEachEntry(of: payload, at: position) { entry in
        guard count > 0 || entry.path.elementsEqual(page.firstPath.utf8) else {
          throw pageMismatch(page, found: "'\(entry.pathText)' first")
        }
        count += 1
        try body(entry)
      }
      guard count == page.entries else { throw pageMismatch(page, found: "\(count) entries") }
    }
  }

  /// The paths of files that are not empty, for messages: nodes do not carry them. Where the tree
  /// cannot be read, they end.
  static func names(_ root: Root, _ source: ByteSource, _ limits: Limits) -> [StreamReader.Name] {
    var names: [StreamReader.Name] = []
    try? forEachRawEntry(root, source, limits) { entry in
      if entry.size > 0 { names.append((entry.offset, entry.pathText)) }
    }
    return names
  }

  /// Names the twins that are known to be there.
  private func twins() throws -> Diagnostic {
    var names: [String: String] = [:]
    var diagnostic = Diagnostic(.twins)
    try forEachRawEntry { entry in
      let path = entry.pathText
      let folded = UnicodeForms.folded(path)
      if let twin = names[folded], EntryPath.parent(of: twin) == EntryPath.parent(of: path) {
        diagnostic = Diagnostic(
          .twins, at: .entry(path), found: "'\(EntryPath.name(of: twin))' beside it")
      }
      names[folded] = path
    }
    return diagnostic
  }
}

/// Builds the tree from entries in canonical order that have been checked.
package struct TreeBuilder {
  package init() {}

  private var open: [(path: String, name: String, directory: FileNode.Directory)] = [
    ("", "", .init())
  ]

  /// Adds an entry behind all that were added before.
  package mutating func append(_ entry: Entry, contents: @autoclosure () -> FileContents) {
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
  package mutating func finish() -> FileNode {
    while open.count > 1 { closeLast() }
    return FileNode(storage: .directory(open[0].directory))
  }

  private mutating func closeLast() {
    let (_, name, directory) = open.removeLast()
    open[open.count - 1].directory.append(
      FileNode(storage: .directory(directory)), named: name)
  }
}
