import ParticlesCLI
import Testing

@Suite struct ParserTests {
  private func mix(_ words: String) -> Outcome {
    let words = words.split(separator: " ").map(String.init)
    return Tool.demonstration.run(list: ["mix"] + words)
  }

  @Test(arguments: [
    ("a b", "", #"["a"] b"#),
    ("a b c", "", #"["a", "b"] c"#),
    ("- -", "", #"["-"] -"#),
    ("a b -f", "force", #"["a"] b"#),
    ("-f a --force b", "force", #"["a"] b"#),
    ("a -fqn b", "force dry-run quiet", #"["a"] b"#),
    ("a --output x b", "output=x", #"["a"] b"#),
    ("a --output=x=y b", "output=x=y", #"["a"] b"#),
    ("a --output - b", "output=-", #"["a"] b"#),
    ("a --output=-f b", "output=-f", #"["a"] b"#),
    ("-o x a b", "output=x", #"["a"] b"#),
    ("-ox a b", "output=x", #"["a"] b"#),
    ("-o=x a b", "output=x", #"["a"] b"#),
    ("-fo x a b", "force output=x", #"["a"] b"#),
    ("-fox a b", "force output=x", #"["a"] b"#),
    ("-t one a --tag two -t=three b", "tag=one tag=two tag=three", #"["a"] b"#),
    ("--from json a b", "from=json", #"["a"] b"#),
    ("a -- --output -f b", "", #"["a", "--output", "-f"] b"#),
    ("-v --json --images d a b", "json verbose images=d", #"["a"] b"#),
  ])
  func understands(words: String, options: String, arguments: String) {
    #expect(
      mix(words) == Outcome(status: .done, output: "\(options) | \(arguments)\n", error: ""))
  }

  @Test(arguments: [
    ("", "missing argument <input>"),
    ("a", "missing argument <result>"),
    ("a b --ouput x", "unknown option '--ouput'; did you mean '--output'?"),
    ("a b --ver", "unknown option '--ver'; did you mean '--verbose'?"),
    ("a b --nothing-like-it", "unknown option '--nothing-like-it'"),
    ("a b --version", "unknown option '--version'"),
    ("a b -x", "unknown option '-x'"),
    ("a b -fx", "unknown option '-x'"),
    ("a b -output x", "unknown option '-output'; did you mean '--output'?"),
    ("a b --force=yes", "'--force' takes no value"),
    ("a b -f=yes", "'-f' takes no value"),
    ("a b --output", "'--output' needs a value <path>"),
    ("a b -fo", "'-o' needs a value <path>"),
    ("a b --output=", "'--output' needs a value <path>, found an empty one"),
    ("a b --output x -o y", "'--output' is given twice"),
    ("a b --from pxe", "unknown value 'pxe'; did you mean 'pex'? (--from <format>)"),
    ("a b --color sometimes", "unknown value 'sometimes' (--color <when>)"),
    ("a b --seed 10", "'--seed' needs a whole number from 0 to 9, not '10'"),
    ("a b --seed -5", "'--seed' needs a whole number from 0 to 9, not '-5'"),
  ])
  func refuses(words: String, message: String) {
    let outcome = mix(words)
    #expect(outcome.status == .usage)
    let lines = outcome.error.split(separator: "\n").map(String.init)
    #expect(lines.first == "particles: \(message)")
    #expect(
      lines.suffix(2) == [
        "  usage: particles mix [<options>] <input> ... <result>", "  help: particles help mix",
      ])
  }

  @Test("an empty text is a value, and an empty path is none")
  func emptyValues() {
    func mix(_ words: String...) -> Outcome {
      Tool.demonstration.run(list: ["mix", "a", "b"] + words)
    }
    for words in [["--tag", ""], ["--tag="], ["-t", ""]] {
      #expect(
        Tool.demonstration.run(list: ["mix", "a", "b"] + words)
          == Outcome(status: .done, output: "tag= | [\"a\"] b\n", error: ""))
    }
    #expect(Tool.demonstration.run("fail", "").status == .done)
    for outcome in [mix("--images", ""), mix("-o", ""), mix("")] {
      #expect(outcome.status == .usage && outcome.error.contains("empty"), "\(outcome.error)")
    }
  }

  @Test func valueThatLooksLikeAnOption() {
    let outcome = mix("a b --output --force")
    #expect(
      outcome.error == """
        particles: '--output' needs a value <path>
          hint: if '--force' is the value, write --output=--force
          usage: particles mix [<options>] <input> ... <result>
          help: particles help mix

        """)
  }

  @Test func unknownCommand() {
    let outcome = Tool.demonstration.run("mxi", "a")
    #expect(outcome.status == .usage)
    #expect(outcome.output == "")
    #expect(
      outcome.error == """
        particles: unknown command 'mxi'; did you mean 'mix'?
          usage: particles <command> [<options>] [<arguments>]
          help: particles help

        """)
  }

  @Test func subcommands() {
    let tool = Tool.demonstration
    #expect(tool.run("shelf", "put", "hat").output == "put hat\n")
    #expect(tool.run("-q", "shelf", "-v", "emit", "--seed", "1").output == "shelf 1\n")
    #expect(
      tool.run("shelf", "ptu").error == """
        particles: unknown subcommand 'ptu'; did you mean 'put'?
          usage: particles shelf <subcommand> [<options>] [<arguments>]
          help: particles help shelf

        """)
    #expect(
      tool.run("shelf", "put").error == """
        particles: missing argument <thing>
          usage: particles shelf put [<options>] <thing>
          help: particles help shelf put

        """)
    #expect(
      tool.run("shelf").error.hasPrefix("particles: missing subcommand\n  hint: one of put, emit\n")
    )
    #expect(tool.run("shelf", "--seed", "1").status == .usage)
    #expect(tool.run("--force").error.contains("must follow the command"))
  }

  @Test func wordsThatAreNoText() {
    let console = Console(
      input: .init(isTerminal: false) { _ in [] }, output: .init(isTerminal: false) { _ in },
      error: .init(isTerminal: false) { _ in })
    #expect(
      Tool.demonstration.run(bytes: [Array("emit".utf8), [0x66, 0xFF, 0x6C]], console: console)
        == .usage)
  }

  @Test func argumentsAreChecked() {
    let tool = Tool.demonstration
    #expect(tool.run("emit", "txt").error.hasPrefix("particles: unknown what 'txt'; did you"))
    #expect(tool.run("emit", "text", "b").error.hasPrefix("particles: unexpected argument 'b'\n"))
  }

  @Test func optionsBeforeTheCommand() {
    let tool = Tool.demonstration
    #expect(tool.run("-q", "--color", "never", "mix", "a", "b").output.hasPrefix("quiet |"))
    #expect(
      tool.run("--json", "mix").error.hasPrefix(
        "particles: '--json' must follow the command\n  hint: write it after the command\n"))
    #expect(tool.run("--jsn", "mix").error.hasPrefix("particles: unknown option '--jsn'\n"))
    #expect(tool.run("--", "mix").status == .usage)
  }

  @Test func hostileWordsAreNotPrintedAsTheyAre() {
    let outcome = Tool.demonstration.run("\u{1B}[2J\n")
    #expect(outcome.error.hasPrefix("particles: unknown command '\\u{1b}[2J\\u{a}'\n"))
  }
}
