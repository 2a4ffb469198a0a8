package import ParticlesCore

// Declarations and claims as keys of an `Info.plist`.

extension TypesFile {
  /// The keys of an `Info.plist`, as a tree.
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
    root["CFBundleDocumentTypes"] = Self.list(
      claims.filter { !$0.isPreview }.map(\.propertyList))
    if !claims.isEmpty { root["UISupportsDocumentBrowser"] = .bool(true) }
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

  fileprivate var propertyList: JSONValue {
    var object = JSONObject()
    object["CFBundleTypeName"] = name.map(JSONValue.string)
    object["CFBundleTypeRole"] = .string(role.rawValue)
    object["LSHandlerRank"] = .string(rank.rawValue)
    object["LSItemContentTypes"] = .array(types.map(JSONValue.string))
    return .object(object)
  }
}
