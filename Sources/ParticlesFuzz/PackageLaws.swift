internal import ParticlesContainer
internal import ParticlesCore

/// Laws for a flat package.
enum PackageLaws {
  static func check(_ bytes: [UInt8]) throws {
    let reader = try ContainerReader(.bytes(bytes), limits: FuzzTarget.limits)
    Law.holds("opening a package warns of an interrupted save only", isTorn(reader.warnings))
    let quick = errors(try verify(reader, .quick))
    let full = errors(try verify(reader, .full))
    Law.holds(
      "a quick verification has findings only if a full one has: \(quick)",
      quick.isEmpty || !full.isEmpty)
    Law.holds(
      "a full verification adds findings in payloads only: \(full)",
      !quick.isEmpty || full.allSatisfy { $0.rule == .payload })

    let tree: FileNode
    do {
      tree = try read(reader)
    } catch let diagnostic as Diagnostic {
      Law.holds("verification finds an error that reading throws: \(diagnostic)", !full.isEmpty)
      throw diagnostic
    }
    // Damage in unreferenced bytes does not affect a reader; damage in the tree does.
    let needed = errors(
      Law.succeeds("verifying twice does not throw") { try reader.verify(.full, earlier: nil) })
    Law.holds(
      "reading throws an error that verification finds in the tree: \(needed)",
      needed.allSatisfy { $0.rule.family == "container" })
    Law.holds(
      "a verification without earlier generations finds no more: \(needed)",
      needed.isEmpty || needed == full)
    if full.isEmpty { try checkRewriting(tree) }
  }

  /// Every entry is found by each kind of lookup.
  private static func read(_ reader: ContainerReader) throws -> FileNode {
    let tree = try reader.tree()
    TreeLaws.check(try reader.entries())
    try tree.forEachDescendant { path, node in
      let bytes = try node.regularFileContents()
      let entry = Law.succeeds("an entry of the tree can be looked up") { try reader.entry(path) }
      Law.holds("'\(path)' is found", entry?.path == path)
      Law.holds("'\(path)' has the size that the index records", (bytes?.count ?? 0) == entry?.size)
    }
    return tree
  }

  /// A sound package can be encoded again, with the same tree.
  static func checkRewriting(_ tree: FileNode) throws {
    let digest = try tree.treeDigest()
    for reuses in [false, true] {
      let bytes = Law.succeeds("a package that was read can be encoded") {
        try Container(root: tree).encoded(PackingOptions(reusesBlocks: reuses))
      }
      let copy = Law.succeeds("the encoded package can be read") {
        try ContainerReader(.bytes(bytes))
      }
      let findings = Law.succeeds("verifying never throws") { try copy.verify(.full) }
      Law.holds("the encoded package is sound: \(findings)", findings.isEmpty)
      let copied = Law.succeeds("the encoded package has a digest") { try copy.tree().treeDigest() }
      Law.holds("the encoded package has the same digest", copied == digest)
    }
  }

  /// The findings about a package.
  /// - Throws: ``ParticlesCore/Rule/limit`` alone: then the package was not checked.
  private static func verify(
    _ reader: ContainerReader, _ depth: ContainerReader.Depth
  ) throws -> [Diagnostic] {
    do {
      return try reader.verify(depth)
    } catch {
      Law.holds("verifying throws limits only: \(error)", (error as? Diagnostic)?.rule == .limit)
      throw error
    }
  }

  private static func errors(_ findings: [Diagnostic]) -> [Diagnostic] {
    findings.filter { $0.severity == .error }
  }

  private static func isTorn(_ warnings: [Diagnostic]) -> Bool {
    warnings.allSatisfy { $0.rule == .torn }
  }
}

/// Laws for the entries of a tree, each written as the specification words it.
enum TreeLaws {
  static func check(_ entries: [Entry]) {
    var directories: Set<Substring> = [""]
    var names: Set<String> = []
    for (index, entry) in entries.enumerated() {
      let parent = EntryPath.parent(of: entry.path)
      let name = EntryPath.name(of: entry.path)
      Law.holds("'\(parent)' is a directory", directories.contains(parent))
      Law.holds(
        "'\(entry.path)' occurs once",
        names.insert("\(parent)/\(UnicodeForms.folded(String(name)))").inserted)
      Law.succeeds("'\(entry.path)' keeps the rules of names") {
        _ = try EntryPath.validated(Array(entry.path.utf8), limits: FuzzTarget.limits, at: .unknown)
      }
      Law.holds(
        "'\(entry.path)' sorts after the entry before it",
        index == 0 || EntryPath.precedes(entries[index - 1].path.utf8, entry.path.utf8))
      if entry.kind == .directory { directories.insert(entry.path[...]) }
    }
    let extents = entries.filter { $0.size > 0 }.sorted { $0.offset < $1.offset }
    for (a, b) in zip(extents, extents.dropFirst()) {
      Law.holds("'\(a.path)' ends before '\(b.path)' begins", a.offset + a.size <= b.offset)
    }
    let count = entries.reduce(0) { $0 + $1.path.utf8.count }
    Law.holds("\(count) bytes of paths keep the limit", count <= FuzzTarget.limits.indexBytes)
  }
}
