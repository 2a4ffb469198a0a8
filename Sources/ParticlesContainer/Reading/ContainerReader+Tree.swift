internal import ParticlesCore

extension ContainerReader {
  /// Returns all entries in canonical order. Checks order, parents, names that differ in case only,
  /// overlap of contents, and sizes against the limits. Reads all pages of the tree and no contents.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`; errors of
  ///   the source.
  public func entries() throws -> [Container.Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(min(entryCount, limits.entries))
    try forEachEntry { entries.append($0.entry) }
    return entries
  }

  /// Returns the root directory, checked as by ``entries()``; contents are read on access.
  /// - Throws: the errors of ``entries()``.
  public func tree() throws -> FileNode {
    var builder = TreeBuilder()
    try forEachEntry { entry in
      builder.append(entry.kind, named: entry.name, at: entry.nameStart) {
        FileContents(size: entry.size, origin: .init(stream: stream, offset: entry.offset))
      }
    }
    return builder.finish()
  }

  /// Calls `body` with each entry of the index; checks as ``entries()`` does.
  package func forEachEntry(_ body: (borrowing RawEntry) throws -> Void) throws {
    try locating(Location(file: source.name)) {
      do {
        var check = TreeCheck()
        try forEachRawEntry { entry in
          try check.check(entry)
          try body(entry)
        }
        try check.finish(streamSize: streamSize, fileSize: source.size, limits: limits)
        try checkSuperseded(besides: check.extents)
      } catch Rule.twins {
        throw try twins()
      }
    }
  }

  /// Calls `body` with each entry; checks pages, but not the tree as a whole.
  private func forEachRawEntry(_ body: (borrowing RawEntry) throws -> Void) throws {
    try Self.forEachRawEntry(root, source, limits, body)
  }

  private static func forEachRawEntry(
    _ root: Root, _ source: ByteSource, _ limits: Limits,
    _ body: (borrowing RawEntry) throws -> Void
  ) throws {
    var reader = TreePageReader(limits: limits)
    for page in root.pages {
      try source.withPayload(of: page.frame, .tree) {
        try reader.forEachEntry(of: $0, page, body)
      }
    }
  }

  /// Returns the paths of files that are not empty, for messages, because nodes have no paths. Stops at
  /// the first page that cannot be read.
  static func names(_ root: Root, _ source: ByteSource, _ limits: Limits) -> [StreamReader.Name] {
    var names: [StreamReader.Name] = []
    try? forEachRawEntry(root, source, limits) { entry in
      if entry.size > 0 { names.append((entry.offset, entry.pathText)) }
    }
    return names
  }

  /// Finds the names of the twins that the hashes revealed.
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

/// Builds a tree from checked entries in canonical order.
package struct TreeBuilder {
  package init() {}

  /// The directories that the next entry may be in, each with the length of its path.
  private var open: [(length: Int, name: String, directory: FileNode.Directory)] = [
    (0, "", .init())
  ]

  /// Appends an entry.
  package mutating func append(_ entry: Entry, contents: FileContents) {
    let name = String(EntryPath.name(of: entry.path))
    append(entry.kind, named: name, at: entry.path.utf8.count - name.utf8.count) { contents }
  }

  /// Appends an entry.
  /// - Parameter start: the offset of its name in its path.
  mutating func append(
    _ kind: Entry.Kind, named name: String, at start: Int, contents: () -> FileContents
  ) {
    while open.count > 1, open[open.count - 1].length >= start { closeLast() }
    switch kind {
    case .directory:
      open.append((start + name.utf8.count, name, .init()))
    case .file(let isExecutable):
      open[open.count - 1].directory.append(
        FileNode(regularFileWithContents: contents(), isExecutable: isExecutable), named: name)
    case .symbolicLink(let destination):
      open[open.count - 1].directory.append(
        FileNode(symbolicLinkWithDestination: destination), named: name)
    }
  }

  /// Returns the root after the last entry.
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
