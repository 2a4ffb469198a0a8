/// The rank of an application among those that open a type (`LSHandlerRank`), the highest first.
package enum HandlerRank: String, Sendable, CaseIterable, Comparable {
  /// It created the type.
  case owner = "Owner"
  /// It opens files of the type by default.
  case `default` = "Default"
  /// It can open them if the user asks for it.
  case alternate = "Alternate"
  /// It does not open them.
  case none = "None"

  /// The rank with a name, in upper or lower case; nil if there is none.
  package init?(named name: String) {
    guard let rank = Self.allCases.first(where: { $0.rawValue.caseFolded == name.caseFolded })
    else { return nil }
    self = rank
  }

  /// Orders from the highest to the lowest.
  package static func < (a: HandlerRank, b: HandlerRank) -> Bool { a.order < b.order }

  var order: Int {
    switch self {
    case .owner: 0
    case .default: 1
    case .alternate: 2
    case .none: 3
    }
  }
}

/// The role of an application for files of a type (`CFBundleTypeRole`).
package enum HandlerRole: String, Sendable, CaseIterable {
  /// It reads and writes them.
  case editor = "Editor"
  /// It reads them.
  case viewer = "Viewer"
  /// It executes them.
  case shell = "Shell"
  /// It only draws previews of them.
  case quickLookGenerator = "QLGenerator"
  /// It only indexes them for searches.
  case spotlightImporter = "MDImporter"
  /// It only describes them.
  case none = "None"

  /// The role with a name, in upper or lower case; nil if there is none.
  package init?(named name: String) {
    guard let role = Self.allCases.first(where: { $0.rawValue.caseFolded == name.caseFolded })
    else { return nil }
    self = role
  }

  /// Whether an application in this role serves a request for `wanted`; nil requests any role that opens
  /// files.
  package func satisfies(_ wanted: HandlerRole?) -> Bool {
    switch (self, wanted) {
    case (.none, _), (_, HandlerRole.none?): false
    case (.editor, .viewer): true
    case (.quickLookGenerator, nil), (.spotlightImporter, nil): false
    case (_, nil): true
    default: self == wanted
    }
  }

  /// The order of roles for requests of any role: editors first.
  var closeness: Int {
    switch self {
    case .editor: 0
    case .viewer: 1
    case .shell: 2
    case .quickLookGenerator: 3
    case .spotlightImporter: 4
    case .none: 5
    }
  }
}
