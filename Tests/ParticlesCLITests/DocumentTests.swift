import Foundation
import ParticlesCLI
import ParticlesTestSupport
import Testing

/// Every document that is made from the list of commands, compared with a file in `Golden`. With
/// `PARTICLES_RECORD=1` the files are written anew.
@Suite struct DocumentTests {
  @Test(arguments: [
    ("help.txt", ["help"]),
    ("help-mix.txt", ["help", "mix"]),
    ("help-fail.txt", ["help", "fail"]),
    ("help-help.txt", ["help", "help"]),
    ("help-shelf.txt", ["help", "shelf"]),
    ("help-shelf-put.txt", ["help", "shelf", "put"]),
    ("particles.1", ["help", "--manual"]),
    ("particles-mix.1", ["help", "--manual", "mix"]),
    ("particles-shelf.1", ["help", "--manual", "shelf"]),
    ("particles.md", ["help", "--markdown"]),
    ("particles.bash", ["help", "--completions", "bash"]),
    ("particles.zsh", ["help", "--completions", "zsh"]),
    ("particles.fish", ["help", "--completions", "fish"]),
  ])
  func golden(name: String, words: [String]) throws {
    let outcome = Tool.demonstration.run(list: words)
    #expect(outcome.status == .done)
    #expect(outcome.error == "")
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden").appending(path: name)
    if ProcessInfo.processInfo.environment["PARTICLES_RECORD"] == "1" {
      try Data(outcome.output.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == outcome.output)
  }

  @Test func noLineEndsInASpace() {
    for words in [
      [], ["mix", "-h"], ["help", "--manual"], ["help", "--manual", "mix"], ["help", "--markdown"],
    ] {
      let lines = Tool.demonstration.run(list: words).output.split(separator: "\n")
      #expect(lines.allSatisfy { $0.last != " " })
    }
  }

  @Test func helpFitsATerminalOf80Columns() {
    func check(_ command: Command, _ path: [String]) {
      let path = path + [command.name]
      let help = Tool.particles.run(list: ["help"] + path).output
      for line in help.split(separator: "\n") where line.count > 80 {
        Issue.record("\(path.joined(separator: " ")): \(line)")
      }
      for subcommand in command.subcommands { check(subcommand, path) }
    }
    for command in Tool.particles.commands { check(command, []) }
  }

  @Test(.needs("bash"), arguments: [Tool.demonstration, .particles])
  func bashReadsTheCompletions(tool: Tool) throws {
    let script = tool.run("help", "--completions", "bash").output
    let result = try Shell.run("bash", ["-n"], input: script)
    #expect(result.error == "")
    #expect(result.status == 0)
  }

  @Test(
    .needs("bash"),
    arguments: [
      (["m"], ["mix"]),
      (["--col"], ["--color"]),
      (["--color", "ne"], ["never"]),
      (["--color", "never", "em"], ["emit"]),
      (["--color", "=", "never", "em"], ["emit"]),
      (["mix", "--fr"], ["--from"]),
      (["mix", "--from", "p"], ["pex", "plist"]),
      (["mix", "--from", "=", "j"], ["json"]),
      (["mix", "--from", "="], ["pex", "plist", "json"]),
      (["mix", "--seed", ""], []),
      ([""], ["mix", "fail", "emit", "shelf", "help"]),
      (["shelf", ""], ["put", "emit"]),
      (["shelf", "--col"], ["--color"]),
      (["shelf", "-q", "p"], ["put"]),
      (["shelf", "put", "--fo"], ["--force"]),
      (["shelf", "put", "Par"], ["ParserTests.swift"]),
      (["shelf", "emit", "--se"], ["--seed"]),
      (["mix", "--", "Par"], ["ParserTests.swift"]),
      (["mix", "--images", ""], ["Golden"]),
      (["emit", "t"], ["text"]),
      (["help", "mi"], ["mix"]),
      (["help", "shelf", ""], ["put", "emit"]),
      (["help", "mix", ""], []),
      (["help", "--completions", ""], ["bash", "zsh", "fish"]),
    ])
  func bashCompletes(words: [String], proposals: [String]) throws {
    let list = (["particles"] + words).map { "'\($0)'" }.joined(separator: " ")
    let script =
      Tool.demonstration.run("help", "--completions", "bash").output + """
        cd '\(URL(filePath: #filePath).deletingLastPathComponent().path())'
        COMP_WORDS=(\(list))
        COMP_CWORD=\(words.count)
        _particles
        for word in "${COMPREPLY[@]}"; do echo "$word"; done
        """
    let result = try Shell.run("bash", ["-s"], input: script)
    #expect(result.error == "")
    #expect(result.output.split(separator: "\n").map(String.init) == proposals)
  }

  @Test(.needs("zsh"))
  func zshReadsTheCompletions() throws {
    let script = Tool.demonstration.run("help", "--completions", "zsh").output
    #expect(try Shell.run("zsh", ["-n"], input: script).error == "")
  }

  @Test(.needs("fish"))
  func fishReadsTheCompletions() throws {
    let script = Tool.demonstration.run("help", "--completions", "fish").output
    #expect(try Shell.run("fish", ["--no-execute"], input: script).error == "")
  }

  private func render(_ manual: String, _ headings: [String]) throws -> String {
    let result = try Shell.run("groff", ["-mdoc", "-Tascii", "-ww", "-P-cbou"], input: manual)
    #expect(result.error == "")
    #expect(result.status == 0)
    for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"]
      + headings
    {
      #expect(result.output.contains("\n\(heading)\n"), "\(heading)")
    }
    return result.output
  }

  @Test(.needs("groff"), arguments: [true, false])
  func theManualRenders(isDemonstration: Bool) throws {
    let tool = isDemonstration ? Tool.demonstration : .particles
    let manual = tool.run("help", "--manual").output
    let text = try render(manual, ["COMMANDS", "ENVIRONMENT", "EXAMPLES"])
    for command in tool.commands { #expect(text.contains("\(tool.name)-\(command.name)(1)")) }
  }

  @Test(.needs("groff"), arguments: Tool.particles.commands.map(\.name))
  func thePageOfACommandRenders(name: String) throws {
    let command = try #require(Tool.particles.command(name))
    let manual = Tool.particles.run(list: ["help", "--manual", name]).output
    let text = try render(manual, command.subcommands.isEmpty ? [] : ["SUBCOMMANDS"])
    #expect(text.contains("PARTICLES-\(name.uppercased())(1)"))
    for option in ([command] + command.subcommands).flatMap(\.options) {
      #expect(text.contains(option.spelling))
    }
  }

  @Test("candidates are words for completions; a lookup that fails has none")
  func candidates() {
    func words(_ words: String...) -> [Substring] {
      let outcome = Tool.particles.run(list: ["help", "--candidates"] + words)
      #expect(outcome.status == .done && outcome.error.isEmpty)
      return outcome.output.split(separator: "\n")
    }
    #expect(words("commands").map(String.init) == Tool.particles.commands.map(\.name))
    #expect(words("keys").contains("emitters[0].emission.rate"))
    #expect(words("rules").contains("image/mismatch"))
    #expect(words("entries", "--", "/nowhere", "x").isEmpty)
    #expect(words("entries").isEmpty)
  }
}

/// Programs of the system that check what we write for them.
enum Shell {
  static func run(
    _ name: String, _ arguments: [String], input: String
  ) throws -> (status: Int32, output: String, error: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A file takes any amount of output while nobody reads, which a pipe does not.
    let names = ["input", "output", "error"].map { folder.appending(path: $0) }
    for name in names { try Data(input.utf8).write(to: name) }
    try Data().write(to: names[1])
    try Data().write(to: names[2])

    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    process.standardOutput = try FileHandle(forWritingTo: names[1])
    process.standardError = try FileHandle(forWritingTo: names[2])
    try process.run()
    process.waitUntilExit()
    return (
      process.terminationStatus, try String(contentsOf: names[1], encoding: .utf8),
      try String(contentsOf: names[2], encoding: .utf8)
    )
  }
}
