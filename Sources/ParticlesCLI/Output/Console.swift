package import ParticlesContainer
package import ParticlesCore
internal import ParticlesPlatform
internal import ParticlesSystem

/// The standard streams and the environment of a command. Results go to standard output, messages to
/// standard error.
public struct Console: Sendable {
  /// A stream to write to.
  package struct Sink: Sendable {
    package let isTerminal: Bool
    /// Writes all of the bytes. Throws ``BrokenPipe`` if the reader has closed the pipe.
    package let write: @Sendable ([UInt8]) throws -> Void

    package init(isTerminal: Bool, write: @escaping @Sendable ([UInt8]) throws -> Void) {
      self.isTerminal = isTerminal
      self.write = write
    }
  }

  /// A stream to read from.
  package struct Source: Sendable {
    package let isTerminal: Bool
    /// Reads the next bytes, at most `count`. Returns an empty array at the end.
    package let readPiece: @Sendable (_ count: Int) throws -> [UInt8]

    package init(
      isTerminal: Bool, readPiece: @escaping @Sendable (_ count: Int) throws -> [UInt8]
    ) {
      self.isTerminal = isTerminal
      self.readPiece = readPiece
    }

    package func read(_ limits: Limits) throws -> [UInt8] {
      var bytes: [UInt8] = []
      while true {
        let piece = try readPiece(64 << 10)
        if piece.isEmpty { return bytes }
        bytes += piece
        try limits.check(bytes.count, \.fileBytes, "bytes to be read")
      }
    }
  }

  /// The amount of messages on standard error.
  package enum Verbosity: Sendable {
    /// Errors only.
    case quiet
    /// Errors, warnings and status lines.
    case normal
    /// Also notes and each step.
    case verbose
  }

  /// Standard input.
  package let input: Source

  /// The variables of the environment that the tool reads. They are collected on each access, since most
  /// runs need none.
  public var environment: [String: String] { makeEnvironment() }

  /// A variable of the environment, or nil if it is not set. Only requested variables are read.
  func variable(_ name: String) -> String? { findVariable(name) }

  package private(set) var verbosity = Verbosity.normal

  /// The prefix of error messages.
  package var toolName = "particles"

  private let output: Sink
  private let error: Sink
  private let terminalWidth: Int?
  private let makeEnvironment: @Sendable () -> [String: String]
  private let findVariable: @Sendable (String) -> String?
  private let memory = Memory()
  private var color = Style.Choice.auto

  package init(
    input: Source, output: Sink, error: Sink,
    environment: @autoclosure @escaping @Sendable () -> [String: String] = [:],
    variable: (@Sendable (String) -> String?)? = nil, terminalWidth: Int? = nil
  ) {
    self.input = input
    self.output = output
    self.error = error
    makeEnvironment = environment
    findVariable = variable ?? { environment()[$0] }
    self.terminalWidth = terminalWidth
  }

  /// Applies the options that every command has.
  mutating func obey(_ words: Parser.Words) {
    verbosity = words.holds(.quiet) ? .quiet : words.holds(.verbose) ? .verbose : .normal
    let choice = words.options[Option.color.name]?.last.flatMap(Style.Choice.init)
    // "always" takes precedence over --no-color.
    color = words.holds(.noColor) && choice != .always ? .never : choice ?? .auto
  }

  /// The line length for text: `COLUMNS`, otherwise the width of the terminal, otherwise 80.
  public var width: Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    return terminalWidth ?? 80
  }

  /// The language of the user.
  package var wording: Wording { Wording(variable: variable) }

  var errorIsTerminal: Bool { error.isTerminal }

  /// Whether a person reads standard output, and no other program.
  var writesToTerminal: Bool { output.isTerminal }

  package var outputStyle: Style {
    Style(color, isTerminal: output.isTerminal, environment: environment)
  }

  package var errorStyle: Style {
    Style(color, isTerminal: error.isTerminal, environment: environment)
  }
}

