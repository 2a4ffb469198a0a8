package import ParticlesCore
internal import ParticlesPropertyLists

/// The types that one file declares and the claims that it makes: the property list of a bundle, a
/// `types.json`, or a desktop entry.
///
/// Reading is lenient: faulty entries are left out and reported in ``faults``. Each entry has its key
/// path, for the findings of a ``TypeLinter``.
package struct TypesFile: Sendable {
  /// A value and its key path.
  package struct Entry<Value: Sendable>: Sendable {
    package var value: Value
    /// Its path of keys and indices, such as `exports[0].magic[1]`.
    package var key: String

    init(_ value: Value, at key: String) {
      self.value = value
      self.key = key
    }
  }

  /// A claim and its spelling in the file.
  package struct ClaimForm: Sendable {
    package var claim: HandlerClaim
    /// The role as written, or nil if it is absent.
    var role: String?
    /// The key path of each type.
    var typeKeys: [String]
    /// The keys of the claim for extensions, MIME types and OSTypes.
    var legacyKeys: [String] = []
    /// The claimed extensions, MIME types and OSTypes.
    var tags: [ClaimedTag] = []
    /// The value of `LSTypeIsPackage`, or nil if it is absent.
    var isPackage: Bool?
    /// Whether a property list states `LSHandlerRank`.
    var hasRank = true
    /// Whether the claim is on `*`: any file.
    var claimsAnyFile = false
    /// Whether the claim names types by their identifiers.
    var namesTypes = true
  }

  /// A type that is named outside of claims.
  struct Mention: Sendable {
    enum Purpose: String, Sendable {
      case preview, action, export
    }

    var identifier: String
    var purpose: Purpose
  }

  /// The program that the file describes.
  package internal(set) var handler: Handler

  /// The source of its declarations and claims.
  package internal(set) var source: DeclarationSource

  /// The declared types.
  package internal(set) var declarations: [Entry<TypeDeclaration>] = []

  /// The claims, in the order of the file.
  package internal(set) var claims: [Entry<ClaimForm>] = []

  /// The user's choices.
  package internal(set) var choices: [HandlerChoice] = []

  /// The entries that were left out, and why.
  package internal(set) var faults: [Diagnostic] = []

  /// Templates of new documents.
  var templates: [Entry<String>] {
    declarations.compactMap { entry in
      entry.value.templatePath.map { Entry($0, at: "\(entry.key).template") }
    }
  }

  /// The types that previews, actions and exports name.
  var mentions: [Entry<Mention>] = []

  var actions: [(identifier: String?, types: [String])] = []

  /// The kind of bundle.
  package internal(set) var bundle = BundleTraits()

  /// The whole property list that was read, or nil for other files.
  var original: PropertyListValue?

  /// Whether the property list that was read has comments.
  var hasComments = false

  init(handler: Handler, source: DeclarationSource) {
    self.handler = handler
    self.source = source
  }

  /// Creates declarations and claims without a file.
  package init(
    handler: Handler, source: DeclarationSource, declarations: [TypeDeclaration],
    claims: [HandlerClaim] = []
  ) {
    self.init(handler: handler, source: source)
    var counts: [TypeDeclaration.Kind: Int] = [:]
    self.declarations = declarations.map { declaration in
      let list = declaration.kind == .imported ? "imports" : "exports"
      defer { counts[declaration.kind, default: 0] += 1 }
      return Entry(declaration, at: "\(list)[\(counts[declaration.kind, default: 0])]")
    }
    self.claims = claims.enumerated().map { index, claim in
      let key = "claims[\(index)]"
      let keys = claim.types.indices.map { "\(key).types[\($0)]" }
      let form = ClaimForm(claim: claim, role: claim.role.rawValue, typeKeys: keys)
      return Entry(form, at: key)
    }
  }

  /// The types of this project.
  package static let particles = TypesFile(
    handler: Handler(DeclarationSource.particles.owner, name: "Particles"), source: .particles,
    declarations: BundledTypes.particles,
    claims: [
      HandlerClaim(
        by: Handler(DeclarationSource.particles.owner, name: "Particles"),
        to: ["org.particles-format.particles", "org.particles-format.particles-package"],
        name: "Particles document", rank: .owner, source: .particles),
      HandlerClaim(
        by: Handler(DeclarationSource.particles.owner, name: "Particles"),
        to: ["com.example.apple-samplecode.particles.particles"],
        name: "Particles document of Apple's sample", role: .viewer, rank: .alternate,
        source: .particles),
    ])

  /// The number of types that are declared, claimed, conformed to or named otherwise. Conformance takes
  /// memory that is quadratic in it.
  package var namedTypes: Int {
    declarations.reduce(0) { $0 + 1 + $1.value.supertypes.count }
      + claims.reduce(0) { $0 + $1.value.claim.types.count } + mentions.count + choices.count
  }
}

