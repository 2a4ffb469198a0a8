package import ParticlesCore

// Declarations and claims as `types.json`.

extension TypesFile {
  /// The whole file.
  package var json: JSONValue {
    var root: JSONObject = ["version": .int(Self.version)]
    var application = JSONObject()
    application["identifier"] = handler.identifier.isEmpty ? nil : .string(handler.identifier)
    application["name"] = handler.name.map(JSONValue.string)
    application["version"] = handler.version.map(JSONValue.string)
    if !application.isEmpty { root["application"] = .object(application) }
    for (key, kind) in [("exports", TypeDeclaration.Kind.exported), ("imports", .imported)] {
      let entries = declarations.map(\.value).filter { $0.kind == kind }
      if !entries.isEmpty { root[key] = .array(entries.map(\.json)) }
    }
    let claims = self.claims.map(\.value.claim)
    let opening = claims.filter { !$0.isPreview }
    if !opening.isEmpty { root["claims"] = .array(opening.map(\.json)) }
    let previews = claims.filter(\.isPreview).flatMap(\.types)
    if !previews.isEmpty { root["previews"] = .array(previews.map(JSONValue.string)) }
    if !actions.isEmpty { root["actions"] = .array(actions.map(Self.action)) }
    if !choices.isEmpty { root["choices"] = .array(choices.map(\.json)) }
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
    if !patterns.isEmpty { object["magic"] = .array(patterns.map(\.json)) }
    if !globs.isEmpty { object["globs"] = .array(globs.map(\.json)) }
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
    if !also.isEmpty { object["also"] = .array(also.map(\.json)) }
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
