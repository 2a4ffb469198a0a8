internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

extension Command {
  /// Creates a document from a template.
  static let new = Command(
    name: "new", group: .documents,
    summary: "Create a document from a template.",
    discussion: """
      The document is ready to be edited, validated and converted; its texture is in it. Templates \
      are part of the tool: no file is looked for.
      """,
    arguments: [Argument(.file("out"), "The package to create, or - for standard output.")],
    options: [.template, .form, .force, .json],
    examples: [
      Example("particles new fire.particles --template fire", "Create a fire."),
      Example(
        "particles new snow.particles --template snow --form directory",
        "Create a document as a directory, to keep it under version control."),
    ],
    run: { invocation in
      let path = try invocation.argument("out")
      guard let template = Template.named(invocation.value(.template) ?? defaultTemplate) else {
        throw UsageError("there is no such template")
      }
      let package = try template.package()
      try invocation.save(package.container, to: path, as: invocation.form ?? .flat)
      let files = package.container.files.count
      if invocation.flag(.json) {
        try invocation.print([
          "version": .int(1), "path": .string(path), "template": .string(template.name),
          "form": .string((invocation.form ?? .flat).rawValue), "files": .int(files),
        ])
      }
      invocation.console.say("created \(path) from '\(template.name)' (\(files.of("file")))")
      return .done
    })

  private static let defaultTemplate = Template.all[0].name
}

extension Option {
  fileprivate static let template = Option(
    "template", short: "t", value: .choice("name", Template.all.map(\.name)),
    default: Template.all[0].name, "The template.")
}