extension TypeRegistry {
  /// Returns a registry with the declarations of files.
  /// - Parameters:
  ///   - files: the files, in the order in which they break ties.
  ///   - owner: the application that uses the registry. By default, the program of the first file that
  ///     names one.
  package func adding(_ files: [TypesFile], owner: String? = nil) -> TypeRegistry {
    let owners = files.map { $0.source.owner }.filter { !$0.isEmpty }
    return adding(
      files.flatMap { $0.declarations.map { $0.value } }, owner: owner ?? owners.first)
  }
}

extension HandlerRegistry {
  /// Creates a registry of the claims and choices of files.
  package init(_ files: [TypesFile], types: TypeRegistry) {
    self.init(
      types: types, claims: files.flatMap { $0.claims.map { $0.value.claim } },
      choices: files.flatMap { $0.choices })
  }
}

extension TypesFile {
  /// Reads a property list (binary or XML), a `types.json`, or a desktop entry. The contents decide which one it is.
  /// - Parameter path: the path of the file, for messages.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the file is of another kind.
  package init(_ bytes: [UInt8], path: String, limits: Limits = .standard) throws(Diagnostic) {
    self = try locating(Location(file: path)) { () throws(Diagnostic) in
      let text = bytes.drop { $0 <= 0x20 }
      if text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "#") {
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw Diagnostic(.typesStructure, expected: "UTF-8")
        }
        return TypesFile(
          desktopEntry: text, identifier: Files.lastComponent(of: path), path: path)
      }
      if Self.isOldStyle(text) {
        throw Diagnostic(
          .typesStructure, expected: "a property list in XML or binary form",
          found: "an old-style (OpenStep) property list",
          hint: "convert it: plutil -convert xml1 \(Files.lastComponent(of: path))")
      }
      if text.first == UInt8(ascii: "{") {
        return try TypesFile(
          json: JSONParser.parse(bytes, limits: limits), path: path, limits: limits)
      }
      return try TypesFile(propertyListBytes: bytes, path: path, limits: limits)
    }
  }

  private init(propertyListBytes bytes: [UInt8], path: String, limits: Limits) throws(Diagnostic) {
    var duplicates: [Diagnostic] = []
    let list = try PropertyListValue(decoding: bytes, limits: limits) { key in
      guard duplicates.count < Self.duplicatesKept else { return }
      let place = key.place.map { " at \($0.description)" } ?? ""
      duplicates.append(
        Diagnostic(
          .typesDuplicate, at: key.place.map { .offset($0.offset) } ?? .unknown,
          "the key '\(key.text.excerpt)' occurs again\(place); the last value is used"))
    }
    self = try TypesFile(propertyList: list.json, path: path, limits: limits)
    original = list
    hasComments = !bytes.starts(with: BinaryPropertyList.signature) && bytes.contains("<!--")
    faults = duplicates + faults
  }

  /// The greatest number of duplicate keys that are reported.
  private static let duplicatesKept = 100

  /// Whether a text is an old-style property list: `{ key = value; }`, also after comments, or
  /// `"key" = "value";` without braces.
  private static func isOldStyle(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = skippingComments(text)
    guard rest.first != UInt8(ascii: "<"), !rest.starts(with: BinaryPropertyList.signature) else {
      return false
    }
    let hasBrace = rest.first == UInt8(ascii: "{")
    if hasBrace { rest = skippingComments(rest.dropFirst()) }
    if rest.first == UInt8(ascii: "\"") {
      rest = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
    } else {
      let word = rest.prefix { isWordCharacter($0) }
      guard !word.isEmpty else { return false }
      rest = rest.dropFirst(word.count)
    }
    return skippingComments(rest).first == UInt8(ascii: "=")
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", ".", "-", "/", ":": true
    default: false
    }
  }

  /// The rest of a text after white space, `// …` and `/* … */`.
  private static func skippingComments(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text.drop { $0 <= 0x20 }
    while rest.starts(with: "//".utf8) || rest.starts(with: "/*".utf8) {
      if rest.starts(with: "//".utf8) {
        rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
      } else {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      }
      rest = rest.drop { $0 <= 0x20 }
    }
    return rest
  }
}

