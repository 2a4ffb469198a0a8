package import ParticlesCore

// Property lists of applications and of their extensions (`Info.plist`).

extension TypesFile {
  /// Reads the property list of a bundle.
  /// - Parameters:
  ///   - propertyList: the property list; data and dates in it are strings.
  ///   - path: the path of the file.
  ///   - limits: the number of types that it may name.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/limit``.
  package init(
    propertyList: JSONValue, path: String? = nil, limits: Limits = .standard
  ) throws {
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
    try limits.check(namedTypes, \.types, "types that a file names")
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
      declaration.supertypes = supertypes.map(\.value)
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
      let values = reader.strings(member.value, "\(key).\(member.key)").map(\.value)
      tags.add(values, new: TagClass(rawValue: member.key))
      reader.noteMisspelt(
        member.key, among: PropertyListKeys.tagClasses.map(\.rawValue), at: key)
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
      among: HandlerRole.allCases.map(\.rawValue), .typesRole, HandlerRole.init(named:))
    let rank = reader.word(
      object["LSHandlerRank"], place("LSHandlerRank"),
      among: HandlerRank.allCases.map(\.rawValue), .typesStructure, HandlerRank.init(named:))
    func text(_ name: String) -> String? { reader.string(object[name], place(name)) }
    let dynamic = tags.map { $0.identifier(isPackage: isPackage ?? false) }
    var claim = HandlerClaim(
      by: handler, to: types.isEmpty ? dynamic : types.map(\.value),
      name: text("CFBundleTypeName"), role: role ?? .editor, rank: rank ?? .default,
      source: source)
    claim.documentClass = text("NSDocumentClass")
    claim.touchDocumentClass = text("UIDocumentClass")
    var form = ClaimForm(
      claim: claim, role: roleText, typeKeys: types.isEmpty ? tags.map(\.key) : types.map(\.key))
    form.legacyKeys = ClaimedTag.keys.map(\.key).filter { object[$0] != nil }
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

  /// The types of a preview extension.
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
      by: handler, to: types.map(\.value), role: .quickLookGenerator, isExact: true,
      source: source)
    let form = ClaimForm(claim: claim, role: claim.role.rawValue, typeKeys: types.map(\.key))
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
