internal import ParticlesCore

/// What is left of the index of a damaged package.
struct Remains {
  /// What stands on intact pages of the tree, in their order.
  private(set) var entries: [Entry] = []
  /// One for each damaged page.
  private(set) var lostPages: [Diagnostic] = []
  /// The blocks that are known of, intact or not, in the order of the stream.
  private(set) var blocks: [Block] = []

  private let limits: Limits
  private var pathBytes = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Takes what is left of a generation whose root is intact.
  mutating func take(_ reader: ContainerReader) throws {
    for (index, page) in reader.root.pages.enumerated() {
      try take(pageAt: page.frame.position, "\(page.entries) entries") { try reader.page(index) }
    }
    if let blocks = try Recovery.attempt({ try reader.blocks() }) {
      self.blocks = blocks
    } else {
      // Without the tables, the blocks themselves say what they hold.
      var walk = FrameWalk(reader.source)
      try walk.runAsFarAsPossible()
      blocks = walk.blocks
    }
  }

  /// Takes what is left of the first generation, as far as frames follow each other.
  mutating func walk(_ source: ByteSource) throws {
    var walk = FrameWalk(source)
    try walk.runAsFarAsPossible()
    let inflate = Inflate()
    for frame in walk.frames.prefix(while: { $0.kind == .tree }) {
      let position = frame.reference.position
      try take(pageAt: position, "entries") { [limits] in
        let page = try Frame(source, frame.reference, .tree, place: position).unpacked(inflate)
        return try TreePage.decode(page, at: position, limits: limits)
      }
    }
    blocks = walk.blocks
  }

  private mutating func take(
    pageAt position: Int, _ what: String, _ read: () throws -> [Entry]
  ) throws {
    guard let page = try Recovery.attempt(read) else {
      return lostPages.append(
        Diagnostic(.unrecovered, at: .offset(position), "\(what) on a page of the tree"))
    }
    entries += page
    try limits.check(entries.count, \.entries, "entries")
    pathBytes += page.reduce(0) { $0 + $1.path.utf8.count }
    try limits.check(pathBytes, \.indexBytes, "bytes of all paths")
  }
}

/// A tree of what was recovered, which can be written: in order, each entry in a directory, and
/// without twins.
struct RescuedTree {
  private var builder = TreeBuilder()
  private var directories: Set<Substring> = [""]
  private var names: Set<String> = []
  private var last = ""
  private let makesDirectories: Bool

  /// - Parameter makesDirectories: whether directories that are missing are made, because their
  ///   entries may have stood where nothing can be read any more.
  init(makesDirectories: Bool) { self.makesDirectories = makesDirectories }

  /// Adds an entry if it can stand behind those that were added.
  /// - Returns: whether it can.
  mutating func take(_ entry: Entry, _ contents: FileContents) -> Bool {
    guard last.isEmpty || EntryPath.precedes(last.utf8, entry.path.utf8),
      isThere(EntryPath.parent(of: entry.path)),
      names.insert(UnicodeForms.folded(entry.path)).inserted
    else { return false }
    add(entry, contents)
    return true
  }

  /// The root, once everything has been added.
  mutating func finish() -> FileNode { builder.finish() }

  /// Whether there is a directory. One that is missing is made if nothing else bears its name.
  private mutating func isThere(_ directory: Substring) -> Bool {
    if directories.contains(directory) { return true }
    let path = String(directory)
    guard makesDirectories, isThere(EntryPath.parent(of: path)),
      names.insert(UnicodeForms.folded(path)).inserted
    else { return false }
    add(Entry(path: path, kind: .directory), FileContents([]))
    return true
  }

  private mutating func add(_ entry: Entry, _ contents: FileContents) {
    if entry.kind == .directory { directories.insert(entry.path[...]) }
    builder.append(entry, contents: contents)
    last = entry.path
  }
}
