internal import ParticlesContainer
internal import ParticlesCore

/// A tree of files in the store: a list of paths, kinds and digests, stored like contents.
struct StoredTree {
  /// The last stored tree. Its unchanged files need not be read again.
  struct Memory: Sendable {
    var tree: FileNode
    var listing: String
    var digests: [String: String]
    var size: Int
  }

  private let batch: ContentBatch
  private var digests: [String: String] = [:]
  private var lines: [JSONValue] = []
  private var size = 0

  /// Stores a tree, and returns the digest of its list.
  static func add(_ tree: FileNode, to batch: ContentBatch, knowing known: Memory?) throws -> Memory
  {
    let memory = batch.isRepeated ? nil : known
    var stored = StoredTree(batch: batch)
    if tree.isDirectory {
      try tree.forEachDescendant { path, node in
        try stored.add(node, at: path, known: memory?.tree[path], memory?.digests[path])
      }
    } else {
      try stored.add(tree, at: "", known: memory?.tree, memory?.digests[""])
    }
    let text = stored.lines.map(\.denseText).joined(separator: "\n")
    let list = FileContents(Array("\(Self.header)\n\(text)\n".utf8))
    let listing = try batch.add(list, isList: true)
    return Memory(tree: tree, listing: listing, digests: stored.digests, size: stored.size)
  }

  private init(batch: ContentBatch) { self.batch = batch }

  private mutating func add(
    _ node: FileNode, at path: String, known: FileNode?, _ digest: String?
  ) throws {
    var isKnown = false
    if let digest, let contents = node.contents, let old = known?.contents {
      isKnown = try contents.isSame(as: old) && batch.use(digest)
    }
    let stored = try StoredNode(node, in: batch, known: isKnown ? digest : nil)
    digests[path] = stored.digest
    size += stored.size
    var line: JSONObject = ["path": .string(path)]
    for member in stored.members.members { line[member.key] = member.value }
    lines.append(.object(line))
  }

  private static let header = "particles version 1"

  private static var damaged: Diagnostic {
    Diagnostic(.fileVersion, "its list of files is damaged")
  }

  /// The lines of a list of files.
  private static func lines(of list: [UInt8], _ limits: Limits) throws -> [JSONObject] {
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n")
    guard lines.first?.elementsEqual(header) == true else { throw damaged }
    try limits.check(lines.count, \.entries, "entries")
    return try lines.dropFirst().map { line in
      guard let object = try JSONParser.parse(Array(line.utf8), limits: limits).object else {
        throw damaged
      }
      return object
    }
  }

  /// The digests of the contents that a stored tree needs.
  static func contents(of list: [UInt8], _ listing: String) throws -> [String] {
    try [listing] + lines(of: list, .none).compactMap { $0["sha256"]?.string }
  }

  /// Whether a tree has the files of a stored one.
  static func matches(
    _ tree: FileNode, _ listing: String, in contents: ContentStore, limits: Limits
  ) throws -> Bool {
    var count = tree.isDirectory ? 0 : 1
    if tree.isDirectory { tree.forEachDescendant { _, _ in count += 1 } }
    let lines = try lines(of: contents.bytes(ofList: listing), limits)
    guard lines.count == count else { return false }
    return try lines.allSatisfy { line in
      guard let path = line["path"]?.string, let stored = StoredNode(line) else { return false }
      let node = path.isEmpty ? tree : tree[path]
      return try node?.isExecutable == stored.isExecutable && stored.matches(node)
    }
  }

  /// Returns a stored tree. Its contents are read on access.
  static func tree(
    _ listing: String, in contents: ContentStore, limits: Limits
  ) throws -> FileNode {
    var root = FileNode.emptyDirectory
    for line in try lines(of: contents.bytes(ofList: listing), limits) {
      guard let path = line["path"]?.string, let stored = StoredNode(line) else { throw damaged }
      let node = try stored.node(in: contents, limits)
      if path.isEmpty { return node }
      try root.setFileNode(node, at: path)
    }
    return root
  }
}

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
  /// Whether a node has this kind and these contents. Ignores the entries of directories.
  func matches(_ node: FileNode?) throws -> Bool {
    guard let node, kind == node.kind, size == node.contents?.size ?? 0 else { return false }
    if let target { return target == node.symbolicLinkDestination }
    guard let digest, let contents = node.contents else { return true }
    return try contents.sha256() == digest
  }
}

extension StoredNode? {
  /// Whether a node has this kind and these contents. Nil matches a missing node.
  func matches(_ node: FileNode?) throws -> Bool {
    try map { try $0.matches(node) } ?? (node == nil)
  }
}
