internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesModel

extension Command {
  /// Shows what a document is.
  static let info = Command(
    name: "info", group: .documents,
    summary: "Show what a document is: form, size, emitters, images.",
    arguments: [
      Argument(.file("file"), arity: .oneOrMore, "A document, or - for standard input.")
    ],
    options: [.from, .images, .json],
    examples: [
      Example("particles info fire.particles", "Show what is in a document."),
      Example("particles info --json fire.particles", "The same for a program."),
    ],
    run: { invocation in
      var rows: [JSONValue] = []
      var isFirst = true
      let status = try invocation.forEach(invocation.arguments("file")) { path in
        let summary = try EffectSummary(invocation.effect(at: path), path: path)
        if invocation.flag(.json) {
          rows.append(summary.json)
        } else {
          if !isFirst { try invocation.console.print("") }
          try invocation.console.write(summary.text)
        }
        isFirst = false
        return .done
      }
      if invocation.flag(.json) {
        try invocation.print([
          "version": .int(1), "tool": .string("\(invocation.tool.name) \(invocation.tool.version)"),
          "files": .array(rows),
        ])
      }
      return status
    })
}

/// What a person wants to know of a document.
private struct EffectSummary {
  private var rows: [(key: String, label: String, value: JSONValue)] = []

  init(_ opened: OpenedEffect, path: String) throws {
    let system = try locating(Location(file: path)) { try opened.package.system() }
    let container = opened.package.container
    let files = container.files
    add("path", "file", .string(path))
    add("kind", "kind", .string(opened.kindName))
    if case .package(.flat) = opened.kind, let size = try Files.status(path)?.size {
      add("size", "size", .int(size))
    }
    add("files", "files", .int(files.count))
    add("contents", "contents", .int(files.reduce(0) { $0 + ($1.node.contents?.size ?? 0) }))
    add("name", "name", system.asset.name.map(JSONValue.string))
    add("profile", "profile", .string(system.asset.profile.rawValue))
    add("dimension", "dimension", .string(system.asset.dimension.rawValue))
    add("emitters", "emitters", .array(system.emitters.map { .string($0.name) }))
    add(
      "images", "images",
      .array(
        system.images.map { image in
          guard let width = image.width, let height = image.height else {
            return .string(image.uri)
          }
          return .string("\(image.uri) (\(width) × \(height))")
        }))
  }

  private mutating func add(_ key: String, _ label: String, _ value: JSONValue?) {
    if let value { rows.append((key, label, value)) }
  }

  var json: JSONValue {
    var object = JSONObject()
    for row in rows { object[row.key] = row.value }
    return .object(object)
  }

  var text: String {
    var table = Table(.left, .left)
    for row in rows {
      switch row.value {
      case .array(let items):
        let names = items.compactMap(\.string).filter { !$0.isEmpty }.joined(separator: ", ")
        table.add(row.label, items.isEmpty ? "none" : names.isEmpty ? "\(items.count)" : names)
      case .number where row.key != "files": table.add(row.label, (row.value.int ?? 0).bytesText)
      case .number(let number): table.add(row.label, number.text)
      default: table.add(row.label, row.value.string ?? "")
      }
    }
    return table.text
  }
}
