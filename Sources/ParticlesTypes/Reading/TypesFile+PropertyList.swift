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

    let marks = ["UIDeviceFamily", "LSRequiresIPhoneOS", "UISupportsDocumentBrowser"]
    isForTouch = marks.contains { root[$0] != nil }
    let places = ["UISupportsDocumentBrowser", "LSSupportsOpeningDocumentsInPlace"]
    opensInPlace = places.contains { reader.bool(root[$0], $0) == true }
    faults = reader.faults
    try limits.check(namedTypes, \.types, "types that a file names")
  }

  private mutating func readDeclarations(
    _ key: String, _ kind: TypeDeclaration.Kind, of root: JSONObject, _ reader: inout EntryReader
  ) {
    for entry in reader.objects(root[key], key) {
      let (object, key) = (entry.value, entry.key)
      let identifier = reader.string(object["UTTypeIdentifier"], "\(key).UTTypeIdentifier")
      guard let identifier else {
        reader.complain(.typesStructure, key, expected: "a UTTypeIdentifier")
        continue
      }
      var declaration = TypeDeclaration(identifier, kind, source: source)
      let supertypes = reader.strings(object["UTTypeConformsTo"], "\(key).UTTypeConformsTo")
      declaration.supertypes = supertypes.map(\.value)
      let tagKey = "\(key).UTTypeTagSpecification"
      let tags = reader.object(object["UTTypeTagSpecification"], tagKey) ?? JSONObject()
      for member in tags.members {
        let values = reader.strings(member.value, "\(tagKey).\(member.key)").map(\.value)
        declaration.tags.add(values, new: TagClass(rawValue: member.key))
      }
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

  private mutating func readClaim(_ entry: Entry<JSONObject>, _ reader: inout EntryReader) {
    let (object, key) = (entry.value, entry.key)
    func place(_ name: String) -> String { "\(key).\(name)" }
    let types = reader.strings(object["LSItemContentTypes"], place("LSItemContentTypes"))
    let isPackage = reader.bool(object["LSTypeIsPackage"], place("LSTypeIsPackage"))
    let legacy = legacyTypes(of: entry, isPackage: isPackage ?? false, &reader)
    let roleText = reader.string(object["CFBundleTypeRole"], place("CFBundleTypeRole"))
    let role = reader.word(
      object["CFBundleTypeRole"], place("CFBundleTypeRole"),
      among: HandlerRole.allCases.map(\.rawValue), .typesRole, HandlerRole.init(named:))
    let rank = reader.word(
      object["LSHandlerRank"], place("LSHandlerRank"),
      among: HandlerRank.allCases.map(\.rawValue), .typesStructure, HandlerRank.init(named:))
    let claim = HandlerClaim(
      by: handler, to: types.isEmpty ? legacy.types : types.map(\.value),
      name: reader.string(object["CFBundleTypeName"], place("CFBundleTypeName")),
      role: role ?? .editor, rank: rank ?? .default, source: source)
    claims.append(
      .init(
        ClaimForm(
          claim: claim, role: roleText,
          typeKeys: types.isEmpty ? legacy.types.map { _ in key } : types.map(\.key),
          legacyKeys: legacy.keys, isPackage: isPackage, namesTypes: !types.isEmpty),
        at: key))
    for type in reader.strings(object["NSExportableTypes"], place("NSExportableTypes")) {
      mentions.append(.init(Mention(identifier: type.value, purpose: .export), at: type.key))
    }
    noteEmptyList("CFBundleTypeIconFiles", in: entry, &reader)
  }

  /// The extensions, MIME types and OSTypes that older property lists claim instead of types, as dynamic
  /// types. Asterisks, which mean any file, are ignored.
  private func legacyTypes(
    of entry: Entry<JSONObject>, isPackage: Bool, _ reader: inout EntryReader
  ) -> (types: [String], keys: [String]) {
    let hint = isPackage ? "com.apple.package" : "public.data"
    let classes: [(String, TagClass)] = [
      ("CFBundleTypeExtensions", .filenameExtension), ("CFBundleTypeMIMETypes", .mimeType),
      ("CFBundleTypeOSTypes", .osType),
    ]
    var (types, keys) = ([String](), [String]())
    for (name, tagClass) in classes where entry.value[name] != nil {
      keys.append(name)
      for tag in reader.strings(entry.value[name], "\(entry.key).\(name)").map(\.value)
      where !tag.isEmpty && !tag.allSatisfy({ $0 == "*" }) {
        let dynamic = DynamicIdentifier(tag: tag, tagClass: tagClass, conformingTo: [hint])
        types.append(dynamic.identifier)
      }
    }
    return (types, keys)
  }

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
