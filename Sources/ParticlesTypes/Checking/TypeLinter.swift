package import ParticlesCore

/// Checks the declarations and claims of a file: not whether they can be read, but whether a system
/// will treat the files as their author intended.
package struct TypeLinter: Sendable {
  package let file: TypesFile

  /// The types that the file, the files beside it and the system declare, as the program of the file
  /// sees them.
  let registry: TypeRegistry

  /// The types that are declared without the file.
  let known: TypeRegistry

  /// Whether ``known`` has everything that the file may refer to. The declarations of its application
  /// are missing if the file is a single extension.
  let isComplete: Bool

  /// The identifiers that the file and the files beside it export, without case.
  let exports: Set<String>

  /// The first two components of the identifiers of the program and of its exported types.
  let ownVendors: Set<String>

  /// The best rank of each type that the file and the files beside it claim, by identifier without
  /// case.
  let ranks: [String: HandlerRank]

  /// The identifiers that declarations conform to, without case.
  let conformedTo: Set<String>

  /// The identifiers of types in circular conformances, without case.
  let inCircles: Set<String>

  /// Declared types by the last component of their identifiers, if it belongs to one type only.
  let endings: [Substring: UniformType?]

  /// Creates a linter.
  /// - Parameters:
  ///   - file: the file to check.
  ///   - known: the types that are declared without the file.
  ///   - others: the files of this bundle's other parts.
  ///   - isComplete: whether the declarations of the application are known, if the file is an
  ///     extension.
  package init(
    _ file: TypesFile, known: TypeRegistry = .standard, beside others: [TypesFile] = [],
    isComplete: Bool = false
  ) {
    self.file = file
    self.isComplete = isComplete || !file.bundle.isExtension
    self.known = others.isEmpty ? known : known.adding(others, owner: file.source.owner)
    registry = self.known.adding([file], owner: file.source.owner)
    let all = [file] + others
    exports = Set(
      all.flatMap { $0.declarations }.map { $0.value }.filter { $0.kind == .exported }
        .map { $0.identifier.caseFolded })
    ownVendors = Set(([file.source.owner] + exports).compactMap(Self.vendor))
    var ranks: [String: HandlerRank] = [:]
    for claim in all.flatMap({ $0.claims }).map({ $0.value.claim }) where !claim.isPreview {
      for name in claim.types.map({ $0.caseFolded }) {
        ranks[name] = min(ranks[name] ?? .none, claim.rank)
      }
    }
    self.ranks = ranks
    conformedTo = Set(registry.declarations.lazy.flatMap { $0.supertypes }.map { $0.caseFolded })
    inCircles = Set(registry.cycles.joined().map { $0.caseFolded })
    var endings: [Substring: UniformType?] = [:]
    for type in registry.types {
      guard let last = type.identifier.caseFolded.split(separator: ".").last else { continue }
      endings.updateValue(endings[last] == nil ? type : nil, forKey: last)
    }
    self.endings = endings
  }

  /// All findings, in the order of the file: first entries that could not be read, then declarations,
  /// then claims and other mentions of types.
  /// - Parameter sizeOfTemplate: returns the size of a template in bytes by its path in the file, or
  ///   nil if there is no such file.
  package func findings(
    sizeOfTemplate: (String) -> Int? = { _ in nil }
  ) -> [Diagnostic] {
    var findings = file.faults
    for entry in file.declarations { findings += check(entry) }
    findings += twins() + circles()
    for entry in file.claims { findings += check(entry) }
    findings += repeatedClaims() + mentions() + unclaimedExports() + saving() + opening()
    for template in file.templates where sizeOfTemplate(template.value) == 0 {
      findings.append(Diagnostic(.typesTemplate, at: .key(template.key), "'\(template.value)'"))
    }
    return isComplete ? findings : Self.joined(findings)
  }

  /// The findings of a single extension: undeclared types are one note that asks for the application.
  private static func joined(_ findings: [Diagnostic]) -> [Diagnostic] {
    let undeclared = findings.filter { $0.rule == .typesUndeclared }
    guard let first = undeclared.first else { return findings }
    let names = undeclared.compactMap { $0.found }
    let shown = names.prefix(3).joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    let note = Diagnostic(
      .typesUndeclared, at: first.location, "the file is an extension without its application",
      found: shown + rest, severity: .note,
      hint: "check the application with its extensions: particles types lint NAME.app")
    return findings.filter { $0.rule != .typesUndeclared } + [note]
  }

  /// Whether a name has a build variable, such as `$(PRODUCT_BUNDLE_IDENTIFIER).drawing`. Such names
  /// are not checked.
  static func isPlaceholder(_ name: String) -> Bool { name.contains("$(") || name.contains("${") }

  func type(_ identifier: String) -> UniformType {
    UniformType(importedAs: identifier, in: registry)
  }

  /// The first two components of a name in reverse-DNS style. Nil if it has only one, or a build
  /// variable.
  static func vendor(of identifier: String) -> String? {
    let parts = identifier.caseFolded.split(separator: ".")
    guard parts.count > 1, !isPlaceholder(identifier) else { return nil }
    return parts.prefix(2).joined(separator: ".")
  }

  /// Whether an identifier has the vendor of the file. True if the file does not name its vendor.
  func isOwn(_ identifier: String) -> Bool {
    guard let vendor = Self.vendor(of: file.source.owner) else { return true }
    return Self.vendor(of: identifier) == vendor
  }

  /// Whether an identifier belongs to the system: `public.` and `com.apple.`.
  static func isSystems(_ identifier: String) -> Bool {
    TypeIdentifier.isReserved(identifier) || identifier.caseFolded.hasPrefix("com.apple.")
  }
}

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

  /// A program that opens folders may become the program for all folders.
  private func folder(_ type: UniformType, at key: String) -> [Diagnostic] {
    guard type.conforms(to: .directory) else { return [] }
    return [Diagnostic(.typesFolder, at: .key(key), found: "'inode/directory'")]
  }

  /// An undeclared type of the application's own domain is an error, of any other domain a warning. A type of the
  /// system is a note, because the table of system types is not complete, unless a similar type is known.
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

  /// Two claims with equal names, or on a common type.
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
    let tags = namesTypes ? [] : tags.map { $0.shown }
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
      registry.select(tag: tag.tag, tagClass: .filenameExtension).candidates.map { $0.type }
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

