/// Programs, their claims, and the user's choices among them.
package struct HandlerRegistry: Sendable {
  package var types: TypeRegistry

  package var claims: [HandlerClaim]

  /// The user's choices. Of several choices for one file or type, the last is effective.
  package var choices: [HandlerChoice]

  package init(
    types: TypeRegistry = .standard, claims: [HandlerClaim] = [], choices: [HandlerChoice] = []
  ) {
    self.types = types
    self.claims = claims
    self.choices = choices
  }

  /// A candidate for a type.
  package struct Candidate: Sendable {
    package let claim: HandlerClaim
    /// The claimed type: the wanted one, or its nearest claimed supertype.
    package let type: UniformType
    /// The number of conformances from the wanted type to the claimed one.
    package let distance: Int
    /// The rule that ranked it above the next candidate, or nil for the last candidate.
    package internal(set) var decision: HandlerRule?

    /// A number for each rule. Lower is better.
    let ranking: [Int]

    package var handler: Handler { claim.handler }
  }

  /// The programs for a type.
  package struct Resolution: Sendable {
    /// The programs that open it, the default one first.
    package let candidates: [Candidate]
    /// Programs that only describe the type: their rank or role is None. They are never
    /// chosen.
    package let declaring: [Candidate]

    /// The default program.
    package var chosen: Candidate? { candidates.first }
  }

  /// Ranks the programs that open a file, by the rules of `Spec/types.md`.
  /// - Parameters:
  ///   - type: the type of the file.
  ///   - role: the wanted role, or nil for any role that opens files.
  ///   - path: the path of the file, for a choice that applies to it alone.
  package func handlers(
    for type: UniformType, role: HandlerRole? = nil, path: String? = nil
  ) -> Resolution {
    let chosen = chosenHandlers(for: type, path: path)
    var best: [String: Candidate] = [:]
    var declaring: [Candidate] = []
    for claim in claims + chosenClaims(chosen, role) {
      let isDeclaring = claim.rank == .none || claim.role == .none
      guard claim.role.satisfies(role) || isDeclaring,
        let candidate = candidate(claim, type, role, chosen)
      else { continue }
      guard !isDeclaring else {
        declaring.append(candidate)
        continue
      }
      // Two versions of a program are two programs.
      let key = "\(claim.handler.identifier.caseFolded) \(claim.handler.version ?? "")"
      if best[key].map({ Self.precedes(candidate, $0) }) ?? true { best[key] = candidate }
    }
    var candidates = best.values.sorted(by: Self.precedes)
    for index in candidates.indices.dropLast() {
      candidates[index].decision = Self.decision(candidates[index], candidates[index + 1])
    }
    return Resolution(
      candidates: candidates, declaring: declaring.sorted(by: Self.precedes))
  }

  /// The chosen programs: for the file, and for the type or the nearest supertype.
  private struct Chosen {
    var file: String?
    var type: String?
    /// The type of the second choice.
    var scope: UniformType
  }

  private func chosenHandlers(for type: UniformType, path: String?) -> Chosen {
    var chosen = Chosen(scope: type)
    var least = Int.max
    // Choices of programs that are not installed are skipped.
    let installed = Set(claims.map { $0.handler.identifier.caseFolded })
    for choice in choices where installed.contains(choice.handler.caseFolded) {
      switch choice.scope {
      case .file(let file):
        if file == path { chosen.file = choice.handler.caseFolded }
      case .type(let identifier):
        let scope = UniformType(exportedAs: identifier, in: types)
        guard let distance = type.distance(to: scope), distance <= least else { continue }
        (chosen.type, chosen.scope, least) = (choice.handler.caseFolded, scope, distance)
      }
    }
    return chosen
  }

  /// Claims for chosen programs, which may not claim the type themselves.
  private func chosenClaims(_ chosen: Chosen, _ role: HandlerRole?) -> [HandlerClaim] {
    [chosen.file, chosen.type].compactMap { $0 }.compactMap { identifier in
      guard
        var claim = claims.first(where: { $0.handler.identifier.caseFolded == identifier })
      else { return nil }
      claim.types = [chosen.scope.identifier]
      claim.role = role ?? .viewer
      claim.rank = .alternate
      return claim
    }
  }

  /// The candidate that a claim makes for a type, or nil if the claim does not apply.
  private func candidate(
    _ claim: HandlerClaim, _ type: UniformType, _ role: HandlerRole?, _ chosen: Chosen
  ) -> Candidate? {
    var nearest: (type: UniformType, distance: Int)?
    for identifier in claim.types {
      let claimed = UniformType(exportedAs: identifier, in: types)
      guard let distance = distance(from: type, to: claimed),
        distance == 0 || !claim.isExact, distance < nearest?.distance ?? .max
      else { continue }
      nearest = (claimed, distance)
    }
    guard let nearest else { return nil }
    let identifier = claim.handler.identifier.caseFolded
    let declaration = types.declarations(of: nearest.type.identifier).first
    let isOwner =
      declaration?.kind == .exported && declaration?.source.owner.caseFolded == identifier
    let ranking = [
      identifier == chosen.file ? 0 : 1, identifier == chosen.type ? 0 : 1,
      declaration?.isWildcard == true && nearest.distance > 0 ? 1 : 0, nearest.distance,
      claim.rank.order, isOwner ? 0 : 1, role == nil ? claim.role.closeness : 0,
    ]
    return Candidate(
      claim: claim, type: nearest.type, distance: nearest.distance, ranking: ranking)
  }

  /// A claim on a dynamic type applies to every type with its tags.
  private func distance(from type: UniformType, to claimed: UniformType) -> Int? {
    if let dynamic = claimed.dynamicIdentifier, type.hasTags(of: dynamic) { return 0 }
    return type.distance(to: claimed)
  }
}

