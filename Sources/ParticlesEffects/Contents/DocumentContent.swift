public import ParticlesContainer
public import ParticlesCore

/// The contents of a `Document` in memory, and how they are read from files and written to them.
///
/// A value: a copy is a snapshot, to be encoded on another thread while the original is edited. The files are a node:
/// a regular file for contents that are bytes, or a directory for a package.
///
///     struct Story: DocumentContent {
///       var lines: [String] = []
///       init(contents: FileNode, limits: Limits) throws(Failure) {
///         lines = String(decoding: try contents.regularFileContents() ?? [], as: UTF8.self)
///           .split(separator: "\n").map(String.init)
///       }
///       func contents() throws(Failure) -> FileNode {
///         FileNode(regularFileWithContents: Array(lines.joined(separator: "\n").utf8))
///       }
///     }
public protocol DocumentContent: Sendable, Equatable {
  /// Reads the contents.
  /// - Parameters:
  ///   - contents: the files. They are read on access.
  ///   - limits: what reading may cost.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the files are not such contents.
  init(contents: FileNode, limits: Limits) throws(Failure)

  /// Reads the contents of a file at a path, whose extension and neighbours may matter. By default like
  /// ``init(contents:limits:)``.
  /// - Parameters:
  ///   - contents: the files, or the files of ``keptContents()``. They are read on access.
  ///   - limits: what reading may cost.
  ///   - path: the path of the document, or nil without one.
  init(contents: FileNode, limits: Limits, path: String?) throws(Failure)

  /// Returns the files. Unchanged nodes should be the nodes that were read, because these are not written again.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the contents cannot be written. It never returns less
  ///   than the contents.
  func contents() throws(Failure) -> FileNode

  /// Returns files that hold everything, for the recovery journal and versions. By default the files of
  /// ``contents()``. Implement it if the format of the document cannot hold all edits.
  func keptContents() throws(Failure) -> FileNode

  /// The state that these contents were made of, if ``keptContents()`` has it, too. Default: nil.
  var keptBase: Self? { get }

  /// Whether the document may be saved automatically in place. Default: true. If false, unsaved changes go into the
  /// recovery journal, and closing leaves them there.
  var isSavedAutomatically: Bool { get }

  /// Whether edited contents can be written in the format of the document. Default: true. If false, the document is
  /// in the state `DocumentStates.readOnly`.
  var isWritable: Bool { get }

  /// Writes files beside the document, before it is written itself. Does nothing by default.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - keep: keeps files that will be replaced as a version. Returns false if there are no versions.
  func writeBeside(_ path: String, keeping keep: (FileNode) throws(Failure) -> Bool) throws(Failure)

  /// Called after the contents were saved. Replace nodes that are still as written by the stored nodes, so that they
  /// are neither kept in memory nor compared again. Does nothing by default.
  /// - Parameters:
  ///   - stored: the files as they are stored.
  ///   - written: the files that were written, from an earlier state of this value.
  mutating func adopt(_ stored: FileNode, writtenAs written: FileNode)

  /// Returns the contents as they are read again after a save, if the format has changed them. Default: nil,
  /// unchanged.
  /// - Parameters:
  ///   - stored: the files as they are stored.
  ///   - limits: what reading may cost.
  ///   - path: the path of the document, or nil without one.
  /// - Throws: errors of reading them. The contents stay then.
  func reread(_ stored: FileNode, limits: Limits, path: String?) throws(Failure) -> Self?

  /// Lists the parts that differ: by default the paths of files, and nothing if the contents are a single file.
  static func changedParts(from old: Self, to new: Self) throws(Failure) -> [String]

  /// Returns the change between two values, for undo. By default it consists of both values, which suits values that
  /// share memory.
  static func change(from old: Self, to new: Self) -> DocumentChange<Self>

  /// Merges two values with a common base. By default there is no merge: if both changed, it is a conflict.
  /// - Parameters:
  ///   - base: the value that both were made from.
  ///   - ours: the value in memory.
  ///   - theirs: the value that another program saved.
  /// - Returns: the merged value, or nil if values of this type cannot be merged.
  static func merge(base: Self, ours: Self, theirs: Self) throws(Failure) -> DocumentMerge<Self>?
}

extension DocumentContent {
  /// Reads the contents without a path.
  public init(contents: FileNode, limits: Limits, path: String?) throws(Failure) {
    try self.init(contents: contents, limits: limits)
  }

  /// Returns the files.
  public func keptContents() throws(Failure) -> FileNode { try contents() }

  /// Nil.
  public var keptBase: Self? { nil }

  /// True.
  public var isSavedAutomatically: Bool { true }

  /// True.
  public var isWritable: Bool { true }

  /// Does nothing.
  public func writeBeside(_ path: String, keeping keep: (FileNode) throws(Failure) -> Bool)
    throws(Failure)
  {}

  /// Does nothing.
  public mutating func adopt(_ stored: FileNode, writtenAs written: FileNode) {}

  /// Nil.
  public func reread(_ stored: FileNode, limits: Limits, path: String?) throws(Failure) -> Self? {
    nil
  }

  /// The paths of the files that differ.
  public static func changedParts(from old: Self, to new: Self) throws(Failure) -> [String] {
    try TreeDifference(from: old.keptContents(), to: new.keptContents()).paths
      .filter { !$0.isEmpty }
  }

  /// Returns a change that consists of both values.
  public static func change(from old: Self, to new: Self) -> DocumentChange<Self> {
    DocumentChange(from: old, to: new)
  }

  /// Returns nil: values cannot be merged.
  public static func merge(base: Self, ours: Self, theirs: Self) throws(Failure) -> DocumentMerge<
    Self
  >? {
    nil
  }
}

/// The result of a three-way merge.
public struct DocumentMerge<Content: Sendable>: Sendable {
  /// The merged contents, with our value wherever both sides have changed a part.
  public var content: Content

  /// The parts that both sides have changed, by property or path. Empty if there is no conflict.
  public var clashes: [String]

  /// Creates a result.
  public init(_ content: Content, clashes: [String] = []) {
    self.content = content
    self.clashes = clashes
  }
}

/// A change of contents that can be undone and redone.
public struct DocumentChange<Content: Sendable>: Sendable {
  /// The direction in which a change is applied.
  public enum Direction: Sendable {
    /// From the new value to the old one.
    case undo
    /// From the old value to the new one.
    case redo
  }

  /// The estimated memory of the change, in bytes.
  public let cost: Int

  private let apply: @Sendable (inout Content, Direction) throws(Failure) -> Void

  /// Creates a change.
  /// - Parameters:
  ///   - cost: the memory that it needs, in bytes.
  ///   - apply: turns the new value into the old value, or the old value into the new value.
  public init(
    cost: Int, apply: @escaping @Sendable (inout Content, Direction) throws(Failure) -> Void
  ) {
    self.cost = cost
    self.apply = apply
  }

  /// Creates a change that consists of both values.
  public init(from old: Content, to new: Content, cost: Int = 256) {
    self.init(cost: cost) { $0 = $1 == .undo ? old : new }
  }

  /// Applies the change.
  /// - Throws: the errors of the closure. `content` has not changed then.
  public func callAsFunction(_ content: inout Content, _ direction: Direction) throws(Failure) {
    var copy = content
    try apply(&copy, direction)
    content = copy
  }
}
