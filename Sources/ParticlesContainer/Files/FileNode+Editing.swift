internal import ParticlesCore

extension FileNode {
  /// How a name is made unique where the preferred one is taken.
  public enum UniqueNameStyle: Sendable {
    /// `Name 2.ext`, `Name 3.ext`, …
    case readable
    /// `1__#$!@%!#__Name.ext`, `2__#$!@%!#__Name.ext`, …: what Apple's file wrappers write.
    case appleCompatible

    private static let appleMark = "__#$!@%!#__"

    /// The name of a node that Apple's file wrappers derive from a name that is taken.
    static func appleName(_ number: Int, _ name: String) -> String {
      "\(number)\(appleMark)\(name)"
    }

    /// The name that Apple's file wrappers derived this one from; nil if it is none of theirs.
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
  /// Adds a node to this directory under its preferred name, or a name derived from that if it is
  /// taken, and returns the name that it got. Case is ignored in judging whether a name is taken.
  /// - Throws: ``ParticlesCore/Rule/name``; ``ParticlesCore/Rule/parent`` if this is no directory.
  @discardableResult
  public mutating func addFileNode(
    _ node: FileNode, preferredFilename: String, uniquing style: UniqueNameStyle = .readable
  ) throws -> String {
    let name = uniqueName(for: UnicodeForms.composed(preferredFilename), style)
    try insert(node, named: name)
    return name
  }

  /// Adds a regular file and returns the name that it got; see ``addFileNode(_:preferredFilename:uniquing:)``.
  @discardableResult
  public mutating func addRegularFile(
    withContents contents: [UInt8], preferredFilename: String,
    uniquing style: UniqueNameStyle = .readable
  ) throws -> String {
    try addFileNode(
      FileNode(regularFileWithContents: contents), preferredFilename: preferredFilename,
      uniquing: style)
  }

  /// Removes the child of this name, with all that is in it, and returns it; nil if there is none, or
  /// if this is no directory. The name must be the very name, not a path; see
  /// ``removeFileNode(at:)``.
  @discardableResult
  public mutating func removeFileNode(named name: String) -> FileNode? {
    guard case .directory(var directory) = storage else { return nil }
    // Without this the change below would copy all the children.
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    return directory.remove(UnicodeForms.composed(name))
  }

  /// Removes the node at a path of names separated by `/`, with all that is in it, and returns it; nil
  /// if there is none. The directory that held it stays, even if that is empty now. This node itself
  /// has no path.
  @discardableResult
  public mutating func removeFileNode(at path: String) -> FileNode? {
    remove(UnicodeForms.composed(path).split(separator: "/")[...])
  }

  private mutating func remove(_ path: ArraySlice<Substring>) -> FileNode? {
    guard let name = path.first.map(String.init) else { return nil }
    guard path.count > 1 else { return removeFileNode(named: name) }
    // Taken out meanwhile: otherwise the change would copy all that is in it.
    guard var child = replaceChild(name, with: .emptyDirectory) else { return nil }
    defer { replaceChild(name, with: child) }
    return child.remove(path.dropFirst())
  }

  /// Puts `node` in the place of the child of this name, which keeps its name.
  /// - Throws: ``ParticlesCore/Rule/noEntry`` if there is no such child.
  public mutating func replaceFileNode(named name: String, with node: FileNode) throws {
    let name = UnicodeForms.composed(name)
    guard replaceChild(name, with: node) != nil else {
      throw Diagnostic(.noEntry, at: .entry(name))
    }
  }

  /// - Returns: the child that was there; nil if there is none of this name, and nothing changed.
  @discardableResult
  private mutating func replaceChild(_ name: String, with node: FileNode) -> FileNode? {
    guard case .directory(var directory) = storage else { return nil }
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    return directory.replace(name, with: node)
  }

  /// Gives the child `name` another preferred name, or one derived from that if it is taken by
  /// another child, and returns the name that it got.
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

  /// Puts a node at a path, replacing what is there and creating the directories on the way.
  /// - Throws: ``ParticlesCore/Rule/name``, ``ParticlesCore/Rule/twins``, or
  ///   ``ParticlesCore/Rule/parent`` if something on the way is no directory.
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
    // Taken out meanwhile, as above.
    if var child = replaceChild(first, with: .emptyDirectory) {
      defer { replaceChild(first, with: child) }
      try child.set(node, path: path.dropFirst(), whole: whole)
    } else {
      var child = FileNode.emptyDirectory
      try child.set(node, path: path.dropFirst(), whole: whole)
      try insert(child, named: first)
    }
  }

  /// Adds a child under exactly this name.
  private mutating func insert(_ node: FileNode, named name: String) throws {
    guard case .directory(var directory) = storage else {
      throw Diagnostic(.parent, at: .entry(name), "this node is no directory")
    }
    storage = .directory(Directory())
    defer { storage = .directory(directory) }
    try directory.insert(node, named: name)
  }

  private func uniqueName(for preferred: String, _ style: UniqueNameStyle) -> String {
    guard case .directory(let directory) = storage else { return preferred }
    func isFree(_ name: String) -> Bool { !directory.hasTwin(of: name) }
    if isFree(preferred) { return preferred }
    let point = preferred.lastIndex(of: ".").flatMap { $0 == preferred.startIndex ? nil : $0 }
    let stem = preferred[..<(point ?? preferred.endIndex)]
    let rest = preferred[(point ?? preferred.endIndex)...]
    let candidates = (1...).lazy.map { number in
      switch style {
      case .readable: "\(stem) \(number + 1)\(rest)"
      case .appleCompatible: UniqueNameStyle.appleName(number, preferred)
      }
    }
    return candidates.first(where: isFree) ?? preferred
  }
}
