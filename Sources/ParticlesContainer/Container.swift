// `import ParticlesContainer` is all that an application needs: it includes the types of its declarations,
// such as `Diagnostic`, `Rule` and `Limits`.
@_exported public import ParticlesCore

/// A `.particles` package: a tree of files, in one file or as a directory.
///
///     var package = try Container(contentsOf: "fire.particles")
///     try package.root.setFileNode(FileNode(regularFileWithContents: notes), at: "notes.txt")
///     try package.save()
///
/// A value: nothing reaches the disk before ``write(to:as:replacing:options:)`` or
/// ``save(mode:level:work:synchronizing:)``. A copy that was kept stays readable when another is saved,
/// and saving it makes it the state on the disk again: a list of copies is an undo list. Copies
/// share the open file that contents are read from, and all that did not change between them.
public struct Container: Sendable {
  /// The two physical forms of a package. Converting between them changes neither tree nor digest.
  public enum Form: String, Sendable, CaseIterable {
    /// One file, compressed and checked.
    case flat
    /// A directory of the file system.
    case directory
  }

  /// The tree. It must be a directory. Writing any other node throws ``ParticlesCore/Rule/parent``.
  public var root: FileNode

  /// The form that the package was read from or saved in, or nil if it was made in memory.
  public private(set) var form: Form?

  /// Flaws that do not prevent reading: ``ParticlesCore/Rule/torn`` if an unfinished save was found and
  /// ignored.
  public package(set) var warnings: [Diagnostic] = []

  /// The flat package that it was decoded from, unless it has a path.
  private var decoded: ContainerReader?

  /// The package at its path, or nil if it has none.
  package private(set) var saved: SavedPlace?

  /// The path that it was opened from or last saved to, or nil if it was decoded or made in memory.
  public var path: String? { saved?.path }

  /// Shared by the copies of this value since it was opened or saved.
  package var holder: Holder?

  /// The identity of the copies of a value between two saves.
  package final class Holder: Sendable { package init() {} }

  /// The flat package that it was decoded from, or that any copy was last saved as, or nil for a directory.
  package var reader: ContainerReader? {
    if let saved { saved.reader } else { decoded }
  }

  /// Creates a package of these files in memory. It has no path until it is saved.
  public init(root: FileNode = .emptyDirectory) { self.root = root }

  /// Creates a package of files that were read from a source with flaws.
  package init(root: FileNode, warnings: [Diagnostic]) {
    self.root = root
    self.warnings = warnings
  }

  /// Makes this the value of a package at a path.
  /// - Parameter holder: the identity of this value and its copies.
  package mutating func stay(at saved: SavedPlace, as holder: Holder) {
    self.saved = saved
    form = saved.form
    decoded = nil
    self.holder = holder
  }

  /// Opens a flat package in memory. The bytes are kept, and contents are unpacked on access.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`.
  public init(
    decoding bytes: [UInt8], limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws(Failure) {
    try self.init(decoding: .bytes(bytes), limits: limits, scope: scope)
  }

  /// Opens a flat package from a source. The whole tree is read and checked now, contents on access.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `container`, `tree` or `limit`, and errors of the source.
  public init(
    decoding source: ByteSource, limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws(Failure) {
    try self.init(ContainerReader(source, limits: limits, scope: scope))
  }

  package init(_ reader: ContainerReader) throws(Failure) {
    root = try reader.tree()
    decoded = reader
    form = .flat
    warnings = reader.warnings
  }

  /// Whether the first bytes of a file are the signature of a flat package, nine bytes long. The rest is checked when
  /// the package is opened.
  public static func isFlatPackage(_ bytes: some Collection<UInt8>) -> Bool {
    Header.isSignature(bytes)
  }

  /// Returns the flat form in the canonical layout. For a tree and a level, the bytes are always equal.
  /// - Throws: the errors of ``encode(_:_:)``.
  public func encoded(_ options: PackingOptions = PackingOptions()) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    try encode(options) { bytes += $0 }
    return bytes
  }

  /// Encodes the flat form, piece by piece from front to back.
  /// - Parameters:
  ///   - options: level, threads and progress.
  ///   - sink: called with the next bytes, valid during the call only. May be called on any thread, but never on two at
  ///     once.
  /// - Throws: faults of names and links before the first call of `sink`, errors of reading the contents and of `sink`,
  ///   and `CancellationError` if the current task is cancelled.
  public func encode(
    _ options: PackingOptions = PackingOptions(),
    _ sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    // So that a program does not depend on the folder of the build. See `WorkerTeam`.
    #sourceLocation(file:"Container",line:1)
    try withoutActuallyEscaping(sink) { sink throws(Failure) in
      try ContainerWriter.write(root, options: options, to: PackageSink(write: sink))
    }
  }
  #sourceLocation()
}

/// Where a package is on a disk, as the module for disks knows it. All copies of a ``Container`` share it.
open class SavedPlace: @unchecked Sendable {
  /// The path that the package was opened from or last saved to.
  package let path: String

  /// The form in which it is there.
  package let form: Container.Form

  package init(path: String, form: Container.Form) { (self.path, self.form) = (path, form) }

