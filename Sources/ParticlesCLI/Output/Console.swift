package import ParticlesContainer
package import ParticlesCore

/// Where a command reads and writes, and what it may know of the surroundings. Standard output is
/// for the product; everything said to a person goes to standard error.
public struct Console: Sendable {
  /// Where bytes go.
  package struct Sink: Sendable {
    /// Whether a person is looking.
    package let isTerminal: Bool
    /// Writes all of the bytes. Throws ``BrokenPipe`` if nobody reads them any more.
    package let write: @Sendable ([UInt8]) throws -> Void

    package init(isTerminal: Bool, write: @escaping @Sendable ([UInt8]) throws -> Void) {
      self.isTerminal = isTerminal
      self.write = write
    }
  }

  /// Where bytes come from.
  package struct Source: Sendable {
    /// Whether a person is typing.
    package let isTerminal: Bool
    /// Reads the next bytes, at most as many as asked for; none at the end.
    package let readPiece: @Sendable (_ count: Int) throws -> [UInt8]

    package init(
      isTerminal: Bool, readPiece: @escaping @Sendable (_ count: Int) throws -> [UInt8]
    ) {
      self.isTerminal = isTerminal
      self.readPiece = readPiece
    }

    /// Reads to the end.
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

  /// How much is said on standard error.
  package enum Verbosity: Sendable {
    /// Errors.
    case quiet
    /// Errors, warnings and what was done.
    case normal
    /// All that, and what is done on the way.
    case verbose
  }

  /// Standard input.
  package let input: Source

  /// The variables of the environment that the tool heeds, collected when they are asked for: most
  /// runs need none.
  public var environment: [String: String] { makeEnvironment() }

  package private(set) var verbosity = Verbosity.normal

  /// What stands before messages.
  package var toolName = "particles"

  private let output: Sink
  private let error: Sink
  private let terminalWidth: Int?
  private let makeEnvironment: @Sendable () -> [String: String]
  private var color = Style.Choice.auto

  package init(
    input: Source, output: Sink, error: Sink,
    environment: @autoclosure @escaping @Sendable () -> [String: String] = [:],
    terminalWidth: Int? = nil
  ) {
    self.input = input
    self.output = output
    self.error = error
    makeEnvironment = environment
    self.terminalWidth = terminalWidth
  }

  /// Heeds the options that every command has.
  mutating func obey(_ words: Parser.Words) {
    verbosity = words.holds(.quiet) ? .quiet : words.holds(.verbose) ? .verbose : .normal
    let choice = words.options[Option.color.name]?.last.flatMap(Style.Choice.init)
    // "always" wins over everything else that is said of colour.
    color = words.holds(.noColor) && choice != .always ? .never : choice ?? .auto
  }

  /// How many columns text may take.
  public var width: Int {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
    return terminalWidth ?? 80
  }

  /// Whether a person is looking at standard error.
  var errorIsTerminal: Bool { error.isTerminal }

  /// How to write on standard output.
  package var outputStyle: Style {
    Style(color, isTerminal: output.isTerminal, environment: environment)
  }

  /// How to write on standard error.
  package var errorStyle: Style {
    Style(color, isTerminal: error.isTerminal, environment: environment)
  }
}

// MARK: - The product

extension Console {
  /// Writes text to standard output as it is.
  public func write(_ text: String) throws { try output.write(Array(text.utf8)) }

  /// Writes a line to standard output, control characters in it as escapes.
  public func print(_ line: String) throws { try write(line.escapingControls + "\n") }

  /// Writes a finding to standard output, for commands whose product is findings.
  package func print(_ diagnostic: Diagnostic) throws {
    try write(diagnostic.line(outputStyle) + "\n")
  }

  /// Writes bytes to standard output.
  /// - Throws: ``UsageError`` if that is a terminal and they are not text.
  public func write(_ bytes: [UInt8]) throws {
    if output.isTerminal, !Self.isText(bytes) {
      throw UsageError(
        "binary data is not written to a terminal",
        hint: "name a file with --output, or redirect standard output")
    }
    try output.write(bytes)
  }

  /// Writes the contents of a file to standard output, piece by piece unless a person is looking.
  /// - Throws: ``UsageError`` if that is a terminal and they are not text.
  package func write(_ contents: FileContents) throws {
    if output.isTerminal { return try write(contents.bytes()) }
    try contents.forEachPiece { try output.write(Array($0)) }
  }

  /// Whether a terminal would show the bytes as they are: an escape sequence is no text.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy {
      !$0.isControl || $0 == "\n" || $0 == "\t" || $0 == "\r"
    }
  }
}

// MARK: - What is said to a person

extension Console {
  /// Says what was done. Silent under `--quiet`.
  public func say(_ line: String) {
    if verbosity != .quiet { tell(line.escapingControls) }
  }

  /// Says what is done on the way. Silent except under `--verbose`.
  public func detail(_ line: String) {
    if verbosity == .verbose { tell(line.escapingControls) }
  }

  /// Says what could not be done, whatever the options are.
  public func complain(_ message: String, hint: String? = nil) {
    tell("\(toolName): \(message.escapingControls)")
    if let hint { tell("  hint: \(hint.escapingControls)") }
  }

  /// Prints a finding, and what to do about it, on standard error. Under `--quiet`, errors only.
  package func report(_ diagnostic: Diagnostic) {
    guard diagnostic.severity == .error || verbosity != .quiet else { return }
    tell("\(toolName): \(diagnostic.line(errorStyle))")
    if let hint = diagnostic.toolHint { tell("  hint: \(hint.escapingControls)") }
  }

  /// Text on standard error as it is, for what is drawn over.
  func draw(_ text: String) { try? error.write(Array(text.utf8)) }

  /// A line on standard error. Where even that fails, there is nobody left to tell.
  func tell(_ line: String) { try? error.write(Array((line + "\n").utf8)) }
}

/// Nobody reads what we write any more. Not an error: the process ends quietly and well.
package struct BrokenPipe: Error {
  package init() {}
}
