internal import ParticlesCore

/// A file wrapper: a regular file, a directory of file nodes, or a symbolic link.
///
/// A node is a value: changing a copy changes nothing else, and a node may stand in several
/// directories. Its name belongs to the directory that holds it. Names follow the rules of
/// `Spec/container.md#names`; every method that takes one throws ``ParticlesCore/Rule/name`` if it
/// breaks them.
public struct FileNode: Sendable {
  enum Storage: Sendable {
    case file(FileContents, isExecutable: Bool)
    case directory(Directory)
    case link(String)
  }

  /// A child of a directory.
  public struct Child: Sendable {
    /// The name, unique in the directory.
    public let name: String
    /// The node.
    public let node: FileNode
  }

  /// What a node is.
  public enum Kind: String, Sendable, Hashable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link.
    case link
  }

  var storage: Storage

  init(storage: Storage) { self.storage = storage }

  /// A regular file.
  public init(regularFileWithContents contents: [UInt8], isExecutable: Bool = false) {
    self.init(regularFileWithContents: FileContents(contents), isExecutable: isExecutable)
  }

  /// A regular file whose contents may be read later: those of another package, for example.
  public init(regularFileWithContents contents: FileContents, isExecutable: Bool = false) {
    storage = .file(contents, isExecutable: isExecutable)
  }

  /// A directory that holds `nodes` under the names given.
  /// - Throws: ``ParticlesCore/Rule/name``; ``ParticlesCore/Rule/twins`` if two names differ in case
  ///   only.
  public init(directoryWithFileNodes nodes: [String: FileNode] = [:]) throws {
    var directory = Directory()
    for (name, node) in nodes { try directory.insert(node, named: name) }
    storage = .directory(directory)
  }

  /// An empty directory.
  public static let emptyDirectory = FileNode(storage: .directory(Directory()))

  /// A symbolic link.
  /// - Parameter destination: a path relative to the directory that will hold the link. Whether it
  ///   stays inside the package is checked when the package is written; ``ParticlesCore/Rule/link``
  ///   is thrown then.
  public init(symbolicLinkWithDestination destination: String) { storage = .link(destination) }

  /// What this is.
  public var kind: Kind {
    switch storage {
    case .file: .file
    case .directory: .directory
    case .link: .link
    }
  }

  /// Whether this is a regular file.
  public var isRegularFile: Bool { contents != nil }

  /// Whether this is a directory.
  public var isDirectory: Bool { children != nil }

  /// Whether this is a symbolic link.
  public var isSymbolicLink: Bool { symbolicLinkDestination != nil }

  /// The contents of a regular file, perhaps not read yet; nil for anything else.
  public var contents: FileContents? {
    if case .file(let contents, _) = storage { contents } else { nil }
  }

  /// The bytes of a regular file; nil for anything else.
  /// - Throws: what ``FileContents/bytes(in:)`` throws.
  public func regularFileContents() throws -> [UInt8]? { try contents?.bytes() }

  /// Whether this is a regular file that may be executed. Setting it changes regular files only.
  public var isExecutable: Bool {
    get { if case .file(_, let isExecutable) = storage { isExecutable } else { false } }
    set {
      if case .file(let contents, _) = storage {
        storage = .file(contents, isExecutable: newValue)
      }
    }
  }

  /// The children of a directory in the order of their names' bytes; nil for anything else.
  public var children: [Child]? {
    if case .directory(let directory) = storage { directory.children } else { nil }
  }

  /// The bytes of all files in this node.
  var contentBytes: Int {
    contents?.size ?? children?.reduce(0) { $0 + $1.node.contentBytes } ?? 0
  }

  /// Where a symbolic link leads; nil for anything else.
  public var symbolicLinkDestination: String? {
    if case .link(let destination) = storage { destination } else { nil }
  }
}

// MARK: - Looking

extension FileNode {
  /// The node at a path of names separated by `/`, or nil. Links are not followed, and case matters.
  /// The empty path is this node itself. Names in a tree are in Unicode normalisation form C; the
  /// path need not be.
  public subscript(path: String) -> FileNode? {
    var node = self
    for name in UnicodeForms.composed(path).split(separator: "/") {
      guard case .directory(let directory) = node.storage,
        let child = directory[String(name)]
      else { return nil }
      node = child
    }
    return node
  }

  /// Calls `body` with every node below this one and its path, in the canonical order: directories
  /// before what is in them, siblings by the bytes of their names. What `body` throws ends it.
  public func forEachDescendant(_ body: (_ path: String, FileNode) throws -> Void) rethrows {
    try visit(prefix: "", body)
  }

  private func visit(prefix: String, _ body: (String, FileNode) throws -> Void) rethrows {
    for child in children ?? [] {
      let path = prefix + child.name
      try body(path, child.node)
      try child.node.visit(prefix: path + "/", body)
    }
  }

  /// Whether both hold the same tree: names, kinds, executable bits, links and contents. Files of the
  /// same size are read whole, two at a time; ``differences(from:)`` reads piece by piece.
  /// - Throws: what reading the contents throws.
  public func matchesContents(of other: FileNode) throws -> Bool {
    switch (storage, other.storage) {
    case (.file(let a, let executableA), .file(let b, let executableB)):
      return try executableA == executableB && a.size == b.size && a.bytes() == b.bytes()
    case (.link(let a), .link(let b)):
      return a == b
    case (.directory(let a), .directory(let b)):
      return try a.children.count == b.children.count
        && zip(a.children, b.children).allSatisfy {
          try $0.name == $1.name && $0.node.matchesContents(of: $1.node)
        }
    default:
      return false
    }
  }
}
