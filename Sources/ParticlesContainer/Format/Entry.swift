internal import ParticlesCore

extension Container {
  /// A node of the tree as the index of a flat package describes it.
  public struct Entry: Sendable, Hashable {
    /// The kind of a node.
    public enum Kind: Sendable, Hashable {
      /// A directory; its children are entries of their own.
      case directory
      /// A regular file.
      case file(isExecutable: Bool)
      /// A symbolic link to a relative path inside the package.
      case symbolicLink(String)
    }

    /// The path from the root of the package, components separated by `/`.
    public var path: String

    /// The kind of the node.
    public var kind: Kind

    /// The size of a file in bytes; 0 for all else.
    public var size: Int

    /// The offset of the contents in the stream of contents; 0 if there are none.
    package var offset: Int

    package init(path: String, kind: Kind, size: Int = 0, offset: Int = 0) {
      self.path = path
      self.kind = kind
      self.size = size
      self.offset = offset
    }

    /// Whether this is a regular file.
    public var isFile: Bool {
      if case .file = kind { true } else { false }
    }
  }
}

extension Entry.Kind {
  /// The number of the kind in the index and in the tree digest.
  package var code: UInt8 {
    switch self {
    case .directory: 0
    case .file(isExecutable: false): 1
    case .file(isExecutable: true): 2
    case .symbolicLink: 3
    }
  }
}
