import ParticlesCLI
import ParticlesCore
import Testing

@Suite struct ToolTests {
  private let tool = Tool.demonstration

  @Test func version() {
    let version = Outcome(status: .done, output: "particles 1.2.3\n", error: "")
    #expect(tool.run("--version") == version)
    #expect(tool.run("-q", "--version", "mix", "--nonsense") == version)
  }

  @Test func everyWayToAskForHelp() {
    let screen = tool.run()
    #expect(screen.status == .done)
    #expect(screen.error == "")
    #expect(tool.run("--help") == screen)
    #expect(tool.run("-h", "--nonsense") == screen)
    #expect(tool.run("help") == screen)
    #expect(tool.run("-q") == screen)

    let command = tool.run("help", "mix")
    #expect(command.output.contains("Mix several effects into one."))
    #expect(tool.run("mix", "--help") == command)
    #expect(tool.run("mix", "a", "b", "-qh", "--nonsense") == command)
    #expect(tool.run("help", "mix", "and", "more") == command)
    #expect(tool.run("help", "-h") == tool.run("help", "help"))
  }

  @Test func helpForNothing() {
    let outcome = tool.run("help", "fial")
    #expect(outcome.status == .usage)
    #expect(outcome.error.hasPrefix("particles: unknown command 'fial'; did you mean 'fail'?\n"))
    #expect(tool.run("help", "--manual", "--markdown").status == .usage)
    #expect(tool.run("help", "--completions", "tcsh").status == .usage)
  }

  @Test(arguments: [
    (["no"], ExitStatus.answerNo), (["file"], .failed), (["usage"], .usage), (["words"], .usage),
    (["other"], .failed), (["pipe"], .done), (["fine"], .done), (["no", "fine"], .answerNo),
    (["file", "no"], .failed), ([], .done), (["file", "words"], .usage),
  ])
  func status(ways: [String], status: ExitStatus) {
    #expect(tool.run(list: ["fail"] + ways).status == status)
  }

  @Test func statuses() {
    #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 64, 130])
    #expect(ExitStatus.allCases == ExitStatus.allCases.sorted())
  }

  @Test func diagnosticsArePrinted() {
    #expect(
      tool.run("fail", "file", "no", "file")
        == Outcome(
          status: .failed, output: "",
          error: """
            particles: file:Images/a.png: error: a checksum does not match (expected 1, found 2) \
            [container/checksum]
              hint: fetch the file again, restore it from a copy, or save what is intact with \
            'particles unpack --recover'
            particles: file:Images/a.png: error: a checksum does not match (expected 1, found 2) \
            [container/checksum]

            """))
    #expect(
      tool.run("fail", "usage").error
        == "particles: error: wrong usage: no such way [usage/invalid]\n")
  }

  @Test func usageErrorsOfACommandShowItsUsage() {
    #expect(
      tool.run("fail", "words").error == """
        particles: two ways at once
          hint: choose one
          usage: particles fail [<options>] [<way> ...]
          help: particles help fail

        """)
  }

  @Test func quietAndVerbose() {
    let warning =
      "particles: warning: \(Rule.torn.summary) [\(Rule.torn.code)]\n"
      + "  hint: 'particles compact' removes it\n"
    #expect(tool.run("fail", "warn").error == warning + "warned\n")
    #expect(tool.run("fail", "warn", "-v").error == warning + "warned\nin detail\n")
    #expect(tool.run("fail", "warn", "-q").error == "")
    #expect(tool.run("fail", "file", "-q").error.contains("[container/checksum]"))
  }

  @Test func json() {
    let outcome = tool.run("emit", "json")
    #expect(outcome == Outcome(status: .done, output: "{\"version\": 1}\n", error: ""))
  }

  @Test func commandsAreDeclaredSoundly() {
    for tool in [Tool.demonstration, .particles] {
      #expect(Set(tool.commands.map(\.name)).count == tool.commands.count)
      for command in tool.commands.flatMap({ [$0] + $0.subcommands }) {
        let options = command.allOptions
        #expect(Set(options).count == options.count, "\(command.name)")
        let letters = options.compactMap(\.short)
        #expect(Set(letters).count == letters.count, "\(command.name)")
        #expect(command.arguments.count { $0.arity == .oneOrMore || $0.arity == .any } < 2)
        for example in command.examples {
          #expect(example.commandLine.hasPrefix("\(tool.name) \(command.path)"))
        }
      }
    }
  }
}
