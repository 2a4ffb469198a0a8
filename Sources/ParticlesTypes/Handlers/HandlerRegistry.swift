/// Programs, the files that they open, and what people chose among them.
package struct HandlerRegistry: Sendable {
  /// The types that claims are about.
  package var types: TypeRegistry

  /// What programs claim.
  package var claims: [HandlerClaim]

  /// What people chose. Of several choices for the same, the last one counts.
  package var choices: [HandlerChoice]

  /// Creates a registry.
  package init(
    types: TypeRegistry = .standard, claims: [HandlerClaim] = [], choices: [HandlerChoice] = []
  ) {
    self.types = types
    self.claims = claims
    self.choices = choices
  }

  /// A program that has to do with a type.
  package struct Candidate: Sendable {
    /// What it claims.
    package let claim: HandlerClaim
    /// The type by which it does: the wanted one, or the nearest that it conforms to.
    package let type: UniformType
    /// How many steps it is from the wanted type to that one.
    package let distance: Int
    /// What put it before the candidate behind it; nil for the last one.
    package internal(set) var decision: HandlerRule?

    /// A number for each rule; less is better.
    let standing: [Int]

    /// The program.
    package var handler: Handler { claim.handler }
  }

  /// Who opens files of a type.
  package struct Resolution: Sendable {
    /// Those that do, the one that opens them ordinarily first.
    package let candidates: [Candidate]
    /// Those that only say what such files are: their rank is None. They are never chosen.
    package let declaring: [Candidate]

    /// The one that opens them ordinarily.
    package var chosen: Candidate? { candidates.first }
  }

  /// Who opens a file, ranked; how that is decided says `Spec/types.md`.
  /// - Parameters:
  ///   - type: the type of the file.
  ///   - role: what is to be done with it; nil for opening it somehow.
  ///   - path: which file it is, since somebody may have chosen for this one alone.
  package func handlers(
    for type: UniformType, role: HandlerRole? = nil, path: String? = nil
  ) -> Resolution {
    let chosen = chosenHandlers(for: type, path: path)
    var best: [String: Candidate] = [:]
    var declaring: [Candidate] = []
    for claim in claims + chosenClaims(chosen, role) {
      guard claim.role.satisfies(role) || claim.rank == .none,
        let candidate = candidate(claim, type, role, chosen)
      else { continue }
      guard claim.rank != .none else {
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

  /// The programs that somebody chose: for the file, and for the type or the nearest supertype.
  private struct Chosen {
    var file: String?
    var type: String?
    /// The type that the second one was chosen for.
    var scope: UniformType
  }

  private func chosenHandlers(for type: UniformType, path: String?) -> Chosen {
    var chosen = Chosen(scope: type)
    var least = Int.max
    // One that is not installed opens nothing; the next choice is as good as the first.
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

  /// A person may choose a program that does not say that it opens the type.
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

  /// The claim as it bears on a type; nil if it does not.
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
    let standing = [
      identifier == chosen.file ? 0 : 1, identifier == chosen.type ? 0 : 1,
      declaration?.isWildcard == true && nearest.distance > 0 ? 1 : 0, nearest.distance,
      claim.rank.order, role == nil ? claim.role.closeness : 0, isOwner ? 0 : 1,
    ]
    return Candidate(
      claim: claim, type: nearest.type, distance: nearest.distance, standing: standing)
  }

  /// A dynamic type that is claimed stands for every type that has its tags.
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
    default: return a.standing.lexicographicallyPrecedes(b.standing)
    }
  }

  /// The first rule that tells two candidates apart.
  private static func decision(_ a: Candidate, _ b: Candidate) -> HandlerRule {
    let rule = zip(a.standing, b.standing).enumerated().first { $0.element.0 != $0.element.1 }
    if let rule = rule.flatMap({ HandlerRule(rawValue: $0.offset) }) { return rule }
    return Version(a.handler.version) == Version(b.handler.version) ? .identifier : .version
  }
}

/// A version as numbers between full stops; whatever is no number counts as 0, and so does a version
/// that nobody states.
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
