internal import ParticlesCore

extension Container {
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
      /// The bytes differ; the sizes may be equal.
      case contents(from: Int, to: Int)
      /// The permission to execute differs; the value is the new one.
      case isExecutable(Bool)
      /// The targets of two links differ.
      case destination(from: String, to: String)
    }
  }
}

extension FileNode {
  /// Returns the changes that lead from another directory to this one, in the order of paths. Empty
  /// exactly if both have the same digest.
  ///
  /// The entries of a directory that was added or removed are listed, too. Contents of equal size are
  /// compared piece by piece.
  /// - Throws: errors of reading the contents.
  public func differences(from old: FileNode) throws -> [Container.Difference] {
    var differences: [Difference] = []
    try Self.compare(old, self, prefix: "", &differences)
    return differences
  }

  /// Compares the children of two nodes, both of which are sorted by name.
  private static func compare(
    _ old: FileNode, _ new: FileNode, prefix: String, _ differences: inout [Difference]
  ) throws {
    var olds = (old.children ?? [])[...]
    var news = (new.children ?? [])[...]
    while let name = firstName(olds.first, news.first) {
      let path = prefix + name
      let before = olds.first?.name == name ? olds.popFirst()?.node : nil
      let after = news.first?.name == name ? news.popFirst()?.node : nil
      switch (before, after) {
      case (let before?, let after?):
        let aspects = try locating(.entry(path)) { try Self.aspects(before, after) }
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

  private static func aspects(_ old: FileNode, _ new: FileNode) throws -> [Difference.Aspect] {
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
