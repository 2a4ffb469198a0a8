/// How an application stands to the files of a type (`LSHandlerRank`), the closest first.
package enum HandlerRank: String, Sendable, CaseIterable, Comparable {
  /// It created the type.
  case owner = "Owner"
  /// It wants to open files of the type ordinarily.
  case `default` = "Default"
  /// It can open them, and leaves it to others to do so ordinarily.
  case alternate = "Alternate"
  /// It is not to be associated with them.
  case none = "None"

  /// The rank of this name, in whatever case; nil if there is none.
  package init?(named name: String) {
    guard let rank = Self.allCases.first(where: { $0.rawValue.caseFolded == name.caseFolded })
    else { return nil }
    self = rank
  }

  /// From the closest to the most distant.
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

/// What an application does with files of a type (`CFBundleTypeRole`).
package enum HandlerRole: String, Sendable, CaseIterable {
  /// It reads and writes them.
  case editor = "Editor"
  /// It reads them.
  case viewer = "Viewer"
  /// It runs what is in them.
  case shell = "Shell"
  /// It draws previews of them, and nothing else.
  case quickLookGenerator = "QLGenerator"
  /// It only says what they are.
  case none = "None"

  /// The role of this name, in whatever case; nil if there is none.
  package init?(named name: String) {
    guard let role = Self.allCases.first(where: { $0.rawValue.caseFolded == name.caseFolded })
    else { return nil }
    self = role
  }

  /// Whether somebody in this role serves who wants `wanted`; with nil, anybody does who opens
  /// files.
  package func satisfies(_ wanted: HandlerRole?) -> Bool {
    switch (self, wanted) {
    case (.none, _), (_, HandlerRole.none?): false
    case (.editor, .viewer): true
    case (.quickLookGenerator, nil): false
    case (_, nil): true
    default: self == wanted
    }
  }

  /// Who reads and writes comes first if anybody will do.
  var closeness: Int {
    switch self {
    case .editor: 0
    case .viewer: 1
    case .shell: 2
    case .quickLookGenerator: 3
    case .none: 4
    }
  }
}
