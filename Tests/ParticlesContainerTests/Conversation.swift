import Foundation

/// A program that answers each question with a line.
final class Conversation {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending: [UInt8] = []

  struct Ended: Error {}

  init(_ program: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Writes a question and waits for a line.
  /// - Throws: `Ended` if the program ends without an answer.
  func ask(_ question: [UInt8]) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data(question))
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Ended() }
      pending += more
    }
  }

  /// Closes the input and waits for the end of the program.
  /// - Returns: the exit status.
  func finish() -> Int32 {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
