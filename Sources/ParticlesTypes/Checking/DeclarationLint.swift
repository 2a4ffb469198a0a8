internal import ParticlesCore

// Findings about declared types.

extension TypeLinter {
  typealias Declared = TypesFile.Entry<TypeDeclaration>

  func check(_ entry: Declared) -> [Diagnostic] {
    let declaration = entry.value
    guard !Self.isPlaceholder(declaration.identifier) else { return tags(entry) }
    var findings: [Diagnostic] = []
    if let fault = TypeIdentifier.fault(in: declaration.identifier) {
      findings.add(
        .typesIdentifier, at: .key(entry.key), fault, found: "'\(declaration.identifier)'")
    }
    if let finding = redeclaration(entry) {
      findings.append(finding)
    } else {
      findings += foreign(entry) + forms(entry) + difference(entry) + extensions(entry)
    }
    findings += supertypes(entry) + tags(entry) + untagged(entry) + desktop(entry)
    return findings
  }

  // MARK: Owner

  /// The declaration of the system or of another file, if the type has one.
  private func other(_ identifier: String) -> TypeDeclaration? {
    known.declarations(of: identifier).first
  }

  /// A system type that is declared again. An export of one is an error: the system ignores it.
  private func redeclaration(_ entry: Declared) -> Diagnostic? {
    let identifier = entry.value.identifier
    guard other(identifier)?.kind == .system else { return nil }
    if entry.value.kind == .exported {
      guard !isOwn(identifier) || file.source.owner.isEmpty else { return nil }
      return Diagnostic(
        .typesForeign, at: .key(entry.key), "the system declares it", found: "'\(identifier)'",
        hint: "remove the declaration")
    }
    // Other vendors' types in the system's table are missing on older systems.
    guard Self.isSystems(identifier) else { return nil }
    return Diagnostic(.typesRedeclared, at: .key(entry.key), found: "'\(identifier)'")
  }

  /// Exported types belong to the bundle. A reserved identifier is an error. Another domain than the
  /// bundle's is a note, because it may belong to its developer, too.
  private func foreign(_ entry: Declared) -> [Diagnostic] {
    let (owner, identifier) = (file.source.owner, entry.value.identifier)
    guard entry.value.kind == .exported else { return [] }
    let isApple = owner.caseFolded.hasPrefix("com.apple.")
    if TypeIdentifier.isReserved(identifier)
      || identifier.caseFolded.hasPrefix("com.apple.") && !isApple
    {
      return [
        Diagnostic(.typesForeign, at: .key(entry.key), "reserved", found: "'\(identifier)'")
      ]
    }
    guard let vendor = Self.vendor(of: owner), Self.vendor(of: identifier) != vendor else {
      return []
    }
    return [
      Diagnostic(
        .typesForeign, at: .key(entry.key), expected: "an identifier that begins with \(vendor)",
        found: "'\(identifier)'", severity: .note)
    ]
  }

  /// An import replaces the owner's declaration if the owner is not installed, so both should be
  /// equal.
  private func difference(_ entry: Declared) -> [Diagnostic] {
    guard entry.value.kind == .imported, let owners = other(entry.value.identifier) else {
      return []
    }
    var differences: [String] = []
    func folded(_ names: [String]) -> Set<String> { Set(names.map { $0.caseFolded }) }
    if folded(owners.supertypes) != folded(entry.value.supertypes) {
      differences.append("supertypes")
    }
    for tagClass in [TagClass.filenameExtension, .mimeType]
    where folded(owners.tags[tagClass]) != folded(entry.value.tags[tagClass]) {
      differences.append(tagClass.rawValue)
    }
    guard !differences.isEmpty else { return [] }
    // Only the owner's own declaration is authoritative.
    let isOwners = owners.kind == .exported
    return [
      Diagnostic(
        .typesDiffers, at: .key(entry.key), "'\(entry.value.identifier)'",
        found: "different \(differences.joined(separator: ", "))",
        severity: isOwners ? nil : .note)
    ]
  }

  // MARK: Conformance

