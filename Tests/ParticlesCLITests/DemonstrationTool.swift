import ParticlesCLI
import ParticlesCore

extension Tool {
  /// A tool with commands that use everything that can be declared.
  static let demonstration = Tool(
    name: "particles", version: "1.2.3", date: "January 31, 2030",
    summary: "Show what can be done.",
    discussion: """
      Shows how commands are declared. A long line of text is broken where it has to be,
      whether or not it was broken before.

      - even where a paragraph begins with a dash, or holds a back\\slash.
      """,
    commands: [.mix, .fail, .emit, .shelf, .help])
}

extension Option {
  static let from = Option(
    "from", value: .choice("format", ["pex", "plist", "json"]), default: "by content",
    "What the input is.")
  static let tag = Option(
    "tag", short: "t", value: .text("word"), repeatable: true, "Keep what bears this tag.")
  static let seed = Option("seed", value: .text("number"), "Where randomness begins.")
  static let images = Option(
    "images", value: .folder("folder"), "Look here for [other] images: it's one folder.")
}

extension Command {
  /// Prints what the parser understood.
  static let mix = Command(
    name: "mix", group: .documents, summary: "Mix several effects into one.",
    discussion: "The first input gives the result its name; nothing else depends on the order.",
    arguments: [
      Argument(.file("input"), arity: .oneOrMore, "The effects to mix."),
      Argument(.file("result"), "Where the mixture goes."),
    ],
    options: [.output, .force, .json, .dryRun, .from, .tag, .seed, .images],
    examples: [
      Example("particles mix fire.pex smoke.pex both.particles", "Mix two effects."),
      Example("particles mix --from pex - result.particles", "Read one from standard input."),
    ],
    run: { invocation in
      let options = [Option.output, .from, .tag, .seed, .images].flatMap { option in
        invocation.values(option).map { "\(option.name)=\($0)" }
      }
      let flags = [Option.force, .json, .dryRun, .quiet, .verbose].filter(invocation.flag)
      try invocation.console.print(
        (flags.map(\.name) + options).joined(separator: " ")
          + " | \(invocation.arguments("input")) \(try invocation.argument("result"))")
      if let seed = try invocation.integer(.seed, in: 0...9) {
        try invocation.console.print("seed \(seed)")
      }
      return .done
    })

  /// Ends in the way that it is told to.
  static let fail = Command(
    name: "fail", group: .packages, summary: "End as told.",
    arguments: [Argument(.text("way"), arity: .any, "How to end.")], options: [.json],
    run: { invocation in
      try invocation.forEach(invocation.arguments) { way in
        switch way {
        case "no": return .answerNo
        case "file":
          throw Diagnostic(.checksum, at: .entry("Images/a.png"), expected: "1", found: "2")
        case "usage": throw Diagnostic(.usage, "no such way")
        case "words": throw UsageError("two ways at once", hint: "choose one")
        case "pipe": throw BrokenPipe()
        case "other": throw Unforeseen()
        case "warn":
          invocation.console.report(Diagnostic(.torn))
          invocation.console.inform("warned")
          invocation.console.detail("in detail")
        default: break
        }
        return .done
      }
    })

  /// Writes to standard output.
  static let emit = Command(
    name: "emit", group: .formats, summary: "Write something.",
    arguments: [
      Argument(
        .choice("what", ["text", "binary", "escape", "json", "finding", "line"]), arity: .optional,
        "What.")
    ],
    run: { invocation in
      switch invocation.arguments("what").first {
      case "binary": try invocation.console.write([0, 1, 2, 255])
      case "escape": try invocation.console.write(Array("\u{1B}[2J".utf8))
      case "json": try invocation.print(["version": .int(1)])
      case "finding": try invocation.console.print(Diagnostic(.torn, at: .entry("a\nb")))
      case "line": try invocation.console.print("a\nb")
      default: try invocation.console.write(Array("größer\n".utf8))
      }
      return .done
    })
}

extension Command {
  /// A heading for subcommands. One has the name of a command.
  static let shelf = Command(
    name: "shelf", group: .formats, summary: "Keep things.",
    discussion: "Things are kept until they are taken.",
    subcommands: [
      Command(
        name: "put", group: .formats, summary: "Put a thing there.",
        arguments: [Argument(.file("thing"), "The thing.")], options: [.force],
        examples: [Example("particles shelf put hat.txt", "Keep a hat.")],
        run: { invocation in
          try invocation.console.print("put \(invocation.argument("thing"))")
          return .done
        }),
      Command(
        name: "emit", group: .formats, summary: "Show what is there.", options: [.seed],
        run: { invocation in
          try invocation.console.print("shelf \(invocation.value(.seed) ?? "")")
          return .done
        }),
    ])
}

struct Unforeseen: Error {}
