internal import ParticlesCore

/// A run of the benchmark: shape by shape, operation by operation.
struct Benchmark {
  private let arguments: Arguments
  private let tool: String
  private let peers: [Peer]
  private var summary = Summary()

  /// - Parameter program: the path of this program; the tool is looked for beside it by default.
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

  /// The reason why an operation cannot be measured, from the help of the tool; nil if it can.
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
  /// Whether a goal names it, or it is the one to compare with where none does.
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
