internal import ParticlesCore
internal import ParticlesDocuments

/// Commands that give documents other names. None of them overwrites anything.
extension Command {
  /// Renames a document.
  static let rename = Command(
    name: "rename", group: .documents,
    summary: "Give a document another name.",
    discussion: """
      The document stays in its folder and keeps its extension, unless the new name has one. Its \
      versions go with it. Nothing is overwritten: a name that is taken is an error.
      """,
    arguments: [
      Argument(.file("file"), "A document."), Argument(.text("name"), "The new name."),
    ],
    options: [.json],
    examples: [
      Example("particles rename fire.particles torch", "Rename fire.particles to torch.particles.")
    ],
    run: { invocation in
      let path = try invocation.argument("file")
      let target = try DocumentNames.path(renaming: path, to: invocation.argument("name"))
      return try move(invocation, path, to: target)
    })

  /// Moves a document.
  static let move = Command(
    name: "move", group: .documents,
    summary: "Move a document to another folder or path.",
    discussion: """
      If the target is a folder, the document keeps its name. Its versions go with it. To another \
      file system it is copied with its permissions and times, the copy is compared, and the original is removed. Nothing is \
      overwritten. To move a document into a directory package is refused.
      """,
    arguments: [
      Argument(.file("file"), "A document."), Argument(.file("target"), "A folder, or a new path."),
    ],
    options: [.json],
    examples: [Example("particles move fire.particles effects", "Move a document into a folder.")],
    run: { invocation in
      let path = try invocation.argument("file")
      var target = try invocation.argument("target")
      if try Files.status(target)?.kind == .directory {
        guard try DocumentSet.isPlainFolder(target) else {
          throw Diagnostic(.fileExists, at: Location(file: target), "it is a document")
        }
        target = Files.joined(target, Files.lastComponent(of: path))
      }
      try DocumentNames.check(Files.lastComponent(of: target))
      return try move(invocation, path, to: target)
    })

  /// Copies a document.
  static let duplicate = Command(
    name: "duplicate", group: .documents,
    summary: "Copy a document.",
    discussion: """
      Without a name, the copy gets a free one beside the document: fire 2.particles. Nothing is \
      overwritten. The copy is compared with the document, and has its permissions.
      """,
    arguments: [
      Argument(.file("file"), "A document."),
      Argument(.file("out"), arity: .optional, "The path of the copy."),
    ],
    options: [.json],
    examples: [
      Example("particles duplicate fire.particles", "Make the copy 'fire 2.particles'.")
    ],
    run: { invocation in
      let path = try invocation.argument("file")
      guard try SafeSave.status(of: path) != nil else {
        throw Diagnostic(.fileNotFound, at: Location(file: path))
      }
      let out = invocation.arguments("out").first
      if let out { try DocumentNames.check(Files.lastComponent(of: out)) }
      let target = try out ?? DocumentNames.free(beside: path)
      try DocumentPlaces.copy(path, to: target)
      return try report(invocation, path, target, "copied")
    })

  private static func move(
    _ invocation: Invocation, _ path: String, to target: String
  ) throws -> ExitStatus {
    invocation.report(try DocumentPlaces.move(path, to: target, versions: invocation.versions))
    return try report(invocation, path, target, "moved")
  }

  private static func report(
    _ invocation: Invocation, _ path: String, _ target: String, _ verb: String
  ) throws -> ExitStatus {
    try invocation.answer(["path": .string(path), "target": .string(target)])
    invocation.console.inform("\(verb) \(path) to \(target)")
    return .done
  }
}