// Property lists of applications and of their extensions (`Info.plist`).

extension TypesFile {
  /// Reads the property list of a bundle.
  /// - Parameters:
  ///   - propertyList: the property list, with data and dates as strings.
  ///   - path: the path of the file.
  ///   - limits: the number of types that it may name.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/limit``.
  package init(
    propertyList: JSONValue, path: String? = nil, limits: Limits = .standard
  ) throws(Diagnostic) {
    var reader = EntryReader()
    let root = reader.object(propertyList, "") ?? JSONObject()
    func text(_ key: String) -> String? { reader.string(root[key], key) }
    let identifier = text("CFBundleIdentifier") ?? ""
    let name = text("CFBundleDisplayName") ?? text("CFBundleName")
    let version = text("CFBundleShortVersionString") ?? text("CFBundleVersion")
    self.init(
      handler: Handler(identifier, name: name, version: version),
      source: DeclarationSource(.application, owner: identifier, path: path))

    readDeclarations("UTExportedTypeDeclarations", .exported, of: root, &reader)
    readDeclarations("UTImportedTypeDeclarations", .imported, of: root, &reader)
    for entry in reader.objects(root["CFBundleDocumentTypes"], "CFBundleDocumentTypes") {
      readClaim(entry, &reader)
    }
    readPreviews(of: root, &reader)
    bundle = BundleTraits(root, &reader)
    for member in root.members where !PropertyListKeys.root.contains(member.key) {
      reader.noteMisspelt(member.key, among: PropertyListKeys.root)
    }
    faults = reader.faults
    try limits.check(namedTypes, { $0.types }, "types that a file names")
  }

  // MARK: Declarations

  private mutating func readDeclarations(
    _ key: String, _ kind: TypeDeclaration.Kind, of root: JSONObject, _ reader: inout EntryReader
  ) {
    for entry in reader.objects(root[key], key) {
      let (object, key) = (entry.value, entry.key)
      let identifier = reader.string(object["UTTypeIdentifier"], "\(key).UTTypeIdentifier")
      reader.noteUnknown(in: object, besides: PropertyListKeys.declaration, at: key)
      guard let identifier else {
        reader.complain(.typesStructure, key, expected: "a UTTypeIdentifier")
        continue
      }
      var declaration = TypeDeclaration(identifier, kind, source: source)
      let supertypes = reader.strings(object["UTTypeConformsTo"], "\(key).UTTypeConformsTo")
      declaration.supertypes = supertypes.map { $0.value }
      declaration.tags = Self.tags(object["UTTypeTagSpecification"], key, &reader)
      func text(_ name: String) -> String? { reader.string(object[name], "\(key).\(name)") }
      declaration.title = text("UTTypeDescription")
      declaration.referenceURL = text("UTTypeReferenceURL")
      declaration.version = text("UTTypeVersion")
      let icons = reader.strings(object["UTTypeIconFiles"], "\(key).UTTypeIconFiles")
      declaration.iconName = text("UTTypeIconFile") ?? icons.first?.value
      noteEmptyList("UTTypeIconFiles", in: entry, &reader)
      declarations.append(.init(declaration, at: key))
    }
  }

  private static func tags(
    _ value: JSONValue?, _ key: String, _ reader: inout EntryReader
  ) -> TypeTags {
    let key = "\(key).UTTypeTagSpecification"
    var tags = TypeTags()
    for member in (reader.object(value, key) ?? JSONObject()).members {
      let values = reader.strings(member.value, "\(key).\(member.key)").map { $0.value }
      tags.add(values, new: TagClass(rawValue: member.key))
      reader.noteMisspelt(
        member.key, among: PropertyListKeys.tagClasses.map { $0.rawValue }, at: key)
    }
    return tags
  }

  // MARK: Claims

