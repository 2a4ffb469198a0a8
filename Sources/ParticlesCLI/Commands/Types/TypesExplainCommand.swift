internal import ParticlesCore
internal import ParticlesDesktop
internal import ParticlesFormats
internal import ParticlesSystem
internal import ParticlesTypes

extension Command {
  /// Explains the type of a file and the programs that open it.
  static let typesExplain = Command(
    name: "explain", group: .formats,
    summary: "Explain the type of a file and the programs that open it.",
    discussion: """
      Uses the name, kind and first bytes of a file or folder. A path that does not exist is explained as a file \
      name, and an identifier as a type. All candidates are listed, the best first, each with the rule that ranks it \
      above the next one. With --desktop, the type and the programs are as the desktop of this machine uses them. \
      Programs of --with are ranked apart from them.
      """,
    arguments: [
      Argument(.file("file-or-type"), arity: .oneOrMore, "A path, a file name, or an identifier.")
    ],
    options: [.with, .desktop, .role, .json],
    examples: [
      Example("particles types explain fire.particles", "Explain the type of a document."),
      Example("particles types explain talk.key", "Explain a file name that several types claim."),
      Example(
        "particles types explain photo.png --with Info.plist", "Explain which program opens a file."
      ),
    ],
    run: { invocation in
      guard !invocation.flag(.desktop) || invocation.value(.role) == nil else {
        throw UsageError("'--role' does not apply to '--desktop': desktop entries have no roles")
      }
      let known = try KnownTypes(invocation)
      let explanations = try invocation.arguments("file-or-type").map {
        try Explanation($0, known, role: invocation.value(.role).flatMap(HandlerRole.init(named:)))
      }
      try show(explanations, invocation)
      return .done
    })

  /// Lists the types and programs that claim an extension or a MIME type.
  static let typesWho = Command(
    name: "who", group: .formats,
    summary: "List the types and programs that claim an extension, the winner first.",
    arguments: [
      Argument(.text("extension"), arity: .oneOrMore, "An extension, or a MIME type.")
    ],
    options: [.with, .desktop, .json],
    examples: [
      Example("particles types who key", "List the types that claim an extension."),
      Example(
        "particles types who image/png --with Info.plist", "List the types that claim a MIME type."),
    ],
    run: { invocation in
      let known = try KnownTypes(invocation)
      let explanations = invocation.arguments("extension").map { Explanation(tag: $0, known) }
      try show(explanations, invocation)
      let isAnswered = explanations.allSatisfy { $0.type != nil }
      return isAnswered || invocation.flag(.json) ? .done : .answerNo
    })

  private static func show(_ explanations: [Explanation], _ invocation: Invocation) throws {
    if try invocation.answer(["explanations": .array(explanations.map(\.json))]) { return }
    for (index, explanation) in explanations.enumerated() {
      if index > 0 { try invocation.console.print("") }
      try explanation.print(invocation.console)
    }
  }
}

extension Option {
  fileprivate static let role = Option(
    "role", value: .choice("role", HandlerRole.allCases.map { $0.rawValue }), default: "any",
    "The wanted role.")
}

/// The type of a file and the programs that open it, with reasons.
struct Explanation {
  let subject: String
  let basis: String
  let selection: TypeSelection?
  let type: UniformType?
  let resolution: HandlerRegistry.Resolution?
  /// The answer of this machine, with `--desktop`.
  let desktop: DesktopAnswer?
  /// The format of effects that recognises the file.
  let format: ParticleFormat?

  private init(
    _ subject: String, basis: String, _ selection: TypeSelection?, type: UniformType?,
    _ known: KnownTypes, role: HandlerRole? = nil, path: String? = nil,
    desktop: DesktopAnswer? = nil, format: ParticleFormat? = nil
  ) {
    self.subject = subject
    self.basis = basis
    self.selection = selection
    self.type = type
    self.desktop = desktop
    self.format = format
    let handlers =
      desktop == nil ? known.handlers : HandlerRegistry(known.files, types: known.registry)
    resolution = type.flatMap {
      handlers.claims.isEmpty ? nil : handlers.handlers(for: $0, role: role, path: path)
    }
  }

