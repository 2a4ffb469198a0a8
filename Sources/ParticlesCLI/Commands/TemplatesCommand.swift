internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Lists the templates.
  static let templates = Command(
    name: "templates", group: .documents,
    summary: "List the templates.",
    discussion: """
      Besides the built-in ones, every .particles document is a template that lies in the folder \
      particles/templates of your data folder ($XDG_DATA_HOME, otherwise ~/.local/share) or of those of the \
      system ($XDG_DATA_DIRS). It has the name of its file; yours takes the place of one of the system, and \
      either of a built-in one with the same name. One that cannot be opened is listed with the reason, and as ? a folder that cannot.
      """,
    options: [.json],
    examples: [
      Example("particles templates", "List the templates."),
      Example("particles templates --json", "The same for a program."),
    ],
    run: { invocation in
      let entries = try invocation.templates.entries()
      guard !invocation.flag(.json) else {
        try invocation.print(["version": .int(1), "templates": .array(entries.map(\.json))])
        return .done
      }
      var table = Table(.left, .left, .left)
      for entry in entries {
        let text = entry.problem.map { "broken: \($0.message) [\($0.rule.code)]" } ?? entry.summary
        table.add(entry.name, text, entry.path ?? "")
      }
      try invocation.console.write(table.text)
      return .done
    })
}

extension Invocation {
  /// The templates of the user, of the system and of the tool.
  var templates: EffectTemplateLibrary { EffectTemplateLibrary(environment: environment) }
}

extension EffectTemplateLibrary.Entry {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["name": .string(name), "summary": .string(summary)]
    object["path"] = path.map(JSONValue.string)
    object["problem"] = problem?.json
    return .object(object)
  }
}
