import Foundation
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("What killed saves leave")
struct LeftoverTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a") }

  init() throws { scratch = try Scratch() }

  private func leftovers() throws -> [String] { try SafeSave.leftovers(of: path) }

  @Test("is found by its name, and removed by the next save; nothing else is")
  func names() throws {
    try Files.create(path, [1])
    let others = [
      ".a.tmp", ".a..tmp", ".a.0123456789ab.tmp", ".a.0123456789abcd.tmp", ".a.0123456789abC.tmp",
      ".a.0123456789abc.bak", ".ab.0123456789abc.tmp", "a.0123456789abc.tmp",
      ".a.new-0123456789abc.tmp", ".b.0123456789abc.tmp",
    ]
    for name in others { try Files.create(scratch.file(name), []) }
    try Files.makeLink(scratch.file(".a.000000000link.tmp"), to: "a")
    #expect(try leftovers() == [])
    let file = Files.temporaryName(beside: path)
    try Files.create(file, [2])
    let folder = Files.temporaryName(beside: path)
    try Files.makeDirectory(folder)
    try Files.create("\(folder)/b", [])
    #expect(try leftovers() == [file, folder].sorted())
    try Files.makeLink(scratch.file("link"), to: "a")
    #expect(try SafeSave.leftovers(of: scratch.file("link")).count == 2)
    try SafeSave.file(scratch.file("link"), replacing: true) { try $0.write([3]) }
    #expect(try leftovers() == [])
    let kept = others + ["a", "link", ".a.000000000link.tmp"]
    #expect(try Set(Files.list(scratch.path)) == Set(kept))
  }

  @Test("two long names that begin alike are two documents")
  func longNames() throws {
    let start = String(repeating: "n", count: 60)
    let (one, other) = (scratch.file(start + " 1"), scratch.file(start + " 2"))
    let aside = Files.temporaryName(beside: other, isAside: true)
    try Files.makeDirectory(aside)
    try Files.makeDirectory(Files.temporaryName(beside: other))
    // Leftovers of the second document must be neither reported nor removed.
    #expect(try SafeSave.status(of: one) == nil)
    try Files.makeDirectory(one)
    #expect(try SafeSave.leftovers(of: one) == [])
    try SafeSave.directory(one, replacing: true) { _ in }
    #expect(try SafeSave.leftovers(of: other).count == 1)
    #expect(try SafeSave.status(of: other)?.kind == .directory)
    #expect(try Files.status(aside) == nil)
    let longest = scratch.file(String(repeating: "\u{10348}", count: 63))
    try SafeSave.file(longest, replacing: false) { try $0.write([1]) }
    #expect(try Files.read(longest) == [1])
  }

  @Test("what a save is working on is none")
  func underWay() throws {
    for replacing in [false, true] {
      try SafeSave.file(path, replacing: replacing) { file in
        #expect(try leftovers() == [])
        try SafeSave.file(path, replacing: true) { try $0.write([1]) }
        #expect(try Files.status(file.path) != nil)
        try Files.removeAll(path)
        try file.write([2])
      }
      #expect(try Files.read(path) == [2])
      try Files.removeAll(path)
    }
    try SafeSave.directory(path, replacing: false) { folder in
      #expect(try leftovers() == [])
      try SafeSave.directory(path, replacing: true) { _ in }
      #expect(try Files.status(folder) != nil)
      try Files.removeAll(path)
    }
  }

  @Test("a folder that had stepped aside comes back; once there is a new one, it is left over")
  func aside() throws {
    let aside = Files.temporaryName(beside: path, isAside: true)
    try Files.makeDirectory(aside)
    try Files.create("\(aside)/old", [])
    #expect(try leftovers() == [])
    #expect(try SafeSave.status(of: path)?.kind == .directory)
    #expect(try Files.list(path) == ["old"] && Files.list(scratch.path) == ["a"])
    try Files.makeDirectory(aside)
    #expect(try leftovers() == [aside])
    #expect(try SafeSave.status(of: path)?.kind == .directory)
    try SafeSave.directory(path, replacing: true) { _ in }
    #expect(try Files.list(scratch.path) == ["a"])
    // A new one beside it that is complete or not: only the old one is known to be.
    try Files.removeAll(path)
    try Files.makeDirectory(aside)
    try Files.makeDirectory(Files.temporaryName(beside: path))
    expectThrows(.fileExists) { try SafeSave.directory(path, replacing: false) { _ in } }
    try SafeSave.directory(path, replacing: true) { _ in }
    #expect(try Files.list(scratch.path) == ["a"])
    #expect(try SafeSave.status(of: scratch.file("none")) == nil)
    #expect(try SafeSave.status(of: scratch.file("none/a")) == nil)
  }

  @Test("in a whole folder, those that are old and belong to no save are removed")
  func inFolder() throws {
    func leftover(age: Double = 600, isAside: Bool = false) throws -> String {
      let name = Files.temporaryName(beside: path, isAside: isAside)
      if isAside { try Files.makeDirectory(name) } else { try Files.create(name, [1]) }
      try setAge(age, of: name)
      return name
    }
    func setAge(_ age: Double, of name: String) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: name)
    }
    let removed = [try leftover(), Files.temporaryName(beside: path)]
    try Files.makeDirectory(removed[1])
    try setAge(600, of: removed[1])
    let named = try leftover()
    try FileManager.default.linkItem(atPath: named, toPath: scratch.file("second"))
    let working = try leftover()
    let lock = try OpenFile(reading: working)
    #expect(lock.tryLock())
    let kept = [named, working, try leftover(age: 1), try leftover(isAside: true)]
    SafeSave.removeLeftovers(inFolder: scratch.path)
    let left = try Files.list(scratch.path).map { scratch.file($0) }
    #expect(Set(left) == Set(kept + [scratch.file("second")]))
    withExtendedLifetime(lock) {}
  }
}

