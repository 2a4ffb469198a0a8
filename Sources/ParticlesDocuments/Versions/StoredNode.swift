internal import ParticlesContainer
internal import ParticlesCore

/// A node of a tree in the store: its kind, and the digest of its contents.
struct StoredNode: Sendable, Hashable {
  private(set) var kind: FileNode.Kind
  /// The digest of the contents of a file.
  private(set) var digest: String?
  private(set) var size = 0
  private(set) var isExecutable = false
  private var target: String?

  var isDirectory: Bool { kind == .directory }

  /// Stores a node. The entries of a directory are not stored.
  /// - Parameter known: the digest, if the contents are stored already.
  init(_ node: FileNode, in batch: ContentBatch, known: String? = nil) throws {
    kind = node.kind
    isExecutable = node.isExecutable
    target = node.symbolicLinkDestination
    guard let contents = node.contents else { return }
    size = contents.size
    digest = try known ?? batch.add(contents)
  }

  /// Returns the node, whose contents are read on access.
  func node(in store: ContentStore, _ limits: Limits) throws -> FileNode {
    switch kind {
    case .directory: return .emptyDirectory
    case .link: return FileNode(symbolicLinkWithDestination: target ?? "")
    case .file:
      guard let digest else { throw Diagnostic(.fileVersion) }
      try limits.check(size, \.entryBytes, "bytes of an entry")
      let contents = try contents(digest, in: store, limits)
      return FileNode(regularFileWithContents: contents, isExecutable: isExecutable)
    }
  }

  /// Missing and damaged contents throw on access: they harm only the files that have them.
  private func contents(
    _ digest: String, in store: ContentStore, _ limits: Limits
  ) throws -> FileContents {
    if size == 0 { return FileContents([]) }
    do {
      let contents = try store.contents(digest, limits: limits)
      if contents.size == size { return contents }
      throw Diagnostic(.fileVersion)
    } catch let fault as Diagnostic where fault.rule == .fileVersion {
      return FileContents(size: size) { _, _ in throw fault }
    }
  }

  /// The members of its JSON object.
  var members: JSONObject {
    var object: JSONObject = ["kind": .string(kind.rawValue)]
    object["sha256"] = digest.map(JSONValue.string)
    if kind == .file { object["size"] = .int(size) }
    if isExecutable { object["executable"] = .bool(true) }
    object["target"] = target.map(JSONValue.string)
    return object
  }

  /// Nil if a member is missing.
  init?(_ object: JSONObject) {
    guard let kind = object["kind"]?.string.flatMap(FileNode.Kind.init) else { return nil }
    self.kind = kind
    digest = object["sha256"]?.string
    target = object["target"]?.string
    size = object["size"]?.int ?? 0
    isExecutable = object["executable"]?.bool ?? false
    guard size >= 0, kind != .file || digest != nil, kind != .link || target != nil else {
      return nil
    }
  }
}

extension StoredNode {
  /// Whether a node has this kind and these contents; the entries of directories are not compared.
  func matches(_ node: FileNode?) throws -> Bool {
    guard let node, kind == node.kind, size == node.contents?.size ?? 0 else { return false }
    if let target { return target == node.symbolicLinkDestination }
    guard let digest, let contents = node.contents else { return true }
    return try contents.sha256() == digest
  }
}

extension StoredNode? {
  /// The same; nil matches where there is no node.
  func matches(_ node: FileNode?) throws -> Bool {
    try map { try $0.matches(node) } ?? (node == nil)
  }
}
