import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Changed documents whose folder or volume goes: nothing that was typed is lost.
@Suite("Documents whose folder goes")
struct GoneFolderTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  /// How a folder goes.
  enum Way: String, CaseIterable, Sendable { case removed, branch, unmounted, renamed }

  /// The next action on the document.
  enum Next: String, CaseIterable, Sendable { case autosave, close, intoRecovery, release }

  private var place: String { folder.path("sub") }

  /// Makes the folder.
  /// - Returns: false with a reason that was printed, if this machine cannot.
  private func make(_ way: Way) throws -> Bool {
    try Files.makeDirectory(place)
    switch way {
    case .removed, .renamed: break
    case .branch:
      guard Run.optional("git") != nil else { return false }
      try git("init", "-q", "-b", "main")
      try git("commit", "-q", "--allow-empty", "-m", "empty")
      try git("checkout", "-q", "-b", "other")
    case .unmounted:
      let run = try Run("/bin/mount", ["-t", "tmpfs", "tmpfs", place])
      guard run.status == 0 else {
        print("skipped: no file system can be mounted: \(run.errors)")
        return false
      }
    }
    try folder.write("old", to: "sub/a.txt")
    if way == .branch {
      try git("add", "-A")
      try git("commit", "-q", "-m", "a text")
    }
    return true
  }

  private func git(_ arguments: String...) throws {
    let names = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    _ = try Run.succeeding(
      try #require(Run.find("git")), names + arguments, in: folder.path("."))
  }

  private func go(_ way: Way) throws {
    switch way {
    case .removed: try Files.removeAll(place)
    case .renamed: try Files.rename(place, "\(folder.data)-aside")
    case .branch: try git("checkout", "-q", "main")
    case .unmounted:
      _ = try Run.succeeding("/bin/umount", ["-l", place])
      try Files.removeAll(place)
    }
  }

  private func kept() throws -> [String] {
    let journal = RecoveryStore(dataFolder: folder.data)
    return try journal.entries().map { entry in
      #expect(entry.path.hasSuffix("sub/a.txt"))
      let bytes = try journal.contents(of: entry).regularFileContents() ?? []
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test(
    "unsaved contents are in the recovery journal, whatever happens next",
    arguments: [Way.removed, .branch, .unmounted], Next.allCases)
  func gone(_ way: Way, _ next: Next) async throws {
    guard try make(way) else { return }
    let isMounted = way == .unmounted
    defer { if isMounted { _ = try? Run("/bin/umount", ["-l", place]) } }
    var document: Document<PlainText>? = folder.text("sub/a.txt")
    try await document?.open()
    try await document?.edit("Typing") { $0.text = "typed" }
    try go(way)
    switch next {
    case .autosave:
      try await document?.autosave()
      let states = try #require(await document?.states)
      #expect(states.isSuperset(of: [.changed, .deleted]), "\(states)")
    case .close:
      do {
        try await document?.close()
        Issue.record("it was closed")
      } catch let fault as Diagnostic {
        #expect(fault.rule == .fileNotFound && fault.detail == "its folder is gone", "\(fault)")
        #expect(fault.hint?.contains("'particles recovery' lists them") == true, "\(fault)")
      }
      let states = try #require(await document?.states)
      #expect(states.isSuperset(of: [.changed, .deleted]), "\(states)")
      #expect(try await document?.text == "typed")
    case .intoRecovery:
      try await document?.closeIntoRecovery()
      #expect(await document?.states == .closed)
    case .release: document = nil
    }
    #expect(try kept() == ["typed"])
    // The folder comes back, as a stick does that is plugged in again.
    document = nil
    try Files.makeDirectories(place)
    try folder.write("old", to: "sub/a.txt")
    let again = folder.text("sub/a.txt")
    try await again.open()
    try await again.recover(try #require(try await again.left()))
    try await again.close()
    #expect(try folder.read("sub/a.txt") == "typed")
    #expect(try kept() == [])
  }

  @Test("a watched document whose folder goes is deleted, and its contents are kept by itself")
  func watched() async throws {
    guard try make(.removed) else { return }
    var configuration = folder.quiet
    configuration.autosave = .inPlace(seconds: 0.05)
    configuration.isWatching = true
    let document = folder.text("sub/a.txt", configuration)
    try await document.open()
    let events = await document.events()
    try await document.event({ if case .deleted = $0 { true } else { false } }) {
      try go(.removed)
      try await document.edit("Typing") { $0.text = "typed" }
    }
    let deadline = Deadline(seconds: 60)
    while try kept() != ["typed"], !deadline.isOver {
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(try kept() == ["typed"])
    #expect(await document.states.isSuperset(of: [.changed, .deleted]))
    try await document.closeIntoRecovery()
    for await event in events {
      if case .saved = event { Issue.record("told as saved") }
      if case .closed = event { break }
    }
  }

  @Test(
    "contents of a folder that cannot be read any more are kept",
    .enabled(if: RunningProcess.user != 0, "root reads everything"))
  func forbidden() async throws {
    guard try make(.removed) else { return }
    let document = folder.text("sub/a.txt")
    try await document.open()
    try await document.edit("Typing") { $0.text = "typed" }
    _ = try Run.succeeding("/bin/chmod", ["000", place])
    defer { _ = try? Run("/bin/chmod", ["700", place]) }
    await #expect(throws: Diagnostic.self) { try await document.close() }
    #expect(try kept() == ["typed"])
  }

  @Test("after the program was killed, the contents are there")
  func killed() async throws {
    guard try make(.removed) else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Run.built("ParticlesSaveProbe"))
    process.arguments = ["session", folder.path("sub/a.txt"), folder.data, "hold", "1"]
    process.standardOutput = FileHandle.nullDevice
    // It ends with this process.
    let input = Pipe()
    process.standardInput = input
    try process.run()
    let deadline = Deadline(seconds: 60)
    while try !folder.read("sub/a.txt").hasPrefix("state"), !deadline.isOver {
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    try go(.removed)
    while try kept().first?.hasPrefix("state") != true, !deadline.isOver {
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let texts = try kept()
    #expect(texts.count == 1 && texts.first?.hasPrefix("state") == true, "\(texts)")
    #expect(try RecoveryStore(dataFolder: folder.data).entries().first?.isInUse == false)
    withExtendedLifetime(input) {}
  }

  @Test("the program that is killed ends by itself when its input does, as at the end of the tests")
  func ended() throws {
    try Files.makeDirectory(place)
    try folder.write("old", to: "sub/a.txt")
    // The input of a run is empty.
    let run = try Run(
      Run.built("ParticlesSaveProbe"),
      ["session", folder.path("sub/a.txt"), folder.data, "hold", "1"], killedAfter: 60)
    #expect(run.status == 0, "\(run.text)")
  }
}
