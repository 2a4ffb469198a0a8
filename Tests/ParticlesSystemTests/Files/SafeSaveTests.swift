import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Saving safely")
struct SafeSaveTests {
  private struct Interruption: Error {}

  @Test("a file is created, and replaced only when asked")
  func file() throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    try SafeSave.file(path, replacing: false) { try $0.write([1]) }
    #expect(try Files.read(path) == [1])
    var ran = false
    let error = expectThrows(.fileExists) {
      try SafeSave.file(path, replacing: false) { _ in ran = true }
    }
    #expect(error?.location == Location(file: path) && !ran)
    try SafeSave.file(path, replacing: true) { file in
      try file.write([2])
      #expect(try Files.read(path) == [1], "the old file is kept until the new one is complete")
      #expect(try Files.list(scratch.path).filter { $0 != "a" }.allSatisfy { $0.hasPrefix(".a.") })
      try file.write([3])
    }
    #expect(try Files.read(path) == [2, 3])
    #expect(try Files.list(scratch.path) == ["a"])
  }

  @Test("a lock is waited for until the deadline, and the message names the file")
  func lock() async throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    try Files.create(path, [1])
    try Files.makeLink(scratch.file("link"), to: "a")
    let holder = try OpenFile(reading: path)
    #expect(try holder.lock())
    for name in ["a", "link"] {
      for seconds in [0, 0.05] {
        let start = MonotonicClock.seconds
        let fault = expectThrows(.fileBusy) {
          try SafeSave.file(
            scratch.file(name), replacing: true, until: Deadline(seconds: seconds)
          ) { try $0.write([2]) }
        }
        #expect(fault?.location == Location(file: scratch.file(name)))
        #expect(MonotonicClock.seconds - start >= seconds)
      }
    }
    let fault = expectThrows(.fileBusy) {
      _ = try OpenFile(reading: path).lock(until: Deadline(seconds: 0.01))
    }
    #expect(fault?.detail == "it was locked for 0.01 s")
    #expect(try Files.read(path) == [1])
    #expect(try Files.list(scratch.path).sorted() == ["a", "link"])
    // A lock that is released in time.
    async let saved: Void = Task {
      try SafeSave.file(path, replacing: true, until: Deadline(seconds: 60)) { try $0.write([2]) }
    }.value
    MonotonicClock.wait(seconds: 0.05)
    #expect(try Files.read(path) == [1])
    holder.unlock()
    try await saved
    #expect(try Files.read(path) == [2])
  }

  @Test("a directory that is locked is waited for, too")
  func lockedDirectory() throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    try Files.makeDirectory(path)
    let holder = try OpenFile(reading: path)
    #expect(try holder.lock())
    let fault = expectThrows(.fileBusy) {
      try SafeSave.directory(path, replacing: true, until: Deadline(seconds: 0)) {
        try Files.create("\($0)/x", [1])
      }
    }
    #expect(fault?.location == Location(file: path))
    #expect(try Files.list(scratch.path) == ["a"] && Files.list(path).isEmpty)
  }

  @Test("permissions are kept, or as asked for")
  func permissions() throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    try SafeSave.file(path, replacing: false, executable: true) { try $0.write([1]) }
    #expect(try Files.status(path)?.isExecutable == true)
    for mode in [0o640, 0o600, 0o755, 0o444] as [UInt32] {
      try OpenFile(reading: path).setMode(mode)
      try SafeSave.file(path, replacing: true) { try $0.write([2]) }
      #expect(try Files.status(path)?.mode == mode)
    }
  }

  @Test("a failure leaves the old file as it was and nothing beside it", arguments: [false, true])
  func failure(exists: Bool) throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    if exists { try Files.create(path, [1]) }
    #expect(throws: Interruption.self) {
      try SafeSave.file(path, replacing: true) { file in
        try file.write([2])
        throw Interruption()
      }
    }
    #expect(try Files.list(scratch.path) == (exists ? ["a"] : []))
    if exists { #expect(try Files.read(path) == [1]) }
  }

  @Test("a missing folder is named in the error")
  func noFolder() throws {
    let scratch = try Scratch()
    let path = scratch.file("none/a")
    for save in [
      { try SafeSave.file(path, replacing: false) { _ in } },
      { try SafeSave.directory(path, replacing: false) { _ in } },
    ] {
      let fault = expectThrows(.fileNotFound) { try save() }
      #expect(fault?.location == Location(file: path))
      #expect(fault?.hint == "create the folder '\(scratch.file("none"))' first")
    }
  }

  @Test("a file that another process creates first is not overwritten")
  func race() throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    let error = expectThrows(.fileExists) {
      try SafeSave.file(path, replacing: false) { _ in try Files.create(path, [9]) }
    }
    #expect(error?.location.file == path)
    #expect(try Files.read(path) == [9])
    let folder = scratch.file("d")
    expectThrows(.fileExists) {
      try SafeSave.directory(folder, replacing: false) { _ in try Files.makeDirectory(folder) }
    }
    #expect(try Files.list(scratch.path) == ["a", "d"])
  }

  @Test("links are followed and kept; the target of a dangling link is created")
  func links() throws {
    let scratch = try Scratch()
    try Files.makeDirectory(scratch.file("d"))
    try Files.create(scratch.file("d/real"), [1])
    try Files.makeLink(scratch.file("one"), to: "d/real")
    try Files.makeLink(scratch.file("two"), to: "one")
    try SafeSave.file(scratch.file("two"), replacing: true) { try $0.write([2]) }
    #expect(try Files.read(scratch.file("d/real")) == [2])
    #expect(try Files.destination(ofLink: scratch.file("two")) == "one")
    #expect(try Files.destination(ofLink: scratch.file("one")) == "d/real")
    expectThrows(.fileExists) { try SafeSave.file(scratch.file("two"), replacing: false) { _ in } }
    #expect(try Files.list(scratch.path) == ["d", "one", "two"])
    #expect(try Files.list(scratch.file("d")) == ["real"])
    try Files.makeLink(scratch.file("first"), to: "second")
    try Files.makeLink(scratch.file("second"), to: "d/none")
    expectThrows(.fileExists) {
      try SafeSave.file(scratch.file("first"), replacing: false) { _ in }
    }
    try SafeSave.file(scratch.file("first"), replacing: true) { try $0.write([3]) }
    #expect(try Files.read(scratch.file("d/none")) == [3])
    #expect(try Files.destination(ofLink: scratch.file("second")) == "d/none")
    try Files.makeLink(scratch.file("lost"), to: "nowhere/none")
    let lost = expectThrows(.fileNotFound) {
      try SafeSave.file(scratch.file("lost"), replacing: true) { _ in }
    }
    #expect(lost?.location.file == scratch.file("lost"))
    try Files.makeLink(scratch.file("circle"), to: "circle")
    expectThrows(.fileUnwritable) {
      try SafeSave.file(scratch.file("circle"), replacing: true) { _ in }
    }
  }

  @Test("a folder is no place for a file, nor a file for a folder, nor a pipe for either")
  func kinds() throws {
    let scratch = try Scratch()
    try Files.makeDirectory(scratch.file("d"))
    try Files.create(scratch.file("f"), [1])
    expectThrows(.fileExists) { try SafeSave.file(scratch.file("d"), replacing: true) { _ in } }
    expectThrows(.fileExists) {
      try SafeSave.directory(scratch.file("f"), replacing: true) { _ in }
    }
    if let mkfifo = Run.optional("mkfifo") {
      _ = try Run.succeeding(mkfifo, [scratch.file("p")])
      expectThrows(.fileExists) { try SafeSave.file(scratch.file("p"), replacing: true) { _ in } }
      #expect(try Files.status(scratch.file("p"))?.kind == .other)
    }
    #expect(try Files.read(scratch.file("f")) == [1])
  }

  @Test("a folder is built aside, and takes the place of the old one as a whole")
  func directory() throws {
    let scratch = try Scratch()
    let path = scratch.file("d")
    try SafeSave.directory(path, replacing: false) { try Files.create("\($0)/a", [1]) }
    #expect(try Files.list(path) == ["a"])
    expectThrows(.fileExists) { try SafeSave.directory(path, replacing: false) { _ in } }
    try SafeSave.directory(path, replacing: true) { folder in
      #expect(Files.lastComponent(of: folder).hasPrefix(".d."))
      #expect(Files.folder(of: folder) == scratch.path)
      try Files.create("\(folder)/b", [2])
      #expect(try Files.list(path) == ["a"])
    }
    #expect(try Files.list(path) == ["b"])
    #expect(throws: Interruption.self) {
      try SafeSave.directory(path, replacing: true) { folder in
        try Files.create("\(folder)/c", [3])
        throw Interruption()
      }
    }
    #expect(try Files.list(path) == ["b"])
    try Files.makeLink(scratch.file("link"), to: "d")
    try SafeSave.directory(scratch.file("link"), replacing: true) { _ in }
    #expect(try Files.list(path) == [])
    #expect(try Files.list(scratch.path) == ["d", "link"])
  }

  @Test("errors name what the user knows, never a temporary file")
  func names() throws {
    let scratch = try Scratch()
    let path = scratch.file("none/a")
    let file = expectThrows(.fileNotFound) { try SafeSave.file(path, replacing: true) { _ in } }
    #expect(file?.location.file == path)
    let folder = expectThrows(.fileNotFound) {
      try SafeSave.directory(path, replacing: true) { _ in }
    }
    #expect(folder?.location.file == path)
    let inside = expectThrows(.fileNotFound) {
      try SafeSave.directory(scratch.file("d"), replacing: false) { _ = try Files.read("\($0)/x") }
    }
    #expect(inside?.location.file == scratch.file("d/x"))
    // A file whose name begins alike is another file.
    let other = expectThrows(.fileNotFound) {
      try SafeSave.file(scratch.file("a"), replacing: false) { _ in
        _ = try Files.read(scratch.file("ab"))
      }
    }
    #expect(other?.location.file == scratch.file("ab"))
    #expect(try Files.list(scratch.path) == [])
  }

  @Test("names of any length and beginning can be saved")
  func oddNames() throws {
    let scratch = try Scratch()
    for name in [String(repeating: "x", count: 255), String(repeating: "𝄞", count: 63), "\u{301}a"]
    {
      try SafeSave.file(scratch.file(name), replacing: false) { try $0.write([1]) }
      try SafeSave.directory(scratch.file("d"), replacing: true) { _ in }
      #expect(try Files.read(scratch.file(name)) == [1])
    }
  }
}
