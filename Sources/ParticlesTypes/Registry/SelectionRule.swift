/// The rules that rank types with the same tag, the most important first.
package enum SelectionRule: Int, Sendable, CaseIterable, Comparable {
  /// A type of files fits a file, and a type of directories a directory. A type of neither kind ranks
  /// lower.
  case kind
  /// A pattern of the type matches the first bytes of the file, or none does.
  case content
  /// The source of the declaration: exported by the application that uses the registry, the system,
  /// exported by another application, imported by the one that uses the registry, imported by another.
  case trust
  /// The tag is the preferred one of the type.
  case preferredTag
  /// The identifier begins with `public.`.
  case isPublic
  /// A general type before its subtypes, since a name alone does not prove the special case.
  case generality
  /// The identifier in byte order, so that the result is deterministic.
  case identifier

  /// Orders from the most important to the least.
  package static func < (a: SelectionRule, b: SelectionRule) -> Bool { a.rawValue < b.rawValue }

  /// The reason why a type ranks above the next one, as a phrase.
  package var reason: String {
    switch self {
    case .kind: "it fits the item on disk"
    case .content: "the contents match"
    case .trust: "its declaration has precedence"
    case .preferredTag: "the tag is its preferred one"
    case .isPublic: "it is a public type"
    case .generality: "it is more general"
    case .identifier:
      "its identifier sorts first (tie-break)"
    }
  }
}

/// The kind of an item on disk.
package enum ItemKind: String, Sendable, CaseIterable {
  /// A regular file.
  case file
  /// A folder or a package.
  case directory

  /// The type that every item of the kind conforms to.
  var supertype: String { self == .file ? "public.data" : "public.directory" }
}
