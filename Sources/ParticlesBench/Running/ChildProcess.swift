internal import ParticlesCore
internal import ParticlesPlatform

/// A program with its arguments, started without a shell.
struct ChildProcess {
  /// The program, by name or by path, and its arguments.
  let words: [String]

  /// The working directory. Nil selects this process's.
  let folder: String?

  /// Where the program is. Looked up once, so that the search is not timed.
  private let program: String?

  init(words: [String], folder: String? = nil) {
    self.words = words
    self.folder = folder
    program = words.first.flatMap(Self.find)
  }

  /// Runs the program to its end and discards its output.
  /// - Throws: ``Failure`` unless its status is 0.
  func run() throws -> Sample {
    Self.forgetPeakMemory()
    let start = Clock.wall
    let child = try spawn(output: nil)
    let (status, usage) = try Self.wait(for: child)
    let wall = Clock.wall - start
    try check(status)
    return Sample(wall: wall, processor: Clock.seconds(usage), memory: Self.memory(usage))
  }

  /// Runs the program to its end and returns its standard output.
  /// - Parameter checked: whether a status other than 0 is an error.
  func output(checked: Bool = true) throws -> [UInt8] {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(text: "no pipe") }
    let child = try spawn(output: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(ends[0], &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output += piece.prefix(count)
    }
    let (status, _) = try Self.wait(for: child)
    if checked { try check(status) }
    return output
  }

  /// The reason why a program failed.
  struct Failure: Error {
    let text: String
  }

  private func check(_ status: CInt) throws {
    guard status != 0 else { return }
    let command = words.joined(separator: " ")
    let end = status & 0x7F == 0 ? "status \(status >> 8)" : "signal \(status & 0x7F)"
    throw Failure(text: "'\(command)' ended with \(end)")
  }

  private static func wait(for child: pid_t) throws -> (status: CInt, rusage) {
    var status: CInt = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw Failure(text: "a process was lost") }
    }
    return (status, usage)
  }

  // MARK: Starting

  private func spawn(output: CInt?) throws -> pid_t {
    guard let program else { throw Failure(text: "'\(words.first ?? "")' is not installed") }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_addclose(&actions, output)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)

    var child: pid_t = 0
    let arguments = words.map { strdup($0) }
    let variables = Self.environment.map { strdup($0) }
    defer { for text in arguments + variables { free(text) } }
    let code = try inFolder {
      posix_spawn(&child, program, &actions, nil, arguments + [nil], variables + [nil])
    }
    guard code == 0 else {
      throw Failure(text: "'\(program)': \(String(cString: strerror(code)).lowercased())")
    }
    return child
  }

  /// Some C libraries cannot set the working directory of a new process. This process has a single thread and changes
  /// its own for the call.
  private func inFolder(_ body: () -> CInt) throws -> CInt {
    guard let folder else { return body() }
    let home = open(".", O_RDONLY | O_CLOEXEC)
    defer { close(home) }
    guard home >= 0, chdir(folder) == 0 else { throw Failure(text: "no folder '\(folder)'") }
    defer { fchdir(home) }
    return body()
  }

  /// The environment of the program: only the search path, so that nothing else affects the results.
  private static let environment = ["PATH=\(searchPath)", "LC_ALL=C"]

  private static let searchPath = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"

  /// The path of a program by name. Nil if it is not installed.
  static func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    let paths = searchPath.split(separator: ":").map { Files.joined(String($0), name) }
    return paths.first { access($0, X_OK) == 0 }
  }

  // MARK: Memory

  private static func memory(_ usage: rusage) -> Int {
    #if canImport(Darwin)
      Int(usage.ru_maxrss)
    #else
      Int(usage.ru_maxrss) << 10
    #endif
  }

  /// On Linux, a child inherits the peak of its parent. Resets the peak of this process to its current size.
  private static func forgetPeakMemory() {
    #if os(Linux)
      let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      _ = write(descriptor, "5", 1)
      close(descriptor)
    #endif
  }
}