// MARK: - Results

extension Console {
  /// Writes text to standard output as it is.
  public func write(_ text: String) throws {
    try output.write(Array(shown(text).utf8))
  }

  /// Writes a JSON document to standard output.
  func write(_ json: JSONValue) throws {
    let text = memory.shown(json.text) {
      String(JSONValue.string($0).denseText.dropFirst().dropLast())
    }
    try output.write(Array(text.utf8))
  }

  /// Writes a line to standard output, with control characters escaped.
  public func print(_ line: String) throws { try write(line.escapingControls + "\n") }

  /// Writes a finding to standard output, for commands whose result is findings. The next step for a file that is not
  /// read goes to standard error.
  package func print(_ diagnostic: Diagnostic) throws {
    try write(diagnostic.line(outputStyle, wording) + "\n")
    guard [.foreign, .noDocument].contains(diagnostic.rule), verbosity != .quiet,
      let hint = diagnostic.hint,
      memory.isNew(hint)
    else { return }
    tell(hint: wording.hint(hint, of: diagnostic.rule))
  }

  /// Writes bytes to standard output.
  /// - Throws: ``UsageError`` if it is a terminal and the bytes are not text.
  public func write(_ bytes: [UInt8]) throws {
    if output.isTerminal, !Self.isText(bytes) {
      throw UsageError(
        "binary data is not written to a terminal",
        hint: "name a file with --output, or redirect standard output")
    }
    try output.write(bytes)
  }

  /// Writes the contents of a file to standard output, in pieces unless it is a terminal.
  /// - Throws: ``UsageError`` if it is a terminal and the bytes are not text.
  package func write(_ contents: FileContents) throws {
    if output.isTerminal { return try write(contents.bytes()) }
    try contents.forEachPiece { try output.write(Array($0)) }
  }

  /// Whether the bytes are text that is safe to show on a terminal, without escape sequences.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy {
      !$0.isControl || $0 == "\n" || $0 == "\t" || $0 == "\r"
    }
  }
}

// MARK: - Archives

extension Console {
  /// Shows the paths of archives in place of the temporary folders that they are unpacked into.
  func show(_ unpacked: [(folder: String, archive: String)]) { memory.add(unpacked) }

  private func shown(_ text: String) -> String { memory.shown(text) { $0.escapingControls } }
}

// MARK: - Messages

extension Console {
  /// Prints a status line on standard error, unless `--quiet` is given.
  public func inform(_ line: Phrase) {
    if verbosity != .quiet { tell(wording.text(line).escapingControls) }
  }

  /// Prints a step on standard error if `--verbose` is given.
  public func detail(_ line: Phrase) {
    if verbosity == .verbose { tell(wording.text(line).escapingControls) }
  }

  /// Prints an error on standard error, even with `--quiet`.
  public func complain(_ message: Phrase, hint: Phrase? = nil) {
    tell("\(toolName): \(wording.text(message).escapingControls)")
    if let hint { tell(hint: wording.text(hint)) }
  }

  private func tell(hint: String) {
    tell("  \(wording.word("hint")): \(hint.escapingControls)")
  }

  /// Prints a finding and its hint on standard error, equal hints once. With `--quiet`, errors only.
  package func report(_ diagnostic: Diagnostic) {
    guard diagnostic.severity == .error || verbosity != .quiet else { return }
    let diagnostic = diagnostic.withNextStep
    tell("\(toolName): \(diagnostic.line(errorStyle, wording))")
    if let hint = diagnostic.toolHint, memory.isNew(hint) {
      tell(hint: wording.hint(hint, of: diagnostic.rule))
    }
    if verbosity == .verbose, let formats = diagnostic.readableFormats,
      memory.isNew(formats.description)
    {
      tell("  \(wording.text(formats))")
    }
  }

  /// Writes text to standard error without a line feed, for the progress bar.
  func draw(_ text: String) { try? error.write(Array(shown(text).utf8)) }

