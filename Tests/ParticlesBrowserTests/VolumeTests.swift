import ParticlesBrowser
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// All operations where the documents are on a volume of their own, on a full volume, and with names as long as
/// file systems permit.
extension ConditionTests {
  /// A folder for documents that is a file system in memory, or nil where none can be mounted.
  private func volume(_ options: String, _ scratch: Scratch) throws -> String? {
    let docs = scratch.file("docs")
    try Files.makeDirectory(docs)
    let mount = try? Run("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", docs])
    guard mount?.status == 0 else {
      print("skipped: no file system can be mounted")
      return nil
    }
    return docs
  }

  @Test(
    "documents on another volume than trash, home and temporary files", arguments: Kind.allCases)
  func ownVolume(_ kind: Kind) async throws {
    let scratch = try Scratch()
    guard let docs = try volume("size=4m", scratch) else { return }
    defer { _ = try? Run("/bin/umount", ["-l", docs]) }
    let fixture = try await fixture(kind, in: scratch)
    let outside = scratch.file("outside.txt")
    let before = try tree(docs)
    let result = try await perform(kind, fixture)
    #expect(result.status == .done, "\(kind): \(result)")
    #expect(try (Files.status(outside) == nil) == (kind == .importMove))
    guard kind != .delete else { return }
    let undone = await fixture.browser.undo()
    #expect(undone.isComplete, "\(undone)")
    #expect(try Files.read(outside) == Array("O".utf8))
    guard kind != .restore else { return }
    let after = try tree(docs).filter { !$0.key.contains("/.Trash-") }
    #expect(after == before)
  }

  @Test("a volume that is listed, read and written can be ejected")
  func ejected() async throws {
    let scratch = try Scratch()
    guard let docs = try volume("size=4m", scratch) else { return }
    defer { _ = try? Run("/bin/umount", ["-l", docs]) }
    let fixture = try await fixture(.rename, in: scratch)
    #expect(try await perform(.rename, fixture).status == .done)
    // Not while a call goes on.
    let deadline = Deadline(seconds: 20)
    var run = try Run("/bin/umount", [docs])
    while run.status != 0, !deadline.isOver {
      try await Task.sleep(nanoseconds: 50_000_000)
      run = try Run("/bin/umount", [docs])
    }
    #expect(run.status == 0, "\(run.errors)")
    #expect(await fixture.browser.close().isEmpty)
  }

  @Test("a full volume: done without space, or failed without a trace", arguments: Kind.allCases)
  func fullVolume(_ kind: Kind) async throws {
    let scratch = try Scratch()
    guard let docs = try volume("size=256k", scratch) else { return }
    defer { _ = try? Run("/bin/umount", ["-l", docs]) }
    let fixture = try await fixture(kind, in: scratch)
    _ = try Run("/bin/sh", ["-c", "cat /dev/zero > \"$1/fill\"", "sh", docs])
    let before = try tree(docs)
    let names = try Files.list(docs).sorted()
    let result = try await perform(kind, fixture)
    // The trash needs it for its description.
    let needsSpace: Set<Kind> = [.duplicate, .copy, .importCopy, .importMove, .trash]
    if needsSpace.contains(kind) {
      #expect(result.status == .failed, "\(kind): \(result)")
      #expect(result.diagnostic?.message.contains("no space left") == true, "\(result)")
    } else if kind == .create {
      // An empty text needs none.
      #expect(result.status == .done, "\(result)")
    } else {
      #expect(result.status == .done, "\(kind): \(result)")
    }
    if result.status == .failed {
      #expect(try tree(docs) == before, "\(kind)")
      #expect(try Files.list(docs).sorted() == names, "\(kind): a folder is left")
    }
    #expect(try Files.read(scratch.file("outside.txt")) == Array("O".utf8))
  }

  @Test("a name of 255 bytes; one of 256 is refused", arguments: Kind.allCases)
  func longestName(_ kind: Kind) async throws {
    let name = String(repeating: "x", count: 251) + ".txt"
    let fixture = try await fixture(kind)
    try Files.rename(fixture.path("a.txt"), fixture.path(name))
    try Files.create(fixture.scratch.file(name), Array("L".utf8))
    let result = try await perform(kind, fixture, on: name)
    #expect(result.status == .done, "\(kind): \(result)")
    if let item = result.item { #expect(item.name.utf8.count <= 255) }
    guard kind != .delete else { return }
    #expect(await fixture.browser.undo().isComplete, "\(kind)")
    #expect(try fixture.text(name) == "A")
    let id = try await fixture.id(name)
    let refused = await fixture.browser.perform(.rename(id, to: "y" + name))
    #expect(refused.results.map(\.diagnostic?.rule) == [.name], "\(refused)")
    await #expect(throws: Diagnostic.self) {
      try await fixture.browser.create(template: "text", named: "y" + name, in: fixture.root)
    }
  }
}