  /// A type with files is a file or a package, and a document is content. An import only matters where
  /// the owner is not installed, so its faults are warnings.
  private func forms(_ entry: Declared) -> [Diagnostic] {
    let type = type(entry.value.identifier)
    // Where a circle was cut, a type lacks some of its supertypes. The circle has its own report.
    guard !inCircles.contains(entry.value.identifier.caseFolded) else { return [] }
    let isData = type.conforms(to: .data)
    let isPackage = type.conforms(to: .package)
    let isDirectory = type.conforms(to: .directory)
    let name = "'\(entry.value.identifier)'"
    let severity: Severity? = entry.value.kind == .imported ? .warning : nil
    if isData && isPackage {
      return [Diagnostic(.typesTwoForms, at: .key(entry.key), name, severity: severity)]
    }
    let isClaimed = ranks[entry.value.identifier.caseFolded] != nil
    let hasFiles = !entry.value.tags[.filenameExtension].isEmpty || isClaimed
    if hasFiles && !isData && !isDirectory {
      return [Diagnostic(.typesPhysical, at: .key(entry.key), name, severity: severity)]
    }
    guard isClaimed, !type.conforms(to: .content), entry.value.kind == .exported else { return [] }
    return [Diagnostic(.typesContent, at: .key(entry.key), name)]
  }

  private func supertypes(_ entry: Declared) -> [Diagnostic] {
    entry.value.supertypes.enumerated().compactMap { index, supertype in
      let key = "\(entry.key).\(supertypesKey)[\(index)]"
      guard !Self.isPlaceholder(supertype) else { return nil }
      if let fault = TypeIdentifier.fault(in: supertype) {
        return Diagnostic(.typesIdentifier, at: .key(key), fault, found: "'\(supertype)'")
      }
      let type = type(supertype)
      guard !type.isDeclared, !type.isDynamic else { return nil }
      return Diagnostic(
        .typesUnknownSupertype, at: .key(key), found: "'\(supertype)'",
        severity: Self.isSystems(supertype) && near(supertype) == nil ? .note : nil,
        hint: near(supertype).map { "did you mean '\($0)'?" })
    }
  }

  private var supertypesKey: String {
    file.source.kind == .application ? "UTTypeConformsTo" : "conformsTo"
  }

  /// The greatest number of types in a file for which similar identifiers are searched.
  private static let suggestionLimit = 1000

  /// A declared type with an equal last component, or at a distance of at most one letter in eight.
  func near(_ identifier: String) -> UniformType? {
    let last = identifier.caseFolded.split(separator: ".").last
    if let near = last.flatMap({ endings[$0] }) ?? nil { return near }
    // A suggestion costs a comparison with each type. For very large files, that is too much.
    guard let last, identifier.utf8.count < 100, file.namedTypes <= Self.suggestionLimit else {
      return nil
    }
    let folded = identifier.caseFolded
    let patience = max(1, last.utf8.count / 8)
    return registry.types.first {
      abs($0.identifier.utf8.count - folded.utf8.count) <= patience
        && Suggestion.distance($0.identifier.caseFolded, folded) <= patience
    }
  }

  /// Types of the file that conform to themselves.
  func circles() -> [Diagnostic] {
    registry.cycles.compactMap { circle in
      let names = Set(circle.map { $0.caseFolded })
      let entry = file.declarations.first { names.contains($0.value.identifier.caseFolded) }
      return entry.map {
        Diagnostic(
          .typesCircle, at: .key($0.key),
          // Enough to find the circle, which may have as many types as the file.
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
        findings.add(
          .typesDuplicate, at: .key(entry.key), "'\(identifier)' is also declared in \(other)")
      }
      identifiers[identifier.caseFolded] = identifiers[identifier.caseFolded] ?? entry.key
      guard entry.value.kind == .exported else { continue }
      let form = type(identifier).conforms(to: .directory) ? "directories" : "files"
      for name in entry.value.tags[.filenameExtension] {
        let key = "\(form) \(name.caseFolded)"
        if let other = extensions[key], other != identifier.caseFolded {
          findings.add(
            .typesDuplicate, at: .key(entry.key), "the extension '\(name)' of \(form)",
            found: "'\(other)' has it already")
        }
        extensions[key] = identifier.caseFolded
      }
    }
    return findings
  }
}

// Findings about tags.

extension TypeLinter {
  /// MIME types that many kinds of files share.
  private static let genericMIMETypes: Set = [
    "application/octet-stream", "application/zip", "application/x-zip-compressed",
    "application/gzip", "application/xml", "text/xml", "application/json", "text/plain",
  ]