// Findings about the members of `types.json` that only desktops use.

extension TypeLinter {
  /// How many bytes of a file desktops read to recognise it.
  private static let reach = 4096

  /// The greatest weight of a pattern that does not override the patterns of other types.
  private static let weight = 60

  func desktop(_ entry: Declared) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for (index, pattern) in entry.value.patterns.enumerated() where pattern.leastReach > Self.reach
    {
      findings.add(
        .typesMagic, at: .key("\(entry.key).magic[\(index)]"),
        expected: "a pattern that ends at byte \(Self.reach) or before",
        found: "byte \(pattern.leastReach)")
    }
    for (index, glob) in entry.value.globs.enumerated() {
      let key = "\(entry.key).globs[\(index)]"
      if glob.weight > Self.weight {
        findings.add(
          .typesGlob, at: .key("\(key).weight"), "'\(glob.pattern)'",
          expected: "at most \(Self.weight)", found: "\(glob.weight)")
      } else if let other = owner(of: glob), other != type(entry.value.identifier) {
        findings.add(
          .typesGlob, at: .key(key), "'\(glob.pattern)'", found: "the main pattern of '\(other)'")
      }
    }
    return findings
  }

  /// The type, declared without the file, that prefers the extension of a pattern.
  private func owner(of glob: FileNamePattern) -> UniformType? {
    guard glob.pattern.hasPrefix("*.") else { return nil }
    let name = String(glob.pattern.dropFirst(2))
    return known.select(tag: name, tagClass: .filenameExtension).candidates
      .first { $0.position == 0 }?.type
  }
}

extension ContentPattern {
  /// The number of bytes that have to be read for the pattern to match at all.
  fileprivate var leastReach: Int {
    max(offsets.lowerBound + bytes.count, also.map { $0.leastReach }.min() ?? 0)
  }
}
