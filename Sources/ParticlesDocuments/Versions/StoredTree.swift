internal import ParticlesContainer
internal import ParticlesCore

/// A tree of files in the store: a list of paths, kinds and digests, which is stored like contents.
struct StoredTree {
  /// The trees that were stored last, whose unchanged files need not be read again.
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
