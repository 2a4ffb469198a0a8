import Foundation
import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesSystem

@Suite("Programs, times and users")
struct ProgramTests {
  private static let isRoot = geteuid() == 0

  /// Passes bytes through a program that copies them.
  private static func copy(_ bytes: [UInt8]) throws -> (bytes: [UInt8], size: Int) {
    let program = try PipedProgram("sh", ["-c", "cat > \(PipedProgram.outputPath)"])
    #expect(try bytes.withUnsafeBytes { try program.write($0) })
    let end = try program.finish()
    #expect(end.status == 0 && end.message.isEmpty)
    var copy: [UInt8] = []
    let size = try program.readOutput { copy += $0 }
    return (copy, size)
  }

  @Test(
    "the whole output of a program is passed on, in order", arguments: [0, 1, 1 << 20, 2_500_000])
  func output(size: Int) throws {
    let bytes = SampleTree.noise(size, seed: 3)
    let result = try Self.copy(bytes)
    #expect(result.size == size)
    // Millions of bytes are not printed.
    let isSame = result.bytes == bytes
    #expect(isSame)
  }

  @Test("programs are run where the standard input of this process is closed")
  func closedInput() async {
    await #expect(processExitsWith: .success) {
      close(0)
      let result = try Self.copy([1, 2, 3])
      #expect(result.bytes == [1, 2, 3])
    }
  }

  @Test("a call that a signal interrupts is repeated, and no other is")
  func interruptions() throws {
    var calls = 0
    let descriptor = try SystemError.open("a", writing: false) {
      calls += 1
      errno = calls < 3 ? EINTR : 0
      return calls < 3 ? -1 : 5
    }
    #expect(descriptor == 5 && calls == 3)
    calls = 0
    // The number of an earlier error means nothing after a success.
    let standardInput = try SystemError.open("a", writing: false) {
      calls += 1
      errno = calls == 1 ? EINTR : 0
      return 0
    }
    #expect(standardInput == 0 && calls == 1)
  }

  @Test("the name of this machine is its name in the network")
  func host() {
    var names = utsname()
    #expect(uname(&names) == 0)
    let name = withUnsafeBytes(of: names.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #expect(!name.isEmpty && RunningProcess.host == name)
  }

  @Test("times are read as they are written")
  func times() {
    #expect(WallClock.seconds(of: "2026-11-22 09:07:23", inUTC: true) == 1_795_338_443)
    for isUTC in [false, true] {
      for seconds in [0, 951_782_400, 1_795_338_443, 1_798_761_599] as [Double] {
        let text = WallClock.text(seconds, inUTC: isUTC)
        #expect(WallClock.seconds(of: text, inUTC: isUTC) == seconds)
        #expect(
          WallClock.seconds(of: text.replacingOccurrences(of: " ", with: "T"), inUTC: isUTC)
            == seconds)
      }
    }
    for text in [
      "", "2026-11-22", "2026-13-22 09:07:23", "2026-00-22 09:07:23", "2026-11-32 09:07:23",
      "2026-11-00 09:07:23", "2026-11-22 25:07:23", "2026-11-22 09:60:23", "2026-11-22 09:07:61",
      "2026-11-22 09:07:2x", "2026-11-22 09:07:23 ", "026-11-22 09:07:23",
    ] {
      #expect(WallClock.seconds(of: text, inUTC: true) == nil, "\(text)")
    }
  }

  @Test(
    "what another user keeps of files that are not his own",
    .enabled(if: isRoot, "only root can act for another user"))
  func otherUser() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      // Paths that another user can follow, wherever temporary files are.
      #expect(chmod(scratch.path, 0o777) == 0 && chdir(scratch.path) == 0)
      defer { _ = chdir("/") }
      for (name, user, group, mode) in [
        ("root", 0, 0, 0o640), ("own", 65534, 0, 0o664), ("group", 65534, 12345, 0o664),
        ("foreign", 0, 12345, 0o4775),
      ] as [(String, uid_t, gid_t, mode_t)] {
        try Files.create(name, [1])
        #expect(chown(name, user, group) == 0 && chmod(name, mode) == 0)
      }
      #expect(try Files.status("foreign")?.canKeepOwner == true)
      #expect(Files.canList("."))
      try Files.makeDirectory("private")
      #expect(chmod("private", 0o700) == 0)
      #expect(setgroups(0, nil) == 0 && seteuid(65534) == 0)
      defer { _ = seteuid(0) }
      #expect(Files.canList(".") && !Files.canList("private"))
      var modes: [UInt32] = []
      for name in ["root", "own", "group", "foreign"] {
        let status = try #require(try Files.status(name))
        #expect(status.canKeepOwner == (name == "own"), "\(name)")
        let new = try OpenFile(creating: "new")
        try new.succeed(nil, status)
        modes.append(try new.status().mode)
        try Files.removeAll("new")
      }
      // Another group has no more rights than others and the old group had.
      #expect(modes == [0o640, 0o664, 0o644, 0o755])
    }
  }

  #if os(Linux)
    @Test("a name that cannot be flushed is reported")
    func unflushed() throws {
      let scratch = try Scratch()
      try Files.create(scratch.file("a"), [1])
      try SafeSave.flush(scratch.file("a"))
      try SafeSave.flush(scratch.path)
      // Folders of the kernel cannot be flushed.
      let fault = expectThrows(.fileUnflushed) { try SafeSave.flush("/proc/version") }
      #expect(fault?.location.file == "/proc/version")
    }
  #endif
}
