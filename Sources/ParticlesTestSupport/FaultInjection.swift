internal import Foundation
internal import ParticlesCore
internal import ParticlesSystem

/// Kills a program at a chosen system call, or makes that call fail. Uses strace.
package struct FaultInjection {
  /// The reason why faults cannot be injected, or nil if they can.
  package static let obstacle: String? = {
    guard let strace = Run.find("strace"), let program = Run.find("true") else {
      return "strace is not installed"
    }
    let run = try? Run(strace, ["-f", "-o", "/dev/null", "-e", "trace=fsync", program])
    return run?.status == 0 ? nil : "strace may not trace processes here"
  }()

  /// The injected fault.
  package enum Fault: Sendable {
    /// The process dies when it makes the call.
    case death
    /// The call is not made and fails with this code, such as `EIO`.
    case error(String)
  }

  /// A system call and its index on its thread.
  package struct Point: Sendable, CustomStringConvertible {
    package var call: String
    package var number: Int
    /// The index of the last call of this kind on any thread, in the run that found the points.
    package var last: Int

    package init(call: String, number: Int, last: Int) {
      (self.call, self.number, self.last) = (call, number, last)
    }

    /// The calls for injected faults, from this call on, until a run does not reach the call: this call, a call in the
    /// middle and the last. In `make test-all`, every call.
    package var times: [Point] {
      let numbers = Sample.isWhole ? Array(number..<1000) : Sample.of(Array(number...last), 3)
      return numbers.map { Point(call: call, number: $0, last: last) }
    }

    package var description: String { "\(call) #\(number)" }
  }

  /// System calls that change a file system or synchronise it.
  private static let calls = [
    "write", "pwrite64", "writev", "copy_file_range", "ftruncate", "fallocate",
    "fsync", "fdatasync", "syncfs", "rename", "renameat", "renameat2",
    "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "symlink", "symlinkat", "fchmod", "fchown",
    "fsetxattr", "flock",
    "open", "openat", "openat2",
  ]

  package var program: String
  package var arguments: [String]
  package var folder: String
  /// Faults that are injected in every run, in the syntax of strace, such as `renameat2:error=EINVAL`.
  package var always: String?

  package init(_ program: String, _ arguments: [String], in folder: String, always: String? = nil) {
    self.program = program
    self.arguments = arguments
    self.folder = folder
    self.always = always
  }

  /// The system calls of a run without an injected fault: for each kind, the first call that changes something.
  package func points() throws -> [Point] {
    let (_, log) = try trace(Self.calls, [])
    var counts: [Substring: Int] = [:]
    var points: [Point] = []
    for line in log {
      guard let match = line.prefixMatch(of: /(\d+) +(\w+)\(/) else { continue }
      counts["\(match.1) \(match.2)", default: 0] += 1
      // Opening a file for reading changes nothing.
      guard !match.2.hasPrefix("open") || line.contains("O_CREAT") else { continue }
      guard !points.contains(where: { $0.call == match.2 }) else { continue }
      let number = counts["\(match.1) \(match.2)"] ?? 1
      points.append(Point(call: String(match.2), number: number, last: number))
    }
    for index in points.indices {
      let ofThreads = counts.filter { $0.key.hasSuffix(" \(points[index].call)") }.map(\.value)
      points[index].last = ofThreads.max() ?? points[index].last
    }
    return points
  }

  /// Runs the program with a fault. Returns nil if the program did not reach that call.
  package func run(_ fault: Fault, at point: Point) throws -> (Run, call: Substring)? {
    let action =
      switch fault {
      case .death: "signal=KILL"
      case .error(let code): "error=\(code)"
      }
    let (run, log) = try trace(
      [point.call], ["-e", "inject=\(point.call):\(action):when=\(point.number)"])
    let mark =
      switch fault {
      case .death: "killed by SIGKILL"
      case .error(let code): "-1 \(code) "
      }
    return log.first { $0.contains(mark) && ($0.contains("INJECTED") || mark.hasPrefix("k")) }
      .map { (run, $0) }
  }

  /// The names of all system calls of a run without an injected fault, in order.
  package func calls() throws -> [Substring] {
    try trace(Self.calls, []).log.compactMap { line in
      line.prefixMatch(of: /(\d+) +(\w+)\(/).map { $0.2 }
    }
  }

  private func trace(_ calls: [String], _ options: [String]) throws -> (Run, log: [Substring]) {
    let log = "\(folder).log"
    var calls = calls
    var options = options
    if let always {
      calls.append(String(always.prefix { $0 != ":" }))
      options = ["-e", "inject=\(always)"] + options
    }
    let strace = Run.find("strace") ?? "strace"
    let traced = calls.map { "?\($0)" }.joined(separator: ",")
    let run = try Run(
      strace,
      ["-f", "-o", log, "-e", "trace=\(traced)"] + options + [program] + arguments,
      in: folder)
    let text = String(decoding: try Files.read(log), as: UTF8.self)
    try Files.removeAll(log)
    return (run, text.split(separator: "\n"))
  }
}
