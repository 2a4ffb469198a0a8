internal import ParticlesCore
internal import ParticlesDocuments

extension Command {
  /// Runs a command whenever a document changes.
  static let watch = Command(
    name: "watch", group: .documents,
    summary: "Run a command whenever a document changes.",
    discussion: """
      Runs the command, which follows --, after each change of the document by any program. A \
      save of several steps runs it once; changes while it runs, once more. Another time stamp \
      without a change does not run it. The document is followed when it is renamed. In the words \
      of the command, {} is replaced with its path; the variable PARTICLES_PATH has it, too. Do not write {} \
      into a script for a shell, such as the word after sh -c: the shell would run what is in the name of \
      the document. Use "$PARTICLES_PATH" there. Ends with control-C, or after --count runs with the \
      status of the last: 0, or 1 if the command failed.
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
