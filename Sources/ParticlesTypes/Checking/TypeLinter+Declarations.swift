internal import ParticlesCore

// Findings about declared types.

extension TypeLinter {
  typealias Declared = TypesFile.Entry<TypeDeclaration>

  func check(_ entry: Declared) -> [Diagnostic] {
    let declaration = entry.value
    guard !Self.isPlaceholder(declaration.identifier) else { return [] }
    var findings: [Diagnostic] = []
    if let fault = TypeIdentifier.fault(in: declaration.identifier) {
      findings.append(
        Diagnostic(
          .typesIdentifier, at: .key(entry.key), fault, found: "'\(declaration.identifier)'"))
    }
    if let finding = redeclaration(entry) {
      findings.append(finding)
    } else {
      findings += foreign(entry) + forms(entry)
    }
    findings += difference(entry) + supertypes(entry) + tags(entry) + desktop(entry)
    return findings
  }

  // MARK: Owner

  private func redeclaration(_ entry: Declared) -> Diagnostic? {
    guard known.declarations(of: entry.value.identifier).first?.kind == .system else { return nil }
    return Diagnostic(.typesRedeclared, at: .key(entry.key), found: "'\(entry.value.identifier)'")
  }

  /// Exported types belong to the bundle: their identifiers begin with the domain of its vendor.
  private func foreign(_ entry: Declared) -> [Diagnostic] {
    let (owner, identifier) = (file.source.owner, entry.value.identifier)
    guard entry.value.kind == .exported else { return [] }
    let isApple = owner.caseFolded.hasPrefix("com.apple.")
    let isForbidden =
      TypeIdentifier.isReserved(identifier)
      || identifier.caseFolded.hasPrefix("com.apple.") && !isApple
    let vendor = Self.vendor(of: owner)
    let isStrange = vendor != nil && vendor != Self.vendor(of: identifier)
    guard isForbidden || isStrange else { return [] }
    return [
      Diagnostic(
        .typesForeign, at: .key(entry.key),
        expected: vendor.map { "an identifier that begins with \($0)" },
        found: "'\(identifier)'")
    ]
  }

  /// The first two components of a name in reverse-DNS style; nil if it has only one, or a build
  /// variable.
  private static func vendor(of identifier: String) -> String? {
    let parts = identifier.caseFolded.split(separator: ".")
    guard parts.count > 1, !isPlaceholder(identifier) else { return nil }
    return parts.prefix(2).joined(separator: ".")
  }

  /// An import replaces the owner's declaration where the owner is not installed, so it should be the
  /// same.
  private func difference(_ entry: Declared) -> [Diagnostic] {
    guard entry.value.kind == .imported,
      let owners = known.declarations(of: entry.value.identifier).first
    else { return [] }
    var differences: [String] = []
    func folded(_ names: [String]) -> Set<String> { Set(names.map(\.caseFolded)) }
    if folded(owners.supertypes) != folded(entry.value.supertypes) {
      differences.append("supertypes")
    }
    for tagClass in [TagClass.filenameExtension, .mimeType]
    where folded(owners.tags[tagClass]) != folded(entry.value.tags[tagClass]) {
      differences.append(tagClass.rawValue)
    }
    guard !differences.isEmpty else { return [] }
    return [
      Diagnostic(
        .typesDiffers, at: .key(entry.key), "'\(entry.value.identifier)'",
        found: "different \(differences.joined(separator: ", "))")
    ]
  }

  // MARK: Conformance

  /// A type with files is a file or a package, and a document is content.
  private func forms(_ entry: Declared) -> [Diagnostic] {
    let type = type(entry.value.identifier)
    let isData = type.conforms(to: .data)
    let isPackage = type.conforms(to: .package)
    let isDirectory = type.conforms(to: .directory)
    let name = "'\(entry.value.identifier)'"
    if isData && isPackage { return [Diagnostic(.typesTwoForms, at: .key(entry.key), name)] }
    let isClaimed = ranks[entry.value.identifier.caseFolded] != nil
    let hasFiles = !entry.value.tags[.filenameExtension].isEmpty || isClaimed
    if hasFiles && !isData && !isPackage && (isClaimed || !isDirectory) {
      return [Diagnostic(.typesPhysical, at: .key(entry.key), name)]
    }
    guard isClaimed, !type.conforms(to: .content) else { return [] }
    return [Diagnostic(.typesContent, at: .key(entry.key), name)]
  }

  private func supertypes(_ entry: Declared) -> [Diagnostic] {
    entry.value.supertypes.enumerated().compactMap { index, supertype in
      let key = "\(entry.key).\(supertypesKey)[\(index)]"
      guard !Self.isPlaceholder(supertype) else { return nil }
      if let fault = TypeIdentifier.fault(in: supertype) {
        return Diagnostic(.typesIdentifier, at: .key(key), fault, found: "'\(supertype)'")
      }
      guard !type(supertype).isDeclared else { return nil }
      return Diagnostic(.typesUnknownSupertype, at: .key(key), found: "'\(supertype)'")
    }
  }

  private var supertypesKey: String {
    file.source.kind == .application ? "UTTypeConformsTo" : "conformsTo"
  }

  /// Types of the file that conform to themselves.
  func circles() -> [Diagnostic] {
    registry.cycles.compactMap { circle in
      let names = Set(circle.map(\.caseFolded))
      let entry = file.declarations.first { names.contains($0.value.identifier.caseFolded) }
      return entry.map {
        Diagnostic(
          .typesCircle, at: .key($0.key),
          // Enough to find it; a circle may have as many types as the file.
          (circle.prefix(6) + circle.prefix(1)).joined(separator: " → "))
      }
    }
  }

  /// A type that is declared twice, and an extension of two exported types of one form.
  func twins() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var identifiers: [String: String] = [:]
    var extensions: [String: String] = [:]
    for entry in file.declarations {
      let identifier = entry.value.identifier
      if let other = identifiers[identifier.caseFolded] {
        findings.append(
          Diagnostic(
            .typesDuplicate, at: .key(entry.key), "'\(identifier)' is also declared in \(other)"))
      }
      identifiers[identifier.caseFolded] = identifiers[identifier.caseFolded] ?? entry.key
      guard entry.value.kind == .exported else { continue }
      let form = type(identifier).conforms(to: .directory) ? "directories" : "files"
      for name in entry.value.tags[.filenameExtension] {
        let key = "\(form) \(name.caseFolded)"
        if let other = extensions[key], other != identifier.caseFolded {
          findings.append(
            Diagnostic(
              .typesDuplicate, at: .key(entry.key), "the extension '\(name)' of \(form)",
              found: "'\(other)' has it already"))
        }
        extensions[key] = identifier.caseFolded
      }
    }
    return findings
  }
}