  /// Explains a path, a file name or an identifier.
  init(_ word: String, _ known: KnownTypes, role: HandlerRole?) throws {
    let name = Files.lastComponent(of: word)
    let status = try Files.status(word) ?? Files.status(word, followingLinks: false)
    if let status, let desktop = known.desktop {
      let answer = try DesktopAnswer(word, status, desktop)
      self.init(
        word, basis: "a \(status.kindName) on disk", nil,
        type: answer.type(in: known.registry, name: name, kind: status.itemKind), known, path: word,
        desktop: answer)
    } else if let status {
      let head = status.kind == .file ? try DesktopAnswer.head(of: word) : nil
      let selection = status.itemKind.map {
        known.registry.select(fileName: name, kind: $0, head: head)
      }
      let format = try head.flatMap { try Self.format(of: word, head: $0) }
      let byContents = format?.types.first.flatMap {
        UniformType($0.identifier, in: known.registry)
      }
      self.init(
        word, basis: "a \(status.kindName) on disk", selection,
        type: byContents ?? selection.map { $0.type }
          ?? UniformType("public.item", in: known.registry),
        known, role: role, path: word, format: format)
    } else if let type = UniformType(word, in: known.registry) {
      self.init(
        word, basis: "an identifier", nil, type: type, known, role: role,
        desktop: known.desktop.flatMap { DesktopAnswer(type, $0) })
    } else if let desktop = known.desktop {
      let answer = DesktopAnswer(fileName: name, desktop)
      self.init(
        word, basis: "a name", nil, type: answer.type(in: known.registry, name: name, kind: nil),
        known, desktop: answer)
    } else {
      let selection = known.registry.select(fileName: name)
      self.init(word, basis: "a name", selection, type: selection.type, known, role: role)
    }
  }

  /// Returns the format of effects that recognises a file by all its contents, or nil. Only contents distinguish an
  /// effect from another file in its language, such as a property list.
  private static func format(of path: String, head: [UInt8]) throws -> ParticleFormat? {
    let name = Files.lastComponent(of: path)
    let formats = FormatRegistry.standard.formats.filter { !$0.types.isEmpty }
    let kind = Files.pathExtension(of: name)
    guard kind.isEmpty || formats.contains(where: { $0.extensions.contains(kind) }), !head.isEmpty
    else { return nil }
    let bytes =
      head.count < DesktopAnswer.headSize ? head : try Files.read(path, limits: .standard)
    return formats.first { $0.recognise(bytes, name) }
  }

  /// Explains an extension, or a MIME type if the tag has a slash.
  init(tag: String, _ known: KnownTypes) {
    let isMIME = tag.contains("/")
    let plain = isMIME || !tag.hasPrefix(".") ? tag : String(tag.dropFirst())
    let tagClass: TagClass =
      isMIME ? .mimeType : plain.contains(".") ? .compoundExtension : .filenameExtension
    let selection = known.registry.select(tag: plain, tagClass: tagClass)
    let type = selection.candidates.first?.type
    let basis = isMIME ? "a MIME type" : "an extension"
    self.init(tag, basis: basis, selection, type: type, known)
  }
}

// MARK: - Output

extension Explanation {
  func print(_ console: Console) throws {
    let name = type?.shownName ?? desktop?.mimeType ?? "no declared type"
    try console.print("\(subject), \(basis): \(name)")
    var table = Table(.left, .left, .left)
    for (index, candidate) in (selection?.candidates ?? []).enumerated() {
      table.add(
        "  \(index + 1).", candidate.type.shownName,
        candidate.decision.map { "ranks above the next: \($0.reason)" } ?? "")
    }
    for type in selection?.excluded ?? [] {
      table.add("  -", type.identifier, "left out: it does not fit the item on disk")
    }
    if selection?.candidates.isEmpty == true, let type {
      table.add(
        "  -", type.shownName, type.isDynamic ? "no declared type has the tag" : "the default")
    }
    try console.write(table.text)
    if let format, let type {
      try console.print("recognised by its contents as \(format.name): \(type)")
    }
    try desktop?.print(console)
    guard let resolution else { return }
    let origin = desktop == nil ? "" : "with the programs of --with: "
    guard let chosen = resolution.chosen else {
      return try console.print("\(origin)no program opens it")
    }
    try console.print("\(origin)opened by \(chosen.handler.identifier)")
    var handlers = Table(.left, .left, .left, .left)
    for (index, candidate) in resolution.candidates.enumerated() {
      handlers.add(
        "  \(index + 1).", candidate.handler.identifier, candidate.summary,
        candidate.decision.map { "ranks above the next: \($0.reason)" } ?? "")
    }
    for candidate in resolution.declaring {
      handlers.add("  -", candidate.handler.identifier, candidate.summary, "only describes it")
    }
    try console.write(handlers.text)
  }

  var json: JSONValue {
    var object: JSONObject = ["subject": .string(subject), "basis": .string(basis)]
    object["type"] = type?.json
    object["suffix"] = selection?.suffix.map(JSONValue.string)
    if let selection {
      object["candidates"] = .array(
        selection.candidates.map { candidate in
          var row: JSONObject = ["type": .string(candidate.type.identifier)]
          row["reason"] = candidate.decision.map { .string($0.reason) }
          return .object(row)
        })
      object["excluded"] = .array(selection.excluded.map { .string($0.identifier) })
    }
    object["desktop"] = desktop?.json
    object["format"] = format.map { .string($0.name) }
    if let resolution {
      object["handlers"] = .array(
        resolution.candidates.map { candidate in
          var row: JSONObject = [
            "handler": .string(candidate.handler.identifier),
            "role": .string(candidate.claim.role.rawValue),
            "rank": .string(candidate.claim.rank.rawValue),
            "type": .string(candidate.type.identifier), "distance": .int(candidate.distance),
          ]
          row["reason"] = candidate.decision.map { .string($0.reason) }
          return .object(row)
        })
    }
    return .object(object)
  }
}