extension HandlerRegistry {
  private static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
    switch decision(a, b) {
    case .version: return Version(a.handler.version) > Version(b.handler.version)
    case .identifier:
      return a.handler.identifier.utf8.lexicographicallyPrecedes(b.handler.identifier.utf8)
    default: return a.ranking.lexicographicallyPrecedes(b.ranking)
    }
  }

  /// The first rule that ranks two candidates differently.
  private static func decision(_ a: Candidate, _ b: Candidate) -> HandlerRule {
    let rule = zip(a.ranking, b.ranking).enumerated().first { $0.element.0 != $0.element.1 }
    if let rule = rule.flatMap({ HandlerRule(rawValue: $0.offset) }) { return rule }
    return Version(a.handler.version) == Version(b.handler.version) ? .identifier : .version
  }
}

/// A version: numbers separated by full stops. Other components count as 0, and so does a missing
/// version.
struct Version: Comparable {
  private let numbers: [Int]

  init(_ text: String?) {
    var numbers = (text ?? "").split(separator: ".").map { Int($0) ?? 0 }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  static func < (a: Version, b: Version) -> Bool {
    a.numbers.lexicographicallyPrecedes(b.numbers)
  }
}

/// A program that opens files.
package struct Handler: Sendable, Hashable {
  /// The identifier of its bundle or desktop entry, compared without case.
  package var identifier: String

  /// Its name for users.
  package var name: String?

  /// Its version: numbers separated by full stops.
  package var version: String?

  package init(_ identifier: String, name: String? = nil, version: String? = nil) {
    self.identifier = identifier
    self.name = name
    self.version = version
  }
}

/// The claim of a program to open files: an entry of `CFBundleDocumentTypes`, or the `MimeType` key of
/// a desktop entry.
package struct HandlerClaim: Sendable, Hashable {
  package var handler: Handler

  /// The program's name for such files.
  package var name: String?

  /// The identifiers of the types. Claimed extensions and other tags are dynamic identifiers.
  package var types: [String]

  /// The role of the program for such files.
  package var role: HandlerRole

  /// Its rank among the programs that open such files.
  package var rank: HandlerRank

  /// Whether the claim excludes subtypes, as the claims of preview extensions do.
  package var isExact: Bool

  /// The name of the `NSDocument` subclass for such files on macOS, or nil if there is none.
  package var documentClass: String?

  /// The name of the `UIDocument` subclass for such files on iOS, or nil if there is none.
  package var touchDocumentClass: String?

  /// The file that makes the claim.
  package var source: DeclarationSource

  package init(
    by handler: Handler, to types: [String], name: String? = nil, role: HandlerRole = .editor,
    rank: HandlerRank = .default, isExact: Bool = false, source: DeclarationSource
  ) {
    self.handler = handler
    self.name = name
    self.types = types
    self.role = role
    self.rank = rank
    self.isExact = isExact
    self.source = source
  }
}

/// A user's choice of a program for files.
package struct HandlerChoice: Sendable, Hashable {
  /// The files that it applies to.
  package enum Scope: Sendable, Hashable {
    /// One file, by its path.
    case file(String)
    /// All files of a type, by its identifier, and of its subtypes.
    case type(String)
  }

  /// The files that it applies to.
  package var scope: Scope

  /// The identifier of the program.
  package var handler: String

  package init(_ scope: Scope, handler: String) {
    self.scope = scope
    self.handler = handler
  }
}

/// The rank of an application among all that open a type (`LSHandlerRank`), highest first.
package enum HandlerRank: String, Sendable, CaseIterable, Comparable {
  /// It created the type.
  case owner = "Owner"
  /// It opens files of the type by default.
  case `default` = "Default"
  /// It can open them if the user asks for it.
  case alternate = "Alternate"
  /// It does not open them.
  case none = "None"

  /// The rank with a name, in upper or lower case, or nil if there is none.
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
  /// It only draws their previews.
  case quickLookGenerator = "QLGenerator"
  /// It only indexes them for searches.
  case spotlightImporter = "MDImporter"
  /// It only describes them.
  case none = "None"

  /// The role with a name, in upper or lower case, or nil if there is none.
  package init?(named name: String) {
    guard let role = Self.allCases.first(where: { $0.rawValue.caseFolded == name.caseFolded })
    else { return nil }
    self = role
  }

  /// Whether an application in this role serves a request for `wanted`. Nil requests any role that opens
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
