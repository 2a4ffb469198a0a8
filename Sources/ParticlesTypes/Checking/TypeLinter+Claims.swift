internal import ParticlesCore

// Findings about claims and other mentions of types.

extension TypeLinter {
  typealias Claimed = TypesFile.Entry<TypesFile.ClaimForm>

  /// Types that very many others conform to, besides the ones declared as wildcards.
  private static let highLevel: Set<UniformType> = [
    .content, .compositeContent, .text, .image, .audio, .movie,
    UniformType(importedAs: "public.audiovisual-content"),
  ]

  /// Types that nearly every file has. A document browser that shows them shows everything.
  private static let anyFile: Set<UniformType> = [.item, .data, .content, .compositeContent]

  func check(_ entry: Claimed) -> [Diagnostic] {
    let form = entry.value
    var findings: [Diagnostic] = []
    if form.claim.types.isEmpty && file.source.kind != .desktop && form.legacyKeys.isEmpty {
      findings.append(Diagnostic(.typesStructure, at: .key(entry.key), expected: "types"))
    }
    if form.role == nil {
      findings.add(
        .typesRole, at: .key(entry.key), expected: file.roleKey, found: "no role; Editor is assumed"
      )
    }
    if form.namesTypes && !form.legacyKeys.isEmpty {
      findings.add(
        .typesIgnored, at: .key(entry.key), found: form.legacyKeys.joined(separator: ", "))
    }
    if form.claimsAnyFile, form.claim.rank < .alternate, form.role != nil, opens(form.claim.role) {
      findings.append(Diagnostic(.typesHighLevel, at: .key(entry.key), found: "'*'"))
    }
    findings += package(entry) + incomplete(entry)
    if !form.namesTypes { findings += tags(form.tags) }
    for (identifier, key) in zip(form.claim.types, form.typeKeys) {
      findings += check(identifier, of: form, at: key)
    }
    return findings
  }

  private func opens(_ role: HandlerRole) -> Bool { role.satisfies(nil) }

  private func check(
    _ identifier: String, of form: TypesFile.ClaimForm, at key: String
  ) -> [Diagnostic] {
    guard !Self.isPlaceholder(identifier) else { return [] }
    let type = type(identifier)
    if file.source.kind == .desktop { return folder(type, at: key) }
    guard !type.isDynamic else { return [] }
    // Previews are checked where they are mentioned.
    guard form.claim.role != .quickLookGenerator || !form.claim.isExact else { return [] }
    if let finding = undeclared(identifier, at: key) { return [finding] }
    return highLevel(type, identifier, of: form.claim, at: key)
      + foreignOwner(identifier, of: form.claim, at: key)
  }

  private func highLevel(
    _ type: UniformType, _ identifier: String, of claim: HandlerClaim, at key: String
  ) -> [Diagnostic] {
    guard opens(claim.role) else { return [] }
    let isHighLevel = type.declaration?.isWildcard == true || Self.highLevel.contains(type)
    let showsAnyFile =
      file.bundle.hasDocumentBrowser && claim.rank == .alternate && Self.anyFile.contains(type)
    guard isHighLevel && claim.rank < .alternate || showsAnyFile else { return [] }
    return [
      Diagnostic(
        .typesHighLevel, at: .key(key), showsAnyFile ? "its document browser shows all files" : nil,
        found: "'\(identifier)'",
        hint: showsAnyFile ? "list the types that the application opens" : nil)
    ]
  }

  private func foreignOwner(
    _ identifier: String, of claim: HandlerClaim, at key: String
  ) -> [Diagnostic] {
    guard claim.rank == .owner, opens(claim.role), !exports.contains(identifier.caseFolded) else {
      return []
    }
    return [
      Diagnostic(
        .typesOwner, at: .key(key), "Owner of a type that the file does not export",
        found: "'\(identifier)'", hint: "use the rank Default or Alternate, or export the type")
    ]
  }

  /// A program that opens folders may become the one that opens all of them.
  private func folder(_ type: UniformType, at key: String) -> [Diagnostic] {
    guard type.conforms(to: .directory) else { return [] }
    return [Diagnostic(.typesFolder, at: .key(key), found: "'inode/directory'")]
  }

