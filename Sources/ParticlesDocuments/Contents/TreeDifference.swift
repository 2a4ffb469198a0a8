internal import ParticlesContainer
internal import ParticlesCore

/// The difference of two trees of files, which leads from one to the other and back. Small files are
/// stored as the bytes that changed, others as nodes, which share their contents with the trees.
struct TreeDifference: Sendable {
  private enum Change: Sendable {
    case splice(ByteSplice)
    case nodes(old: FileNode?, new: FileNode?)
  }

  private var changes: [(path: String, change: Change)] = []

  /// The memory that it needs, in bytes.
  private(set) var cost = 64

  /// The paths of what has changed, in order.
  var paths: [String] { changes.map(\.path) }

  /// The size up to which a changed file is compared.
  private static let small = 1 << 20

  init(from old: FileNode, to new: FileNode) { compare(old, new, at: "") }

  /// Applies it to the new tree, giving the old one, or the other way round.
  func apply(_ tree: inout FileNode, undoing isUndoing: Bool) throws {
    for (path, change) in isUndoing ? changes.reversed() : changes {
      switch change {
      case .nodes(let old, let new): try set(isUndoing ? old : new, at: path, of: &tree)
      case .splice(let splice):
        guard let node = path.isEmpty ? tree : tree[path],
          let bytes = try node.regularFileContents(),
          let changed = isUndoing ? splice.undone(bytes) : splice.redone(bytes)
        else { throw Diagnostic(.fileChanged, at: .entry(path)) }
        let result = FileNode(regularFileWithContents: changed, isExecutable: node.isExecutable)
        try set(result, at: path, of: &tree)
      }
    }
  }

  private func set(_ node: FileNode?, at path: String, of tree: inout FileNode) throws {
    switch (node, path.isEmpty) {
    case (let node?, true): tree = node
    case (let node?, false): try tree.setFileNode(node, at: path)
    case (nil, _): tree.removeFileNode(at: path)
    }
  }

  private mutating func compare(_ old: FileNode, _ new: FileNode, at path: String) {
    guard let olds = old.children, let news = new.children else {
      return compareFiles(old, new, at: path)
    }
    if olds.isSame(as: news) { return }
    var (i, j) = (0, 0)
    while i < olds.count || j < news.count {
      if j == news.count || i < olds.count && olds[i].precedes(news[j]) {
        add(.nodes(old: olds[i].node, new: nil), at: Files.joined(path, olds[i].name))
        i += 1
      } else if i == olds.count || news[j].precedes(olds[i]) {
        add(.nodes(old: nil, new: news[j].node), at: Files.joined(path, news[j].name))
        j += 1
      } else {
        compare(olds[i].node, news[j].node, at: Files.joined(path, olds[i].name))
        (i, j) = (i + 1, j + 1)
      }
    }
  }

  private mutating func compareFiles(_ old: FileNode, _ new: FileNode, at path: String) {
    guard let a = old.contents, let b = new.contents else {
      if old != new { add(.nodes(old: old, new: new), at: path) }
      return
    }
    if a.isSame(as: b), old.isExecutable == new.isExecutable { return }
    if old.isExecutable == new.isExecutable, max(a.size, b.size) <= Self.small,
      let before = try? a.bytes(), let after = try? b.bytes()
    {
      if before == after { return }
      add(.splice(ByteSplice(from: before, to: after)), at: path)
    } else if old != new {
      add(.nodes(old: old, new: new), at: path)
    }
  }

  private mutating func add(_ change: Change, at path: String) {
    var change = change
    if case .nodes(let old, let new) = change {
      // A small file is kept in memory, so that the package that it was in need not stay open.
      change = .nodes(old: old?.loaded(Self.small), new: new?.loaded(Self.small))
    }
    changes.append((path, change))
    cost += 96 + path.utf8.count
    switch change {
    case .splice(let splice): cost += splice.old.count + splice.new.count
    // Contents in the file of the document need no memory.
    case .nodes(let old, let new): cost += (old?.memoryBytes ?? 0) + (new?.memoryBytes ?? 0)
    }
  }
}

extension FileNode.Child {
  fileprivate func precedes(_ other: FileNode.Child) -> Bool {
    name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }
}

extension FileNode {
  /// A regular file of at most `limit` bytes with its contents in memory; others, and files that cannot be
  /// read, as they are.
  fileprivate func loaded(_ limit: Int) -> FileNode {
    guard let contents, !contents.isInMemory, contents.size <= limit,
      let bytes = try? contents.bytes()
    else { return self }
    return FileNode(regularFileWithContents: bytes, isExecutable: isExecutable)
  }

  /// The bytes of contents that are held in memory.
  fileprivate var memoryBytes: Int {
    contents.map { $0.isInMemory ? $0.size : 64 }
      ?? children?.reduce(64) { $0 + $1.node.memoryBytes } ?? 64
  }
}
