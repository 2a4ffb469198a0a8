package import ParticlesCore
package import ParticlesPropertyLists

// Declarations and claims as keys of an `Info.plist`.

extension TypesFile {
  /// The property list: whole and unchanged if the file was one, and made of declarations and claims
  /// otherwise. ``losses(in:)`` reports what it lacks.
  package var propertyListValue: PropertyListValue {
    original ?? PropertyListValue(propertyList)
  }

  /// The keys of an `Info.plist` for declarations and claims, as a tree.
  ///
  /// Property lists have no keys for compound extensions, patterns and MIME types of desktops; they are
  /// left out.
  package var propertyList: JSONValue {
    var root = JSONObject()
    let lists: [(String, TypeDeclaration.Kind)] = [
      ("UTExportedTypeDeclarations", .exported), ("UTImportedTypeDeclarations", .imported),
    ]
    for (key, kind) in lists {
      let entries = declarations.map(\.value).filter { $0.kind == kind }
      root[key] = Self.list(entries.map(\.propertyList))
    }
    let claims = self.claims.map(\.value.claim)
    let opening = claims.filter { !$0.isPreview }
    root["CFBundleDocumentTypes"] = Self.list(opening.flatMap(\.propertyLists))
    if !opening.isEmpty { root["UISupportsDocumentBrowser"] = .bool(true) }
    let previews = claims.filter(\.isPreview).flatMap(\.types)
    if !previews.isEmpty {
      root["NSExtension"] = [
        "NSExtensionAttributes": [
          "QLSupportedContentTypes": .array(previews.map(JSONValue.string))
        ]
      ]
    }
    return .object(root)
  }

  private static func list(_ entries: [JSONValue]) -> JSONValue? {
    entries.isEmpty ? nil : .array(entries)
  }
}

extension TypeDeclaration {
  fileprivate var propertyList: JSONValue {
    var object: JSONObject = ["UTTypeIdentifier": .string(identifier)]
    object["UTTypeDescription"] = title.map(JSONValue.string)
    object["UTTypeConformsTo"] = .array(supertypes.map(JSONValue.string))
    object["UTTypeReferenceURL"] = referenceURL.map(JSONValue.string)
    object["UTTypeVersion"] = version.map(JSONValue.string)
    object["UTTypeIconFile"] = iconName.map(JSONValue.string)
    var specification = JSONObject()
    for tagClass in tags.classes where tagClass != .compoundExtension && tagClass != .sharedMIMEType
    {
      specification[tagClass.rawValue] = .array(tags[tagClass].map(JSONValue.string))
    }
    if !specification.isEmpty { object["UTTypeTagSpecification"] = .object(specification) }
    return .object(object)
  }
}

extension HandlerClaim {
  /// Whether it is a claim of a preview extension.
  var isPreview: Bool { role == .quickLookGenerator && isExact }

  /// The types, without the dynamic identifiers of ``claimedTags``.
  var namedTypes: [String] { types.filter { Self.claimedTag($0) == nil } }

  /// A dynamic identifier of an extension, MIME type or OSType that a claim names.
  private static func claimedTag(_ identifier: String) -> DynamicIdentifier? {
    guard let dynamic = DynamicIdentifier(identifier),
      dynamic.supertypes.count == 1,
      ["public.data", "com.apple.package"].contains(dynamic.supertypes[0]),
      dynamic.tags.classes.allSatisfy({ name in ClaimedTag.keys.contains { $0.tagClass == name } })
    else { return nil }
    return dynamic
  }

  /// The tags in dynamic identifiers of types, and whether they are of packages.
  var claimedTags: (tags: TypeTags, isPackage: Bool) {
    var (tags, isPackage) = (TypeTags(), false)
    for dynamic in types.compactMap(Self.claimedTag) {
      if dynamic.supertypes.contains("com.apple.package") { isPackage = true }
      for entry in dynamic.tags.entries {
        for value in entry.values {
          tags.append(entry.tagClass == .osType ? value.unpadded : value, to: entry.tagClass)
        }
      }
    }
    return (tags, isPackage)
  }

  /// The entries of `CFBundleDocumentTypes`: systems ignore tags beside types, so there are two if the
  /// claim has both.
  fileprivate var propertyLists: [JSONValue] {
    var base = JSONObject()
    base["CFBundleTypeName"] = name.map(JSONValue.string)
    base["CFBundleTypeRole"] = .string(role.rawValue)
    base["LSHandlerRank"] = .string(rank.rawValue)
    base["NSDocumentClass"] = documentClass.map(JSONValue.string)
    base["UIDocumentClass"] = touchDocumentClass.map(JSONValue.string)
    var entries: [JSONValue] = []
    let (tags, isPackage) = claimedTags
    // Dynamic identifiers are valid on one system only.
    let names = namedTypes.filter { DynamicIdentifier($0) == nil }
    if !names.isEmpty || tags.classes.isEmpty {
      var object = base
      object["LSItemContentTypes"] = .array(names.map(JSONValue.string))
      entries.append(.object(object))
    }
    guard !tags.classes.isEmpty else { return entries }
    var object = base
    if !entries.isEmpty { object["CFBundleTypeName"] = name.map { .string("\($0) (other)") } }
    for (key, tagClass) in ClaimedTag.keys where !tags[tagClass].isEmpty {
      object[key] = .array(tags[tagClass].map(JSONValue.string))
    }
    if isPackage { object["LSTypeIsPackage"] = .bool(true) }
    return entries + [.object(object)]
  }
}

extension String {
  /// An OSType without its padding.
  fileprivate var unpadded: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value != 0 }))
  }
}
