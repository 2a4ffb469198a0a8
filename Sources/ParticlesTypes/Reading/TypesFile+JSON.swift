package import ParticlesCore

// `types.json`: the declarations and claims of a property list, and those that only desktops use, in
// one file for all systems. `Spec/types.md` describes it.

extension TypesFile {
  /// The supported version of `types.json`.
  package static let version = 1

  /// Reads a `types.json`.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/typesStructure`` for a version
  ///   that is not supported, or of ``ParticlesCore/Rule/limit``.
  package init(json: JSONValue, path: String? = nil, limits: Limits = .standard) throws {
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
    readDeclarations("exports", .exported, of: root, &reader)
    readDeclarations("imports", .imported, of: root, &reader)
    for entry in reader.objects(root["claims"], "claims") { readClaim(entry, &reader) }
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
    try limits.check(namedTypes, \.types, "types that a file names")
  }

  /// The keys of tags.
  static let tagKeys: [(key: String, tagClass: TagClass)] = [
    ("extensions", .filenameExtension), ("compoundExtensions", .compoundExtension),
    ("mimeTypes", .mimeType), ("sharedMIMEType", .sharedMIMEType), ("osTypes", .osType),
  ]

  private mutating func readDeclarations(
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
        .map(\.value)
      for (name, tagClass) in Self.tagKeys {
        declaration.tags[tagClass] = reader.strings(object[name], "\(key).\(name)").map(\.value)
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
      reader.noteUnknown(in: object, besides: Set(known + Self.tagKeys.map(\.key)), at: key)
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
    let far = 0...1 << 40
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

  private mutating func readClaim(_ entry: Entry<JSONObject>, _ reader: inout EntryReader) {
    let (object, key) = (entry.value, entry.key)
    let types = reader.strings(object["types"], "\(key).types")
    let isPackage = reader.bool(object["package"], "\(key).package")
    let tags = Self.claimedTagKeys.flatMap { name, tagClass in
      reader.strings(object[name], "\(key).\(name)").map {
        ClaimedTag(tag: $0.value, tagClass: tagClass, key: $0.key)
      }
    }
    let role = reader.word(
      object["role"], "\(key).role", among: HandlerRole.allCases.map(\.rawValue), .typesRole,
      HandlerRole.init(named:))
    let rank = reader.word(
      object["rank"], "\(key).rank", among: HandlerRank.allCases.map(\.rawValue),
      .typesStructure, HandlerRank.init(named:))
    let dynamic = tags.map { $0.identifier(isPackage: isPackage ?? false) }
    var claim = HandlerClaim(
      by: handler, to: types.map(\.value) + dynamic,
      name: reader.string(object["name"], "\(key).name"),
      role: role ?? .editor, rank: rank ?? .default, source: source)
    claim.documentClass = reader.string(object["nsDocumentClass"], "\(key).nsDocumentClass")
    claim.touchDocumentClass = reader.string(object["uiDocumentClass"], "\(key).uiDocumentClass")
    var form = ClaimForm(
      claim: claim, role: object["role"]?.string,
      typeKeys: types.map(\.key) + tags.map(\.key))
    form.tags = tags
    form.isPackage = isPackage
    form.namesTypes = tags.isEmpty
    claims.append(.init(form, at: key))
    let known = [
      "types", "role", "rank", "name", "package", "nsDocumentClass", "uiDocumentClass",
    ]
    reader.noteUnknown(in: object, besides: Set(known + Self.claimedTagKeys.map(\.key)), at: key)
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
