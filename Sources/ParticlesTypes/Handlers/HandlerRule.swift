/// The rules that rank programs for a file, the most important first.
package enum HandlerRule: Int, Sendable, CaseIterable, Comparable {
  /// The user chose it for this file.
  case fileChoice
  /// The user chose it for the type, or for the nearest supertype.
  case typeChoice
  /// It claims a type other than a wildcard.
  case wildcard
  /// The claimed type is nearer to the type.
  case distance
  /// Owner before Default before Alternate.
  case rank
  /// It exports the type.
  case export
  /// Editor before Viewer before Shell.
  case role
  /// It is the newer version.
  case version
  /// Its identifier in byte order, so that the result is deterministic.
  case identifier

  /// Orders from the most important to the least.
  package static func < (a: HandlerRule, b: HandlerRule) -> Bool { a.rawValue < b.rawValue }

  /// The reason why a program ranks above the next one, as a phrase.
  package var reason: String {
    switch self {
    case .fileChoice: "it was chosen for this file"
    case .typeChoice: "it was chosen for the type"
    case .wildcard: "it claims more than any file"
    case .distance: "the type that it claims is nearer"
    case .rank: "its rank is higher"
    case .role: "its role is preferred"
    case .export: "it exports the type"
    case .version: "it is the newer version"
    case .identifier:
      "its identifier sorts first (tie-break)"
    }
  }
}
