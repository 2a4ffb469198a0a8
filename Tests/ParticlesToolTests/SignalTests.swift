import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The tool, killed by signals at random moments.
@Suite("Signals", .serialized)
struct SignalTests {
  private static let tool = Run.built("particles")

  enum Work: String, CaseIterable, Sendable {
    case pack, unpack, convert, extract

    func arguments(_ folder: String) -> [String] {
      switch self {
      case .pack: ["pack", "\(folder)/tree", "-o", "\(folder)/out/a.particles", "-f"]
      case .unpack: ["unpack", "\(folder)/tree.particles", "-o", "\(folder)/out/tree", "-f"]
      case .convert: ["convert", "\(folder)/tree.particles", "-o", "\(folder)/out/a.zip", "-f"]
      case .extract: ["extract", "\(folder)/tree.particles", "-o", "\(folder)/out/files", "-f"]
      }
    }
  }

  private func leftovers(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".tmp") }
  }

  /// Starts a program with its output discarded, and with no signal blocked or ignored: threads of the test
  /// runner block signals, which `Process` hands down.
  private static func spawn(_ words: [String]) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [Int32(1), 2] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return process
  }

  @Test("no temporary file survives SIGINT, SIGTERM or SIGHUP", arguments: Work.allCases)
  func noLeftovers(_ work: Work) throws {
    let scratch = try Scratch()
    let folder = scratch.file("work")
    try Files.makeDirectory(folder)
    try Files.makeDirectory("\(folder)/out")
    var tree = FileNode.emptyDirectory
    for index in 0..<200 {
      let noise = SampleTree.noise(20_000, seed: UInt64(index))
      try tree.setFileNode(
        FileNode(regularFileWithContents: noise), at: "d\(index % 7)/f\(index)")
    }
    try tree.write(toDirectory: "\(folder)/tree")
    try Container(root: tree).write(to: "\(folder)/tree.particles", as: .flat)

    var generator = SystemRandomNumberGenerator()
    var killed = 0
    // Microseconds. After a round in which the work was done before, signals come earlier.
    var latest: UInt32 = 120_000
    for round in 0..<(Sample.isWhole ? 45 : 9) {
      let process = try Self.spawn([Self.tool] + work.arguments(folder))
      // A time of the spawned process: no event tells how far it is.
      let delay = UInt32.random(in: 1_000..<latest, using: &generator)
      usleep(delay)
      let signal = [SIGTERM, SIGINT, SIGHUP][round % 3]
      kill(process, signal)
      var status: Int32 = 0
      #expect(waitpid(process, &status, 0) == process)
      // The low bits are the signal that ended it, the next ones the exit status.
      if status & 0x7F != 0 {
        #expect(status & 0x7F == signal)
        killed += 1
      } else {
        #expect(status >> 8 == 0, "it was faster")
        latest = max(5_000, delay)
      }
      #expect(leftovers("\(folder)/out").isEmpty, "after \(signal)")
    }
    #expect(killed > 0)
    // A file in its place is complete.
    if work == .pack, try Files.status("\(folder)/out/a.particles") != nil {
      let packed = try Container(contentsOf: "\(folder)/out/a.particles")
      #expect(try packed.root.treeDigest() == tree.treeDigest())
    }
    if work == .unpack, try Files.status("\(folder)/out/tree") != nil {
      let unpacked = try FileNode(readingDirectory: "\(folder)/out/tree")
      #expect(try unpacked.treeDigest() == tree.treeDigest())
    }
  }

  @Test("a signal that the parent ignores stays ignored")
  func ignored() throws {
    // The tool waits for its input, which the shell ends after the signal.
    let script = "trap '' TERM; { sleep 0.3; kill $$; } | exec \"$0\" digest -"
    let process = try Self.spawn(["/bin/sh", "-c", script, Self.tool])
    var status: Int32 = 0
    #expect(waitpid(process, &status, 0) == process)
    #expect(status & 0x7F == 0, "it was ended by a signal")
    #expect(status >> 8 != 0, "empty input is an error")
  }

  /// Runs the tool with an empty folder over /proc, or returns nil if that is not permitted.
  private func runWithoutProc(_ arguments: [String]) throws -> Run? {
    let unshare = try #require(Run.find("unshare"))
    let prefix = ["-rm", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \"$0\" \"$@\""]
    guard try Run(unshare, prefix + ["/bin/true"]).status == 0 else { return nil }
    return try Run(unshare, prefix + [Self.tool] + arguments)
  }

  @Test("the arguments arrive without /proc, too", .needs("unshare"))
  func withoutProc() throws {
    guard let run = try runWithoutProc(["formats", "--json"]) else {
      return print("skipped: namespaces are not permitted here")
    }
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains("\"scenekit\""))
    let wrong = try #require(try runWithoutProc(["no-such-command"]))
    #expect(wrong.status == 64)
  }

  @Test("a path that is not UTF-8 is shown with escapes, and every other argument is refused")
  func notUTF8() throws {
    func run(_ words: String) throws -> Run {
      try Run("/bin/sh", ["-c", "exec \"$0\" \(words)", Self.tool])
    }
    let path = try run("info \"$(printf 'fl\\377.pex')\"")
    #expect(path.status == 2)
    #expect(path.errors.contains("fl\\xFF.pex: error: no such file"), "\(path.errors)")
    for words in [
      "edit none.particles \"asset.name=$(printf 'fl\\377')\"",
      "simulate none.particles --engine \"$(printf 'fl\\377')\"",
    ] {
      let text = try run(words)
      #expect(text.status == 64 && text.errors.contains("fl\\xFF"), "\(text.errors)")
    }
  }
}
