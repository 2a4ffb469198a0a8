internal import ParticlesCore

// Findings about claims and other mentions of types.

extension TypeLinter {
  private typealias Claimed = TypesFile.Entry<TypesFile.ClaimForm>

  /// Types that very many others conform to, besides the ones declared as wildcards.
  private static let highLevel: Set<UniformType> = [
    .content, .compositeContent, .text, .image, .audio, .movie,
    UniformType(importedAs: "public.audiovisual-content"),
  ]

  func check(_ entry: TypesFile.Entry<TypesFile.ClaimForm>) -> [Diagnostic] {
    let form = entry.value
    var findings: [Diagnostic] = []
    if form.claim.types.isEmpty && file.source.kind != .desktop && form.legacyKeys.isEmpty {
      findings.append(Diagnostic(.typesStructure, at: .key(entry.key), expected: "types"))
    }
    if form.role == nil {
      findings.append(
        Diagnostic(
          .typesRole, at: .key(entry.key), expected: file.roleKey,
          found: "no role; Editor is assumed")
      )
    }
    if form.namesTypes && !form.legacyKeys.isEmpty {
      findings.append(
        Diagnostic(
          .typesIgnored, at: .key(entry.key), found: form.legacyKeys.joined(separator: ", ")))
    }
    findings += package(entry)
    for (identifier, key) in zip(form.claim.types, form.typeKeys) {
      findings += check(identifier, of: form, at: key)
    }
    return findings
  }

  private func check(
    _ identifier: String, of form: TypesFile.ClaimForm, at key: String
  ) -> [Diagnostic] {
    guard !Self.isPlaceholder(identifier) else { return [] }
    let type = type(identifier)
    if file.source.kind == .desktop { return folder(type, at: key) }
    guard form.namesTypes, !type.isDynamic else { return [] }
    // Previews are checked where they are mentioned.
    guard form.claim.role != .quickLookGenerator || !form.claim.isExact else { return [] }
    if let finding = undeclared(identifier, at: key) { return [finding] }
    var findings: [Diagnostic] = []
    let isHighLevel = type.declaration?.isWildcard == true || Self.highLevel.contains(type)
    if isHighLevel, form.claim.rank < .alternate {
      findings.append(Diagnostic(.typesHighLevel, at: .key(key), found: "'\(identifier)'"))
    }
    if form.claim.rank == .owner, !exports.contains(identifier.caseFolded) {
      findings.append(
        Diagnostic(
          .typesOwner, at: .key(key), "Owner of a type that the file does not export",
          found: "'\(identifier)'", hint: "use the rank Default or Alternate, or export the type"))
    }
    return findings
  }

  /// A program that opens folders may become the one that opens all of them.
  private func folder(_ type: UniformType, at key: String) -> [Diagnostic] {
    guard type.conforms(to: .directory) else { return [] }
    return [Diagnostic(.typesFolder, at: .key(key), found: "'inode/directory'")]
  }

  private func undeclared(_ identifier: String, at key: String) -> Diagnostic? {
    if let fault = TypeIdentifier.fault(in: identifier) {
      return Diagnostic(.typesIdentifier, at: .key(key), fault, found: "'\(identifier)'")
    }
    let type = type(identifier)
    guard !type.isDeclared, !type.isDynamic else { return nil }
    // Misspelt identifiers mostly have the right last component.
    let last = identifier.caseFolded.split(separator: ".").last
    let near = last.flatMap { endings[$0] } ?? nil
    return Diagnostic(
      .typesUndeclared, at: .key(key), found: "'\(identifier)'",
      hint: near.map { "did you mean '\($0)'? otherwise export or import the type" })
  }

  // MARK: Old keys