  private mutating func readClaim(_ entry: Entry<JSONObject>, _ reader: inout EntryReader) {
    let (object, key) = (entry.value, entry.key)
    func place(_ name: String) -> String { "\(key).\(name)" }
    reader.noteUnknown(in: object, besides: PropertyListKeys.claim, at: key)
    let types = reader.strings(object["LSItemContentTypes"], place("LSItemContentTypes"))
    let isPackage = reader.bool(object["LSTypeIsPackage"], place("LSTypeIsPackage"))
    let tags = Self.claimedTags(of: entry, &reader)
    let roleText = reader.string(object["CFBundleTypeRole"], place("CFBundleTypeRole"))
    let role = reader.word(
      object["CFBundleTypeRole"], place("CFBundleTypeRole"),
      among: HandlerRole.allCases.map { $0.rawValue }, .typesRole, HandlerRole.init(named:))
    let rank = reader.word(
      object["LSHandlerRank"], place("LSHandlerRank"),
      among: HandlerRank.allCases.map { $0.rawValue }, .typesStructure, HandlerRank.init(named:))
    func text(_ name: String) -> String? { reader.string(object[name], place(name)) }
    let dynamic = tags.map { $0.identifier(isPackage: isPackage ?? false) }
    var claim = HandlerClaim(
      by: handler, to: types.isEmpty ? dynamic : types.map { $0.value },
      name: text("CFBundleTypeName"), role: role ?? .editor, rank: rank ?? .default,
      source: source)
    claim.documentClass = text("NSDocumentClass")
    claim.touchDocumentClass = text("UIDocumentClass")
    var form = ClaimForm(
      claim: claim, role: roleText,
      typeKeys: types.isEmpty ? tags.map { $0.key } : types.map { $0.key })
    form.legacyKeys = ClaimedTag.keys.map { $0.key }.filter { object[$0] != nil }
    form.tags = tags
    form.isPackage = isPackage
    form.namesTypes = !types.isEmpty
    form.hasRank = object["LSHandlerRank"] != nil
    form.claimsAnyFile = types.isEmpty && ClaimedTag.hasWildcard(object)
    claims.append(.init(form, at: key))
    for type in reader.strings(object["NSExportableTypes"], place("NSExportableTypes")) {
      mentions.append(.init(Mention(identifier: type.value, purpose: .export), at: type.key))
    }
    noteEmptyList("CFBundleTypeIconFiles", in: entry, &reader)
  }

  /// The extensions, MIME types and OSTypes that older property lists claim instead of types.
  /// Asterisks, which mean any file, are left out.
  private static func claimedTags(
    of entry: Entry<JSONObject>, _ reader: inout EntryReader
  ) -> [ClaimedTag] {
    ClaimedTag.keys.flatMap { name, tagClass in
      reader.strings(entry.value[name], "\(entry.key).\(name)")
        .filter { !ClaimedTag.isWildcard($0.value) && !$0.value.isEmpty }
        .map { ClaimedTag(tag: $0.value, tagClass: tagClass, key: $0.key) }
    }
  }

  // MARK: Previews

  private mutating func readPreviews(of root: JSONObject, _ reader: inout EntryReader) {
    let path = "NSExtension.NSExtensionAttributes"
    let outer = reader.object(root["NSExtension"], "NSExtension")
    let attributes = reader.object(outer?["NSExtensionAttributes"], path)
    let key = "\(path).QLSupportedContentTypes"
    readPreviews(reader.strings(attributes?["QLSupportedContentTypes"], key), at: key)
  }

  mutating func readPreviews(_ types: [Entry<String>], at key: String) {
    for type in types {
      mentions.append(.init(Mention(identifier: type.value, purpose: .preview), at: type.key))
    }
    guard !types.isEmpty else { return }
    let claim = HandlerClaim(
      by: handler, to: types.map { $0.value }, role: .quickLookGenerator, isExact: true,
      source: source)
    let form = ClaimForm(claim: claim, role: claim.role.rawValue, typeKeys: types.map { $0.key })
    claims.append(.init(form, at: key))
  }

  /// Templates of development environments contain empty lists of icons.
  private func noteEmptyList(
    _ name: String, in entry: Entry<JSONObject>, _ reader: inout EntryReader
  ) {
    guard entry.value[name]?.array?.isEmpty == true else { return }
    reader.note("\(entry.key).\(name)", found: "an empty list, which has no effect")
  }
}

/// A tag that a claim of an older property list names instead of a type.
struct ClaimedTag: Sendable {
  var tag: String
  var tagClass: TagClass
  /// Its key path.
  var key: String

  static let keys: [(key: String, tagClass: TagClass)] = [
    ("CFBundleTypeExtensions", .filenameExtension), ("CFBundleTypeMIMETypes", .mimeType),
    ("CFBundleTypeOSTypes", .osType),
  ]

