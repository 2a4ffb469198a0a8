import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesContainer

/// What another program does to a file while a save waits for its lock.
@Suite("Saves that waited for a lock")
struct AppendLockTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A package on the disk, and the bytes that it has after another program has appended to it.
  private func prepared() throws -> (container: Container, before: [UInt8], after: [UInt8]) {
    var container = Container(root: try SampleTree.small())
    try container.save(to: scratch.file("a.particles"))
    let before = try Files.read(scratch.file("a.particles"))
    try Files.create(scratch.file("b.particles"), before)
    var other = try Container(contentsOf: scratch.file("b.particles"))
    try other.root.setFileNode(FileNode(regularFileWithContents: [1, 2, 3]), at: "theirs")
    try other.save(mode: .append)
    let after = try Files.read(scratch.file("b.particles"))
    #expect(after.starts(with: before) && after.count > before.count)
    try container.root.setFileNode(FileNode(regularFileWithContents: [4]), at: "ours")
    return (container, before, after)
  }

  /// Saves while another program holds the lock, and does something before it gives the lock back.
  /// - Returns: the rule of the error; nil if it was saved.
  private func save(
    _ container: Container, _ mode: Container.SaveMode, during body: (OpenFile) throws -> Void
  ) async throws -> Rule? {
    let holder = try OpenFile(updating: scratch.file("a.particles"))
    #expect(holder.tryLock())
    let saving = Task.detached { () -> Rule? in
      var container = container
      do {
        try container.save(mode: mode)
        return nil
      } catch {
        return (error as? Diagnostic)?.rule ?? .fileUnreadable
      }
    }
    // The save has looked at the file, and waits.
    try await Task.sleep(nanoseconds: 300_000_000)
    try body(holder)
    holder.unlock()
    return await saving.value
  }

  @Test(
    "a file that has grown meanwhile is left as it is",
    arguments: [Container.SaveMode.append, .automatic])
  func grown(mode: Container.SaveMode) async throws {
    let (container, before, after) = try prepared()
    let rule = try await save(container, mode) { file in
      try Array(after[before.count...]).withUnsafeBytes { try file.write($0, at: before.count) }
    }
    #expect(rule == .fileChanged)
    #expect(try Files.read(scratch.file("a.particles")) == after)
    #expect(try Container(contentsOf: scratch.file("a.particles")).root["theirs"] != nil)
  }

  @Test("a file that was replaced meanwhile is left as it is")
  func replaced() async throws {
    let (container, _, after) = try prepared()
    let path = scratch.file("a.particles")
    let rule = try await save(container, .append) { _ in
      try Files.create(scratch.file("new"), after)
      try Files.rename(scratch.file("new"), path)
    }
    #expect(rule == .fileChanged)
    #expect(try Files.read(path) == after)
  }

  @Test("a file that is as it was is saved when the lock is free")
  func unchanged() async throws {
    let (container, before, _) = try prepared()
    #expect(try await save(container, .append) { _ in } == nil)
    let bytes = try Files.read(scratch.file("a.particles"))
    #expect(bytes.starts(with: before) && bytes.count > before.count)
    #expect(try Container(contentsOf: scratch.file("a.particles")).root["ours"] != nil)
  }
}
