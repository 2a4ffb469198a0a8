/// What decides between programs that may open a file, the weightiest first.
package enum HandlerRule: Int, Sendable, CaseIterable, Comparable {
  /// Somebody decided so for this file.
  case fileChoice
  /// Somebody decided so for the type, or for the nearest type that it conforms to.
  case typeChoice
  /// It opens the type for more than being a file at all.
  case wildcard
  /// What it opens is nearer to the type.
  case distance
  /// It stands closer to the type: Owner before Default before Alternate.
  case rank
  /// It reads and writes, where others only read.
  case role
  /// It exports the type.
  case export
  /// It is the newer version.
  case version
  /// Its identifier, in the order of its bytes; only so that the answer is always the same.
  case identifier

  /// From the weightiest to the least.
  package static func < (a: HandlerRule, b: HandlerRule) -> Bool { a.rawValue < b.rawValue }

  /// Why a program stands before the next one, as a phrase.
  package var reason: String {
    switch self {
    case .fileChoice: "it was chosen for this file"
    case .typeChoice: "it was chosen for the type"
    case .wildcard: "it asks for more than any file"
    case .distance: "what it asks for is nearer to the type"
    case .rank: "its rank is closer"
    case .role: "its role is closer"
    case .export: "it exports the type"
    case .version: "it is the newer version"
    case .identifier:
      "it comes first in the order of identifiers, which decides where nothing else does"
    }
  }
}
