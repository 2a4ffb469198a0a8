internal import ParticlesCore
internal import ParticlesPlatform

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

  /// The variables that the manual names; no others are read.
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
