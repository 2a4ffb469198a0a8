/// What decides between types that claim the same tag, the weightiest first.
package enum SelectionRule: Int, Sendable, CaseIterable, Comparable {
  /// A file has to be data, and a directory a directory. A type that is neither comes behind.
  case kind
  /// What a file begins with speaks for a type, or against it.
  case content
  /// Who declares it: the application that asks as its own; the system; another application as its
  /// own; the one that asks for somebody else's; another for somebody else's.
  case trust
  /// It is the tag that the type prefers, and not merely another one of its tags.
  case preferredTag
  /// It belongs to the public, and to no vendor.
  case isPublic
  /// No other claimant is more general: a name alone does not prove the special case.
  case generality
  /// The identifier, in the order of its bytes; only so that the answer is always the same.
  case identifier

  /// From the weightiest to the least.
  package static func < (a: SelectionRule, b: SelectionRule) -> Bool { a.rawValue < b.rawValue }

  /// Why a type stands before the next one, as a phrase.
  package var reason: String {
    switch self {
    case .kind: "it fits what stands on the disk"
    case .content: "the contents speak for it"
    case .trust: "it is declared with more authority"
    case .preferredTag: "the tag is the one that it prefers"
    case .isPublic: "it belongs to no vendor"
    case .generality: "it is the more general one"
    case .identifier:
      "it comes first in the order of identifiers, which decides where nothing else does"
    }
  }
}

/// What stands on a disk, as far as types care.
package enum ItemKind: String, Sendable, CaseIterable {
  /// A regular file.
  case file
  /// A directory, be it a folder or a package.
  case directory

  /// The type that every item of the kind conforms to.
  var supertype: String { self == .file ? "public.data" : "public.directory" }
}
