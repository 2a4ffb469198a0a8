internal import ParticlesPlatform

/// A program that reads from a pipe and writes a file.
///
/// Its result and its messages are in files without names: whatever ends this process or the program, nothing
/// remains. A program that was not finished is ended when this object is released.
package final class PipedProgram {
  /// The path under which the program opens the file that it writes.
  package static let outputPath = "/dev/fd/3"

  private let name: String
  private let output: OpenFile
  private let messages: OpenFile
  private var input: OpenFile?
  private var process: CInt = 0
  private var isRunning = false
  private var end: (status: Int, message: String)?

  /// Starts a program from `PATH`, without a shell.
  /// - Parameter arguments: those after its name.
  /// - Throws: ``Rule/fileNotFound`` if there is no such program; ``Rule/fileUnreadable`` or
  ///   ``Rule/fileUnwritable`` if it cannot be started.
  package init(_ name: String, _ arguments: [String]) throws {
    self.name = name
    output = try Self.scratch()
    messages = try Self.scratch()
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pipe: CInt = -1
    let (result, text) = (output.descriptor, messages.descriptor)
    let code = words.withUnsafeMutableBufferPointer { words in
      words.baseAddress.map {
        SystemCalls.start($0, output: result, messages: text, &pipe, &process)
      } ?? EINVAL
    }
    guard code == 0 else { throw SystemError.diagnostic(code, name, writing: false) }
    input = OpenFile(path: name, descriptor: pipe)
    isRunning = true
  }

  deinit {
    input = nil
    if isRunning { SystemCalls.stop(process) }
  }

  private static func scratch() throws -> OpenFile {
    let descriptor = SystemCalls.openScratch()
    guard descriptor >= 0 else {
      throw SystemError.diagnostic(-descriptor, "a temporary file", writing: true)
    }
    return OpenFile(path: "a temporary file", descriptor: descriptor)
  }

  /// Writes bytes to the program.
  /// - Returns: false if it does not read any more; ``finish()`` tells why.
  package func write(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    guard let input else { return false }
    switch SystemCalls.write(toPipe: input.descriptor, bytes) {
    case 0: return true
    case EPIPE: return false
    case let code: throw SystemError.diagnostic(code, name, writing: true)
    }
  }

  /// Ends the input and waits for the end of the program.
  /// - Returns: its exit status (128 and the number of the signal that ended it), and the last line of its
  ///   messages; empty if there are none.
  package func finish() throws -> (status: Int, message: String) {
    if let end { return end }
    input = nil
    var status: CInt = 0
    let code = SystemCalls.wait(process, &status)
    isRunning = false
    guard code == 0 else { throw SystemError.diagnostic(code, name, writing: false) }
    let size = min(try messages.status().size, 1 << 20)
    let text = String(decoding: try Self.read(messages, 0..<size), as: UTF8.self)
    let line = text.split { $0.isNewline }.last { !$0.allSatisfy(\.isWhitespace) } ?? ""
    let result = (Int(status), String(line.prefix(500)))
    end = result
    return result
  }

  private static func read(_ file: OpenFile, _ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = range.count
      try file.read(
        at: range.lowerBound,
        into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
    }
  }

  /// Passes the file that the program wrote on, in pieces.
  /// - Returns: its size in bytes.
  @discardableResult
  package func readOutput(_ body: ([UInt8]) throws -> Void) throws -> Int {
    let size = try output.status().size
    for start in stride(from: 0, to: size, by: 1 << 20) {
      try body(try Self.read(output, start..<min(size, start + (1 << 20))))
    }
    return size
  }
}
