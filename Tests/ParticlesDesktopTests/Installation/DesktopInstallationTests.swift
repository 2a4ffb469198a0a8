import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDesktop

@Suite("Installing for a desktop")
struct DesktopInstallationTests {
  private let scratch: Scratch
  private var data: String { scratch.file("share") }
  private var config: String { scratch.file("config") }

  init() throws { scratch = try Scratch() }

  private func installation(_ text: String = "one\n") -> DesktopInstallation {
    DesktopInstallation(
      in: data,
      files: [.init("thumbnailers/a.thumbnailer", text), .init("b/c/d.txt", "d\n")],
      program: ("a.desktop", ["image/x-a", "image/x-b"]))
  }

  /// Every path below a folder with its contents.
  private func tree(_ folder: String) throws -> [String: [UInt8]?] {
    var tree: [String: [UInt8]?] = [:]
    guard try Files.status(folder) != nil else { return tree }
    for name in try Files.list(folder) {
      let path = Files.joined(folder, name)
      let isFolder = try Files.status(path)?.kind == .directory
      tree[path] = .some(isFolder ? nil : try Files.read(path))
      if isFolder { tree.merge(try self.tree(path)) { first, _ in first } }
    }
    return tree
  }

  @Test("to install twice is to install once, and to uninstall leaves what was there")
  func twice() throws {
    try Files.makeDirectory(data)
    try Files.makeDirectory(Files.joined(data, "b"))
    try Files.create(Files.joined(data, "b/mine"), Array("mine".utf8))
    let before = try tree(data)
    let first = try installation().install().changes
    #expect(first.map(\.change) == [.created, .created])
    let after = try tree(data)
    #expect(try installation().install().changes.map(\.change) == [.unchanged, .unchanged])
    #expect(try tree(data) == after)
    #expect(try installation().uninstall().changes.map(\.change) == [.removed, .removed])
    #expect(try tree(data) == before)
    #expect(try installation().uninstall().changes.isEmpty)
  }

  @Test("an older file of ours is replaced, one of somebody's is not, unless that is asked for")
  func foreign() throws {
    _ = try installation().install()
    #expect(try installation("two\n").install().changes.first?.change == .updated)
    try SafeSave.file(Files.joined(data, "b/c/d.txt"), replacing: true) {
      try $0.write(Array("theirs\n".utf8))
    }
    #expect(try installation("two\n").status().changes.map(\.change) == [.kept, .unchanged])
    let before = try tree(data)
    expectThrows(.fileExists) { _ = try installation("three\n").install() }
    #expect(try tree(data) == before)
    #expect(try installation("two\n").uninstall().changes.map(\.change) == [.kept, .removed])
    #expect(try Files.read(Files.joined(data, "b/c/d.txt")) == Array("theirs\n".utf8))
    #expect(
      try installation().install(replacing: true).changes.map(\.change) == [.created, .updated])
  }

  @Test("a file that an older version installed and this one does not is taken away")
  func stale() throws {
    let old = DesktopInstallation(
      in: data, files: [.init("old.txt", "old\n")], program: ("a.desktop", []))
    _ = try old.install()
    let changes = try installation().install().changes
    #expect(changes.map(\.change) == [.created, .created, .removed])
    #expect(try Files.status(Files.joined(data, "old.txt")) == nil)
  }

  @Test("what was there before and is the same is not taken away")
  func same() throws {
    try Files.makeDirectory(data)
    try Files.makeDirectory(Files.joined(data, "b"))
    try Files.makeDirectory(Files.joined(data, "b/c"))
    try Files.create(Files.joined(data, "b/c/d.txt"), Array("d\n".utf8))
    _ = try installation().install()
    _ = try installation().uninstall()
    #expect(try Files.status(Files.joined(data, "b/c/d.txt")) != nil)
  }

  @Test("choices are made before others, and taken back alone")
  func choices() throws {
    try Files.makeDirectory(config)
    let path = Files.joined(config, "mimeapps.list")
    let text = "# mine\n[Default Applications]\nimage/x-a=other.desktop;\ntext/plain=vi.desktop;\n"
    try Files.create(path, Array(text.utf8))
    _ = try installation().install()
    try installation().choose(in: config)
    try installation().choose(in: config)
    let chosen = MIMEAssociations(String(decoding: try Files.read(path), as: UTF8.self))
    #expect(chosen.entries(for: "image/x-a", in: .defaults) == ["a.desktop", "other.desktop"])
    #expect(chosen.entries(for: "image/x-b", in: .defaults) == ["a.desktop"])
    _ = try installation().install()
    _ = try installation().uninstall()
    #expect(String(decoding: try Files.read(path), as: UTF8.self) == text)
  }

  @Test("a file of choices that was made goes again")
  func madeChoices() throws {
    _ = try installation().install()
    try installation().choose(in: config)
    _ = try installation().uninstall()
    #expect(try Files.status(config) == nil)
  }

  @Test("folders that were made around data and settings go again, if they are empty")
  func surroundings() throws {
    let place = scratch.file("home")
    let new = DesktopInstallation(
      in: Files.joined(place, "a/share"), files: installation().files,
      program: installation().program)
    _ = try new.install()
    try new.choose(in: Files.joined(place, "b/config"))
    _ = try new.install()
    _ = try new.uninstall()
    #expect(try Files.status(place) == nil)

    _ = try new.install()
    try new.choose(in: Files.joined(place, "b/config"))
    try Files.create(Files.joined(place, "b/mine"), [])
    _ = try new.uninstall()
    #expect(
      try tree(place).keys.sorted() == [Files.joined(place, "b"), Files.joined(place, "b/mine")])
  }

  @Test("folders that were there stay, also empty ones")
  func surroundingsOfOthers() throws {
    try Files.makeDirectory(data)
    try Files.makeDirectory(config)
    _ = try installation().install()
    try installation().choose(in: config)
    _ = try installation().uninstall()
    #expect(try Files.list(data).isEmpty && Files.list(config).isEmpty)
  }

  @Test("a record that leads outside is refused, and nothing is touched")
  func record() throws {
    _ = try installation().install()
    let record = try Files.read(Repository.path("Fixtures/rules/desktop/record.json"))
    try SafeSave.file(Files.joined(data, InstallationRecord.path), replacing: true) {
      try $0.write(record)
    }
    expectThrows(.desktopRecord) { _ = try installation().uninstall() }
    let outside = #"{"version":1,"files":{"../victim":""}}"#
    try SafeSave.file(Files.joined(data, InstallationRecord.path), replacing: true) {
      try $0.write(Array(outside.utf8))
    }
    expectThrows(.desktopRecord) { _ = try installation().uninstall() }
    let around = #"{"version":1,"files":{},"surroundings":["/a/../b"]}"#
    try SafeSave.file(Files.joined(data, InstallationRecord.path), replacing: true) {
      try $0.write(Array(around.utf8))
    }
    expectThrows(.desktopRecord) { _ = try installation().uninstall() }
  }
}
