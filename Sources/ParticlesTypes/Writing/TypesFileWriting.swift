package import ParticlesCore
package import ParticlesPropertyLists

// Declarations and claims as `types.json`.

extension TypesFile {
  package var json: JSONValue {
    var root: JSONObject = ["version": .int(Self.version)]
    var application = JSONObject()
    application["identifier"] = handler.identifier.isEmpty ? nil : .string(handler.identifier)
    application["name"] = handler.name.map(JSONValue.string)
    application["version"] = handler.version.map(JSONValue.string)
    if !application.isEmpty { root["application"] = .object(application) }
    for (key, kind) in [("exports", TypeDeclaration.Kind.exported), ("imports", .imported)] {
      let entries = declarations.map { $0.value }.filter { $0.kind == kind }
      if !entries.isEmpty { root[key] = .array(entries.map { $0.json }) }
    }
    let claims = self.claims.map { $0.value.claim }
    let opening = claims.filter { !$0.isPreview }
    if !opening.isEmpty { root["claims"] = .array(opening.map { $0.json }) }
    let previews = claims.filter { $0.isPreview }.flatMap { $0.types }
    if !previews.isEmpty { root["previews"] = .array(previews.map(JSONValue.string)) }
    if !actions.isEmpty { root["actions"] = .array(actions.map(Self.action)) }
    if !choices.isEmpty { root["choices"] = .array(choices.map { $0.json }) }
    return .object(root)
  }

  private static func action(_ action: (identifier: String?, types: [String])) -> JSONValue {
    var object = JSONObject()
    object["identifier"] = action.identifier.map(JSONValue.string)
    object["types"] = .array(action.types.map(JSONValue.string))
    return .object(object)
  }
}

extension HandlerChoice {
  fileprivate var json: JSONValue {
    switch scope {
    case .file(let path): ["file": .string(path), "handler": .string(handler)]
    case .type(let identifier): ["type": .string(identifier), "handler": .string(handler)]
    }
  }
}

extension TypeDeclaration {
  /// The declaration as an entry of `types.json`.
  package var json: JSONValue {
    var object: JSONObject = ["identifier": .string(identifier)]
    object["title"] = title.map(JSONValue.string)
    if !supertypes.isEmpty { object["conformsTo"] = .array(supertypes.map(JSONValue.string)) }
    for (key, tagClass) in TypesFile.tagKeys where !tags[tagClass].isEmpty {
      object[key] = .array(tags[tagClass].map(JSONValue.string))
    }
    object["reference"] = referenceURL.map(JSONValue.string)
    object["version"] = version.map(JSONValue.string)
    object["icon"] = iconName.map(JSONValue.string)
    object["template"] = templatePath.map(JSONValue.string)
    if isWildcard { object["wildcard"] = .bool(true) }
    if !patterns.isEmpty { object["magic"] = .array(patterns.map { $0.json }) }
    if !globs.isEmpty { object["globs"] = .array(globs.map { $0.json }) }
    return .object(object)
  }
}

extension ContentPattern {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["bytes": .string(bytes.hexDigits)]
    if offsets != 0...0 { object["offset"] = .int(offsets.lowerBound) }
    if offsets.count > 1 { object["until"] = .int(offsets.upperBound) }
    object["mask"] = mask.map { .string($0.hexDigits) }
    if priority != 50 { object["priority"] = .int(priority) }
    if !also.isEmpty { object["also"] = .array(also.map { $0.json }) }
    return .object(object)
  }
}

extension FileNamePattern {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["pattern": .string(pattern)]
    if weight != 50 { object["weight"] = .int(weight) }
    if isCaseSensitive { object["caseSensitive"] = .bool(true) }
    return .object(object)
  }
}

extension HandlerClaim {
  /// The claim as an entry of `types.json`.
  package var json: JSONValue {
    var object = JSONObject()
    object["name"] = name.map(JSONValue.string)
    object["role"] = .string(role.rawValue)
    object["rank"] = .string(rank.rawValue)
    if !namedTypes.isEmpty || types.isEmpty {
      object["types"] = .array(namedTypes.map(JSONValue.string))
    }
    let (tags, isPackage) = claimedTags
    for (key, tagClass) in TypesFile.claimedTagKeys where !tags[tagClass].isEmpty {
      object[key] = .array(tags[tagClass].map(JSONValue.string))
    }
    if isPackage { object["package"] = .bool(true) }
    object["nsDocumentClass"] = documentClass.map(JSONValue.string)
    object["uiDocumentClass"] = touchDocumentClass.map(JSONValue.string)
    return .object(object)
  }
}

// Declarations and claims as keys of an `Info.plist`.

extension TypesFile {
  /// The property list. It is whole and unchanged if the file was a property list, and made from
  /// declarations and claims otherwise. ``losses(in:)`` reports missing values.
  package var propertyListValue: PropertyListValue {
    original ?? PropertyListValue(propertyList)
  }