  /// Writes a line to standard error. A failure is ignored, as it cannot be reported.
  func tell(_ line: String) { try? error.write(Array((shown(line) + "\n").utf8)) }
}

// MARK: - Questions

extension Console {
  /// Asks a question on standard error and returns the typed line, without spaces around it. Returns nil if standard
  /// input or standard error is not a terminal, or if the input ends.
  func ask(_ question: String) throws -> String? {
    guard input.isTerminal, error.isTerminal else { return nil }
    tell(question.escapingControls)
    draw("> ")
    // A terminal passes on whole lines.
    let line = String(decoding: try input.readPiece(4096), as: UTF8.self)
    guard !line.isEmpty else { return nil }
    return String(line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
  }
}

/// The hints that a command has printed, and the archives that it has unpacked. One class with types that every command
/// uses: another class would cost each command its metadata.
private final class Memory: Sendable {
  /// The printed hints, of which there are few. A hint for many files is printed once.
  private let told = Lock<[String]>([])

  /// The temporary folders of archives: a folder, its archive, and so on.
  private let unpacked = Lock<[String]>([])

  func isNew(_ hint: String) -> Bool {
    told.withLock { told in
      guard !told.contains(hint) else { return false }
      told.append(hint)
      return true
    }
  }

  func add(_ archives: [(folder: String, archive: String)]) {
    for (folder, archive) in archives { unpacked.withLock { $0 += [folder, archive] } }
  }

  /// A text with archives in place of folders.
  func shown(_ text: String, escaping escape: (String) -> String) -> String {
    let unpacked = unpacked.withLock { $0 }
    return stride(from: 0, to: unpacked.count, by: 2).reduce(text) {
      $0.replacing(unpacked[$1], with: escape(unpacked[$1 + 1]))
    }
  }
}

/// The reader of standard output has closed the pipe. The process ends with status 0.
package struct BrokenPipe: Error {
  package init() {}
}

extension Console {
  /// The console of this process. After this call, writing to a closed pipe is an error instead of a
  /// fatal signal. SIGINT, SIGTERM and SIGHUP remove temporary files before they end the process.
  public static func process() -> Console {
    Temporaries.removeOnSignals()
    signal(SIGPIPE, SIG_IGN)
    // Exceeding the file size limit of the process becomes an error of the write, too.
    signal(SIGXFSZ, SIG_IGN)
    return Console(
      input: Source(isTerminal: OpenFile.standardInput.isTerminal) {
        try OpenFile.standardInput.readPiece($0)
      },
      output: Sink(isTerminal: OpenFile.standardOutput.isTerminal) {
        try writeAll($0, to: STDOUT_FILENO)
      },
      error: Sink(isTerminal: OpenFile.standardError.isTerminal) {
        try writeAll($0, to: STDERR_FILENO)
      },
      environment: variables(), variable: { RunningProcess.variable($0) },
      terminalWidth: columns())
  }

  /// The variables that the manual names. No others are read.
  private static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    for variable in EnvironmentVariable.all {
      variables[variable.name] = getenv(variable.name).map { String(cString: $0) }
    }
    return variables
  }

  private static func columns() -> Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: CInt) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EPIPE: throw BrokenPipe()
      default:
        throw Diagnostic(
          .fileUnwritable, at: Location(file: "standard output"),
          String(cString: strerror(errno)).lowercased())
      }
    }
  }
}

/// The system call under another name, as the methods of the console hide `write`.
private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

/// The colours of a stream. Colour marks severities only. The text states them, too.
package struct Style: Sendable, Hashable {
  /// The value of `--color`.
  package enum Choice: String, Sendable, CaseIterable {
    /// On terminals, unless the environment disables it.
    case auto
    /// On every stream.
    case always
    /// On no stream.
    case never
  }

  package let isColored: Bool

  /// The style of a stream.
  package init(_ choice: Choice, isTerminal: Bool, environment: [String: String]) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto:
      isColored =
        isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// The word for a severity, in the language of the user.
  package func word(_ severity: Severity, _ wording: Wording = .english) -> String {
    let code =
      switch severity {
      case .error: "1;31"
      case .warning: "1;33"
      case .note: "1;36"
      }
    let word = wording.word("\(severity)")
    return isColored ? "\u{1B}[\(code)m\(word)\u{1B}[0m" : word
  }
}

