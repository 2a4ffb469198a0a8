internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Lists the templates.
  static let templates = Command(
    name: "templates", group: .documents,
    summary: "List the templates.",
    discussion: """
      Lists the built-in templates and the .particles documents in the folder \
      particles/templates of your data folder ($XDG_DATA_HOME, otherwise ~/.local/share) and of \
      the system's data folders ($XDG_DATA_DIRS). The name of a template is its file name \
      without extension. Your templates take precedence over those of the system, and both over \
      built-in ones with the same name. A template that cannot be opened is listed with the \
      reason; a folder that cannot be read is listed as ?.
      """,
    options: [.json],
    examples: [
      Example("particles templates", "List the templates."),
      Example("particles templates --json", "Print the list as JSON."),
    ],
    run: { invocation in
      let entries = try invocation.templates.entries()
      if try invocation.answer(["templates": .array(entries.map(\.json))]) { return .done }
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
