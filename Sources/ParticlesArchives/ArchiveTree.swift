internal import ParticlesContainer
internal import ParticlesCore

/// Builds a tree from the entries of an archive, which come in any order. Missing parent directories
/// are added.
struct ArchiveTree {
  private struct Node {
    var kind: Entry.Kind
    var contents: FileContents
  }

  /// The file that makes a folder a package (`Spec/document.md#package`).
  private static let document = "document.json"

  private let limits: Limits
  private let size: Int
  private var nodes: [String: Node] = [:]
  private var bytes = 0
  private var nameBytes = 0

  /// Notes on entries that were left out, and on a folder that was unwrapped. Complete after ``finish()``.
  private(set) var notes: [Diagnostic] = []

  /// - Parameter size: the size of the archive, which bounds the size of the tree.
  init(size: Int, limits: Limits) {
    self.size = size
    self.limits = limits
  }

  /// Decodes and validates the name of an entry. The result is empty for the archived folder itself. Unlike names of
  /// packages, names may begin with `./`, end in one slash, and be in another form than Unicode normalization form C.
  /// They are normalised.
  func path(_ name: some Collection<UInt8>, at location: Location) throws(Failure) -> String {
    var name = Array(name)
    if name.elementsEqual(".".utf8) || name.elementsEqual("./".utf8) { return "" }
    if name.starts(with: "./".utf8) { name.removeFirst(2) }
    if name.count > 1, name.last == UInt8(ascii: "/") { name.removeLast() }
    if name.count <= EntryPath.pathLimit, let text = String(validating: name, as: UTF8.self) {
      name = Array(UnicodeForms.composed(text).utf8)
    }
    return try EntryPath.validated(name, limits: limits, at: location)
  }

  mutating func add(
    _ path: String, _ kind: Entry.Kind, _ contents: FileContents = FileContents([])
  ) throws(Failure) {
    // The archived folder itself is not an entry of the tree.
    if path.isEmpty, kind == .directory { return }
    guard !path.isEmpty else { throw Diagnostic(.name, at: .entry("."), expected: "a directory") }
    guard nodes[path] == nil else { throw Diagnostic(.duplicate, at: .entry(path)) }
    if case .symbolicLink(let destination) = kind {
      try EntryPath.check(link: destination, from: path)
    }
    try limits.check(contents.size, { $0.entryBytes }, "bytes of an entry", at: .entry(path))
    let (sum, isTooMuch) = bytes.addingReportingOverflow(contents.size)
    bytes = isTooMuch ? .max : sum
    try limits.check(bytes, { $0.totalBytes }, "bytes of all entries", at: .entry(path))
    try insert(path, Node(kind: kind, contents: contents))
    try limits.checkAmplification(
      bytes: bytes, entries: nodes.count, from: size, of: "an archive", at: .entry(path))
  }

  /// Returns the contents and kind of a file that was added before.
  func file(at path: String) -> (contents: FileContents, kind: Entry.Kind)? {
    guard let node = nodes[path], case .file = node.kind else { return nil }
    return (node.contents, node.kind)
  }

  /// Returns the tree, after all entries were added.
  mutating func finish() throws(Failure) -> FileNode {
    removeMetadata()
    for path in Array(nodes.keys) { try addParents(of: path) }
    var builder = TreeBuilder()
    let entries = nodes.sorted { EntryPath.precedes($0.key.utf8, $1.key.utf8) }
    var folded: [String: String] = [:]
    for (path, node) in entries {
      // Parents come first, so the first two equal paths are in one directory.
      if let twin = folded.updateValue(path, forKey: UnicodeForms.folded(path)) {
        throw Diagnostic(
          .twins, at: .entry(path), found: "'\(EntryPath.name(of: twin))' beside it")
      }
      let entry = Entry(path: path, kind: node.kind, size: node.contents.size)
      builder.append(entry, contents: node.contents)
    }
    return unwrapped(builder.finish())
  }

  /// Removes metadata that archivers of operating systems add, with everything below it.
  private mutating func removeMetadata() {
    let paths = nodes.keys.filter { path in
      path.split(separator: "/").contains { SystemFiles.isMetadata($0) }
    }
    for path in paths { nodes[path] = nil }
    let sorted = paths.sorted { EntryPath.precedes($0.utf8, $1.utf8) }
    if let note = SystemFiles.note(sorted) { notes.append(note) }
  }

  /// Returns the only folder of the archive if the document is in it, otherwise the whole tree.
  private mutating func unwrapped(_ root: FileNode) -> FileNode {
    guard let only = root.children?.first, root.children?.count == 1,
      only.node[Self.document] != nil
    else { return root }
    notes.append(Diagnostic(.wrapper, at: .entry(only.name), "'\(only.name)'"))
    return only.node
  }

  /// Adds the missing parents of a path. Paths below symbolic links are rejected, so that nothing is
  /// written outside of the tree.
  private mutating func addParents(of path: String) throws(Failure) {
    var parent = String(EntryPath.parent(of: path))
    while !parent.isEmpty {
      if let node = nodes[parent] {
        guard node.kind == .directory else {
          throw Diagnostic(
            .parent, at: .entry(path), expected: "a directory '\(parent)'",
            found: node.kind.isLink ? "a symbolic link" : "a file")
        }
        return
      }
      try insert(parent, Node(kind: .directory, contents: FileContents([])))
      parent = String(EntryPath.parent(of: parent))
    }
  }

  private mutating func insert(_ path: String, _ node: Node) throws(Failure) {
    nameBytes += path.utf8.count
    try limits.check(nodes.count + 1, { $0.entries }, "entries", at: .entry(path))
    try limits.check(nameBytes, { $0.indexBytes }, "bytes of all paths", at: .entry(path))
    nodes[path] = node
  }
}

extension Entry.Kind {
  fileprivate var isLink: Bool {
    if case .symbolicLink = self { true } else { false }
  }
}

extension FileNode {
  /// The Unix mode of this node in an archive: the bits of its kind, and the permissions of a new file
  /// with the usual umask 022.
  var unixMode: UInt32 {
    if isDirectory { return 0o040755 }
    if isSymbolicLink { return 0o120777 }
    return isExecutable ? 0o100755 : 0o100644
  }
}
