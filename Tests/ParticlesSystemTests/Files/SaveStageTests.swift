import Foundation
import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesSystem

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

  @Test("after an error, no file of the document is left, and replaced ones are back")
  func half() throws {
    for isReplacing in [false, true] {
      let stage = SaveStage()
      if isReplacing { try Files.create(file("a"), [7]) }
      let old = try Files.status(file("a"))?.state
      for name in ["a", "b", "c", "d"] {
        try SafeSave.file(file(name), replacing: isReplacing, staging: stage) { try $0.write([1]) }
      }
      // Something that a file does not replace.
      try Files.makeDirectory(file("c"))
      var group = SaveGroup()
      let fault = group.commit([stage])[0] as? Diagnostic
      #expect(fault?.location.file == file("c"))
      #expect(try Files.list(scratch.path).sorted() == (isReplacing ? ["a", "c"] : ["c"]))
      #expect(try Files.status(file("a"))?.state == old)
      if isReplacing { #expect(try Files.read(file("a")) == [7]) }
      try Files.removeAll(file("c"))
    }
  }

  @Test("what another program has put in the place of a file meanwhile is not taken back")
  func replacedSince() throws {
    let stage = SaveStage()
    for name in ["a", "b"] {
      try SafeSave.file(file(name), replacing: true, staging: stage) { try $0.write([1]) }
    }
    var group = SaveGroup()
    #expect(group.commit([stage], settling: false)[0] == nil)
    try SafeSave.file(file("a"), replacing: true) { try $0.write([2]) }
    stage.takeBack()
    #expect(try Files.list(scratch.path) == ["a"] && Files.read(file("a")) == [2])
  }

  @Test("what another program saves while a file waits for its lock comes back")
  func savedMeanwhile() throws {
    let stage = SaveStage()
    try Files.create(file("b"), [9])
    for name in ["a", "b", "c"] {
      try SafeSave.file(
        file(name), replacing: true, staging: stage, until: Deadline(seconds: 600)
      ) { try $0.write([1]) }
    }
    // Something that a file does not replace.
    try Files.makeDirectory(file("c"))
    let holder = try OpenFile(reading: file("b"))
    #expect(holder.tryLock())
    let isDone = Lock(false)
    let thread = Thread {
      var group = SaveGroup()
      _ = group.commit([stage])
      isDone.withLock { $0 = true }
    }
    thread.start()
    while try Files.status(file("a")) == nil { MonotonicClock.wait(seconds: 0.001) }
    MonotonicClock.wait(seconds: 0.02)
    try Files.create(file("new"), [5])
    try Files.rename(file("new"), file("b"))
    holder.unlock()
    while !isDone.withLock(\.self) { MonotonicClock.wait(seconds: 0.001) }
    #expect(try Files.read(file("b")) == [5])
    #expect(try Files.list(scratch.path).sorted() == ["b", "c"])
  }

  @Test("the last one of many files comes back, too, as does one that cannot be linked")
  func kept() throws {
    let stages = [SaveStage(), SaveStage()]
    for (index, name) in ["a", "b"].enumerated() {
      try Files.create(file(name), [7])
      try SafeSave.file(file(name), replacing: true, staging: stages[index]) { try $0.write([1]) }
    }
    var group = SaveGroup()
    #expect(group.commit(stages, settling: false).allSatisfy { $0 == nil })
    for stage in stages.reversed() { stage.takeBack() }
    for name in ["a", "b"] { #expect(try Files.read(file(name)) == [7]) }
    try Files.create(file("c"), [1, 2, 3], executable: true)
    try SafeSave.keep(file("c"), as: file("d"), linking: false)
    #expect(try Files.read(file("d")) == [1, 2, 3])
    #expect(try Files.status(file("c"))?.mode == Files.status(file("d"))?.mode)
    #expect(try Files.status(file("d"))?.links == 1)
  }

  @Test("several files are written or none, however many", arguments: [2, 20, 200])
  func several(count: Int) throws {
    let files = (0..<count).map { (file("\($0)"), [UInt8($0 % 251)]) }
    for (wrong, isReplacing) in [(0, true), (count - 1, true), (count / 2, false)] {
      try Files.makeDirectory(file("\(wrong)"))
      let kept = wrong == 0 ? 1 : 0
      if isReplacing { try Files.create(file("\(kept)"), [252]) }
      expectThrows(.fileExists) { try SafeSave.files(files, replacing: isReplacing) }
      let left = isReplacing ? ["\(kept)", "\(wrong)"] : ["\(wrong)"]
      #expect(try Files.list(scratch.path).sorted() == left.sorted())
      if isReplacing { #expect(try Files.read(file("\(kept)")) == [252]) }
      for name in left { try Files.removeAll(file(name)) }
    }
    try Files.create(file("1"), [252])
    try SafeSave.files(files, replacing: true)
    #expect(try Files.list(scratch.path).count == count)
    for (path, bytes) in files { #expect(try Files.read(path) == bytes) }
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
    // A thread of its own, because all threads of tasks may be in use by other tests.
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
