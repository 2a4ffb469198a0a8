/// The candidate types of a file name, an extension or another tag, ranked, with the deciding rules.
package struct TypeSelection: Sendable {
  /// A candidate.
  package struct Candidate: Sendable {
    package let type: UniformType
    /// The index of the tag among the tags of the type, with 0 for the preferred tag. Nil if only
    /// the contents match.
    package let position: Int?
    /// The rule that ranked it above the next candidate, or nil for the last candidate.
    package internal(set) var decision: SelectionRule?

    /// A number for each rule. Lower is better.
    let ranking: [Int]
    let key: String
  }

  /// The candidates, the best first.
  package let candidates: [Candidate]

  /// Types that have the tag but do not fit the item: types of files for a directory, or types of
  /// directories for a file.
  package let excluded: [UniformType]

  /// The selected type: the best candidate, or else a dynamic type with the tag, or `public.data` or
  /// `public.folder`. Nil if the tag is not valid.
  package let type: UniformType?

  /// The part of the file name that decided, without the full stop before it.
  package let suffix: String?
}

extension TypeGraph.Claims {
  /// The claims in the order of the declarations.
  var all: [TypeGraph.Claim] { [first] + others }
}

extension TypeRegistry {
  /// Ranks the types that claim a tag.
  /// - Parameters:
  ///   - tag: the tag.
  ///   - tagClass: its class.
  ///   - supertype: the type that candidates have to conform to, or nil for any.
  ///   - kind: the kind of the item on disk, or nil if unknown.
  ///   - head: the first bytes of the file, or nil to ignore the contents.
  package func select(
    tag: String, tagClass: TagClass, conformingTo supertype: UniformType? = nil,
    kind: ItemKind? = nil, head: [UInt8]? = nil
  ) -> TypeSelection {
    let claims = claims(tag, tagClass).filter { claim in
      supertype.map { UniformType(node: claim.node, in: graph).conforms(to: $0) } ?? true
    }
    let (candidates, excluded) = rank(claims, kind, head)
    let hint = supertype?.identifier ?? kind?.supertype
    return TypeSelection(
      candidates: candidates, excluded: excluded,
      type: candidates.first?.type ?? dynamicType(tag, tagClass, hint), suffix: nil)
  }

  /// Ranks the types that a file may have. The longest suffix of the name that a declared type has
  /// decides, so `a.tar.gz` is a compressed archive. The contents decide for a name without one.
  /// - Parameters:
  ///   - name: the name, without folders.
  ///   - kind: the kind of the item on disk, or nil if unknown.
  ///   - head: the first bytes of the file, or nil to ignore the contents.
  package func select(
    fileName name: String, kind: ItemKind? = nil, head: [UInt8]? = nil
  ) -> TypeSelection {
    let suffixes = Self.suffixes(of: name)
    var excluded: [UniformType] = []
    for suffix in suffixes {
      let tagClass: TagClass =
        suffix.utf8.contains(UInt8(ascii: ".")) ? .compoundExtension : .filenameExtension
      let (candidates, others) = rank(claims(suffix, tagClass), kind, head)
      excluded += others
      guard candidates.isEmpty else {
        return TypeSelection(
          candidates: candidates, excluded: excluded, type: candidates.first?.type, suffix: suffix)
      }
    }
    let matches = kind == .directory ? [] : sniff(head ?? [])
    let hint = (kind ?? .file).supertype
    let type =
      matches.first?.type ?? suffixes.last.flatMap { dynamicType($0, .filenameExtension, hint) }
      ?? UniformType(kind == .directory ? "public.folder" : "public.data", in: self)
    return TypeSelection(
      candidates: matches, excluded: excluded, type: type, suffix: suffixes.last)
  }

  /// The suffixes of a name after each of its full stops, the longest first. A full stop at the
  /// beginning marks a hidden file and begins no extension.
  private static func suffixes(of name: String) -> [String] {
    name.indices.filter { name[$0] == "." && $0 > name.startIndex }
      .map { String(name[name.index(after: $0)...]) }.filter { !$0.isEmpty }
  }

  /// The claims to a tag. The name of a type in a shared MIME database counts as a MIME type, but not
  /// as its preferred one.
  private func claims(_ tag: String, _ tagClass: TagClass) -> [TypeGraph.Claim] {
    let claims = graph.claims(tag, tagClass)?.all ?? []
    guard tagClass == .mimeType else { return claims }
    let others = graph.claims(tag, .sharedMIMEType)?.all ?? []
    return claims
      + others.filter { other in !claims.contains { $0.node == other.node } }
      .map { TypeGraph.Claim(node: $0.node, position: $0.position + 1) }
  }

