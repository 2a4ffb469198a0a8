internal import ParticlesCore
internal import ParticlesSystem

/// A run of the benchmark: shape by shape, operation by operation.
struct Benchmark {
  private let arguments: Arguments
  private let tool: String
  private let peers: [Peer]
  private var summary = Summary()

  /// - Parameter program: the path of this program. By default, the tool is searched beside it.
  init(_ arguments: Arguments, program: String) throws {
    self.arguments = arguments
    let name = arguments.tool ?? Files.joined(Files.folder(of: program), "particles")
    guard let path = try ChildProcess.find(name).map(Files.resolve) else {
      throw Arguments.Fault(message: "no tool at '\(name)'; build it, or pass its path")
    }
    tool = path
    for program in Peer.programs {
      let isThere = ChildProcess.find(program.name) != nil
      let words = [program.name] + program.arguments
      let output = isThere ? try ChildProcess(words: words).output(checked: false) : []
      let version = Peer.version(in: String(decoding: output, as: UTF8.self)) ?? "?"
      summary.versions.append((program.name, isThere ? version : nil))
    }
    let missing = Set(summary.versions.filter { $0.version == nil }.map(\.name))
    peers = Peer.all.filter { peer in
      peer.recipes.values.allSatisfy { missing.isDisjoint(with: $0.programs) }
    }
  }

  /// Measures everything that was asked for.
  /// - Parameter report: called with each line of progress.
  mutating func run(report: (String) -> Void) throws -> Summary {
    let operations = try arguments.operations.filter { operation in
      guard let reason = try reasonToSkip(operation) else { return true }
      summary.skipped.append("\(operation.rawValue): \(reason)")
      return false
    }
    let scratch = try Scratch(room: arguments.shapes.reduce(0) { $0 + $1.room })
    let disk = operations.contains(.appendSynced) ? try Scratch.onDisk() : nil
    defer {
      for scratch in [scratch, disk].compactMap(\.self) {
        if arguments.keep {
          report("everything is kept in \(scratch.path)")
        } else {
          scratch.remove()
        }
      }
    }
    var arenas: [Arena] = []
    for shape in arguments.shapes {
      report("making \(shape)")
      arenas.append(try Arena(shape, in: scratch, disk: disk, tool: tool))
    }
    // Operations inside this process come last: they enlarge it, and the measured peak of a child
    // process is at least the size of its parent.
    for isInProcess in [false, true] {
      for arena in arenas {
        for operation in operations where operation.isInProcess == isInProcess {
          try measure(operation, in: arena, report)
        }
      }
      if !isInProcess {
        summary.leastMemory = try ChildProcess(words: [Peer.nothing.command]).run().memory
      }
    }
    summary.lines.sort { $0.place < $1.place }
    return summary
  }

  private mutating func measure(
    _ operation: Operation, in arena: Arena, _ report: (String) -> Void
  ) throws {
    let shape = arena.shape
    let title = "\(operation.rawValue) \(shape)"
    let peers = peers.filter { !arguments.quick || $0.matters(operation, shape) }
    do {
      guard let contest = try arena.contest(operation, peers: peers) else { return }
      report(title)
      let rounds = arguments.rounds ?? operation.rounds(on: shape, quick: arguments.quick)
      let result = try contest.run(rounds: rounds) { summary.failures.append("\(title): \($0)") }
      summary.lines += Line.lines(of: result)
      try Files.clear(arena.output)
    } catch let error where !(error is Interruption) {
      summary.failures.append("\(title): \(error.text)")
    }
  }

  /// The reason why an operation cannot be measured, from the help of the tool, or nil.
  private func reasonToSkip(_ operation: Operation) throws -> String? {
    func help(_ command: String) throws -> String {
      let output = try ChildProcess(words: [tool, "help", command]).output(checked: false)
      return String(decoding: output, as: UTF8.self)
    }
    switch operation {
    case .batch where !Arena.hasEffects, .thumbnailCorpus where !Arena.hasEffects:
      return "no effects in '\(Arena.corpus)'"
    case .packFast where try !help("pack").contains("--level"):
      return "the tool has no 'pack --level'"
    case .verify where try help("verify").isEmpty: return "the tool has no command 'verify'"
    case .verifyQuick where try !help("verify").contains("--quick"):
      return "the tool has no 'verify --quick'"
    default: return nil
    }
  }
}

extension Peer {
  /// Whether a goal names it, or it is zip, the peer for operations without goals.
  fileprivate func matters(_ operation: Operation, _ shape: Shape) -> Bool {
    guard let recipe = recipes[operation] else { return false }
    return name == "zip" || Goal.find(operation, shape, peer: recipe.label) != nil
  }
}

extension Error {
  /// The message of an error.
  var text: String {
    switch self {
    case let failure as ChildProcess.Failure: failure.text
    case let fault as Arguments.Fault: fault.message
    case let diagnostic as Diagnostic: "\(diagnostic.location): \(diagnostic.message)"
    default: "\(self)"
    }
  }
}

/// The command line of the benchmark.
struct Arguments {
  /// The command line is wrong.
  struct Fault: Error {
    let message: String
  }

  var shapes = Shape.allCases
  var operations = Operation.allCases
  var rounds: Int?
  var json = false
  var quick = false
  var keep = false
  var help = false
  /// Whether the costs of calls are measured, and nothing else.
  var calls = false
  /// The tool to measure. Nil selects the tool that was built beside this program.
  var tool: String?

  static let usage = """
    usage: ParticlesBench [options] [tool]

    Compares the tool and the library with what else is there, in turn, and prints medians.

      --shapes LIST     tiny, typical, many, big; separated by commas
      --only OPERATION  \(Operation.allCases.map(\.rawValue).joined(separator: ", "))
                        (may be given several times)
      --rounds N        how many rounds count, behind one that does not
      --quick           no big, few rounds, only the peers that a goal names
      --json            print one JSON document instead of a table
      --keep            leave the scratch folder and print its path
      --calls           print what small calls cost in Swift, for goals.py, and do nothing else

    """

  init(_ words: [String]) throws {
    var shapes: [Shape]?
    var operations: [Operation] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json": json = true
      case "--quick": quick = true
      case "--keep": keep = true
      case "--help", "-h": help = true
      case "--calls": calls = true
      case "--shapes":
        let names = try Self.value(of: word, &rest).split(separator: ",").map(String.init)
        shapes = try names.map { try Self.choice($0, "shape") }
      case "--only": operations.append(try Self.choice(Self.value(of: word, &rest), "operation"))
      case "--rounds":
        let text = try Self.value(of: word, &rest)
        guard let number = Int(text), (1...1000).contains(number) else {
          throw Fault(message: "'--rounds' needs a whole number from 1 to 1000, not '\(text)'")
        }
        rounds = number
      default:
        guard !word.hasPrefix("-") else { throw Fault(message: "unknown option '\(word)'") }
        guard tool == nil else { throw Fault(message: "unexpected argument '\(word)'") }
        tool = word
      }
    }
    if quick { self.shapes = [.tiny, .typical, .many] }
    if let shapes { self.shapes = shapes }
    if !operations.isEmpty { self.operations = operations }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw Fault(message: "'\(option)' needs a value") }
    return value
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ word: String, _ what: String
  ) throws -> Choice {
    guard let choice = Choice(rawValue: word) else {
      throw Fault(message: "unknown \(what) '\(word)'")
    }
    return choice
  }
}