  func tags(_ entry: Declared) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let tags = entry.value.tags
    for (index, name) in tags[.filenameExtension].enumerated() {
      guard let fault = Self.fault(inExtension: name, isPreferred: index == 0) else { continue }
      findings.add(.typesExtension, at: .key(entry.key), fault, found: "'\(name)'")
    }
    for name in tags[.mimeType] + tags[.sharedMIMEType] {
      if let finding = fault(inMIMEType: name, at: entry.key) {
        findings.append(finding)
      } else if entry.value.kind == .exported, Self.genericMIMETypes.contains(name.caseFolded) {
        findings.append(Diagnostic(.typesGenericMIME, at: .key(entry.key), found: "'\(name)'"))
      }
    }
    findings += tags[.osType].compactMap { fault(inOSType: $0, at: entry.key) }
    return findings
  }

  /// Findings about the tags of a claim.
  func tags(_ claimed: [ClaimedTag]) -> [Diagnostic] {
    claimed.compactMap { tag in
      switch tag.tagClass {
      case .filenameExtension:
        Self.fault(inExtension: tag.tag, isPreferred: false).map {
          Diagnostic(.typesExtension, at: .key(tag.key), $0, found: "'\(tag.tag)'")
        }
      case .mimeType: fault(inMIMEType: tag.tag, at: tag.key)
      default: fault(inOSType: tag.tag, at: tag.key)
      }
    }
  }

  private static func fault(inExtension name: String, isPreferred: Bool) -> String? {
    if name.allSatisfy({ $0.isWhitespace }) { return "it is blank" }
    guard !isPlaceholder(name) else { return nil }
    if name.hasPrefix(".") { return "it begins with a full stop" }
    if name.contains(where: { "/:*?,;\0".contains($0) }) {
      return "it has a character that extensions do not have"
    }
    if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
      return "it begins or ends with white space"
    }
    if name.contains(".") { return "only the part after the last full stop is compared" }
    if isPreferred, name.utf8.count > 1, name != name.caseFolded, name == name.uppercased() {
      return "new files would get an extension in upper case"
    }
    return nil
  }

  /// A MIME type is `type/subtype` of the characters of RFC 6838, possibly with parameters.
  private func fault(inMIMEType name: String, at key: String) -> Diagnostic? {
    guard !Self.isPlaceholder(name) else { return nil }
    let plain = name.prefix { $0 != ";" }
    let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
    let isValid =
      parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.count < 128 && part.utf8.allSatisfy(Self.isMIMECharacter)
      }
    guard !isValid else { return nil }
    return Diagnostic(
      .typesTag, at: .key(key), expected: "a MIME type such as image/png", found: "'\(name)'")
  }

  private static func isMIMECharacter(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "&", "-", "^", "_", ".", "+": true
    default: false
    }
  }

  private func fault(inOSType name: String, at key: String) -> Diagnostic? {
    guard !Self.isPlaceholder(name), name.unicodeScalars.count != 4 else { return nil }
    return Diagnostic(
      .typesTag, at: .key(key), expected: "an OSType of four characters", found: "'\(name)'")
  }

  // MARK: Extensions of the system's types

  /// An exported type with the preferred extension of a common text, image or archive type of the
  /// system has to conform to that type.
  func extensions(_ entry: Declared) -> [Diagnostic] {
    guard entry.value.kind == .exported else { return [] }
    let type = type(entry.value.identifier)
    return entry.value.tags[.filenameExtension].compactMap { name in
      let candidates = known.select(tag: name, tagClass: .filenameExtension).candidates
      let owner = candidates.first {
        $0.position == 0 && $0.type.isPublic && $0.type.conforms(to: .data)
          && Self.commonTypes.contains(where: $0.type.conforms(to:))
      }
      guard let owner, type.conforms(to: .data),
        !candidates.contains(where: { type.conforms(to: $0.type) })
      else { return nil }
      return Diagnostic(
        .typesTaken, at: .key(entry.key), "'\(name)'", expected: "conformance to '\(owner.type)'",
        found: "'\(entry.value.identifier)'")
    }
  }

  private static let commonTypes: [UniformType] = [.text, .image, .archive]

  /// A claimed type without tags and subtypes: no file has it.
  func untagged(_ entry: Declared) -> [Diagnostic] {
    let identifier = entry.value.identifier
    guard entry.value.kind == .exported, entry.value.tags.classes.isEmpty,
      ranks[identifier.caseFolded] != nil, !conformedTo.contains(identifier.caseFolded)
    else { return [] }
    return [Diagnostic(.typesUntagged, at: .key(entry.key), found: "'\(identifier)'")]
  }
}
