/// Programs, their claims, and the user's choices among them.
package struct HandlerRegistry: Sendable {
  /// The declared types.
  package var types: TypeRegistry

  /// The claims of programs.
  package var claims: [HandlerClaim]

  /// The user's choices. Of several for the same file or type, the last one is effective.
  package var choices: [HandlerChoice]

  /// Creates a registry.
  package init(
    types: TypeRegistry = .standard, claims: [HandlerClaim] = [], choices: [HandlerChoice] = []
  ) {
    self.types = types
    self.claims = claims
    self.choices = choices
  }

  /// A candidate for a type.
  package struct Candidate: Sendable {
    /// Its claim.
    package let claim: HandlerClaim
    /// The claimed type: the wanted one, or its nearest claimed supertype.
    package let type: UniformType
    /// The number of conformances from the wanted type to the claimed one.
    package let distance: Int
    /// The rule that ranked it above the next candidate; nil for the last one.
    package internal(set) var decision: HandlerRule?

    /// A number for each rule; lower is better.
    let ranking: [Int]

    /// The program.
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
  ///   - role: the wanted role; nil for any that opens files.
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
    let installed = Set(claims.map(\.handler.identifier.caseFolded))
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
    [chosen.file, chosen.type].compactMap(\.self).compactMap { identifier in
      guard
        var claim = claims.first(where: { $0.handler.identifier.caseFolded == identifier })
      else { return nil }
      claim.types = [chosen.scope.identifier]
      claim.role = role ?? .viewer
      claim.rank = .alternate
      return claim
    }
  }

  /// The candidate that a claim makes for a type; nil if the claim does not apply.
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

// MARK: - Order

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
