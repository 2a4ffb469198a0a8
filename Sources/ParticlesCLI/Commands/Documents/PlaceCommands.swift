internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesSystem

/// Commands that give documents other names. They never overwrite a file.
extension Command {
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
    invocation.console.inform("\(fixed: verb) \(path) to \(target)")
    return .done
  }

  /// Runs a command whenever a document changes.
  static let watch = Command(
    name: "watch", group: .documents,
    summary: "Run a command whenever a document changes.",
    discussion: """
      Runs the command, which follows --, after each change of the document by any program. A save of several steps \
      runs it once. Changes while it runs make it run once more. Another time stamp without a change does not run \
      it. The document is followed when it is renamed. In the words of the command, {} is replaced with its path. \
      The variable PARTICLES_PATH has it, too. Do not write {} into a script for a shell, such as the word after sh \
      -c: the shell would run commands in the name of the document. Use "$PARTICLES_PATH" there. Ends with \
      control-C, or after --count runs with the status of the last: 0, or 1 if the command failed.
      """,
    arguments: [
      Argument(.file("file"), "A document."),
      Argument(.text("command"), arity: .oneOrMore, "The command and its arguments."),
    ],
    options: [.count, .now],
    examples: [
      Example(
        "particles watch fire.particles -- particles render {} -o fire.png --force",
        "Draw an effect again after each change."),
      Example(
        "particles watch fire.particles -- sh -c 'cp \"$PARTICLES_PATH\" copy'",
        "Run a script, which gets the path from the environment."),
    ],
    run: { invocation in
      let path = try invocation.argument("file")
      let count = try invocation.integer(.count, in: 1...1_000_000)
      let watcher = try DocumentWatcher(path)
      var runs = 0
      var status = ExitStatus.done
      func run() throws {
        let words = invocation.arguments("command").map {
          $0.replacing("{}", with: watcher.path)
        }
        guard
          let code = try Program.runVisibly(
            words[0], Array(words.dropFirst()), setting: ("PARTICLES_PATH", watcher.path))
        else {
          throw Diagnostic(.fileNotFound, at: Location(file: words[0]), "no such program")
        }
        status = code == 0 ? .done : .answerNo
        runs += 1
        if code != 0 { invocation.console.complain("\(words[0]) ended with status \(code)") }
      }
      if invocation.flag(.now) { try run() }
      while count.map({ runs < $0 }) ?? true {
        guard try watcher.wait() else {
          throw Diagnostic(.fileNotFound, at: Location(file: watcher.path), "it was deleted")
        }
        try run()
      }
      return status
    })
}

extension Option {
  fileprivate static let count = Option(
    "count", value: .text("runs"), "End after so many runs.")
  fileprivate static let now = Option("now", "Run the command at the beginning, too.")
}