  static func isWildcard(_ tag: String) -> Bool { !tag.isEmpty && tag.allSatisfy { $0 == "*" } }

  static func hasWildcard(_ object: JSONObject) -> Bool {
    var quiet = EntryReader()
    return keys.contains { key, _ in
      quiet.strings(object[key], key).contains { isWildcard($0.value) }
    }
  }

  /// The dynamic identifier of the tag.
  func identifier(isPackage: Bool) -> String {
    let hint = isPackage ? "com.apple.package" : "public.data"
    return DynamicIdentifier(tag: tag, tagClass: tagClass, conformingTo: [hint]).identifier
  }
}

// `types.json`: the declarations and claims of a property list, and further ones for desktops only,
// in one file for all systems. `Spec/types.md` describes it.

extension TypesFile {
  /// The supported version of `types.json`.
  package static let version = 1

  /// Reads a `types.json`.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/typesStructure`` for a version
  ///   that is not supported, or of ``ParticlesCore/Rule/limit``.
  package init(json: JSONValue, path: String? = nil, limits: Limits = .standard) throws(Diagnostic)
  {
    var reader = EntryReader()
    let root = reader.object(json, "") ?? JSONObject()
    guard let version = root["version"]?.int, version == Self.version else {
      throw Diagnostic(
        .typesStructure, at: .key("version"), expected: "\(Self.version)",
        found: root["version"].map { $0.int.map { "\($0)" } ?? $0.kind } ?? "none")
    }
    let application = reader.object(root["application"], "application") ?? JSONObject()
    func text(_ key: String) -> String? { reader.string(application[key], "application.\(key)") }
    let handler = Handler(
      text("identifier") ?? "", name: text("name"), version: text("version"))
    self.init(
      handler: handler,
      source: DeclarationSource(.document, owner: handler.identifier, path: path))
    readListedDeclarations("exports", .exported, of: root, &reader)
    readListedDeclarations("imports", .imported, of: root, &reader)
    for entry in reader.objects(root["claims"], "claims") { readListedClaim(entry, &reader) }
    readPreviews(reader.strings(root["previews"], "previews"), at: "previews")
    for entry in reader.objects(root["actions"], "actions") {
      actions.append(
        (entry.value["identifier"]?.string, reader.texts(entry.value["types"])))
      for type in reader.strings(entry.value["types"], "\(entry.key).types") {
        mentions.append(.init(Mention(identifier: type.value, purpose: .action), at: type.key))
      }
    }
    for entry in reader.objects(root["choices"], "choices") { readChoice(entry, &reader) }
    let known: Set = [
      "version", "application", "exports", "imports", "claims", "previews", "actions", "choices",
    ]
    reader.noteUnknown(in: root, besides: known, at: "")
    faults = reader.faults
    try limits.check(namedTypes, { $0.types }, "types that a file names")
  }

  static let tagKeys: [(key: String, tagClass: TagClass)] = [
    ("extensions", .filenameExtension), ("compoundExtensions", .compoundExtension),
    ("mimeTypes", .mimeType), ("sharedMIMEType", .sharedMIMEType), ("osTypes", .osType),
  ]

  private mutating func readListedDeclarations(
    _ list: String, _ kind: TypeDeclaration.Kind, of root: JSONObject, _ reader: inout EntryReader
  ) {
    for entry in reader.objects(root[list], list) {
      let (object, key) = (entry.value, entry.key)
      guard let identifier = reader.string(object["identifier"], "\(key).identifier") else {
        reader.complain(.typesStructure, key, expected: "an identifier")
        continue
      }
      var declaration = TypeDeclaration(identifier, kind, source: source)
      declaration.supertypes = reader.strings(object["conformsTo"], "\(key).conformsTo")
        .map { $0.value }
      for (name, tagClass) in Self.tagKeys {
        declaration.tags[tagClass] = reader.strings(object[name], "\(key).\(name)").map { $0.value }
      }
      declaration.title = reader.string(object["title"], "\(key).title")
      declaration.referenceURL = reader.string(object["reference"], "\(key).reference")
      declaration.version = reader.string(object["version"], "\(key).version")
      declaration.iconName = reader.string(object["icon"], "\(key).icon")
      declaration.isWildcard = reader.bool(object["wildcard"], "\(key).wildcard") ?? false
      declaration.patterns = reader.objects(object["magic"], "\(key).magic")
        .compactMap { Self.pattern($0, &reader) }
      declaration.globs = reader.objects(object["globs"], "\(key).globs")
        .compactMap { Self.glob($0, &reader) }
      declaration.templatePath = reader.string(object["template"], "\(key).template")
      let known = [
        "identifier", "conformsTo", "title", "reference", "version", "icon", "wildcard", "magic",
        "globs", "template",
      ]
      reader.noteUnknown(in: object, besides: Set(known + Self.tagKeys.map { $0.key }), at: key)
      declarations.append(.init(declaration, at: key))
    }
  }

