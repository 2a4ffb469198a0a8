import ParticlesCLI
import ParticlesCore

/// Ours, not the type of Swift Testing.
typealias ExitStatus = ParticlesCLI.ExitStatus

/// What a run of a tool left behind.
struct Outcome: Equatable {
  var status: ExitStatus
  var output: String
  var error: String
}

/// Collects the text that is written to a stream.
private final class Recorder: Sendable {
  private let bytes = Lock<[UInt8]>([])

  var text: String { String(decoding: bytes.withLock(\.self), as: UTF8.self) }

  func sink(isTerminal: Bool) -> Console.Sink {
    Console.Sink(isTerminal: isTerminal) { piece in self.bytes.withLock { $0 += piece } }
  }
}

extension Tool {
  /// Runs in this process at a console that records.
  func run(
    _ words: String..., input: [UInt8] = [], outputIsTerminal: Bool = false,
    errorIsTerminal: Bool = false, environment: [String: String] = [:]
  ) -> Outcome {
    run(
      list: words, input: input, outputIsTerminal: outputIsTerminal,
      errorIsTerminal: errorIsTerminal, environment: environment)
  }

  /// Runs the tool with words in a list.
  func run(
    list words: [String], input: [UInt8] = [], inputIsTerminal: Bool = false,
    outputIsTerminal: Bool = false, errorIsTerminal: Bool = false,
    environment: [String: String] = [:]
  ) -> Outcome {
    let output = Recorder()
    let error = Recorder()
    let rest = Lock(input[...])
    let console = Console(
      input: Console.Source(isTerminal: inputIsTerminal) { count in
        rest.withLock { rest in
          defer { rest = rest.dropFirst(count) }
          return Array(rest.prefix(count))
        }
      },
      output: output.sink(isTerminal: outputIsTerminal),
      error: error.sink(isTerminal: errorIsTerminal), environment: environment)
    let status = run(words, console: console)
    return Outcome(status: status, output: output.text, error: error.text)
  }
}