extension Diagnostic {
  /// `path:location: severity: message [family/name]`, the severity in colour where there is any.
  package func line(_ style: Style, _ wording: Wording = .english) -> String {
    let place = location.description.escapingControls
    return (place.isEmpty ? "" : "\(place): ")
      + "\(style.word(severity, wording)): \(location.replacedKey)\(wording.message(self)) [\(rule.code)]"
  }
}

/// A line at the bottom of a terminal that shows the progress of long work:
///
///     validating [########............] 40 %  512 of 1280  0:12 left
///
/// It is drawn on standard error if that is a terminal and `--quiet` is not given, if the work takes longer
/// than ``patience``, and at most once in each ``interval``. May be used from several threads.
package final class ProgressBar: Sendable {
  /// The time before the bar appears, in seconds.
  package static let patience = 0.5
  /// The least time between two updates, in seconds.
  package static let interval = 0.1

  private struct State {
    var done = 0
    var isVisible = false
    var drawn = -Double.infinity
  }

  private let label: String
  private let total: Int
  private let console: Console
  private let clock: @Sendable () -> Double
  private let start: Double
  private let state = Lock(State())

  /// Creates a bar for work that begins now.
  /// - Parameters:
  ///   - label: the work, such as "validating".
  ///   - total: the number of items.
  ///   - console: the console to draw on.
  ///   - clock: a monotonic clock, in seconds.
  package init(
    _ label: String, total: Int, console: Console,
    clock: @escaping @Sendable () -> Double = { MonotonicClock.seconds }
  ) {
    self.label = label
    self.total = total
    self.console = console
    self.clock = clock
    start = clock()
  }

  /// Counts items as done.
  package func advance(by count: Int = 1) {
    state.withLock { state in
      state.done += count
      draw(&state)
    }
  }

  /// Removes the bar while `body` writes to the terminal.
  package func aside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try state.withLock { state in
      erase(&state)
      return try body()
    }
  }

  /// Removes the bar. It appears again if more items are counted.
  package func finish() { state.withLock { erase(&$0) } }

  private func draw(_ state: inout State) {
    guard console.showsProgress else { return }
    let now = clock()
    guard now - start >= Self.patience, now - state.drawn >= Self.interval else { return }
    state.drawn = now
    state.isVisible = true
    console.draw("\r\(line(done: state.done, seconds: now - start))\u{1B}[K")
  }

  private func erase(_ state: inout State) {
    guard state.isVisible else { return }
    state.isVisible = false
    state.drawn = -.infinity
    console.draw("\r\u{1B}[K")
  }

  /// The line, one column shorter than the terminal: a full line would make it scroll.
  private func line(done: Int, seconds: Double) -> String {
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    let cells = 20
    let filled = Int(saturating: Double(cells) * share)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
    var text = "\(label) [\(bar)] \(Int(saturating: 100 * share)) %  \(done) of \(total)"
    if done > 0, done < total {
      text += "  \(Self.time(seconds / Double(done) * Double(total - done))) left"
    }
    return String(text.prefix(max(1, console.width - 1)))
  }

  /// `0:07`, `12:30`, `1:02:30`
  private static func time(_ seconds: Double) -> String {
    let seconds = Int(saturating: min(seconds, 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, hours) = (seconds / 60 % 60, seconds / 3600)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}

extension Console {
  /// Whether progress bars are shown: standard error is a terminal that can erase a line, and `--quiet` is
  /// not given.
  package var showsProgress: Bool {
    errorIsTerminal && verbosity != .quiet && environment["TERM"] != "dumb"
  }
}
