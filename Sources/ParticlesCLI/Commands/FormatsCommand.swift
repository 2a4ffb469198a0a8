internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesModel

extension Command {
  /// Lists the formats.
  static let formats = Command(
    name: "formats", group: .formats,
    summary: "List the formats that can be read and written, or show what one holds.",
    discussion: """
      With the name of a format, or an extension, shows which features of an effect its files hold \
      exactly, approximately, or not at all, and the law by which the simulator runs them: each \
      switch with its value, and the evidence for it. Recorded means that the engine ran and its \
      behaviour agrees; read, that its published source was read; assumed, neither of both. The \
      switches of further engines that read the format are shown with --verbose.

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