  /// The flat package as it was last opened or saved, or nil for a directory.
  open var reader: ContainerReader? { nil }
}

extension FileNode {
  /// Returns this tree with stored nodes in place of written nodes. Nodes that changed since the save stay as they are.
  /// - Parameters:
  ///   - stored: the tree as it is stored.
  ///   - written: the tree that was written, an earlier state of this one.
  package func adopting(_ stored: FileNode, writtenAs written: FileNode) -> FileNode {
    switch (storage, written.storage, stored.storage) {
    case (.file(let contents, let isExecutable), .file(let old, _), .file(let new, _)):
      guard contents.isSame(as: old) else { return self }
      return FileNode(regularFileWithContents: new, isExecutable: isExecutable)
    case (.directory(var directory), .directory(let old), .directory(let new)):
      if directory.children.sharesMemory(with: old.children) { return stored }
      for child in directory.children {
        guard let before = old[child.name], let now = new[child.name] else { continue }
        _ = directory.replace(child.name, with: child.node.adopting(now, writtenAs: before))
      }
      return FileNode(storage: .directory(directory))
    default: return self
    }
  }
}

extension Container {
  /// Checks every byte of the flat package that this was opened from or last saved as, and returns
  /// all findings, ``warnings`` included. For a directory or a package made in memory, returns
  /// ``warnings`` alone.
  /// - Throws: the errors of ``ContainerReader/verify(_:work:)``.
  public func verify(
    _ depth: ContainerReader.Depth = .full, work: WorkOptions = WorkOptions()
  ) throws(Failure) -> [Diagnostic] {
    try verify(depth, earlier: .error, work: work)
  }

  /// Checks as ``verify(_:work:)`` does.
  /// - Parameter earlier: the severity of faults in the index of earlier generations, which no reader needs. Nil leaves
  ///   them out.
  package func verify(
    _ depth: ContainerReader.Depth = .full, earlier: Diagnostic.Severity?,
    work: WorkOptions = WorkOptions()
  ) throws(Failure) -> [Diagnostic] {
    guard let reader else { return warnings }
    return try reader.verify(depth, earlier: earlier, work: work)
  }

  /// A difference between two trees at one path.
  public struct Difference: Sendable, Hashable {
    /// The path from the directory that was compared, names separated by `/`.
    public let path: String

    /// The change at the path.
    public let change: Change

    package init(path: String, change: Change) {
      self.path = path
      self.change = change
    }

    /// The change of a path between two trees.
    public enum Change: Sendable, Hashable {
      /// It is in the new tree only.
      case added
      /// It was in the old tree only.
      case removed
      /// It is in both and differs in these respects, at least one.
      case changed([Aspect])
    }

    /// A respect in which two nodes can differ.
    public enum Aspect: Sendable, Hashable {
      /// The kinds differ, for example file and directory. Then nothing else is compared.
      case kind(from: FileNode.Kind, to: FileNode.Kind)
      /// The bytes differ. The sizes may be equal.
      case contents(from: Int, to: Int)
      /// The permission to execute differs. The value is the new permission.
      case isExecutable(Bool)
      /// The targets of two links differ.
      case destination(from: String, to: String)
    }
  }
}

extension FileNode {
  /// Returns the changes that lead from another directory to this directory, in the order of paths. Empty exactly if
  /// both digests are equal.
  ///
  /// The entries of a directory that was added or removed are listed, too. Contents of equal size are
  /// compared piece by piece.
  /// - Throws: errors of reading the contents.
  public func differences(from old: FileNode) throws(Failure) -> [Container
    .Difference]
  {
    var differences: [Difference] = []
    try Self.compare(old, self, prefix: "", &differences)
    return differences
  }

  /// Compares the children of two nodes. Both lists are sorted by name.
  private static func compare(
    _ old: FileNode, _ new: FileNode, prefix: String, _ differences: inout [Difference]
  ) throws(Failure) {
    var olds = (old.children ?? [])[...]
    var news = (new.children ?? [])[...]
    while let name = firstName(olds.first, news.first) {
      let path = prefix + name
      let before = olds.first?.name == name ? olds.popFirst()?.node : nil
      let after = news.first?.name == name ? news.popFirst()?.node : nil
      switch (before, after) {
      case (let before?, let after?):
        let aspects = try locating(.entry(path)) { () throws(Failure) in
          try Self.aspects(before, after)
        }
        if !aspects.isEmpty {
          differences.append(Difference(path: path, change: .changed(aspects)))
        }
      case (nil, _): differences.append(Difference(path: path, change: .added))
      case (_, nil): differences.append(Difference(path: path, change: .removed))
      }
      try compare(
        before ?? .emptyDirectory, after ?? .emptyDirectory, prefix: path + "/", &differences)
    }
  }

  private static func firstName(_ a: Child?, _ b: Child?) -> String? {
    guard let a, let b else { return (a ?? b)?.name }
    return b.name.utf8.lexicographicallyPrecedes(a.name.utf8) ? b.name : a.name
  }

  private static func aspects(_ old: FileNode, _ new: FileNode) throws(Failure)
    -> [Difference.Aspect]
  {
    switch (old.storage, new.storage) {
    case (.directory, .directory): return []
    case (.link(let a), .link(let b)): return a == b ? [] : [.destination(from: a, to: b)]
    case (.file(let a, let wasExecutable), .file(let b, let isExecutable)):
      let hasOtherBytes = try !a.hasSameBytes(as: b)
      return (hasOtherBytes ? [.contents(from: a.size, to: b.size)] : [])
        + (wasExecutable == isExecutable ? [] : [.isExecutable(isExecutable)])
    default: return [.kind(from: old.kind, to: new.kind)]
    }
  }
}

// Short names, for use inside the package, of public nested types.

package typealias CompressionLevel = Container.CompressionLevel
package typealias Difference = Container.Difference
package typealias Entry = Container.Entry
package typealias PackingOptions = Container.PackingOptions
package typealias Recovery = Container.Recovery
package typealias WorkOptions = Container.WorkOptions

package typealias UniqueNameStyle = FileNode.UniqueNameStyle
