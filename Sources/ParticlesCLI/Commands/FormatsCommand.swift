internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesModel

extension Command {
  static let formats = Command(
    name: "formats", group: .formats,
    summary: "List the formats that can be read and written, or show what one holds.",
    discussion: """
      With the name of a format, or an extension, shows which features of an effect its files hold exactly, \
      approximately, or not at all, and the law by which the simulator runs them: each switch with its value, and \
      the evidence for it. Recorded means that the engine ran and its behaviour agrees. Read means that its \
      published source was read. Assumed means neither. The switches of further engines that read the format are \
      shown with --verbose.

      With --matrix, shows how each format that can be written supports each property of an \
      effect: = exactly, ~ approximately, - not at all. Losses of a conversion come from the \
      rows with - and ~.
      """,
    arguments: [
      Argument(
        .lookup("format", .formats), arity: .optional, "The name of a format, or an extension.")
    ],
    options: [.matrix, .json],
    examples: [
      Example("particles formats", "List the formats."),
      Example("particles formats libgdx", "Show what libGDX holds, and how its engine is known."),
      Example("particles formats --matrix", "Show the properties that each format supports."),
    ],
    run: { invocation in
      if let word = invocation.arguments("format").first {
        guard !invocation.flag(.matrix) else {
          throw UsageError("'--matrix' shows all formats", hint: "leave out '\(word)'")
        }
        return try FormatDetails.show(word, invocation)
      }
      guard !invocation.flag(.matrix) else {
        let matrix = CapabilityMatrix()
        try invocation.flag(.json)
          ? invocation.print(matrix.json) : invocation.console.write(matrix.text)
        return .done
      }
      if try invocation.answer(["formats": .array(FormatRow.all.map { .object($0.json) })]) {
        return .done
      }
      var table = Table(.left, .left, .left, .left)
      for row in FormatRow.all {
        let extensions = row.extensions.map { ".\($0)" }.joined(separator: " ")
        table.add(row.name, row.capabilities, extensions, row.title)
      }
      try invocation.console.write(table.text)
      return .done
    })
}

/// A row of the list of formats: packages first, then the formats that are converted.
struct FormatRow {
  var name: String
  var title: String
  var extensions: [String]
  var canRead = true
  var canWrite: Bool
  var format: ParticleFormat?

  static let all =
    [
      FormatRow(
        name: "particles", title: "Particles package: one file, or a directory",
        extensions: ["particles"], canWrite: true)
    ]
    + FormatRegistry.standard.formats.map {
      FormatRow(
        name: $0.name, title: $0.title, extensions: $0.extensions, canRead: $0.canRead,
        canWrite: $0.canWrite, format: $0)
    }

  var capabilities: String { canRead ? canWrite ? "read, write" : "read" : "write" }

  var json: JSONObject {
    [
      "name": .string(name), "title": .string(title),
      "extensions": .array(extensions.map(JSONValue.string)), "read": .bool(canRead),
      "write": .bool(canWrite), "engines": (format?.evidence ?? []).json,
    ]
  }
}

extension Option {
  fileprivate static let matrix = Option("matrix", "Show the properties that each format supports.")
}

/// The features of one format, and how the law of its engine is known.
struct FormatDetails {
  private let format: ParticleFormat
  private let invocation: Invocation

  /// Shows the format of a name, or all with an extension.
  static func show(_ word: String, _ invocation: Invocation) throws -> ExitStatus {
    let all = FormatRegistry.standard.formats
    let kind = (word.hasPrefix(".") ? String(word.dropFirst()) : word).lowercased()
    let named = all.filter { $0.name == word }
    let found = named.isEmpty ? all.filter { $0.extensions.contains(kind) } : named
    let isPackage = kind == "particles"
    guard isPackage || !found.isEmpty else {
      throw UsageError.unknown("format", word, among: ["particles"] + all.map(\.name))
    }
    let details = found.map { FormatDetails(format: $0, invocation: invocation) }
    if invocation.flag(.json) {
      let package = isPackage ? [JSONValue.object(FormatRow.all[0].json)] : []
      try invocation.answer(["formats": .array(package + details.map(\.json))])
      return .done
    }
    if isPackage { try invocation.console.write(Self.package) }
    for (index, details) in details.enumerated() {
      if index > 0 || isPackage { try invocation.console.print("") }
      try details.write()
    }
    return .done
  }

