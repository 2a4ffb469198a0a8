internal import ParticlesCore

/// The JSON document of a run with `--json`. It is printed exactly once, also if the command fails.
final class JSONOutput: Sendable {
  private struct State {
    var isPrinted = false
    var errors: [Diagnostic] = []
  }

  /// The words of the command. Nil if the command line names none.
  private let command: String?
  private let state = Lock(State())

  init(command: String?) { self.command = command }

  /// Adds an error that prevented a part of the result.
  func add(_ error: Diagnostic) {
    let error = error.withNextStep
    state.withLock { $0.errors.append(error) }
  }

  /// The document of a result: its version, the command, the result, and the errors so far under
  /// `diagnostics`.
  func document(of result: JSONValue) -> JSONValue {
    let errors = state.withLock { state in
      state.isPrinted = true
      return state.errors
    }
    guard let result = result.object else { return result }
    var document: JSONObject = ["version": result["version"] ?? .int(Report.version)]
    document["command"] = command.map(JSONValue.string)
    for member in result.members { document[member.key] = member.value }
    if !errors.isEmpty {
      let found = result["diagnostics"]?.array ?? []
      document["diagnostics"] = .array(found + errors.map(\.completeJSON))
    }
    return .object(document)
  }

  /// Prints the document of a command that ended with an error, unless it has printed its result.
  func fail(_ error: Diagnostic, _ console: Console) {
    guard !state.withLock(\.isPrinted) else { return }
    add(error)
    complete(console)
  }

  /// Prints the document of a command without a result, unless it has printed one.
  func complete(_ console: Console) {
    guard !state.withLock(\.isPrinted) else { return }
    try? console.write(document(of: [:]).text)
  }
}

extension Diagnostic {
  /// The diagnostic as JSON, with the path of its file.
  fileprivate var completeJSON: JSONValue {
    guard let file = location.file, var object = json.object else { return json }
    object["path"] = .string(file)
    return .object(object)
  }
}

extension UsageError {
  var diagnostic: Diagnostic { Diagnostic(.usage, message.description, hint: hint?.description) }
}