@Suite("Leftovers and changes of folders")
struct FolderCareTests {
  @Test("one leftover in a folder is found for its document, and costs the others nothing")
  func leftovers() throws {
    let scratch = try Scratch()
    let names = (0..<50).map { "doc\($0).particles" }
    for name in names { try Files.create(scratch.file(name), [1]) }
    let leftover = scratch.file(".doc7.particles.0123456789abc.tmp")
    try Files.create(leftover, [1])
    let index = SaveLeftovers()
    for name in names {
      let expected = name == "doc7.particles" ? [leftover] : []
      #expect(try index.leftovers(of: scratch.file(name)) == expected)
    }
    // Later ones are not looked for: the folder is not listed again.
    try Files.create(scratch.file(".doc8.particles.0123456789abc.tmp"), [1])
    #expect(try index.leftovers(of: scratch.file("doc8.particles")).isEmpty)
  }

  private final class Seen: Sendable {
    let names = Lock<[Set<String>?]>([])
  }

  @Test("a watch tells the names that have changed, and nothing where it is not told")
  func names() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a"), [1])
    let changes = Signal()
    let seen = Seen()
    let watch = try FolderWatch(
      [scratch.path],
      names: { names in
        seen.names.withLock { $0.append(names) }
        changes.send()
      })
    try Files.rename(scratch.file("a"), scratch.file("b"))
    try Files.create(scratch.file("c"), [])
    changes.wait()
    if watch.isNotified {
      #expect(
        seen.names.withLock { $0.compactMap(\.self).reduce(Set()) { $0.union($1) } }.isSuperset(
          of: [
            "a", "b",
          ]))
    }
    let polling = try FolderWatch(
      [scratch.path], polling: true, every: 0.01,
      names: { names in
        seen.names.withLock { $0 = [names] }
        changes.send()
      })
    changes.wait()
    #expect(!polling.isNotified)
    let plain = try FolderWatch([scratch.path]) {}
    #expect(plain.isNotified == watch.isNotified)
  }
}
