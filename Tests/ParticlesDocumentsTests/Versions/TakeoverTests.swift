import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDatabase
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

/// What version 1.0 of the tool kept in folders comes into the store: the folder of the fixture was written by that version.
@Suite("Folders of earlier versions")
struct TakeoverTests {
  private let folder: LiveFolder
  private var path: String { folder.path("fire.particles") }
  private var store: VersionStore { VersionStore(dataFolder: folder.data) }
  private var base: String { "\(folder.data)/particles/versions" }

  init() throws {
    folder = try LiveFolder()
    try Files.create(path, Files.read(Fixture.path("store/fire.particles")))
  }

  private func copy(_ old: String, _ new: String) throws {
    guard try Files.status(old)?.kind == .directory else {
      return try Files.create(new, Files.read(old))
    }
    try Files.makeDirectories(new)
    for name in try Files.list(old) { try copy(Files.joined(old, name), Files.joined(new, name)) }
  }

  /// Puts the folder of the fixture where version 1.0 kept the folder of a document.
  /// - Returns: the folder.
  @discardableResult
  private func put(_ path: String, suffix: String = "", born: String? = nil) throws -> String {
    let place = try VersionStore.absolute(path)
    let target = "\(base)/\(VersionStore.keyed(place))\(suffix)"
    try copy(Fixture.path("store/document"), target)
    var record: JSONObject = ["path": .string(place)]
    if let identity = try? DocumentRow.Identity(of: path) {
      record["file"] = identity.file.map(JSONValue.string)
      record["born"] = (born ?? identity.born).map(JSONValue.string)
    }
    try Files.removeAll("\(target)/document.json")
    try Files.create("\(target)/document.json", JSONValue.object(record).bytes)
    return target
  }

  private func seed(_ contents: FileNode) throws -> Int? {
    try EffectEditor(EffectPackage(Container(root: contents))).value("seed")?.int
  }

  /// What the fixture has: the states of the document with the seeds 1 to 3, of which the last edit is undone and version 2 deleted.
  private func expectAll(of path: String) throws {
    let versions = try store.versions(of: path)
    #expect(versions.map(\.number) == [1, 3, 4])
    #expect(versions.map(\.kind) == [.opened, .saved, .saved])
    #expect(versions.map(\.comment) == [nil, "seed=2", "seed=3"])
    #expect(versions.allSatisfy { $0.host == "desk" && $0.program == "old-particles" })
    let seeds = try versions.map { try seed(store.contents(of: $0.number, of: path)) }
    #expect(seeds.dropFirst() == [2, 3])
    let notes = try store.contents(of: 4, of: path)["notes.txt"]?.regularFileContents()
    #expect(notes?.count == 290_001)
    #expect(try store.verify(path).isEmpty)
    let trail = try store.trail(of: path)
    #expect(trail.undoNames == ["seed=1", "seed=2"] && trail.redoNames == ["seed=3"])
  }

  @Test("versions, contents and edits are all there, and the folder is gone")
  func complete() throws {
    let old = try put(path)
    try expectAll(of: path)
    #expect(try Files.status(old) == nil)
    // The next version has the next number, and an edit is undone.
    var present = try Container(contentsOf: path).root
    let name = try store.stepEdit(of: path, undoing: false, from: present) { present = $0 }
    #expect(try name == "seed=3" && seed(present) == 3)
    let other = FileNode(regularFileWithContents: [1])
    #expect(try store.add(other, of: path, as: .saved)?.number == 5)
  }

  @Test("the number of a version that was deleted is not used again")
  func numbers() throws {
    let old = try put(path)
    try Files.create("\(old)/number", Array("9".utf8))
    let other = FileNode(regularFileWithContents: [1])
    #expect(try store.add(other, of: path, as: .saved)?.number == 10)
  }