  /// `LSTypeIsPackage` has to fit the claimed types.
  private func package(_ entry: Claimed) -> [Diagnostic] {
    let form = entry.value
    let types = form.claim.types.map(type)
    if form.namesTypes {
      let files = types.filter { $0.isDeclared && $0.conforms(to: .data) }
      guard form.isPackage == true, !files.isEmpty, files.count == types.count else { return [] }
      return [
        Diagnostic(
          .typesPackage, at: .key(entry.key), "LSTypeIsPackage is set for a type of files",
          found: "'\(files[0])'",
          hint: "remove LSTypeIsPackage")
      ]
    }
    guard form.isPackage != true else { return [] }
    for type in types {
      for name in type.tags[.filenameExtension] ?? [] {
        let claimants = registry.select(tag: name, tagClass: .filenameExtension).candidates
        guard !claimants.isEmpty, claimants.allSatisfy({ $0.type.conforms(to: .package) })
        else { continue }
        return [
          Diagnostic(
            .typesPackage, at: .key(entry.key), "LSTypeIsPackage is not set for a type of packages",
            found: "'\(claimants[0].type)'",
            hint: "name the type in LSItemContentTypes, or set LSTypeIsPackage")
        ]
      }
    }
    return []
  }

  // MARK: All claims together

  /// Two claims with the same name, or on the same type.
  func repeatedClaims() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var names: [String: String] = [:]
    var types: [String: String] = [:]
    for entry in file.claims where entry.value.claim.role != .quickLookGenerator {
      if let name = entry.value.claim.name {
        if let other = names[name] {
          findings.append(
            Diagnostic(
              .typesDuplicate, at: .key(entry.key), "the name '\(name)' is also used in \(other)"))
        }
        names[name] = names[name] ?? entry.key
      }
      for (identifier, key) in zip(entry.value.claim.types, entry.value.typeKeys) {
        if let other = types[identifier.caseFolded] {
          findings.append(
            Diagnostic(
              .typesDuplicate, at: .key(key), "'\(identifier)' is also claimed in \(other)"))
        }
        types[identifier.caseFolded] = types[identifier.caseFolded] ?? key
      }
    }
    return findings
  }

  /// The application that exports a type of documents owns it, and should claim it as Owner.
  func unclaimedExports() -> [Diagnostic] {
    file.declarations.compactMap { entry in
      let type = type(entry.value.identifier)
      guard entry.value.kind == .exported, !entry.value.tags[.filenameExtension].isEmpty,
        !Self.isPlaceholder(entry.value.identifier)
      else { return nil }
      let rank = ranks[entry.value.identifier.caseFolded]
      guard rank != .owner else { return nil }
      return Diagnostic(
        .typesOwner, at: .key(entry.key), "an exported type without a claim as Owner",
        found: rank?.rawValue ?? "no claim",
        hint: "claim '\(type)' with the rank Owner")
    }
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
      guard entry.value.purpose == .preview, type.typeTags.classes.isEmpty else { return nil }
      return Diagnostic(.typesExact, at: .key(entry.key), found: "'\(identifier)'")
    }
  }

  // MARK: Saving

  /// An editor needs a type to save as, and on touch devices access to the file.
  func saving() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for entry in file.claims where entry.value.claim.role == .editor && entry.value.role != nil {
      let types = entry.value.claim.types.filter { !Self.isPlaceholder($0) }.map(type)
      guard !types.isEmpty, types.allSatisfy({ $0.preferredFilenameExtension == nil }) else {
        continue
      }
      findings.append(
        Diagnostic(
          .typesEditor, at: .key(entry.key), "none of its types has an extension to save with",
          found: types.map { "'\($0)'" }.joined(separator: ", "),
          hint: "claim the types that the application writes, or use the role Viewer"))
    }
    if file.isForTouch, !file.opensInPlace, !file.claims.isEmpty {
      findings.append(
        Diagnostic(
          .typesEditor, at: .key("CFBundleDocumentTypes"),
          "documents are copied into the application instead of being opened in place",
          hint: "set UISupportsDocumentBrowser or LSSupportsOpeningDocumentsInPlace"))
    }
    return findings
  }
}

extension TypesFile {
  /// The key of the role in such a file.
  fileprivate var roleKey: String { source.kind == .application ? "CFBundleTypeRole" : "role" }
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
