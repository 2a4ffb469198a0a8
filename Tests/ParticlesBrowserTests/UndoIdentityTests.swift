import ParticlesBrowser
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Undo and redo where another file has taken the name of the item: it is left alone.
@Suite("Undo with other files")
struct UndoIdentityTests {
  /// The operations, each of which makes or moves one item.
  enum Work: String, CaseIterable, Sendable {
    case rename, move, duplicate, copy, importCopy, importMove, restore, moveFolder, createFolder
  }

  /// The ways in which another file takes the name of the item.
  enum Meeting: String, CaseIterable, Sendable {
    case replaced, renamedOver, link, folder, gone
  }

  private let files = ["a.txt": "A", "other/": "", "dir/inner.txt": "I"]

  /// Does the work. Returns the path of the item, which its undo needs.
  private func perform(_ work: Work, _ fixture: BrowserFixture) async throws -> String {
    let browser = fixture.browser
    let (a, other) = (try await fixture.id("a.txt"), try await fixture.id("other"))
    let outside = "\(try Files.resolve(fixture.scratch.path))/outside.txt"
    try Files.create(outside, Array("O".utf8))
    let (outcome, name): (BrowserOutcome, String)
    switch work {
    case .rename: (outcome, name) = (await browser.perform(.rename(a, to: "new")), "new.txt")
    case .move: (outcome, name) = (await browser.perform(.move([a], to: other)), "other/a.txt")
    case .duplicate: (outcome, name) = (await browser.perform(.duplicate([a])), "a copy.txt")
    case .copy: (outcome, name) = (await browser.perform(.copy([a], to: other)), "other/a.txt")
    case .importCopy:
      outcome = await browser.perform(.importFiles([outside], into: fixture.root, .copy))
      name = "outside.txt"
    case .importMove:
      outcome = await browser.perform(.importFiles([outside], into: fixture.root, .move))
      name = "outside.txt"
    case .restore:
      #expect(await browser.perform(.trash([a])).isComplete)
      let trash = try await browser.list(BrowserQuery(BrowserLocation.trash))
      outcome = await browser.perform(.restore(trash.items.map(\.id), to: nil))
      name = "a.txt"
    case .moveFolder:
      let dir = try await fixture.id("dir")
      (outcome, name) = (await browser.perform(.move([dir], to: other)), "other/dir")
    case .createFolder:
      outcome = await browser.perform(.createFolder("made", in: fixture.root))
      name = "made"
    }
    #expect(outcome.isComplete, "\(work): \(outcome)")
    return fixture.path(name)
  }

  /// Puts another file in the place of an item. The item is kept beside it, so that its number is not used again.
  private func meet(_ meeting: Meeting, at path: String) throws {
    let kept = path + ".kept"
    switch meeting {
    case .replaced:
      try Files.rename(path, kept)
      try Files.create(path, Array("another".utf8))
    case .renamedOver:
      let new = path + ".new"
      let isFolder = try Files.status(path)?.kind == .directory
      if isFolder {
        try Files.rename(path, kept)
        try Files.makeDirectory(new)
        try Files.create("\(new)/another", [1])
      } else {
        try Files.create(new, Array("another".utf8))
      }
      try Files.rename(new, path)
    case .link:
      try Files.rename(path, kept)
      try Files.makeLink(path, to: Files.lastComponent(of: kept))
    case .folder:
      try Files.rename(path, kept)
      try Files.makeDirectory(path)
    case .gone: try Files.rename(path, kept)
    }
  }

