internal import ParticlesCore

/// A file wrapper: a regular file, a directory of file nodes, or a symbolic link.
///
/// A node is a value: a copy is independent, and a node may be in several directories. Names belong to
/// the directory. They follow the rules of `Spec/container.md#names`; every method with a name
/// throws ``ParticlesCore/Rule/name`` if it breaks them.
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

  /// The kind of a node.
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

  /// Creates a regular file from bytes in memory.
  public init(regularFileWithContents contents: [UInt8], isExecutable: Bool = false) {
    self.init(regularFileWithContents: FileContents(contents), isExecutable: isExecutable)
  }

  /// Creates a regular file from contents that may be read later, for example those of another
  /// package.
  public init(regularFileWithContents contents: FileContents, isExecutable: Bool = false) {
    storage = .file(contents, isExecutable: isExecutable)
  }

  /// Creates a directory of `nodes` by name.
  /// - Throws: ``ParticlesCore/Rule/name``; ``ParticlesCore/Rule/twins`` if two names differ in case
  ///   only.
  public init(directoryWithFileNodes nodes: [String: FileNode] = [:]) throws {
    var directory = Directory()
    for (name, node) in nodes { try directory.insert(node, named: name) }
    storage = .directory(directory)
  }

  /// An empty directory.
  public static let emptyDirectory = FileNode(storage: .directory(Directory()))

  /// Creates a symbolic link.
  /// - Parameter destination: a path relative to the directory of the link. Writing the package throws
  ///   ``ParticlesCore/Rule/link`` if it leads out of the package.
  public init(symbolicLinkWithDestination destination: String) { storage = .link(destination) }

  /// The kind of this node.
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

  /// The contents of a regular file, read on access; nil for other kinds.
  public var contents: FileContents? {
    if case .file(let contents, _) = storage { contents } else { nil }
  }

  /// Returns the bytes of a regular file; nil for other kinds.
  /// - Throws: the errors of ``FileContents/bytes(in:)``.
  public func regularFileContents() throws -> [UInt8]? { try contents?.bytes() }

  /// Whether this is an executable regular file. Setting it changes regular files only.
  public var isExecutable: Bool {
    get { if case .file(_, let isExecutable) = storage { isExecutable } else { false } }
    set {
      if case .file(let contents, _) = storage {
        storage = .file(contents, isExecutable: newValue)
      }
    }
  }

  /// The children of a directory in the order of their names' bytes; nil for other kinds.
  public var children: [Child]? {
    if case .directory(let directory) = storage { directory.children } else { nil }
  }

  /// The size of all files in this node in bytes.
  package var size: Int { contentBytes }

  var contentBytes: Int {
    contents?.size ?? children?.reduce(0) { $0 + $1.node.contentBytes } ?? 0
  }

  /// The target of a symbolic link; nil for other kinds.
  public var symbolicLinkDestination: String? {
    if case .link(let destination) = storage { destination } else { nil }
  }
}

// MARK: - Looking

extension FileNode {
  /// The node at a path of names separated by `/`; nil if there is none. Links are not followed, and
  /// case matters. The empty path is this node. The path may be in any Unicode normalisation form.
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

  /// Calls `body` with each node below this one and its path, in canonical order: directories before
  /// their children, siblings by the bytes of their names. An error of `body` ends the iteration.
  public func forEachDescendant(_ body: (_ path: String, FileNode) throws -> Void) rethrows {
    try forEachDescendant { try body($1(), $2) }
  }

  /// Calls `body` with each node below this one, in canonical order, without the cost of paths that are not
  /// used.
  package func forEachDescendant(
    _ body: (_ name: String, _ path: () -> String, FileNode) throws -> Void
  ) rethrows {
    try visit(prefix: "", body)
  }

  private func visit(
    prefix: String, _ body: (String, () -> String, FileNode) throws -> Void
  ) rethrows {
    for child in children ?? [] {
      try body(child.name, { prefix + child.name }, child.node)
      if child.node.isDirectory {
        try child.node.visit(prefix: prefix + child.name + "/", body)
      }
    }
  }

  /// Whether both are the same tree: names, kinds, executable bits, links and contents. Files of equal
  /// size in different places are read piece by piece.
  /// - Throws: errors of reading the contents.
  public func matchesContents(of other: FileNode) throws -> Bool {
    switch (storage, other.storage) {
    case (.file(let a, let executableA), .file(let b, let executableB)):
      return try executableA == executableB && a.hasSameBytes(as: b)
    case (.link(let a), .link(let b)):
      return a == b
    case (.directory(let a), .directory(let b)):
      return try a.children.sharesMemory(with: b.children)
        || a.children.count == b.children.count
          && zip(a.children, b.children).allSatisfy {
            try $0.name == $1.name && $0.node.matchesContents(of: $1.node)
          }
    default:
      return false
    }
  }
}

extension FileNode: Equatable {
  /// Whether both are the same tree: names, kinds, executable bits, links and contents. Parts that both
  /// share are not read; contents that cannot be read are equal to themselves only. Use
  /// ``matchesContents(of:)`` to get the error instead.
  public static func == (a: FileNode, b: FileNode) -> Bool {
    switch (a.storage, b.storage) {
    case (.file(let a, let executableA), .file(let b, let executableB)):
      executableA == executableB && a == b
    case (.link(let a), .link(let b)): a == b
    case (.directory(let a), .directory(let b)):
      a.children.sharesMemory(with: b.children)
        || a.children.count == b.children.count
          && zip(a.children, b.children).allSatisfy { $0.name == $1.name && $0.node == $1.node }
    default: false
    }
  }
}
