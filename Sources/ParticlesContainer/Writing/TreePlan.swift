internal import ParticlesCore

/// A tree as it will stand in a package of one generation: its pages, and the contents of its files
/// one behind the other.
struct TreePlan {
  private(set) var pages: [TreePage] = []
  private(set) var files: [StreamFile] = []

  private var writer = TreePageWriter()
  private var path = SuccessivePath()
  private var end = 0

  /// - Throws: ``Rule/parent`` if `root` is no directory; faults of names and links.
  init(_ root: FileNode) throws {
    guard case .directory(let directory) = root.storage else { throw FileNode.rootFault }
    try add(directory, at: 0)
    pages = writer.finish()
  }

  /// Adds what is in a directory.
  /// - Parameter start: where names in it begin in a path.
  private mutating func add(_ directory: FileNode.Directory, at start: Int) throws {
    for child in directory.children {
      path.replace(from: start, with: child.name)
      // What stands before was checked when the directory was added.
      try locating(.entry(path.text)) {
        try path.bytes.withUnsafeBufferPointer {
          _ = try EntryPath.check($0, from: start, nameStart: start, limits: .standard)
        }
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
  /// The same tree with contents that stand in a stream where a ``TreePlan`` puts them.
  /// - Parameter end: where the first of them begin; then where the last end.
  func standing(in stream: StreamReader, from end: inout Int) -> FileNode {
    switch storage {
    case .link: return self
    case .directory(let directory):
      return FileNode(storage: .directory(directory.mapped { $0.standing(in: stream, from: &end) }))
    case .file(let contents, let isExecutable):
      defer { end += contents.size }
      return FileNode(
        regularFileWithContents: FileContents(
          size: contents.size, origin: .init(stream: stream, offset: end)),
        isExecutable: isExecutable)
    }
  }
}
