internal import ParticlesCore

/// The changes of a tree: entries that were added or changed, and paths that were removed.
///
/// Unchanged directories share their memory with the old tree and are skipped at once, so the cost
/// depends on the changes, not on the size of the tree. Contents that were made anew with the bytes of
/// the old ones are no change; to find that out, both are read.
package struct TreeChanges {
  /// New and changed entries with their nodes, in canonical order. The children of a directory have
  /// entries of their own.
  private(set) var written: [(path: String, node: FileNode)] = []
  /// Removed paths, each with everything below it.
  private(set) var removed: [String] = []
  /// The growth of the contents of all files in bytes.
  private(set) var growth = 0

  package init(from old: FileNode, to new: FileNode) {
    compare(old.children ?? [], new.children ?? [], prefix: "")
  }

  var isEmpty: Bool { written.isEmpty && removed.isEmpty }

  /// Returns the written files with their offsets in a stream that they are appended to; 0 for empty ones.
  func files(
    after end: Int
  ) -> [(offset: Int, path: String, contents: FileContents, isExecutable: Bool)] {
    var end = end
    return written.compactMap { path, node in
      guard let contents = node.contents else { return nil }
      defer { end += contents.size }
      return (contents.size > 0 ? end : 0, path, contents, node.isExecutable)
    }
  }

  private mutating func compare(
    _ old: [FileNode.Child], _ new: [FileNode.Child], prefix: String
  ) {
    if old.sharesMemory(with: new) { return }
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, j < new.count, old[i].name.utf8.elementsEqual(new[j].name.utf8) {
        compare(old[i].node, new[j].node, at: prefix + new[j].name)
        (i, j) = (i + 1, j + 1)
      } else if j == new.count || i < old.count && old[i].precedes(new[j]) {
        remove(old[i].node, at: prefix + old[i].name)
        i += 1
      } else {
        add(new[j].node, at: prefix + new[j].name)
        j += 1
      }
    }
  }

  private mutating func compare(
    _ old: FileNode, _ new: FileNode, at path: @autoclosure () -> String
  ) {
    switch (old.storage, new.storage) {
    case (.directory(let a), .directory(let b)):
      compare(a.children, b.children, prefix: path() + "/")
    case (.link(let a), .link(let b)):
      if a != b { written.append((path(), new)) }
    case (.file(let a, let executableA), .file(let b, let executableB)):
      if executableA == executableB, a == b {
        b.remember(savedAs: a)
        return
      }
      growth += b.size - a.size
      written.append((path(), new))
    default:
      remove(old, at: path())
      add(new, at: path())
    }
  }

  private mutating func add(_ node: FileNode, at path: String) {
    growth += node.contents?.size ?? 0
    written.append((path, node))
    for child in node.children ?? [] { add(child.node, at: "\(path)/\(child.name)") }
  }

  private mutating func remove(_ node: FileNode, at path: String) {
    growth -= node.contentBytes
    removed.append(path)
  }
}

extension FileNode.Child {
  fileprivate func precedes(_ other: FileNode.Child) -> Bool {
    name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }
}

extension [FileNode.Child] {
  /// Whether both share their storage, which implies that they are equal.
  package func isSame(as other: [FileNode.Child]) -> Bool { sharesMemory(with: other) }

  func sharesMemory(with other: [FileNode.Child]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { a in
        other.withUnsafeBufferPointer { a.baseAddress == $0.baseAddress }
      }
  }
}