  private static let package = """
    particles  Particles package: one file, or a directory
    read, write  .particles

    Holds every feature exactly, the images, and the file that the effect was imported from, byte
    by byte. The effect runs by the law of the engine that its profile names.

    """

  // MARK: Text

  private func write() throws {
    let console = invocation.console
    let access = format.canRead ? format.canWrite ? "read, write" : "read" : "write"
    let extensions = format.extensions.map { ".\($0)" }.joined(separator: " ")
    try console.print("\(format.name)  \(format.title)")
    try console.print("\(access)  \(extensions)")
    if let capabilities = format.capabilities {
      try console.print("")
      for support in Self.supports {
        let titles = Self.titles(support, in: capabilities)
        guard !titles.isEmpty else { continue }
        try console.print("\(Self.heading(of: support)) (\(titles.count))")
        let text = titles.joined(separator: ", ")
        for line in text.wrapped(to: max(console.width - 2, 40)) { try console.print("  \(line)") }
      }
    } else if format.isArchive {
      try console.print("")
      try console.print("Holds the files of a package, or any others, unchanged.")
    } else {
      try console.print("")
      try console.print(
        "Is only read. 'particles info FILE' lists what was not understood in a file.")
    }
    try writeEngines()
  }

  private func writeEngines() throws {
    let console = invocation.console
    var engines: [(name: String, lines: [ParticleSystem.EngineLaw.Line])] = []
    for line in format.evidence {
      if engines.last?.name != line.engine { engines.append((line.engine, [])) }
      engines[engines.count - 1].lines.append(line)
    }
    for (index, engine) in engines.enumerated() {
      let isWhole = index == 0 || console.verbosity == .verbose
      let counts = Self.evidence.compactMap { evidence in
        let count = engine.lines.count { $0.evidence == evidence }
        return count > 0 ? "\(count) \(evidence.rawValue)" : nil
      }
      try console.print("")
      try console.print(
        "Engine: \(engine.name), profile \(engine.lines[0].profile.rawValue): "
          + counts.joined(separator: ", ") + (isWhole ? "" : "; -v lists them"))
      guard isWhole else { continue }
      var table = Table(.left, .left, .left, .left)
      for line in engine.lines {
        table.add("  \(line.evidence.rawValue)", line.name, line.value, line.source)
      }
      try console.write(table.text)
    }
  }

  private static let supports: [Capabilities.Support] = [.exact, .approximated, .lost]
  private static let evidence: [ParticleSystem.EngineLaw.Evidence] = [
    .specified, .recorded, .read, .assumed, .unused,
  ]

  private static func heading(of support: Capabilities.Support) -> String {
    switch support {
    case .exact: "Exact"
    case .approximated: "Approximated, or exact in some cases"
    case .lost: "Not supported"
    }
  }

  private static func titles(
    _ support: Capabilities.Support, in capabilities: Capabilities
  ) -> [String] {
    Capability.all.filter { capabilities[$0] == support }.map(\.title)
  }

  // MARK: JSON

  private var json: JSONValue {
    guard var object = FormatRow.all.first(where: { $0.name == format.name })?.json else {
      return .null
    }
    object["features"] = format.capabilities.map { capabilities in
      .array(
        Capability.all.map {
          [
            "feature": .string($0.id), "title": .string($0.title),
            "support": .string(capabilities[$0].rawValue),
          ]
        })
    }
    return .object(object)
  }
}