  private func dynamicType(_ tag: String, _ tagClass: TagClass, _ supertype: String?)
    -> UniformType?
  {
    guard !tag.isEmpty, !tag.utf8.contains(0) else { return nil }
    if tagClass == .filenameExtension, tag.contains(where: { $0 == "." || $0 == "/" }) {
      return nil
    }
    let dynamic = DynamicIdentifier(
      tag: tag, tagClass: tagClass, conformingTo: supertype.map { [$0] } ?? [])
    return UniformType(identifier: dynamic.identifier, form: .dynamic(dynamic), graph: graph)
  }

  /// The candidates in their order, and the types of another kind than the item.
  private func rank(
    _ claims: [TypeGraph.Claim], _ kind: ItemKind?, _ head: [UInt8]?
  ) -> ([TypeSelection.Candidate], [UniformType]) {
    var seen: Set<Int> = []
    var candidates: [TypeSelection.Candidate] = []
    var excluded: [UniformType] = []
    for claim in claims where seen.insert(claim.node).inserted {
      let type = UniformType(node: claim.node, in: graph)
      guard let fit = fit(type, kind) else {
        excluded.append(type)
        continue
      }
      let declaration = graph.declarations[claim.node]
      let ranking = [
        fit, Self.evidence(declaration, head), declaration.trust(owner: owner),
        min(claim.position, 1), type.isPublic ? 0 : 1,
        claims.count { $0.node != claim.node && graph.ancestors.contains($0.node, in: claim.node) },
      ]
      candidates.append(
        .init(
          type: type, position: claim.position, ranking: ranking,
          key: type.identifier.caseFolded))
    }
    return (Self.ordered(candidates), excluded)
  }

  private static func ordered(
    _ candidates: [TypeSelection.Candidate]
  ) -> [TypeSelection.Candidate] {
    guard candidates.count > 1 else { return candidates }
    var candidates = candidates.sorted { a, b in
      a.ranking == b.ranking
        ? a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
        : a.ranking.lexicographicallyPrecedes(b.ranking)
    }
    for index in candidates.indices.dropLast() {
      let pair = zip(candidates[index].ranking, candidates[index + 1].ranking)
      let rule = pair.enumerated().first { $0.element.0 != $0.element.1 }?.offset
      candidates[index].decision = rule.flatMap(SelectionRule.init) ?? .identifier
    }
    return candidates
  }

  /// 0 for a type of the kind, 1 for a type of no kind, nil for a type of the opposite kind.
  private func fit(_ type: UniformType, _ kind: ItemKind?) -> Int? {
    guard let kind else { return 0 }
    if type.conforms(to: UniformType(kind.supertype, in: self)) { return 0 }
    let other: ItemKind = kind == .file ? .directory : .file
    return type.conforms(to: UniformType(other.supertype, in: self)) ? nil : 1
  }

  /// 0 if a pattern of the type matches the contents, 2 if none does, 1 if it has no patterns.
  private static func evidence(_ declaration: TypeDeclaration, _ head: [UInt8]?) -> Int {
    guard let head, !declaration.patterns.isEmpty else { return 1 }
    return declaration.patterns.contains { $0.matches(head) } ? 0 : 2
  }

  /// The types with a pattern that matches the contents.
  private func sniff(_ head: [UInt8]) -> [TypeSelection.Candidate] {
    guard !head.isEmpty else { return [] }
    var matches: [TypeSelection.Candidate] = []
    for (node, declaration) in graph.declarations.enumerated() {
      let priority = declaration.patterns.filter { $0.matches(head) }.map { $0.priority }.max()
      guard let priority else { continue }
      let type = UniformType(node: node, in: graph)
      matches.append(
        .init(
          type: type, position: nil,
          ranking: [0, -priority, declaration.trust(owner: owner)],
          key: type.identifier.caseFolded))
    }
    return Self.ordered(matches)
  }
}

/// The rules that rank types with a common tag, the most important first.
package enum SelectionRule: Int, Sendable, CaseIterable, Comparable {
  /// A type of files fits a file, and a type of directories a directory. A type of neither kind ranks
  /// lower.
  case kind
  /// A pattern of the type matches the first bytes of the file, or none does.
  case content
  /// The source of the declaration, in this order: exported by the application that uses the registry, by the system,
  /// exported by another application, imported by the application that uses the registry, imported by another.
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
