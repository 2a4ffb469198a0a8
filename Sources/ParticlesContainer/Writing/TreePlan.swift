internal import ParticlesCore

/// The pages and the stream of a tree in a package of one generation.
struct TreePlan {
  private(set) var pages: [TreePage] = []
  private(set) var files: [StreamFile] = []

  private var writer = TreePageWriter()
  private var path = SuccessivePath()
  private var end = 0

  /// - Throws: ``Rule/parent`` if `root` is not a directory; faults of names and links.
  init(_ root: FileNode) throws {
    guard case .directory(let directory) = root.storage else { throw FileNode.rootFault }
    try add(directory, at: 0)
    pages = writer.finish()
  }

  /// Adds the children of a directory.
  /// - Parameter start: the offset of their names in a path.
  private mutating func add(_ directory: FileNode.Directory, at start: Int) throws {
    for child in directory.children {
      path.replace(from: start, with: child.name)
      // Every name in a directory is valid, so only a long path can break a rule.
      if path.bytes.count >= 2 * Limits.standard.depth {
        try EntryPath.check(path.bytes, limits: .standard, at: .entry(path.text))
      }
      switch child.node.storage {
      case .directory(let directory):
        writer.append(path, .directory, size: 0, offset: 0)
        try add(directory, at: path.bytes.count + 1)
      case .file(let contents, let isExecutable):
        writer.append(
          path, .file(isExecutable: isExecutable), size: contents.size, offset: end)
        guard contents.size > 0 else { continue }
        files.append(StreamFile(contents, path: path.bytes))
        end += contents.size
      case .link(let destination):
        try EntryPath.check(link: destination, from: path.text)
        writer.append(path, .symbolicLink(destination), size: 0, offset: 0)
      }
    }
  }
}

extension FileNode {
  /// Returns the same tree with contents in a stream at the offsets of a ``TreePlan``.
  /// - Parameter end: the offset of the first contents; afterwards the end of the last.
  func stored(in stream: StreamReader, from end: inout Int) -> FileNode {
    switch storage {
    case .link: return self
    case .directory(let directory):
      return FileNode(storage: .directory(directory.mapped { $0.stored(in: stream, from: &end) }))
    case .file(let contents, let isExecutable):
      defer { end += contents.size }
      let stored = FileContents(size: contents.size, origin: .init(stream: stream, offset: end))
      contents.remember(savedAs: stored)
      return FileNode(regularFileWithContents: stored, isExecutable: isExecutable)
    }
  }
}