  /// All that there is below the folder of the documents, with links and texts.
  private func tree(_ folder: String) throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try Files.list(folder) {
      let path = "\(folder)/\(name)"
      switch try Files.status(path, followingLinks: false)?.kind {
      case .directory:
        found[path] = "folder"
        found.merge(try tree(path)) { $1 }
      case .symbolicLink: found[path] = "link to \(try Files.destination(ofLink: path))"
      default: found[path] = String(decoding: try Files.read(path), as: UTF8.self)
      }
    }
    return found
  }

  @Test(
    "undo leaves another file alone that has the name of the item", arguments: Work.allCases,
    Meeting.allCases)
  func undo(work: Work, meeting: Meeting) async throws {
    let fixture = try await BrowserFixture(files)
    let path = try await perform(work, fixture)
    try meet(meeting, at: path)
    let before = try tree(fixture.docs)
    let refused = await fixture.browser.undo()
    let rule = meeting == .gone ? Rule.fileNotFound : .fileChanged
    #expect(refused.results.map(\.diagnostic?.rule) == [rule], "\(refused)")
    #expect(refused.results.map(\.status) == [.failed])
    #expect(try tree(fixture.docs) == before)
    #expect(try await fixture.browser.list(BrowserQuery(BrowserLocation.trash)).total == 0)
    // Nothing was undone that could be done again.
    #expect(await fixture.browser.redoName == nil)
  }

  @Test("undo takes an item that was changed in its place", arguments: Work.allCases)
  func edited(work: Work) async throws {
    let fixture = try await BrowserFixture(files)
    let path = try await perform(work, fixture)
    let isFolder = try Files.status(path)?.kind == .directory
    let file = isFolder ? "\(path)/more" : path
    if isFolder { try Files.create(file, []) }
    // In its place: the identity of the file stays.
    let size = try Files.status(file)?.size ?? 0
    try Array("edited".utf8).withUnsafeBytes { try OpenFile(updating: file).write($0, at: size) }
    let undone = await fixture.browser.undo()
    #expect(undone.isComplete && undone.results.count == 1, "\(undone)")
    #expect(try Files.status(path) == nil)
    // It is in the trash, or where it was, with the change.
    let trash = try await fixture.browser.list(BrowserQuery(BrowserLocation.trash))
    let isTrashed = [.duplicate, .copy, .importCopy, .restore, .createFolder].contains(work)
    #expect(trash.total == (isTrashed ? 1 : 0))
    if work == .rename || work == .move { #expect(try fixture.text("a.txt") == "Aedited") }
    if work == .moveFolder { #expect(try fixture.text("dir/more") == "edited") }
    if isTrashed {
      #expect(await fixture.browser.redo().isComplete)
      #expect(try String(decoding: Files.read(file), as: UTF8.self).hasSuffix("edited"))
    }
  }

  @Test(
    "redo leaves another file alone, too",
    arguments: [Meeting.replaced, .renamedOver, .link, .gone])
  func redo(meeting: Meeting) async throws {
    let fixture = try await BrowserFixture(files)
    let a = try await fixture.id("a.txt")
    #expect(await fixture.browser.perform(.rename(a, to: "new")).isComplete)
    #expect(await fixture.browser.undo().isComplete)
    try meet(meeting, at: fixture.path("a.txt"))
    let before = try tree(fixture.docs)
    let refused = await fixture.browser.redo()
    let rule = meeting == .gone ? Rule.fileNotFound : .fileChanged
    #expect(refused.results.map(\.diagnostic?.rule) == [rule], "\(refused)")
    #expect(try tree(fixture.docs) == before)
    #expect(await fixture.browser.undoName == nil)
  }

  @Test(
    "undo replaces no file that is where the item was",
    arguments: [Work.rename, .move, .importMove])
  func occupied(work: Work) async throws {
    let fixture = try await BrowserFixture(files)
    let path = try await perform(work, fixture)
    let old =
      work == .importMove
      ? "\(try Files.resolve(fixture.scratch.path))/outside.txt" : fixture.path("a.txt")
    try Files.create(old, Array("there".utf8))
    let refused = await fixture.browser.undo()
    #expect(refused.results.map(\.diagnostic?.rule) == [.fileExists], "\(refused)")
    #expect(try Files.read(old) == Array("there".utf8))
    #expect(try Files.read(path) == Array((work == .importMove ? "O" : "A").utf8))
  }

  @Test("undo of a removal replaces no file, and what is not in the trash any more is told")
  func trashed() async throws {
    let fixture = try await BrowserFixture(files)
    let browser = fixture.browser
    let a = try await fixture.id("a.txt")
    #expect(await browser.perform(.trash([a])).isComplete)
    try Files.create(fixture.path("a.txt"), Array("there".utf8))
    #expect(await browser.undo().results.map(\.diagnostic?.rule) == [.fileExists])
    #expect(try fixture.text("a.txt") == "there")
    let b = try await fixture.id("a.txt")
    #expect(await browser.perform(.trash([b])).isComplete)
    #expect(await browser.perform(.emptyTrash).isComplete)
    let gone = await browser.undo()
    #expect(gone.results.map(\.status) == [.failed], "\(gone)")
    #expect(try !fixture.exists("a.txt"))
  }

  @Test("tags are taken back unless they were changed since")
  func tags() async throws {
    let fixture = try await BrowserFixture(files)
    let a = try await fixture.id("a.txt")
    guard await fixture.browser.setTags(["red"], of: [a]).isComplete else { return }
    #expect(await fixture.browser.setTags(["blue"], of: [a]).isComplete)
    try Files.setAttribute("user.xdg.tags", of: fixture.path("a.txt"), to: Array("green".utf8))
    let refused = await fixture.browser.undo()
    #expect(refused.results.map(\.diagnostic?.rule) == [.fileChanged], "\(refused)")
    #expect(Files.attribute("user.xdg.tags", of: fixture.path("a.txt")) == Array("green".utf8))
    try Files.setAttribute("user.xdg.tags", of: fixture.path("a.txt"), to: Array("red".utf8))
    #expect(await fixture.browser.undo().isComplete)
    #expect(Files.attribute("user.xdg.tags", of: fixture.path("a.txt")) ?? [] == [])
    #expect(await fixture.browser.redo().isComplete)
    #expect(Files.attribute("user.xdg.tags", of: fixture.path("a.txt")) == Array("red".utf8))
  }

  @Test(
    "of several items, those that are still there are taken back, and the results are in their order"
  )
  func several() async throws {
    let fixture = try await BrowserFixture(["a.txt": "A", "b.txt": "B", "c.txt": "C", "other/": ""])
    var ids: [BrowserItem.ID] = []
    for name in ["a.txt", "b.txt", "c.txt"] { ids.append(try await fixture.id(name)) }
    let other = try await fixture.id("other")
    #expect(await fixture.browser.perform(.move(ids, to: other)).isComplete)
    try meet(.replaced, at: fixture.path("other/b.txt"))
    let undone = await fixture.browser.undo()
    #expect(undone.results.map(\.name) == ["a.txt", "b.txt", "c.txt"])
    #expect(undone.results.map(\.status) == [.done, .failed, .done])
    #expect(!undone.isComplete)
    #expect(try fixture.text("a.txt") == "A" && fixture.text("c.txt") == "C")
    #expect(try fixture.text("other/b.txt") == "another" && !fixture.exists("b.txt"))
    // A change that was taken back can be done again.
    #expect(await fixture.browser.redo().results.map(\.status) == [.done, .done])
    #expect(try fixture.text("other/a.txt") == "A" && fixture.text("other/c.txt") == "C")
  }
}
