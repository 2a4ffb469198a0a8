internal import ParticlesCore

extension FileNode {
  /// How to derive a unique name if the preferred one is taken.
  public enum UniqueNameStyle: Sendable {
    /// `Name 2.ext`, `Name 3.ext`, …
    case readable
    /// `1__#$!@%!#__Name.ext`, `2__#$!@%!#__Name.ext`, …: what Apple's file wrappers write.
    case appleCompatible

    private static let appleMark = "__#$!@%!#__"

    /// The end, after a number, of the names that Apple's file wrappers derive from a name that is taken.
    static func appleEnd(of name: String) -> String { "\(appleMark)\(name)" }

    /// Returns the name that Apple's file wrappers derived this one from; nil if it is not such a name.
    public static func nameBehindApple(_ name: String) -> String? {
      let digits = name.prefix { $0.isASCII && $0.isNumber }
      let rest = name[digits.endIndex...]
      guard !digits.isEmpty, rest.hasPrefix(appleMark), rest.count > appleMark.count else {
        return nil
      }
      return String(rest.dropFirst(appleMark.count))
    }
  }
}

extension FileNode {
  /// Adds a node to this directory under its preferred name, or a name derived from it if it is taken,
  /// and returns the name. Names that differ in case only count as the same.
  /// - Throws: ``ParticlesCore/Rule/name``; ``ParticlesCore/Rule/parent`` if this is not a directory.
  @discardableResult
  public mutating func addFileNode(
    _ node: FileNode, preferredFilename: String, uniquing style: UniqueNameStyle = .readable
  ) throws -> String {
    let name = uniqueName(for: UnicodeForms.composed(preferredFilename), style)
    try insert(node, named: name)
    return name
  }

  /// Adds a regular file and returns its name; see ``addFileNode(_:preferredFilename:uniquing:)``.
  @discardableResult
  public mutating func addRegularFile(
    withContents contents: [UInt8], preferredFilename: String,
    uniquing style: UniqueNameStyle = .readable
  ) throws -> String {
    try addFileNode(
      FileNode(regularFileWithContents: contents), preferredFilename: preferredFilename,
      uniquing: style)
  }

  /// Removes the child of this name and returns it; nil if there is none, or if this is not a
  /// directory. For paths use ``removeFileNode(at:)``.
  @discardableResult
  public mutating func removeFileNode(named name: String) -> FileNode? {
    guard case .directory(var directory) = storage else { return nil }
    // Releases the other reference; otherwise the change copies all children.
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    return directory.remove(UnicodeForms.composed(name))
  }

  /// Removes the node at a path of names separated by `/` and returns it; nil if there is none. Its
  /// directory stays, even if it is empty now. The empty path removes nothing.
  @discardableResult
  public mutating func removeFileNode(at path: String) -> FileNode? {
    remove(UnicodeForms.composed(path).split(separator: "/")[...])
  }

  private mutating func remove(_ path: ArraySlice<Substring>) -> FileNode? {
    guard let name = path.first.map(String.init) else { return nil }
    guard path.count > 1 else { return removeFileNode(named: name) }
    // Replaced for the time of the change; otherwise the change copies all children.
    guard var child = replaceChild(name, with: .emptyDirectory) else { return nil }
    defer { replaceChild(name, with: child) }
    return child.remove(path.dropFirst())
  }

  /// Replaces the child of this name by `node`.
  /// - Throws: ``ParticlesCore/Rule/noEntry`` if there is no such child.
  public mutating func replaceFileNode(named name: String, with node: FileNode) throws {
    let name = UnicodeForms.composed(name)
    guard replaceChild(name, with: node) != nil else {
      throw Diagnostic(.noEntry, at: .entry(name))
    }
  }

  /// - Returns: the old child; nil if there is none, and then nothing changed.
  @discardableResult
  private mutating func replaceChild(_ name: String, with node: FileNode) -> FileNode? {
    guard case .directory(var directory) = storage else { return nil }
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    return directory.replace(name, with: node)
  }

  /// Renames the child `name` to a preferred name, or one derived from it if another child has it, and
  /// returns the new name.
  /// - Throws: ``ParticlesCore/Rule/noEntry`` if there is no such child; ``ParticlesCore/Rule/name``.
  ///   Then nothing has changed.
  @discardableResult
  public mutating func renameFileNode(
    named name: String, preferredFilename: String, uniquing style: UniqueNameStyle = .readable
  ) throws -> String {
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
  public mutating func setFileNode(_ node: FileNode, at path: String) throws {
    try set(node, path: UnicodeForms.composed(path).split(separator: "/")[...], whole: path)
  }

  private mutating func set(
    _ node: FileNode, path: ArraySlice<Substring>, whole: String
  ) throws {
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
  /// - Throws: ``ParticlesCore/Rule/noEntry`` if there is no node; ``ParticlesCore/Rule/parent`` if the new path is
  ///   below the node or a file; ``ParticlesCore/Rule/fileExists`` if there is a node at the new path;
  ///   ``ParticlesCore/Rule/name``; ``ParticlesCore/Rule/twins``. Then nothing has changed.
  public mutating func moveFileNode(at path: String, to newPath: String) throws {
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
  private mutating func insert(_ node: FileNode, named name: String) throws {
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
