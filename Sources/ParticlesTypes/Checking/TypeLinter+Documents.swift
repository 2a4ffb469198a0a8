internal import ParticlesCore

// Findings about the documents of an application: their form, names, ranks and classes, and how they
// are opened and saved.

extension TypeLinter {
  // MARK: Packages

  /// `LSTypeIsPackage` has to fit the claimed types.
  func package(_ entry: Claimed) -> [Diagnostic] {
    let form = entry.value
    let types = form.claim.types.map(type)
    if form.namesTypes {
      let files = types.filter { $0.isDeclared && $0.conforms(to: .data) }
      guard form.isPackage == true, !files.isEmpty, files.count == types.count else { return [] }
      return [
        Diagnostic(
          .typesPackage, at: .key(entry.key), "LSTypeIsPackage is set for a type of files",
          found: "'\(files[0])'", hint: "remove LSTypeIsPackage")
      ]
    }
    guard form.isPackage != true, form.tags.allSatisfy({ $0.tagClass == .filenameExtension })
    else { return [] }
    // Some extensions are of packages and of files of other programs: every one has to be of a
    // package, and one of documents, to be sure.
    let packages = form.tags.map { tag in
      registry.select(tag: tag.tag, tagClass: .filenameExtension).candidates.map(\.type)
    }
    guard let first = packages.first?.first,
      packages.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.conforms(to: .package) } }),
      packages.contains(where: { $0.contains { $0.conforms(to: .content) } })
    else { return [] }
    return [
      Diagnostic(
        .typesPackage, at: .key(entry.key), "LSTypeIsPackage is not set for a type of packages",
        found: "'\(first)'", hint: "name the type in LSItemContentTypes, or set LSTypeIsPackage")
    ]
  }

  // MARK: Keys of claims

  /// The keys that the Finder and the App Store expect in a claim: a name and a rank. They are required
  /// on iOS, and elsewhere for claims on extensions, which have no other name.
  func incomplete(_ entry: Claimed) -> [Diagnostic] {
    let form = entry.value
    guard file.source.kind == .application, !form.claim.isPreview,
      form.claim.role.satisfies(nil), !form.claim.types.isEmpty
    else { return [] }
    var findings: [Diagnostic] = []
    let isRequired = file.bundle.isForTouch
    if form.claim.name?.isEmpty ?? true {
      let severity: Severity = isRequired || !form.namesTypes ? .warning : .note
      findings.add(
        .typesIncomplete, at: .key(entry.key), expected: "CFBundleTypeName", severity: severity)
    }
    // An exported type needs the rank Owner, which another finding reports.
    let isExported = form.claim.types.contains { exports.contains($0.caseFolded) }
    if !form.hasRank, form.namesTypes, !isExported {
      findings.add(
        .typesIncomplete, at: .key(entry.key), expected: "LSHandlerRank",
        found: "no rank; Default is assumed", severity: isRequired ? .warning : .note)
    }
    return findings + documentClasses(entry)
  }

  /// `NSDocumentClass` is for macOS and `UIDocumentClass` for iOS. A claim without either on iOS needs
  /// the document browser to open its documents.
  private func documentClasses(_ entry: Claimed) -> [Diagnostic] {
    let claim = entry.value.claim
    var findings: [Diagnostic] = []
    let classes = [
      ("NSDocumentClass", claim.documentClass), ("UIDocumentClass", claim.touchDocumentClass),
    ]
    for case (let key, let name?) in classes where !Self.isClassName(name) {
      findings.add(
        .typesStructure, at: .key("\(entry.key).\(key)"),
        expected: "a class name such as Module.Document", found: "'\(name)'")
    }
    if file.bundle.isForTouch, claim.documentClass != nil, claim.touchDocumentClass == nil {
      findings.add(
        .typesIncomplete, at: .key("\(entry.key).NSDocumentClass"), expected: "UIDocumentClass",
        found: "NSDocumentClass, which iOS ignores", severity: .note)
    } else if file.bundle.isForTouch, !file.bundle.hasDocumentBrowser,
      file.bundle.opensInPlace == true, claim.touchDocumentClass == nil, claim.rank < .alternate
    {
      findings.add(
        .typesIncomplete, at: .key(entry.key), expected: "UIDocumentClass",
        found: "no document class, and no document browser", severity: .note,
        hint: "set UIDocumentClass if a UIDocumentViewController shows such documents")
    }
    return findings
  }

  /// Whether a text is the name of a class, with or without a module.
  private static func isClassName(_ name: String) -> Bool {
    guard !isPlaceholder(name) else { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      part.first.map { $0.isLetter || $0 == "_" } ?? false
        && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
  }

  // MARK: Saving and opening

  /// An editor needs a type with an extension to save as.
  func saving() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for entry in file.claims where entry.value.claim.role == .editor && entry.value.role != nil {
      let types = entry.value.claim.types.filter { !Self.isPlaceholder($0) }.map(type)
      guard !types.isEmpty, types.allSatisfy({ $0.preferredFilenameExtension == nil }) else {
        continue
      }
      findings.add(
        .typesEditor, at: .key(entry.key), "none of its types has an extension to save with",
        found: types.prefix(5).map { "'\($0)'" }.joined(separator: ", "),
        hint: "claim the types that the application writes, or use the role Viewer")
    }
    return findings
  }

  /// An application for iOS that claims documents has to state how it opens them.
  func opening() -> [Diagnostic] {
    let bundle = file.bundle
    guard bundle.isForTouch, !bundle.hasDocumentBrowser,
      file.claims.contains(where: { $0.value.claim.role.satisfies(nil) })
    else { return [] }
    let hint = "set UISupportsDocumentBrowser or LSSupportsOpeningDocumentsInPlace"
    switch bundle.opensInPlace {
    case true?: return []
    case false?:
      return [
        Diagnostic(
          .typesEditor, at: .key("CFBundleDocumentTypes"),
          "documents are copied into the application instead of being opened in place", hint: hint)
      ]
    case nil:
      return [
        Diagnostic(
          .typesIncomplete, at: .key("CFBundleDocumentTypes"),
          expected: "UISupportsDocumentBrowser or LSSupportsOpeningDocumentsInPlace", hint: hint)
      ]
    }
  }
}
