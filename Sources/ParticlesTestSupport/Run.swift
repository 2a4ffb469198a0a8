internal import Foundation
package import Testing

/// The output and exit status of a program.
package struct Run: Sendable {
  package var status: Int32
  package var output: [UInt8]
  package var errors: String

  package var text: String { String(decoding: output, as: UTF8.self) }

  /// The data folder of programs that run without a data folder of their own, so that nothing reaches the user's. It is
  /// removed at the end of the tests.
  private static let dataHome: String = {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("particles-test-data-\(ProcessInfo.processInfo.processIdentifier)")
      .path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: Run.dataHome) }
    return path
  }()

  /// Runs a program to its end. Both pipes are drained while it runs, so it cannot get stuck.
  /// - Parameter killedAfter: after how many seconds the program is killed if it has not ended.
  package init(
    _ program: String, _ arguments: [String], input: [UInt8] = [], in folder: String? = nil,
    environment: [String: String] = [:], killedAfter seconds: Double? = nil
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let standard = ProcessInfo.processInfo.environment.merging([
      "XDG_DATA_HOME": Self.dataHome, "XDG_RUNTIME_DIR": Self.dataHome, "LC_ALL": "C.UTF-8",
    ]) { $1 }
    process.environment = standard.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stderr
    try process.run()
    if let seconds {
      Thread { [process] in
        Thread.sleep(forTimeInterval: seconds)
        let identifier = process.processIdentifier
        if process.isRunning { kill(identifier, SIGKILL) }
      }.start()
    }
    let errors = Drain(stderr.fileHandleForReading)
    let feeder = Thread { [handle = stdin.fileHandleForWriting] in
      try? handle.write(contentsOf: Data(input))
      try? handle.close()
    }
    feeder.start()
    output = Array(stdout.fileHandleForReading.readDataToEndOfFile())
    self.errors = String(decoding: errors.wait(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  /// Runs a program that has to end with status 0, so that a test never takes the output of a program
  /// that failed for an answer.
  /// - Throws: `Failure` with the status and the messages of the program.
  package static func succeeding(
    _ program: String, _ arguments: [String], in folder: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Run {
    let run = try Run(program, arguments, in: folder, environment: environment)
    guard run.status == 0 else {
      throw Failure(description: "\(program) ended with \(run.status): \(run.errors)")
    }
    return run
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// A variable of the environment of the tests.
  package static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }

  /// The first of these programs that is installed.
  package static func find(_ names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for name in names {
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
      { return "\(folder)/\(name)" }
    }
    return nil
  }

  /// A program for a part of a test. Without it, that part prints that it is skipped. A test that does nothing without
  /// a program has the trait ``Testing/Trait/needs(_:)`` instead.
  package static func optional(_ name: String) -> String? {
    let path = find(name)
    if path == nil { print("skipped: \(name) is not installed") }
    return path
  }

  /// A program that was built together with the tests.
  package static func built(_ name: String) -> String {
    Bundle.main.bundleURL.appendingPathComponent(name).path
  }
}

/// Reads a pipe to its end on a thread of its own.
private final class Drain: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var data = Data()

  init(_ handle: FileHandle) {
    Thread { [self] in
      data = handle.readDataToEndOfFile()
      done.signal()
    }.start()
  }

  func wait() -> Data {
    done.wait()
    return data
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test unless all these programs are installed.
  package static func needs(_ programs: String...) -> Self {
    let missing = programs.filter { Run.find($0) == nil }
    return .enabled(if: missing.isEmpty, "not installed: \(missing.joined(separator: ", "))")
  }
}
