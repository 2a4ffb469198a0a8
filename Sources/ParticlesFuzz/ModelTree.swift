internal import ParticlesContainer

/// The simplest model of a file tree: one entry for each path.
struct ModelTree {
  enum Entry: Equatable {
    case directory
    case file([UInt8], isExecutable: Bool)
    case link(String)

    var node: FileNode {
      switch self {
      case .directory: .emptyDirectory
      case .file(let bytes, let isExecutable):
        FileNode(regularFileWithContents: bytes, isExecutable: isExecutable)
      case .link(let destination): FileNode(symbolicLinkWithDestination: destination)
      }
    }

    init(_ node: FileNode) {
      if let destination = node.symbolicLinkDestination {
        self = .link(destination)
      } else if node.isDirectory {
        self = .directory
      } else {
        let bytes = Law.succeeds("contents can be read") { try node.regularFileContents() }
        self = .file(bytes ?? [], isExecutable: node.isExecutable)
      }
    }
  }

  private var entries: [String: Entry] = [:]

  /// The size: bytes of contents, and a fixed amount for each entry.
  var size: Int {
    entries.values.reduce(0) { sum, entry in
      if case .file(let bytes, _) = entry { sum + bytes.count + 5000 } else { sum + 5000 }
    }
  }

  mutating func set(_ entry: Entry, at path: String) {
    let path = Self.normal(path)
    _ = remove(path)
    var parent = EntryPath.parent(of: path)
    while !parent.isEmpty {
      entries[String(parent)] = .directory
      parent = EntryPath.parent(of: String(parent))
    }
    entries[path] = entry
  }

  /// Removes the entry at a path and everything below it. Returns whether there was an entry.
  mutating func remove(_ path: String) -> Bool {
    let path = Self.normal(path)
    let gone = subtree(path)
    for path in gone.keys { entries[path] = nil }
    return !gone.isEmpty
  }

  mutating func move(_ name: String, to new: String) {
    let moved = subtree(Self.normal(name))
    for path in moved.keys { entries[path] = nil }
    for (path, entry) in moved {
      entries[new + path.dropFirst(Self.normal(name).count)] = entry
    }
  }

  mutating func copy(_ from: String, to: String) {
    let (from, to) = (Self.normal(from), Self.normal(to))
    let copied = subtree(from)
    set(.directory, at: to)
    for (path, entry) in copied { entries[to + path.dropFirst(from.count)] = entry }
  }

  func isInside(_ path: String, of other: String) -> Bool {
    Self.normal(path).hasPrefix(Self.normal(other))
  }

  /// The tree with all contents in memory.
  func tree() throws -> FileNode {
    var root = FileNode.emptyDirectory
    // Directories come before their contents.
    for (path, entry) in entries.sorted(by: { $0.key.utf8.count < $1.key.utf8.count }) {
      try root.setFileNode(entry.node, at: path)
    }
    return root
  }

  func isSame(as root: FileNode) -> Bool {
    var found: [String: Entry] = [:]
    root.forEachDescendant { found[$0] = Entry($1) }
    return found == entries
  }

  private func subtree(_ path: String) -> [String: Entry] {
    path.isEmpty ? [:] : entries.filter { $0.key == path || $0.key.hasPrefix(path + "/") }
  }

  /// A normalised path: Unicode NFC, without empty components.
  private static func normal(_ path: String) -> String {
    UnicodeForms.composed(path).split(separator: "/").joined(separator: "/")
  }
}
