internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Writes the player for web pages.
  static let web = Command(
    name: "web", group: .pictures,
    summary: "Write the player for web pages, as an npm package.",
    discussion: """
      Writes a folder with the element <particles-effect>, the simulation as WebAssembly, types for \
      TypeScript, a text that explains them, and example.html with an effect: a template, or the one that \
      --example names. The folder can be served as it is; nothing has to be built. To put one effect into \
      one file, use 'particles render FILE -o page.html'.
      """,
    arguments: [
      Argument(.folder("folder"), arity: .optional, "The folder; it is created.")
    ],
    options: [.webFolder, .example, .from, .images, .project, .force, .json],
    examples: [
      Example("particles web particlekit", "Write the player."),
      Example(
        "particles web site/particles --example fire.plist",
        "Write the player, with an effect of your own as the example."),
    ],
    run: { invocation in
      let named = [invocation.value(.webFolder)] + invocation.arguments.map(Optional.some)
      let folders = named.compactMap(\.self)
      guard let folder = folders.first, folders.count == 1 else {
        throw UsageError("one folder is needed", hint: "particles web particlekit")
      }
      let example = try invocation.value(.example).map { try invocation.effect(at: $0).package }
      let files = try PlayerFolder(.built).files(example: example ?? EffectTemplate.fire.package())
      // Not those of private data: a server reads the folder.
      var created: [String] = []
      try Files.makeDirectories(folder, mode: 0o777, noting: &created)
      let names = files.keys.sorted()
      if !invocation.flag(.force),
        let present = try names.first(where: { try Files.status(Files.joined(folder, $0)) != nil })
      {
        throw Diagnostic(
          .fileExists, at: Location(file: Files.joined(folder, present)),
          hint: "choose another folder, or use --force")
      }
      var size = 0
      for name in names {
        guard let bytes = files[name] else { continue }
        size += bytes.count
        try SafeSave.file(Files.joined(folder, name), replacing: true) { try $0.write(bytes) }
      }
      try invocation.answer([
        "path": .string(folder), "files": .array(names.map(JSONValue.string)), "size": .int(size),
      ])
      invocation.console.inform(
        "wrote \(names.count.of("file")) to \(folder), \(size.bytesText): serve it and open example.html"
      )
      return .done
    })
}

extension Option {
  fileprivate static let webFolder = Option(
    "output", short: "o", value: .folder("folder"), "The folder, in place of the argument.")
  fileprivate static let example = Option(
    "example", value: .file("file"), default: "a template", "The effect of the example page.")
}