  /// `{"bytes": "89504e47", "offset": 0, "until": 0, "mask": "ff…", "priority": 50, "also": […]}`
  private static func pattern(
    _ entry: Entry<JSONObject>, _ reader: inout EntryReader
  ) -> ContentPattern? {
    let (object, key) = (entry.value, entry.key)
    guard let bytes = reader.hex(object["bytes"], "\(key).bytes"), !bytes.isEmpty else {
      reader.complain(.typesStructure, key, expected: "bytes in hexadecimal digits")
      return nil
    }
    let far = 0...Int(clamping: Int64(1) << 40)
    let offset = reader.int(object["offset"], "\(key).offset", in: far) ?? 0
    let until = reader.int(object["until"], "\(key).until", in: offset...far.upperBound) ?? offset
    let mask = reader.hex(object["mask"], "\(key).mask")
    if let mask, mask.count != bytes.count {
      reader.complain(
        .typesStructure, "\(key).mask", expected: "\(bytes.count) bytes", found: "\(mask.count)")
      return nil
    }
    return ContentPattern(
      bytes, at: offset...until, mask: mask,
      also: reader.objects(object["also"], "\(key).also").compactMap { pattern($0, &reader) },
      priority: reader.int(object["priority"], "\(key).priority", in: 0...100) ?? 50)
  }

  private static func glob(
    _ entry: Entry<JSONObject>, _ reader: inout EntryReader
  ) -> FileNamePattern? {
    let (object, key) = (entry.value, entry.key)
    guard let pattern = reader.string(object["pattern"], "\(key).pattern"), !pattern.isEmpty else {
      reader.complain(.typesStructure, key, expected: "a pattern")
      return nil
    }
    return FileNamePattern(
      pattern, weight: reader.int(object["weight"], "\(key).weight", in: 0...100) ?? 50,
      isCaseSensitive: reader.bool(object["caseSensitive"], "\(key).caseSensitive") ?? false)
  }

  /// The keys of a claim for tags instead of types.
  static let claimedTagKeys: [(key: String, tagClass: TagClass)] = [
    ("extensions", .filenameExtension), ("mimeTypes", .mimeType), ("osTypes", .osType),
  ]

  private mutating func readListedClaim(_ entry: Entry<JSONObject>, _ reader: inout EntryReader) {
    let (object, key) = (entry.value, entry.key)
    let types = reader.strings(object["types"], "\(key).types")
    let isPackage = reader.bool(object["package"], "\(key).package")
    let tags = Self.claimedTagKeys.flatMap { name, tagClass in
      reader.strings(object[name], "\(key).\(name)").map {
        ClaimedTag(tag: $0.value, tagClass: tagClass, key: $0.key)
      }
    }
    let role = reader.word(
      object["role"], "\(key).role", among: HandlerRole.allCases.map { $0.rawValue }, .typesRole,
      HandlerRole.init(named:))
    let rank = reader.word(
      object["rank"], "\(key).rank", among: HandlerRank.allCases.map { $0.rawValue },
      .typesStructure, HandlerRank.init(named:))
    let dynamic = tags.map { $0.identifier(isPackage: isPackage ?? false) }
    var claim = HandlerClaim(
      by: handler, to: types.map { $0.value } + dynamic,
      name: reader.string(object["name"], "\(key).name"),
      role: role ?? .editor, rank: rank ?? .default, source: source)
    claim.documentClass = reader.string(object["nsDocumentClass"], "\(key).nsDocumentClass")
    claim.touchDocumentClass = reader.string(object["uiDocumentClass"], "\(key).uiDocumentClass")
    var form = ClaimForm(
      claim: claim, role: object["role"]?.string,
      typeKeys: types.map { $0.key } + tags.map { $0.key })
    form.tags = tags
    form.isPackage = isPackage
    form.namesTypes = tags.isEmpty
    claims.append(.init(form, at: key))
    let known = [
      "types", "role", "rank", "name", "package", "nsDocumentClass", "uiDocumentClass",
    ]
    reader.noteUnknown(
      in: object, besides: Set(known + Self.claimedTagKeys.map { $0.key }), at: key)
  }

