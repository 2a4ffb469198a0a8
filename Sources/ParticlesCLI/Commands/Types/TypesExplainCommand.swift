internal import ParticlesCore
internal import ParticlesTypes

extension Command {
  /// Explains the type of a file and the programs that open it.
  static let typesExplain = Command(
    name: "explain", group: .formats,
    summary: "Explain the type of a file and the programs that open it.",
    discussion: """
      Uses the name, kind and first bytes of a file or folder. A path that does not exist is explained as \
      a file name, and an identifier as a type. All candidates are listed, the best first, each with the \
      rule that ranks it above the next one.
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
      let known = try KnownTypes(invocation)
      let explanations = try invocation.arguments("file-or-type").map {
        try Explanation($0, known, role: invocation.value(.role).flatMap(HandlerRole.init(named:)))
      }
      guard !invocation.flag(.json) else {
        try invocation.print([
          "version": .int(1), "explanations": .array(explanations.map(\.json)),
        ])
        return .done
      }
      for (index, explanation) in explanations.enumerated() {
        if index > 0 { try invocation.console.print("") }
        try explanation.print(invocation.console)
      }
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
      guard !invocation.flag(.json) else {
        try invocation.print([
          "version": .int(1), "explanations": .array(explanations.map(\.json)),
        ])
        return .done
      }
      for (index, explanation) in explanations.enumerated() {
        if index > 0 { try invocation.console.print("") }
        try explanation.print(invocation.console)
      }
      return explanations.allSatisfy { $0.type != nil } ? .done : .answerNo
    })
}

extension Option {
  fileprivate static let role = Option(
    "role", value: .choice("role", HandlerRole.allCases.map { $0.rawValue }), default: "any",
    "The wanted role.")
}

/// The type of a file and the programs that open it, with reasons.
struct Explanation {
  /// The number of bytes of a file that are read.
  private static let headSize = 4096

  let subject: String
  let basis: String
  let selection: TypeSelection?
  let type: UniformType?
  let resolution: HandlerRegistry.Resolution?

  private init(
    _ subject: String, basis: String, _ selection: TypeSelection?, type: UniformType?,
    _ known: KnownTypes, role: HandlerRole? = nil, path: String? = nil
  ) {
    self.subject = subject
    self.basis = basis
    self.selection = selection
    self.type = type
    resolution = type.flatMap {
      known.handlers.claims.isEmpty ? nil : known.handlers.handlers(for: $0, role: role, path: path)
    }
  }

  /// Explains a path, a file name or an identifier.
  init(_ word: String, _ known: KnownTypes, role: HandlerRole?) throws {
    let name = Files.lastComponent(of: word)
    if let status = try Files.status(word) {
      let kind: ItemKind = status.kind == .directory ? .directory : .file
      let head = kind == .file ? try Self.head(of: word) : nil
      let selection = known.registry.select(fileName: name, kind: kind, head: head)
      self.init(
        word, basis: "a \(kind) on disk", selection, type: selection.type, known, role: role,
        path: word)
    } else if let type = UniformType(word, in: known.registry) {
      self.init(word, basis: "an identifier", nil, type: type, known, role: role)
    } else {
      let selection = known.registry.select(fileName: name)
      self.init(word, basis: "a name", selection, type: selection.type, known, role: role)
    }
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

  private static func head(of path: String) throws -> [UInt8] {
    let file = try OpenFile(reading: path)
    var bytes: [UInt8] = []
    while bytes.count < headSize {
      let piece = try file.readPiece(headSize - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}

// MARK: - Output

extension Explanation {
  func print(_ console: Console) throws {
    try console.print("\(subject), \(basis): \(type?.identifier ?? "no declared type")")
    var table = Table(.left, .left, .left)
    for (index, candidate) in (selection?.candidates ?? []).enumerated() {
      table.add(
        "  \(index + 1).", candidate.type.identifier,
        candidate.decision.map { "ranks above the next: \($0.reason)" } ?? "")
    }
    for type in selection?.excluded ?? [] {
      table.add("  -", type.identifier, "left out: it does not fit the item on disk")
    }
    if selection?.candidates.isEmpty == true, let type {
      table.add(
        "  -", type.identifier, type.isDynamic ? "no declared type has the tag" : "the default")
    }
    try console.write(table.text)
    guard let resolution else { return }
    guard let chosen = resolution.chosen else { return try console.print("no program opens it") }
    try console.print("opened by \(chosen.handler.identifier)")
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
  fileprivate var summary: String { "\(claim.role.rawValue), \(claim.rank.rawValue) of \(type)" }
}
