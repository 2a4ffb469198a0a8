public import ParticlesCore

/// A file wrapper: a regular file, a directory of file nodes, or a symbolic link.
///
/// A node is a value: a copy is independent, and a node may be in several directories. Names belong to the directory.
/// They follow the rules of `Spec/container.md#names`. Every method with a name throws ``ParticlesCore/Rule/name`` for
/// a name that breaks a rule.
public struct FileNode: Sendable {
  package enum Storage: Sendable {
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

    package init(name: String, node: FileNode) { (self.name, self.node) = (name, node) }
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

  package var storage: Storage

  package init(storage: Storage) { self.storage = storage }

  /// Creates a regular file from bytes in memory.
  public init(regularFileWithContents contents: [UInt8], isExecutable: Bool = false) {
    self.init(regularFileWithContents: FileContents(contents), isExecutable: isExecutable)
  }

  /// Creates a regular file from contents that may be read later, for example from another package.
  public init(regularFileWithContents contents: FileContents, isExecutable: Bool = false) {
    storage = .file(contents, isExecutable: isExecutable)
  }

  /// Creates a directory of `nodes` by name.
  /// - Throws: ``ParticlesCore/Rule/name``, or ``ParticlesCore/Rule/twins`` if two names differ in case only.
  public init(directoryWithFileNodes nodes: [String: FileNode] = [:]) throws(Failure) {
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

  /// The contents of a regular file, read on access, or nil for other kinds.
  public var contents: FileContents? {
    if case .file(let contents, _) = storage { contents } else { nil }
  }

  /// Returns the bytes of a regular file, or nil for other kinds.
  /// - Throws: the errors of ``FileContents/bytes(in:)``.
  public func regularFileContents() throws(Failure) -> [UInt8]? {
    try contents?.bytes()
  }

  /// Whether this is an executable regular file. Setting it changes regular files only.
  public var isExecutable: Bool {
    get { if case .file(_, let isExecutable) = storage { isExecutable } else { false } }
    set {
      if case .file(let contents, _) = storage {
        storage = .file(contents, isExecutable: newValue)
      }
    }
  }

  /// The children of a directory in the order of their names' bytes, or nil for other kinds.
  public var children: [Child]? {
    if case .directory(let directory) = storage { directory.children } else { nil }
  }

  /// The size of all files in this node in bytes.
  package var size: Int { contentBytes }

  package var contentBytes: Int {
    contents?.size ?? children?.reduce(0) { $0 + $1.node.contentBytes } ?? 0
  }

  /// The target of a symbolic link, or nil for other kinds.
  public var symbolicLinkDestination: String? {
    if case .link(let destination) = storage { destination } else { nil }
  }
}

extension FileNode {
  /// The node at a path of names separated by `/`, or nil if there is none. Links are not followed, and case matters.
  /// The empty path is this node. The path may be in any Unicode normalisation form.
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
  public func forEachDescendant<E: Error>(
    _ body: (_ path: String, FileNode) throws(E) -> Void
  ) throws(E) {
    try forEachDescendant { _, path, node throws(E) in try body(path(), node) }
  }

  /// Calls `body` with each node below this one, in canonical order, without the cost of paths that are not
  /// used.
  package func forEachDescendant<E: Error>(
    _ body: (_ name: String, _ path: () -> String, FileNode) throws(E) -> Void
  ) throws(E) {
    try visit(prefix: "", body)
  }

  private func visit<E: Error>(
    prefix: String, _ body: (String, () -> String, FileNode) throws(E) -> Void
  ) throws(E) {
    for child in children ?? [] {
      try body(child.name, { prefix + child.name }, child.node)
      if child.node.isDirectory {
        try child.node.visit(prefix: prefix + child.name + "/", body)
      }
    }
  }

  /// Whether the trees are equal: names, kinds, executable bits, links and contents. Files of equal size in different
  /// places are read piece by piece.
  /// - Throws: errors of reading the contents.
  public func matchesContents(of other: FileNode) throws(Failure) -> Bool {
    switch (storage, other.storage) {
    case (.file(let a, let executableA), .file(let b, let executableB)):
      guard executableA == executableB else { return false }
      return try a.hasSameBytes(as: b)
    case (.link(let a), .link(let b)):
      return a == b
    case (.directory(let a), .directory(let b)):
      if a.children.sharesMemory(with: b.children) { return true }
      guard a.children.count == b.children.count else { return false }
      for (a, b) in zip(a.children, b.children) {
        guard a.name == b.name, try a.node.matchesContents(of: b.node) else { return false }
      }
      return true
    default:
      return false
    }
  }
}

extension FileNode: Equatable {
  /// Whether the trees are equal: names, kinds, executable bits, links and contents. Shared parts are not read.
  /// Contents that cannot be read are equal to themselves only. Use ``matchesContents(of:)`` to get the error instead.
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

extension FileNode {
  /// The fault of a root that is not a directory.
  package static var rootFault: Diagnostic {
    Diagnostic(.parent, "the root of a package must be a directory")
  }

  /// How to derive a unique name if the preferred one is taken.
  public enum UniqueNameStyle: Sendable {
    /// `Name 2.ext`, `Name 3.ext`, …
    case readable
    /// `1__#$!@%!#__Name.ext`, `2__#$!@%!#__Name.ext`, …: what Apple's file wrappers write.
    case appleCompatible

    private static let appleMark = "__#$!@%!#__"

    /// The end, after a number, of the names that Apple's file wrappers derive from a name that is taken.
    static func appleEnd(of name: String) -> String { "\(appleMark)\(name)" }

    /// Returns the name that Apple's file wrappers derived this one from, or nil if it is not such a name.
    public static func nameBehindApple(_ name: String) -> String? {
      let digits = name.prefix { $0.isASCII && $0.isNumber }
      let rest = name[digits.endIndex...]
      guard !digits.isEmpty, rest.hasPrefix(appleMark), rest.count > appleMark.count else {
        return nil
      }
      return String(rest.dropFirst(appleMark.count))
    }
  }

  /// Adds a node to this directory under its preferred name, or under a derived name if that is taken, and returns the
  /// name. Names that differ in case only count as equal.
  /// - Throws: ``ParticlesCore/Rule/name``, or ``ParticlesCore/Rule/parent`` if this is not a directory.
  @discardableResult
  public mutating func addFileNode(
    _ node: FileNode, preferredFilename: String, uniquing style: UniqueNameStyle = .readable
  ) throws(Failure) -> String {
    let name = uniqueName(for: UnicodeForms.composed(preferredFilename), style)
    try insert(node, named: name)
    return name
  }

  /// Adds a regular file and returns its name. See ``addFileNode(_:preferredFilename:uniquing:)``.
  @discardableResult
  public mutating func addRegularFile(
    withContents contents: [UInt8], preferredFilename: String,
    uniquing style: UniqueNameStyle = .readable
  ) throws(Failure) -> String {
    try addFileNode(
      FileNode(regularFileWithContents: contents), preferredFilename: preferredFilename,
      uniquing: style)
  }

  /// Removes the child of this name and returns it, or nil if there is none, or if this is not a directory. For paths
  /// use ``removeFileNode(at:)``.
  @discardableResult
  public mutating func removeFileNode(named name: String) -> FileNode? {
    guard case .directory(var directory) = storage else { return nil }
    // Releases the second reference. Otherwise the change copies all children.
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    return directory.remove(UnicodeForms.composed(name))
  }

  /// Removes the node at a path of names separated by `/` and returns it, or nil if there is none. Its directory stays,
  /// even if it is empty now. The empty path removes nothing.
  @discardableResult
  public mutating func removeFileNode(at path: String) -> FileNode? {
    remove(UnicodeForms.composed(path).split(separator: "/")[...])
  }

  private mutating func remove(_ path: ArraySlice<Substring>) -> FileNode? {
    guard let name = path.first.map(String.init) else { return nil }
    guard path.count > 1 else { return removeFileNode(named: name) }
    // Replaced during the change. Otherwise the change copies all children.
    guard var child = replaceChild(name, with: .emptyDirectory) else { return nil }
    defer { replaceChild(name, with: child) }
    return child.remove(path.dropFirst())
  }

  /// Replaces the child of this name by `node`.
  /// - Throws: ``ParticlesCore/Rule/noEntry`` if there is no such child.
  public mutating func replaceFileNode(named name: String, with node: FileNode) throws(Failure) {
    let name = UnicodeForms.composed(name)
    guard replaceChild(name, with: node) != nil else {
      throw Diagnostic(.noEntry, at: .entry(name))
    }
  }

  /// - Returns: the old child, or nil if there is none, and then nothing changed.
  @discardableResult
  private mutating func replaceChild(_ name: String, with node: FileNode) -> FileNode? {
    guard case .directory(var directory) = storage else { return nil }
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    return directory.replace(name, with: node)
  }

  /// Renames the child `name` to a preferred name, or one derived from it if another child has it, and
  /// returns the new name.
  /// - Throws: ``ParticlesCore/Rule/noEntry`` if there is no such child, or ``ParticlesCore/Rule/name``. Nothing has
  ///   changed then.
  @discardableResult
  public mutating func renameFileNode(
    named name: String, preferredFilename: String, uniquing style: UniqueNameStyle = .readable
  ) throws(Failure) -> String {
    var copy = self
    guard let node = copy.removeFileNode(named: name) else {
      throw Diagnostic(.noEntry, at: .entry(name))
    }
    let new = try copy.addFileNode(node, preferredFilename: preferredFilename, uniquing: style)
    self = copy
    return new
  }

  /// Sets the node at a path: replaces an existing node and creates missing directories.
  /// - Throws: ``ParticlesCore/Rule/name``, ``ParticlesCore/Rule/twins``, or
  ///   ``ParticlesCore/Rule/parent`` if a node on the path is not a directory.
  public mutating func setFileNode(_ node: FileNode, at path: String) throws(Failure) {
    try set(node, path: UnicodeForms.composed(path).split(separator: "/")[...], whole: path)
  }

  private mutating func set(
    _ node: FileNode, path: ArraySlice<Substring>, whole: String
  ) throws(Failure) {
    guard let first = path.first.map(String.init) else {
      throw Diagnostic(.name, "'\(whole)'", expected: "a path")
    }
    guard path.count > 1 else {
      if replaceChild(first, with: node) == nil { try insert(node, named: first) }
      return
    }
    // Replaced for the time of the change, as above.
    if var child = replaceChild(first, with: .emptyDirectory) {
      defer { replaceChild(first, with: child) }
      try child.set(node, path: path.dropFirst(), whole: whole)
    } else {
      var child = FileNode.emptyDirectory
      try child.set(node, path: path.dropFirst(), whole: whole)
      try insert(child, named: first)
    }
  }

  /// Moves the node at a path, with all below it, to another path, and creates missing directories there. The
  /// directory that it was in stays, even if it is empty now.
  /// - Throws: ``ParticlesCore/Rule/noEntry`` if there is no node, ``ParticlesCore/Rule/parent`` if the new path is
  ///   below the node or a file, ``ParticlesCore/Rule/fileExists`` if there is a node at the new path,
  ///   ``ParticlesCore/Rule/name``, or ``ParticlesCore/Rule/twins``. Nothing has changed then.
  public mutating func moveFileNode(at path: String, to newPath: String) throws(Failure) {
    let from = UnicodeForms.composed(path).split(separator: "/")
    let to = UnicodeForms.composed(newPath).split(separator: "/")
    guard !from.isEmpty, self[path] != nil else { throw Diagnostic(.noEntry, at: .entry(path)) }
    if from == to { return }
    // Otherwise a directory of its name would be created once it is removed. Case makes no difference, as in twins.
    let isBelow = to.count > from.count && zip(from, to).allSatisfy { Self.areTwins($0, $1) }
    guard !isBelow else {
      throw Diagnostic(
        .parent, at: .entry(path), "it cannot be moved into itself",
        expected: "a path that is not below '\(path)'", found: "'\(newPath)'")
    }
    guard to.isEmpty || self[newPath] == nil else {
      throw Diagnostic(.fileExists, at: .entry(newPath))
    }
    var copy = self
    guard let node = copy.remove(from[...]) else { throw Diagnostic(.noEntry, at: .entry(path)) }
    try copy.set(node, path: to[...], whole: newPath)
    self = copy
  }

  private static func areTwins(_ a: Substring, _ b: Substring) -> Bool {
    a == b || UnicodeForms.folded(String(a)) == UnicodeForms.folded(String(b))
  }

  /// Adds a child with exactly this name.
  private mutating func insert(_ node: FileNode, named name: String) throws(Failure) {
    guard case .directory(var directory) = storage else {
      throw Diagnostic(.parent, at: .entry(name), "this node is not a directory")
    }
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    try directory.insert(node, named: name)
  }

  private mutating func uniqueName(for preferred: String, _ style: UniqueNameStyle) -> String {
    guard case .directory(var directory) = storage, directory.hasTwin(of: preferred) else {
      return preferred
    }
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    switch style {
    case .readable:
      let point = preferred.lastIndex(of: ".").flatMap { $0 == preferred.startIndex ? nil : $0 }
      let end = point ?? preferred.endIndex
      return directory.uniqueName("\(preferred[..<end]) ", preferred[end...], from: 2)
    case .appleCompatible:
      return directory.uniqueName("", UniqueNameStyle.appleEnd(of: preferred)[...], from: 1)
    }
  }
}

/// Assigns unique file names in one folder. Names that differ in case only count as equal, because some file systems
/// ignore case.
package struct UniqueNames {
  private var taken: Set<String>

  /// The number to try next, by stem and endings.
  private var next: [String: Int] = [:]

  package init(taken: [String] = []) { self.taken = Set(taken.map(UnicodeForms.folded)) }

  /// Claims `stem`, or `stem-2` and so on, such that it makes a new name with each ending.
  package mutating func claim(_ stem: String, endings: [String]) -> String {
    let key = UnicodeForms.folded(stem) + endings.joined()
    var number = next[key, default: 1]
    while true {
      let unique = number == 1 ? stem : "\(stem)-\(number)"
      let names = Set(endings.map { UnicodeForms.folded(unique + $0) })
      number += 1
      guard taken.isDisjoint(with: names) else { continue }
      taken.formUnion(names)
      next[key] = number
      return unique
    }
  }
}