  private mutating func readChoice(_ entry: Entry<JSONObject>, _ reader: inout EntryReader) {
    let (object, key) = (entry.value, entry.key)
    let handler = reader.string(object["handler"], "\(key).handler")
    let file = reader.string(object["file"], "\(key).file")
    let type = reader.string(object["type"], "\(key).type")
    switch (handler, file, type) {
    case (let handler?, let file?, nil): choices.append(.init(.file(file), handler: handler))
    case (let handler?, nil, let type?): choices.append(.init(.type(type), handler: handler))
    default:
      reader.complain(.typesStructure, key, expected: "a handler, and either a file or a type")
    }
  }
}

// Desktop entries (`.desktop`): which MIME types a program opens.

extension TypesFile {
  /// Reads a desktop entry. A MIME type becomes the declared type that has it, or else a dynamic one.
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - identifier: the identifier of the entry: its file name, such as `org.example.app.desktop`.
  ///   - registry: the declared types.
  ///   - path: the path of the file.
  package init(
    desktopEntry text: String, identifier: String, types registry: TypeRegistry = .standard,
    path: String? = nil
  ) {
    let file = KeyFile(text)
    let group = "Desktop Entry"
    self.init(
      handler: Handler(identifier, name: file["Name", in: group]),
      source: DeclarationSource(.desktop, owner: identifier, path: path))
    guard file.groups.contains(group) else {
      faults.append(Diagnostic(.typesStructure, expected: "a group [Desktop Entry]"))
      return
    }
    if file["Name", in: group]?.isEmpty ?? true {
      faults.add(.typesStructure, at: .key("Name"), expected: "the name of the program")
    }
    if file["Type", in: group]?.isEmpty ?? true {
      faults.add(.typesStructure, at: .key("Type"), expected: "Application, for a program")
    }
    let names = file.list("MimeType", in: group)
    guard !names.isEmpty else { return }
    let types = names.map { name in
      name.caseFolded == "inode/directory"
        ? "public.folder"
        : UniformType(tag: name, tagClass: .mimeType, conformingTo: .data, in: registry)?.identifier
          ?? DynamicIdentifier(tag: name, tagClass: .mimeType, conformingTo: ["public.data"])
          .identifier
    }
    // A desktop entry does not state whether the program writes such files.
    let claim = HandlerClaim(
      by: handler, to: types, name: file["Name", in: group], role: .viewer, source: source)
    let keys = names.indices.map { "MimeType[\($0)]" }
    let form = ClaimForm(claim: claim, role: claim.role.rawValue, typeKeys: keys, namesTypes: false)
    claims.append(.init(form, at: "MimeType"))
  }
}

/// A file of groups of keys, as desktops use for entries and associations.
///
/// Malformed lines are skipped.
package struct KeyFile: Sendable {
  /// The groups, in the order in which they begin.
  package private(set) var groups: [String] = []

  private var values: [String: [String: String]] = [:]

  /// Reads a file.
  package init(_ text: String) {
    var current: String?
    for line in text.split(whereSeparator: { $0.isNewline }) {
      if line.hasPrefix("["), let end = line.lastIndex(of: "]") {
        let name = String(line[line.index(after: line.startIndex)..<end])
        if values[name] == nil {
          groups.append(name)
          values[name] = [:]
        }
        current = name
      } else if !line.hasPrefix("#"), let equals = line.firstIndex(of: "="), let current {
        let key = Self.trimmed(line[..<equals])
        values[current, default: [:]][key] = Self.trimmed(line[line.index(after: equals)...])
      }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let text = text.drop(while: { $0.isWhitespace })
    return String(text.reversed().drop(while: { $0.isWhitespace }).reversed())
  }

  /// The value of a key, not unescaped.
  package subscript(key: String, in group: String) -> String? { values[group]?[key] }

  /// The keys of a group in byte order.
  package func keys(of group: String) -> [String] { (values[group] ?? [:]).keys.sorted() }

  /// The parts of a value between semicolons, without empty ones.
  package func list(_ key: String, in group: String) -> [String] {
    (self[key, in: group] ?? "").split(separator: ";").map { Self.trimmed($0) }
      .filter { !$0.isEmpty }
  }
}