  /// The keys of an `Info.plist` for declarations and claims, as a tree.
  ///
  /// Property lists have no keys for compound extensions, patterns and MIME types of desktops, so these
  /// are left out.
  package var propertyList: JSONValue {
    var root = JSONObject()
    let lists: [(String, TypeDeclaration.Kind)] = [
      ("UTExportedTypeDeclarations", .exported), ("UTImportedTypeDeclarations", .imported),
    ]
    for (key, kind) in lists {
      let entries = declarations.map { $0.value }.filter { $0.kind == kind }
      root[key] = Self.list(entries.map { $0.propertyList })
    }
    let claims = self.claims.map { $0.value.claim }
    let opening = claims.filter { !$0.isPreview }
    root["CFBundleDocumentTypes"] = Self.list(opening.flatMap { $0.propertyLists })
    if !opening.isEmpty { root["UISupportsDocumentBrowser"] = .bool(true) }
    let previews = claims.filter { $0.isPreview }.flatMap { $0.types }
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

// Values that cannot be written in a format, so that no export drops anything silently.

extension TypesFile {
  /// The formats of exports.
  package enum ExportFormat: Sendable {
    case propertyList, json, desktop
  }

  /// Reports the values of the file that a format cannot represent, as
  /// ``ParticlesCore/Rule/lost``.
  package func losses(in format: ExportFormat) -> [Diagnostic] {
    switch format {
    case .propertyList: original == nil ? lossesInPropertyList : lossesInOriginal
    case .json: lossesInJSON
    case .desktop: lossesOnDesktop
    }
  }

  private static func loss(_ key: String, _ what: String) -> Diagnostic {
    Diagnostic(.lost, at: .key(key), what)
  }

  /// A property list that is written again keeps all values. Comments and values outside of the range of
  /// XML are lost.
  private var lossesInOriginal: [Diagnostic] {
    guard let original else { return [] }
    var losses: [Diagnostic] = []
    if hasComments { losses.append(Diagnostic(.lost, "the comments of the file", severity: .note)) }
    if (try? PropertyListValue(decoding: original.xml)) != original {
      losses.append(Diagnostic(.lost, "text or dates that XML cannot represent exactly"))
    }
    return losses
  }

  private var lossesInPropertyList: [Diagnostic] {
    var losses: [Diagnostic] = []
    for entry in declarations {
      let declaration = entry.value
      let parts: [(String, Bool)] = [
        ("compoundExtensions", !declaration.tags[.compoundExtension].isEmpty),
        ("sharedMIMEType", !declaration.tags[.sharedMIMEType].isEmpty),
        ("magic", !declaration.patterns.isEmpty), ("globs", !declaration.globs.isEmpty),
        ("template", declaration.templatePath != nil), ("wildcard", declaration.isWildcard),
      ]
      losses += parts.filter { $0.1 }.map {
        Self.loss("\(entry.key).\($0.0)", "'\(declaration.identifier)'")
      }
    }
    for entry in claims {
      for (identifier, key) in zip(entry.value.claim.types, entry.value.typeKeys)
      where entry.value.claim.namedTypes.contains(identifier)
        && DynamicIdentifier(identifier) != nil
      {
        losses.append(Self.loss(key, "the dynamic identifier '\(identifier)'"))
      }
    }
    return losses + lossesOfUses
  }

  /// Actions and choices.
  private var lossesOfUses: [Diagnostic] {
    (actions.isEmpty ? [] : [Self.loss("actions", "actions")])
      + (choices.isEmpty ? [] : [Self.loss("choices", "choices")])
  }

  /// The keys of declarations and claims in a property list that `types.json` does not have.
  private var lossesInJSON: [Diagnostic] {
    guard let root = original?.json.object else { return [] }
    var losses: [Diagnostic] = []
    let lists: [(key: String, kept: Set<String>)] = [
      ("UTExportedTypeDeclarations", Self.keptDeclarationKeys),
      ("UTImportedTypeDeclarations", Self.keptDeclarationKeys),
      ("CFBundleDocumentTypes", Self.keptClaimKeys),
    ]
    for (key, kept) in lists {
      for (index, entry) in (root[key]?.array ?? []).enumerated() {
        for member in entry.object?.members ?? [] where !kept.contains(member.key) {
          losses.append(Self.loss("\(key)[\(index)].\(member.key)", "the value of the key"))
        }
        let tags = entry.object?["UTTypeTagSpecification"]?.object?.members ?? []
        for tag in tags where !Self.keptTagClasses.contains(tag.key) {
          losses.append(
            Self.loss("\(key)[\(index)].UTTypeTagSpecification.\(tag.key)", "tags of the class"))
        }
      }
    }
    return losses
  }

  private static let keptDeclarationKeys: Set = [
    "UTTypeIdentifier", "UTTypeConformsTo", "UTTypeTagSpecification", "UTTypeDescription",
    "UTTypeReferenceURL", "UTTypeVersion", "UTTypeIconFile",
  ]

  private static let keptClaimKeys: Set = [
    "CFBundleTypeName", "CFBundleTypeRole", "LSItemContentTypes", "LSHandlerRank",
    "LSTypeIsPackage", "NSDocumentClass", "UIDocumentClass", "CFBundleTypeExtensions",
    "CFBundleTypeMIMETypes", "CFBundleTypeOSTypes",
  ]

  private static let keptTagClasses = Set(tagKeys.map { $0.tagClass.rawValue })

  /// Desktops have no types for directories.
  private var lossesOnDesktop: [Diagnostic] {
    let registry = TypeRegistry.standard.adding([self])
    func isDirectory(_ identifier: String) -> Bool {
      UniformType(importedAs: identifier, in: registry).conforms(to: .directory)
    }
    let declared = declarations.filter {
      $0.value.kind == .exported && isDirectory($0.value.identifier)
    }.map { Self.loss($0.key, "'\($0.value.identifier)', a type of directories") }
    let claimed = claims.flatMap { entry in
      zip(entry.value.claim.types, entry.value.typeKeys).filter { isDirectory($0.0) }.map {
        Self.loss($0.1, "'\($0.0)', a type of directories")
      }
    }
    return declared + claimed
  }
}
