internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesModel

extension Command {
  /// Lists the formats.
  static let formats = Command(
    name: "formats", group: .formats,
    summary: "List the formats that can be read and written.",
    discussion: """
      With --matrix, shows how each format that can be written supports each property of an \
      effect: = exactly, ~ approximately, - not at all. Losses of a conversion come from the \
      rows with - and ~.
      """,
    options: [.matrix, .json],
    examples: [
      Example("particles formats", "List the formats."),
      Example("particles formats --matrix", "Show the properties that each format supports."),
    ],
    run: { invocation in
      guard !invocation.flag(.matrix) else {
        let matrix = CapabilityMatrix()
        try invocation.flag(.json)
          ? invocation.print(matrix.json) : invocation.console.write(matrix.text)
        return .done
      }
      if try invocation.answer(["formats": .array(FormatRow.all.map(\.json))]) { return .done }
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
private struct FormatRow {
  var name: String
  var title: String
  var extensions: [String]
  var canRead = true
  var canWrite: Bool
  var evidence: [ParticleSystem.EngineLaw.Line] = []

  static let all =
    [
      FormatRow(
        name: "particles", title: "Particles package: one file, or a directory",
        extensions: ["particles"], canWrite: true)
    ]
    + FormatRegistry.standard.formats.map {
      FormatRow(
        name: $0.name, title: $0.title, extensions: $0.extensions, canRead: $0.canRead,
        canWrite: $0.canWrite, evidence: $0.evidence)
    }

  var capabilities: String { canRead ? canWrite ? "read, write" : "read" : "write" }

  var json: JSONValue {
    [
      "name": .string(name), "title": .string(title),
      "extensions": .array(extensions.map(JSONValue.string)), "read": .bool(canRead),
      "write": .bool(canWrite), "engines": evidence.json,
    ]
  }
}

extension Option {
  fileprivate static let matrix = Option("matrix", "Show the properties that each format supports.")
}
