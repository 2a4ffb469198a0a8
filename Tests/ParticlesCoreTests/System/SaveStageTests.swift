import Foundation
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Staged saves")
struct SaveStageTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func file(_ name: String) -> String { scratch.file(name) }
  private func temporaries() throws -> [String] {
    try Files.list(scratch.path).filter { $0.hasSuffix(".tmp") }
  }

  private func stage(_ name: String, _ bytes: [UInt8], replacing: Bool = false) throws -> SaveStage
  {
    let stage = SaveStage()
    try SafeSave.file(file(name), replacing: replacing, staging: stage) { try $0.write(bytes) }
    return stage
  }

  @Test("staged files get their names together, and replace others only then")
  func commit() throws {
    try Files.create(file("a"), [1])
    let stages = [try stage("a", [2], replacing: true), try stage("b", [3])]
    #expect(try Files.read(file("a")) == [1])
    #expect(try Files.status(file("b")) == nil)
    #expect(try temporaries().count == 2)
    var group = SaveGroup()
    #expect(group.commit(stages).allSatisfy { $0 == nil })
    #expect(try OpenFile(reading: file("a")).tryLock(), "the lock is released with the rename")
    #expect(try OpenFile(reading: file("b")).tryLock())
    try group.finish()
    #expect(try Files.read(file("a")) == [2])
    #expect(try Files.read(file("b")) == [3])
    #expect(try temporaries().isEmpty)
    #expect(stages.allSatisfy { $0.count == 0 })
    withExtendedLifetime(group) {}
  }

  @Test("a file that appeared in the meantime is kept, and the other documents are saved")
  func appeared() throws {
    let stages = [try stage("a", [2]), try stage("b", [3])]
    try Files.create(file("a"), [1])
    var group = SaveGroup()
    let errors = group.commit(stages)
    #expect((errors[0] as? Diagnostic)?.rule == .fileExists)
    #expect((errors[0] as? Diagnostic)?.location.file == file("a"))
    #expect(errors[1] == nil)
    #expect(try Files.read(file("a")) == [1])
    #expect(try Files.read(file("b")) == [3])
    #expect(try temporaries().isEmpty)
  }

  @Test("after an error, the later files of the same document are removed")
  func half() throws {
    let stage = SaveStage()
    for name in ["a", "b", "c"] {
      try SafeSave.file(file(name), replacing: false, staging: stage) { try $0.write([1]) }
    }
    try Files.create(file("b"), [9])
    var group = SaveGroup()
    #expect(group.commit([stage])[0] != nil)
    #expect(try Files.list(scratch.path).sorted() == ["a", "b"])
  }

  @Test("a file is unlocked when it gets its name, before the next one does")
  func unlocked() throws {
    let stage = SaveStage()
    for name in ["a", "b"] {
      try SafeSave.file(
        file(name), replacing: true, staging: stage, until: Deadline(seconds: 600)
      ) { try $0.write([1]) }
    }
    try Files.create(file("b"), [9])
    let holder = try OpenFile(reading: file("b"))
    #expect(holder.tryLock())
    // A thread of its own: those of tasks may all be in use by other tests.
    let error = Lock<String?>("unfinished")
    let thread = Thread {
      var group = SaveGroup()
      let errors = group.commit([stage])
      error.withLock { $0 = errors[0].map { "\($0)" } }
    }
    thread.start()
    while try Files.status(file("a")) == nil { MonotonicClock.wait(seconds: 0.001) }
    while !(try OpenFile(reading: file("a")).tryLock()) { MonotonicClock.wait(seconds: 0.001) }
    #expect(try Files.read(file("b")) == [9])
    holder.unlock()
    while error.withLock(\.self) == "unfinished" { MonotonicClock.wait(seconds: 0.001) }
    #expect(error.withLock(\.self) == nil)
    #expect(try Files.read(file("b")) == [1])
  }

  @Test("an error while a stage is prepared removes its files and no others")
  func prepared() throws {
    let stages = [try stage("a", [1]), try stage("b", [2]), try stage("c", [3])]
    try Files.create(file("a"), [9])
    var group = SaveGroup()
    var seen: [[Bool]] = []
    let errors = group.commit(stages) { index, errors in
      seen.append(errors.map { $0 != nil })
      if index == 1 { throw Diagnostic(.fileExists, at: Location(file: file("x"))) }
    }
    #expect(errors.map { $0 != nil } == [true, true, false])
    #expect(seen == [[], [true], [true, true]])
    #expect(try Files.list(scratch.path).sorted() == ["a", "c"])
  }

  @Test("a stage that is released removes its temporary files")
  func release() throws {
    do {
      let stage = try stage("a", [1])
      #expect(try temporaries().count == stage.count)
    }
    #expect(try Files.list(scratch.path).isEmpty)
  }

  @Test("a directory is staged, too, unless it replaces another")
  func directory() throws {
    let stage = SaveStage()
    try SafeSave.directory(file("a"), replacing: false, staging: stage) {
      try Files.create("\($0)/x", [1])
    }
    #expect(try Files.status(file("a")) == nil)
    var group = SaveGroup()
    #expect(group.commit([stage])[0] == nil)
    #expect(try Files.read(file("a/x")) == [1])
    try SafeSave.directory(file("a"), replacing: true, staging: stage) {
      try Files.create("\($0)/y", [2])
    }
    #expect(stage.count == 0)
    #expect(try Files.list(file("a")) == ["y"])
  }

  @Test("leftovers of killed saves of the same documents are removed at the end")
  func leftovers() throws {
    let leftover = Files.temporaryName(beside: file("a"))
    let other = Files.temporaryName(beside: file("other"))
    for path in [leftover, other] { try Files.create(path, [1]) }
    var group = SaveGroup()
    #expect(group.commit([try stage("a", [2])])[0] == nil)
    try group.finish()
    #expect(try Files.status(leftover) == nil)
    #expect(try Files.status(other) != nil)
  }
}
