internal import ParticlesContainer
internal import ParticlesCore

/// What holds for a flat package, whoever wrote it.
enum PackageLaws {
  static func check(_ bytes: [UInt8]) throws {
    let reader = try ContainerReader(.bytes(bytes), limits: FuzzTarget.limits)
    Law.holds("a package opens with no warning but that of a torn save", isTorn(reader.warnings))
    let quick = errors(Law.succeeds("verifying never throws") { try reader.verify(.quick) })
    let full = errors(Law.succeeds("verifying never throws") { try reader.verify(.full) })
    Law.holds("what a quick look finds, a full one finds: \(quick)", quick.isEmpty || !full.isEmpty)
    Law.holds(
      "a full look finds no more than a quick one, but for payloads: \(full)",
      !quick.isEmpty || full.allSatisfy { $0.rule == .payload })

    let tree: FileNode
    do {
      tree = try read(reader)
    } catch let diagnostic as Diagnostic {
      Law.holds("verifying finds what reading meets: \(diagnostic)", !full.isEmpty)
      throw diagnostic
    }
    // Bytes that nothing refers to can be damaged without a reader's noticing; the tree cannot.
    Law.holds(
      "reading meets what verifying finds in the tree: \(full)",
      full.allSatisfy { $0.rule.family == "container" })
    if full.isEmpty { try checkRewriting(tree) }
  }

  /// Everything there is in a package, found in each of the ways there are.
  private static func read(_ reader: ContainerReader) throws -> FileNode {
    let tree = try reader.tree()
    TreeLaws.check(try reader.entries())
    try tree.forEachDescendant { path, node in
      let bytes = try node.regularFileContents()
      let entry = Law.succeeds("what is in the tree can be looked up") { try reader.entry(path) }
      Law.holds("'\(path)' is found", entry?.path == path)
      Law.holds("'\(path)' is as long as the index says", (bytes?.count ?? 0) == entry?.size)
    }
    return tree
  }

  /// A sound package can be written anew, and holds the same then.
  static func checkRewriting(_ tree: FileNode) throws {
    let digest = try tree.treeDigest()
    for reuses in [false, true] {
      let bytes = Law.succeeds("what was read can be written") {
        try Container(root: tree).encoded(PackingOptions(reusesBlocks: reuses))
      }
      let copy = Law.succeeds("what was written can be read") {
        try ContainerReader(.bytes(bytes))
      }
      let findings = Law.succeeds("verifying never throws") { try copy.verify(.full) }
      Law.holds("what was written is sound: \(findings)", findings.isEmpty)
      let copied = Law.succeeds("what was written has a digest") { try copy.tree().treeDigest() }
      Law.holds("what was written has the same digest", copied == digest)
    }
  }

  private static func errors(_ findings: [Diagnostic]) -> [Diagnostic] {
    findings.filter { $0.severity == .error }
  }

  private static func isTorn(_ warnings: [Diagnostic]) -> Bool {
    warnings.allSatisfy { $0.rule == .torn }
  }
}

/// What holds for the entries of a tree, said as plainly as the specification says it.
enum TreeLaws {
  static func check(_ entries: [Entry]) {
    var directories: Set<Substring> = [""]
    var names: Set<String> = []
    for (index, entry) in entries.enumerated() {
      let parent = EntryPath.parent(of: entry.path)
      let name = EntryPath.name(of: entry.path)
      Law.holds("'\(parent)' is a directory", directories.contains(parent))
      Law.holds(
        "'\(entry.path)' has no twin",
        names.insert("\(parent)/\(UnicodeForms.folded(String(name)))").inserted)
      Law.succeeds("'\(entry.path)' keeps the rules of names") {
        _ = try EntryPath.validated(Array(entry.path.utf8), limits: FuzzTarget.limits, at: .unknown)
      }
      Law.holds(
        "'\(entry.path)' stands behind the one before",
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
