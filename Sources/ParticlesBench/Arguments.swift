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
  /// The tool to measure; nil for the one that was built beside this program.
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
