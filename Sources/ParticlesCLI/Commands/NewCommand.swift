internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesSystem

extension Command {
  /// Creates a document from a template.
  static let new = Command(
    name: "new", group: .documents,
    summary: "Create a document from a template, or a text.",
    discussion: """
      A name that ends in .txt, .text or .md makes an empty text document. Every other name makes \
      a package: the new document contains its textures and can be edited, validated and converted. You can \
      add templates of your own: see 'particles help templates'.
      """,
    arguments: [Argument(.file("out"), "The package to create, or - for standard output.")],
    options: [.template, .form, .force, .json],
    examples: [
      Example(
        "particles new fire.particles --template fire", "Create a document from the template fire."),
      Example(
        "particles new snow.particles --template snow --form directory",
        "Create a directory package, which suits version control."),
      Example("particles new notes.txt", "Create an empty text document."),
    ],
    run: { invocation in
      let path = try invocation.argument("out")
      let stem = Files.lastComponent(of: path).split(separator: ".").dropLast().joined()
      guard
        path == Invocation.standardStream || !stem.allSatisfy(\.isWhitespace)
          || !Files.lastComponent(of: path).contains(".")
      else {
        throw UsageError(
          "'\(path)' has no name before its extension", hint: "particles new fire.particles")
      }
      if textExtensions.contains(Files.pathExtension(of: path)) {
        return try newText(invocation, path)
      }
      let form = invocation.form ?? .flat
      try invocation.check(placeOfPackage: path, as: form)
      let name = invocation.value(.template) ?? defaultTemplate
      guard let package = try invocation.templates.package(named: name) else {
        let names = try invocation.templates.entries().map(\.name)
        throw UsageError.unknown("template", name, among: names)
      }
      try invocation.save(package.container, to: path, as: form)
      invocation.begin(path)
      let files = package.container.files.count
      try invocation.answer([
        "path": .string(path), "template": .string(name),
        "form": .string(form.rawValue), "files": .int(files),
      ])
      invocation.console.inform("created \(path) from '\(name)' (\(files.of("file")))")
      return .done
    })

  static let textExtensions: Set = ["txt", "text", "md"]

  private static func newText(_ invocation: Invocation, _ path: String) throws -> ExitStatus {
    for option in [Option.template, .form]
    where invocation.value(option) != nil {
      throw UsageError("'\(option.spelling)' is for packages, and '\(path)' is a text")
    }
    let text = PlainText().contents()
    if invocation.flag(.force) {
      try SafeSave.file(path, replacing: true) { try $0.write(text.regularFileContents() ?? []) }
    } else {
      _ = try PathStorage(path).write(text, replacing: nil, StorageOptions())
    }
    invocation.begin(path)
    try invocation.answer(["path": .string(path), "files": .int(1)])
    invocation.console.inform("created \(path)")
    return .done
  }

  private static let defaultTemplate = EffectTemplate.all[0].name
}

extension Invocation {
  /// Ends the history of a document that was at the path of a new one.
  fileprivate func begin(_ path: String) {
    guard path != Self.standardStream else { return }
    do {
      try versions?.begin(path)
    } catch {
      let reason = (error as? Diagnostic)?.description ?? "\(error)"
      report([
        Diagnostic(
          .fileHistory, at: Location(file: path),
          "it has the versions of the document that was there before: \(reason)")
      ])
    }
  }
}

extension Option {
  fileprivate static let template = Option(
    "template", short: "t", value: .lookup("name", .templates) { EffectTemplate.all.map(\.name) },
    default: EffectTemplate.all[0].name, "The template: a built-in one, or one of your own.")
}

extension Command {
  static let templates = Command(
    name: "templates", group: .documents,
    summary: "List the templates.",
    discussion: """
      Lists the built-in templates and the .particles documents in the folder particles/templates of your data \
      folder ($XDG_DATA_HOME, otherwise ~/.local/share) and of the system's data folders ($XDG_DATA_DIRS). The name \
      of a template is its file name without extension. Your templates take precedence over templates of the system, \
      and both over built-in templates. A template that cannot be opened is listed with the reason. A folder that \
      cannot be read is listed as ?.
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