extension HandlerRegistry.Candidate {
  /// `Editor, Owner of public.png`
  fileprivate var summary: String {
    "\(claim.role.rawValue), \(claim.rank.rawValue) of \(type.shownName)"
  }
}

/// The type of a file and the programs that open it on the desktop of this machine.
struct DesktopAnswer {
  let mimeType: String
  /// The rule that decided the type, as a phrase.
  let reason: String
  let defaultProgram: DesktopProgram?
  /// The programs that open such files. Programs of the declared supertypes are last.
  let programs: [DesktopProgram]

  private init(_ recognition: SharedMIMEDatabase.Recognition, _ desktop: Desktop) {
    self.init(recognition.type, reason: recognition.basis.reason, desktop)
  }

  private init(_ mimeType: String, reason: String, _ desktop: Desktop) {
    self.mimeType = mimeType
    self.reason = reason
    defaultProgram = desktop.defaultProgram(for: mimeType)
    programs = desktop.programs(for: mimeType, includingSupertypes: true)
  }

  /// Answers for an item on disk.
  init(_ path: String, _ status: FileStatus, _ desktop: Desktop) throws {
    let recognition = try desktop.mimeTypes.recognise(Files.lastComponent(of: path), status) {
      try Self.head(of: path)
    }
    self.init(recognition, desktop)
  }

  init(fileName: String, _ desktop: Desktop) {
    self.init(desktop.mimeTypes.recognise(fileName: fileName), desktop)
  }

  /// Creates the answers for a type. Nil if it has no MIME type.
  init?(_ type: UniformType, _ desktop: Desktop) {
    guard let name = type.sharedMIMEType else { return nil }
    self.init(desktop.mimeTypes.canonical(name), reason: "the MIME type of the identifier", desktop)
  }

  /// The type of a registry with the MIME type. Of several, a type that fits the name. Nil if there is none.
  func type(in registry: TypeRegistry, name: String, kind: ItemKind?) -> UniformType? {
    if mimeType == "inode/directory" { return UniformType("public.folder", in: registry) }
    let types = registry.select(tag: mimeType, tagClass: .mimeType, kind: kind).candidates
      .map(\.type)
    let named = registry.select(fileName: name, kind: kind).candidates.map(\.type)
    return types.first(where: named.contains) ?? types.first
  }

  /// The number of bytes that decide the type of a file.
  static let headSize = SharedMIMEDatabase.headSize

  /// Reads the first bytes of a file.
  static func head(of path: String) throws -> [UInt8] {
    let file = try OpenFile(readingAtOnce: path)
    var bytes: [UInt8] = []
    // A pipe may have taken the place of the file.
    guard try file.status().kind == .file else { return [] }
    while bytes.count < SharedMIMEDatabase.headSize {
      let piece = try file.readPiece(SharedMIMEDatabase.headSize - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  // MARK: Output

  func print(_ console: Console) throws {
    try console.print("on this machine: \(mimeType), by \(reason)")
    try console.print(
      defaultProgram.map { "opened by \($0.identifier)" } ?? "no program opens it")
    var table = Table(.left, .left, .left)
    for (index, program) in programs.enumerated() {
      table.add("  \(index + 1).", program.identifier, program.name)
    }
    try console.write(table.text)
  }

  var json: JSONValue {
    var object: JSONObject = ["mimeType": .string(mimeType), "reason": .string(reason)]
    object["default"] = defaultProgram.map { .string($0.identifier) }
    object["programs"] = .array(programs.map { .string($0.identifier) })
    return .object(object)
  }
}

extension SharedMIMEDatabase.Recognition.Basis {
  fileprivate var reason: String {
    switch self {
    case .kind: "the kind of the item"
    case .empty: "the size: empty files are text"
    case .pattern(let pattern): "the pattern \(pattern)"
    case .patternAndContents(let pattern): "the pattern \(pattern) and the contents"
    case .contents: "the contents"
    case .text: "the contents, which are text"
    case .none: "default: no pattern matches"
    }
  }
}

extension FileStatus {
  /// The kind of item for the rules of types. Nil for special files.
  var itemKind: ItemKind? {
    switch kind {
    case .file: .file
    case .directory: .directory
    case .symbolicLink, .other: nil
    }
  }

  var kindName: String {
    switch kind {
    case .file: "file"
    case .directory: "directory"
    case .symbolicLink: "broken symbolic link"
    case .other: special?.rawValue ?? "special file"
    }
  }
}
