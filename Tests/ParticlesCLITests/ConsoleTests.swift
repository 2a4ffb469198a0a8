import ParticlesCLI
import ParticlesCore
import Testing

@Suite struct ConsoleTests {
  private let tool = Tool.demonstration

  @Test func binaryDataIsNotWrittenToATerminal() {
    for what in ["binary", "escape"] {
      let outcome = tool.run("emit", what, outputIsTerminal: true)
      #expect(outcome.status == .usage)
      #expect(outcome.output == "")
      #expect(
        outcome.error.hasPrefix(
          """
          particles: binary data is not written to a terminal
            hint: name a file with --output, or redirect standard output

          """))
      #expect(tool.run("emit", what).status == .done)
    }
    #expect(tool.run("emit", "text", outputIsTerminal: true).output == "größer\n")
  }

  @Test(arguments: [
    (Style.Choice.auto, true, [:], true),
    (.auto, false, [:], false),
    (.auto, true, ["TERM": "xterm"], true),
    (.auto, true, ["TERM": "dumb"], false),
    (.auto, true, ["NO_COLOR": "1"], false),
    (.auto, true, ["NO_COLOR": ""], true),
    (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
    (.never, true, [:], false),
  ])
  func color(choice: Style.Choice, terminal: Bool, environment: [String: String], colored: Bool) {
    let style = Style(choice, isTerminal: terminal, environment: environment)
    #expect(style.isColored == colored)
  }

  @Test func severitiesAreColored() {
    let red = "error: \u{1B}[1;31merror\u{1B}[0m: "
    func error(_ words: String..., terminal: Bool = true) -> String {
      let error = tool.run(list: ["fail", "file"] + words, errorIsTerminal: terminal).error
      return error.contains("\u{1B}[1;31merror\u{1B}[0m: ") ? red : error
    }
    #expect(error() == red)
    #expect(error("--color", "always", terminal: false) == red)
    #expect(error("--no-color", "--color=always") == red)
    #expect(error("--no-color") != red)
    #expect(error("--color", "never") != red)
    #expect(error("--color", "auto", "--no-color") != red)
    #expect(error(terminal: false) != red)
  }

  @Test func linesStayLines() {
    #expect(tool.run("emit", "line").output == "a\\u{a}b\n")
    let finding = ": \(Rule.torn.summary) [container/torn]\n"
    #expect(tool.run("emit", "finding").output == "a\\u{a}b: warning" + finding)
    #expect(
      tool.run("emit", "finding", outputIsTerminal: true).output
        == "a\\u{a}b: \u{1B}[1;33mwarning\u{1B}[0m" + finding)
  }

  @Test func width() {
    func widest(_ environment: [String: String]) -> Int {
      let lines = tool.run("help", "mix", environment: environment).output.split(separator: "\n")
      return lines.map(\.count).max() ?? 0
    }
    #expect((60...80).contains(widest([:])))
    #expect(widest(["COLUMNS": "60"]) <= 60)
    #expect(widest(["COLUMNS": "100"]) > 80)
    #expect(widest(["COLUMNS": "nonsense"]) == widest([:]))
    #expect(widest(["COLUMNS": "1"]) == widest(["COLUMNS": "50"]))
  }
}

@Suite struct TableTests {
  @Test func columns() {
    var table = Table(.left, .right, .left)
    table.add("a", "1", "first")
    table.add("long\nname", "1000")
    table.add("ü", "20", "third")
    #expect(
      table.text == """
        a                 1  first
        long\\u{a}name  1000
        ü                20  third

        """)
    #expect(Table(.left).text == "")
  }
}
