internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesSystem

extension Command {
  /// Shows the properties of a document.
  static let info = Command(
    name: "info", group: .documents,
    summary: "Show emitters, particle counts, textures, origin and size of a document.",
    discussion: """
      The number of particles alive at once is an upper bound: every random value at its maximum. Texture memory is \
      four bytes for each pixel. For an imported effect, the original file is read again, and what could not be \
      imported is listed. If several engines read its format, the engine that it was made for is stated, with the \
      reason and the further engines that fit, and so are keys that this engine does not read.

      Of more than 50 emitters or textures, the first 50 are shown, and of more than 20 differences of an \
      import, the ten most frequent causes. --verbose shows all, and so does --json.

      With --properties, prints every property that the document states and every file of the package, one on each \
      line, so that programs which compare lines can compare documents: git does with 'git config \
      diff.particles.textconv "particles info --properties"'. Elements with names are named, so that a new emitter \
      does not change the lines of existing emitters.
      """,
    arguments: [.documents()],
    options: Option.inputs + [.properties, .from, .engine, .images, .project, .wait, .json],
    examples: [
      Example("particles info fire.particles", "Show the properties of a document."),
      Example(
        "particles info fire.plist --engine cocos2d",
        "Show a property list as cocos2d-html5 reads it."),
      Example("particles info -r effects", "Show all documents in a folder."),
      Example("particles info --json fire.particles", "Print them as JSON."),
      Example(
        "particles info --properties fire.particles", "Print every property, one on each line."),
    ],
    run: { invocation in
      var rows: [JSONValue] = []
      var isFirst = true
      let set = invocation.documents(invocation.arguments("file"))
      var unknown = set.unknown
      var found = 0
      let status = try invocation.forEach(set, unknown: &unknown) { path in
        if invocation.flag(.properties), !invocation.flag(.json) {
          let opened = try invocation.effectOfEngine(at: path)
          found += 1
          if !isFirst { try invocation.console.print("") }
          isFirst = false
          try locating(Location(file: path)) {
            try invocation.console.write(EffectListing(opened).text)
          }
          return .done
        }
        let (opened, summary) = try WorkBudget.run(.standard) {
          let opened = try invocation.effectOfEngine(at: path)
          found += 1
          return try locating(Location(file: path)) {
            (opened, try EffectSummary(opened.package))
          }
        }
        let status = path == Invocation.standardStream ? nil : try Files.status(path)
        let description = EffectDescription(
          summary, of: opened, at: path, size: status?.kind == .file ? status?.size : nil)
        if invocation.flag(.json) {
          let listing = invocation.flag(.properties) ? try EffectListing(opened) : nil
          rows.append(description.json.adding(listing?.members))
        } else {
          if !isFirst { try invocation.console.print("") }
          try invocation.console.write(
            description.text(isWhole: invocation.console.verbosity == .verbose))
        }
        isFirst = false
        return .done
      }
      try invocation.answer([
        "tool": .string("\(invocation.tool.name) \(invocation.tool.version)"),
        "files": .array(rows), "unknown": .array(unknown.map(JSONValue.string)),
      ])
      invocation.tellOthers(set, unknown: unknown)
      if set.isSearch {
        invocation.console.inform(
          "\(found.of("document"))" + invocation.others(set, unknown: unknown.count))
      }
      guard found > 0 || status > .done else { return invocation.noDocuments(set) }
      if invocation.flag(.wait), invocation.console.input.isTerminal {
        invocation.console.tell("Press Return to close.")
        _ = try invocation.console.input.readPiece(1)
      }
      return status
    })
}

extension JSONValue {
  /// This object with more members.
  fileprivate func adding(_ members: JSONObject?) -> JSONValue {
    guard let members, var object else { return self }
    for member in members.members { object[member.key] = member.value }
    return .object(object)
  }
}

extension Option {
  fileprivate static let properties = Option(
    "properties", "Print every property and every file, one on each line.")
  fileprivate static let wait = Option(
    "wait", "Wait for Return at the end, for terminal windows that close with the command.")
}