  /// An undeclared type of the application's own domain is an error, of another or an unknown one a
  /// warning, and of the system a note, since the table of system types is not complete.
  func undeclared(_ identifier: String, at key: String) -> Diagnostic? {
    if let fault = TypeIdentifier.fault(in: identifier) {
      return Diagnostic(.typesIdentifier, at: .key(key), fault, found: "'\(identifier)'")
    }
    let type = type(identifier)
    guard !type.isDeclared, !type.isDynamic else { return nil }
    let near = near(identifier)
    let isOwn = Self.vendor(of: identifier).map(ownVendors.contains) ?? false
    var severity: Severity = isOwn ? .error : .warning
    if Self.isSystems(identifier) { severity = near == nil ? .note : .warning }
    return Diagnostic(
      .typesUndeclared, at: .key(key), found: "'\(identifier)'", severity: severity,
      hint: near.map { "did you mean '\($0)'? otherwise export or import the type" })
  }

  /// Types that previews, actions and exports name.
  func mentions() -> [Diagnostic] {
    file.mentions.compactMap { entry in
      let identifier = entry.value.identifier
      guard !Self.isPlaceholder(identifier) else { return nil }
      if var finding = undeclared(identifier, at: entry.key) {
        finding.detail = finding.detail ?? "for \(entry.value.purpose.article)"
        return finding
      }
      let type = type(identifier)
      guard entry.value.purpose == .preview, type.typeTags.classes.isEmpty, !type.isDynamic
      else { return nil }
      return Diagnostic(.typesExact, at: .key(entry.key), found: "'\(identifier)'")
    }
  }

  // MARK: All claims together

  /// Two claims with the same name, or on the same types.
  func repeatedClaims() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var names: [String: String] = [:]
    var claimed: [String: String] = [:]
    for entry in file.claims where opens(entry.value.claim.role) {
      if let name = entry.value.claim.name {
        if let other = names[name] {
          findings.add(
            .typesDuplicate, at: .key(entry.key), "the name '\(name)' is also used in \(other)")
        }
        names[name] = names[name] ?? entry.key
      }
      var others: [(claim: String, names: [String])] = []
      for name in entry.value.claimedNames {
        let key = name.caseFolded
        guard let other = claimed[key] else {
          claimed[key] = entry.key
          continue
        }
        if let index = others.firstIndex(where: { $0.claim == other }) {
          others[index].names.append(name)
        } else {
          others.append((other, [name]))
        }
      }
      findings += others.map { other, names in
        Diagnostic(
          .typesDuplicate, at: .key(entry.key), "also claimed in \(other)",
          found: names.prefix(5).joined(separator: ", ")
            + (names.count > 5 ? " and \(names.count - 5) more" : ""))
      }
    }
    return findings
  }

  /// The application that exports a type of documents owns it, and should claim it as Owner.
  func unclaimedExports() -> [Diagnostic] {
    file.declarations.compactMap { entry in
      let type = type(entry.value.identifier)
      guard entry.value.kind == .exported, !entry.value.tags[.filenameExtension].isEmpty,
        !Self.isPlaceholder(entry.value.identifier), !file.bundle.isExtension,
        known.declarations(of: entry.value.identifier).first?.kind != .system
      else { return nil }
      let rank = ranks[entry.value.identifier.caseFolded]
      guard rank != .owner else { return nil }
      return Diagnostic(
        .typesOwner, at: .key(entry.key), "an exported type without a claim as Owner",
        found: rank?.rawValue ?? "no claim", severity: rank == nil ? .note : nil,
        hint: "claim '\(type)' with the rank Owner")
    }
  }
}

extension TypesFile {
  /// The key of the role in such a file.
  fileprivate var roleKey: String { source.kind == .application ? "CFBundleTypeRole" : "role" }
}

extension TypesFile.ClaimForm {
  /// The claimed types, or the claimed tags as messages show them, each once.
  fileprivate var claimedNames: [String] {
    var seen: Set<String> = []
    let types = claim.types.filter { DynamicIdentifier($0) == nil }.map { "'\($0)'" }
    let tags = namesTypes ? [] : tags.map(\.shown)
    return (types + tags).filter { seen.insert($0.caseFolded).inserted }
  }
}

extension ClaimedTag {
  fileprivate var shown: String {
    switch tagClass {
    case .filenameExtension: "the extension '\(tag)'"
    case .mimeType: "the MIME type '\(tag)'"
    default: "the OSType '\(tag)'"
    }
  }
}

extension TypesFile.Mention.Purpose {
  fileprivate var article: String {
    switch self {
    case .preview: "a preview"
    case .action: "an action"
    case .export: "an export"
    }
  }
}
