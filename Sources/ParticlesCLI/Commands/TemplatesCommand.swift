internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Lists the templates.
  static let templates = Command(
    name: "templates", group: .documents,
    summary: "List the templates.",
    options: [.json],
    examples: [Example("particles templates", "List the templates.")],
    run: { invocation in
      guard !invocation.flag(.json) else {
        let rows = Template.all.map { template -> JSONValue in
          ["name": .string(template.name), "summary": .string(template.summary)]
        }
        try invocation.print(["version": .int(1), "templates": .array(rows)])
        return .done
      }
      var table = Table(.left, .left)
      for template in Template.all { table.add(template.name, template.summary) }
      try invocation.console.write(table.text)
      return .done
    })
}
