internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesTypes

extension Command {
  /// Explains the type of a file and the programs that open it.
  static let typesExplain = Command(
    name: "explain", group: .formats,
    summary: "Explain the type of a file and the programs that open it.",
    discussion: """
      Uses the name, kind and first bytes of a file or folder. A path that does not exist is explained as \
      a file name, and an identifier as a type. All candidates are listed, the best first, each with the \
      rule that ranks it above the next one. With --desktop, the type and the programs are those that the \
      desktop of this machine uses; programs of --with are ranked apart from them.
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
      Example("particles types who image/png --with Info.plist", "The same for a MIME type."),
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

  /// Returns the format of effects that recognises a file by all its contents, which decide between an
  /// effect and another file in the same language, such as a property list. Nil for others.
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
