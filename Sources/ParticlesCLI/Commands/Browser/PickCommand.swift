internal import ParticlesBrowser
internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesTypes

extension Command {
  /// Lets the user choose documents.
  static let pick = Command(
    name: "pick", group: .documents,
    summary: "Choose documents in the web browser, for scripts.",
    discussion: """
      Opens a page as 'browse' does, in which documents can be chosen, and prints their paths, each on a \
      line. With --save, a folder and a name are chosen, and the path for a new file is printed; nothing is \
      written. If the user cancels or closes the page, nothing is printed and the status is 130.
      """,
    options: [.many, .pickedType, .null, .savedName, .keepUnopened, .port, .json],
    examples: [
      Example("particles pick", "Choose a document."),
      Example(
        "particles pick --many -0 | xargs -0 particles info", "Choose documents for a command."),
      Example("particles pick --save fire.gif", "Choose where a script will save."),
    ],
    run: { invocation in
      let folders = BrowserRecord.folders(invocation.baseDirectories)
      let folder = try BrowserRecord.folder(folders).path
      var configuration = BrowserConfiguration()
      configuration.allowsMultiple = invocation.flag(.many)
      configuration.allowsCreation = false
      for type in invocation.values(.pickedType) {
        let types = FormatRegistry.standard.types
        if type.contains(".") {
          let known = types.types.map(\.identifier)
          guard known.contains(type) else { throw UsageError.unknown("type", type, among: known) }
          configuration.allowedTypes.append(type)
        } else {
          let known = types.types.flatMap { $0.tags[.filenameExtension] ?? [] }
          guard known.contains(type.lowercased()) else {
            throw UsageError.unknown("type", type, among: known)
          }
          configuration.allowedExtensions.append(type.lowercased())
        }
      }
      var settings = BrowserServer.Settings()
      settings.forwardingFolder = folder
      settings.isPicking = true
      settings.savedName = invocation.value(.savedName)
      settings.catchesSignals = true
      settings.secondsWithoutPages = 5
      let browser = try invocation.browser([], configuration)
      let port = try invocation.integer(.port, in: 1...65_535)
      let server = try invocation.server(browser, settings, port: port)
      // Standard output is for the choice.
      if invocation.flag(.keepUnopened) { invocation.console.tell(server.address) }
      return try invocation.run(server, showing: []) { end in
        guard case .picked(let paths) = end else {
          try invocation.answer(["paths": .array([])])
          return .interrupted
        }
        if try invocation.answer(["paths": .array(paths.map(JSONValue.string))]) { return .done }
        if invocation.flag(.null) {
          try invocation.console.write(paths.flatMap { Array($0.utf8) + [0] })
        } else {
          for path in paths { try invocation.console.print(path) }
        }
        return .done
      }
    })
}

extension Option {
  fileprivate static let many = Option("many", "Allow several documents to be chosen.")
  fileprivate static let pickedType = Option(
    "type", value: .text("type"), repeatable: true,
    "Allow only documents of this type, such as pex or org.particles-format.particles.")
  fileprivate static let null = Option(
    "null", short: "0", "End each path with a zero byte, for names with line breaks.")
  fileprivate static let savedName = Option(
    "save", value: .text("name"), "Choose the place of a new file, with this name at first.")
}