  @Test("a document that was renamed since, and documents that are gone, come with the others")
  func others() throws {
    let old = try put(path)
    try Files.makeDirectories("\(base)/by-file")
    let file = try #require(try DocumentRow.Identity(of: path).file)
    try Files.create("\(base)/by-file/\(file)", Array(Files.lastComponent(of: old).utf8))
    let renamed = folder.path("renamed.particles")
    try Files.rename(path, renamed)
    try expectAll(of: renamed)
    try put(folder.path("gone.particles"))
    try put(folder.path("aside.particles"), suffix: "-1700000000")
    let deleted = try put(folder.path("deleted.particles"))
    try Files.create("\(deleted)/ended", [])
    let histories = try store.histories()
    #expect(
      histories.map { Files.lastComponent(of: $0.path ?? "") } == [
        "aside.particles", "deleted.particles", "gone.particles", "renamed.particles",
      ])
    #expect(histories.map(\.versions) == [3, 3, 3, 3] && histories.map(\.edits) == [3, 3, 3, 3])
    #expect(histories.map { $0.gone != nil } == [true, true, true, false])
    #expect(histories[0].gone == 1_700_000_000)
    #expect(try Files.status(base) == nil)
    #expect(try store.versions(of: folder.path("aside.particles")).isEmpty)
  }

  @Test("a folder is taken over once, also by a program that ended before it removed the folder")
  func once() throws {
    try put(path)
    try expectAll(of: path)
    try store.delete([1], of: path)
    try put(path)
    #expect(try store.versions(of: path).map(\.number) == [3, 4])
    #expect(try store.histories().count == 1 && Files.status(base) == nil)
  }

  @Test("what is damaged stays in its folder, the rest is taken over")
  func damage() throws {
    let old = try put(path)
    let list = "\(old)/versions.jsonl"
    let text = String(decoding: try Files.read(list), as: UTF8.self)
    try Files.removeAll(list)
    let damaged = text.replacing("\"number\":3", with: "\"number\":7") + "cut o"
    try Files.create(list, Array(damaged.utf8))
    #expect(try store.versions(of: path).map(\.number) == [1, 4])
    #expect(try Files.status(old) == nil && Files.status("\(old).damaged") != nil)
    #expect(try store.verify(path).isEmpty)
    // Contents that cannot be read leave versions that tell it.
    let other = folder.path("other.particles")
    try Files.create(other, Files.read(path))
    let second = try put(other)
    let pack = try Files.read("\(second)/objects.pack")
    try Files.removeAll("\(second)/objects.pack")
    try Files.create("\(second)/objects.pack", Array(pack.dropLast(pack.count / 2)))
    #expect(try store.versions(of: other).count == 3 && !store.verify(other).isEmpty)
  }

  @Test("a pipe in the place of a list is reported, and the folder stays", .needs("mkfifo"))
  func pipe() throws {
    let old = try put(path)
    try Files.removeAll("\(old)/versions.jsonl")
    _ = try Run.succeeding(try #require(Run.find("mkfifo")), ["\(old)/versions.jsonl"])
    let fault = #expect(throws: Diagnostic.self) { try store.versions(of: path) }
    #expect(fault?.location.file == "\(old)/versions.jsonl")
    #expect(try store.histories().isEmpty && Files.status(old) != nil)
  }

  @Test("a program of an earlier version that has the folder locked is waited for")
  func locked() throws {
    let old = try put(path)
    try Files.create("\(old)/lock", [])
    let lock = try OpenFile(updating: "\(old)/lock")
    #expect(lock.tryLock())
    let wasThere = Lock(false)
    // A thread of its own, because the threads of tasks may all be busy.
    Thread.detachNewThread {
      MonotonicClock.wait(seconds: 0.1)
      wasThere.withLock { $0 = ((try? Files.status(old)) ?? nil) != nil }
      lock.unlock()
    }
    #expect(try store.versions(of: path).count == 3)
    #expect(wasThere.withLock { $0 })
  }
}
