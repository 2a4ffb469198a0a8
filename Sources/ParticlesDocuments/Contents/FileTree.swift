public import ParticlesContainer
public import ParticlesCore
internal import ParticlesModel

/// Any tree of files as the contents of a document: what a program without knowledge of the files edits.
public struct FileTree: DocumentContent {
  /// The files. A directory, unless the document is one file.
  public var root: FileNode

  /// Creates the contents.
  public init(root: FileNode = .emptyDirectory) { self.root = root }

  /// Takes the files as they are.
  public init(contents: FileNode, limits: Limits) { root = contents }

  /// Returns the files.
  public func contents() -> FileNode { root }

  /// Takes the stored files.
  public mutating func adopt(_ stored: FileNode, writtenAs written: FileNode) {
    root = root.adopting(stored, writtenAs: written)
  }

  /// Returns the files that differ; of small ones, the bytes.
  public static func change(from old: Self, to new: Self) -> DocumentChange<Self> {
    let difference = TreeDifference(from: old.root, to: new.root)
    return DocumentChange(cost: difference.cost) {
      try difference.apply(&$0.root, undoing: $1 == .undo)
    }
  }

  /// Takes each file from the side that has changed it. A file that both have changed is a clash.
  public static func merge(base: Self, ours: Self, theirs: Self) throws -> DocumentMerge<Self>? {
    var merge = TreeMerge()
    let root = try merge.merge(base: base.root, ours: ours.root, theirs: theirs.root)
    return DocumentMerge(Self(root: root), clashes: merge.clashes)
  }
}

extension EffectPackage: DocumentContent {
  /// Takes the files of a package. The document in it is decoded when it is needed.
  /// - Throws: ``ParticlesCore/Rule/signature`` if the contents are not a package.
  public init(contents: FileNode, limits: Limits) throws {
    guard contents.isDirectory else { throw Diagnostic(.signature) }
    self.init(Container(root: contents))
  }

  /// Returns the files of the package.
  public func contents() -> FileNode { container.root }

  /// Takes the stored files.
  public mutating func adopt(_ stored: FileNode, writtenAs written: FileNode) {
    container.root = container.root.adopting(stored, writtenAs: written)
  }

  /// Whether both have the same files.
  public static func == (a: EffectPackage, b: EffectPackage) -> Bool {
    a.container.root == b.container.root
  }

  /// Returns the files that differ; of the document, the bytes.
  public static func change(from old: Self, to new: Self) -> DocumentChange<Self> {
    let difference = TreeDifference(from: old.container.root, to: new.container.root)
    return DocumentChange(cost: difference.cost) {
      try difference.apply(&$0.container.root, undoing: $1 == .undo)
    }
  }

  /// The properties that differ; the files, if the properties are the same.
  public static func changedParts(from old: Self, to new: Self) throws -> [String] {
    let keys = try old.system().differences(from: new.system()).map(\.path)
    if !keys.isEmpty { return keys }
    return TreeDifference(from: old.container.root, to: new.container.root).paths
  }

  /// Merges the effects property by property, and takes each other file from the side that has changed
  /// it. Previews are taken from our side: they are drawn again.
  public static func merge(base: Self, ours: Self, theirs: Self) throws -> DocumentMerge<Self>? {
    var merge = TreeMerge(
      documents: [documentPath], ours: ["\(previewDirectory)/"])
    var result = ours
    result.container.root = try merge.merge(
      base: base.container.root, ours: ours.container.root, theirs: theirs.container.root)
    return DocumentMerge(result, clashes: merge.clashes)
  }
}
