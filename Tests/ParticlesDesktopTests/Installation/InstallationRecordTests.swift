import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDesktop

/// The record of an installation may have been modified by others: it removes nothing that it did not make.
@Suite("Record of an installation")
struct InstallationRecordTests {
  private let scratch: Scratch
  private let data: String

  init() throws {
    scratch = try Scratch()
    data = try Files.resolve(scratch.path) + "/data"
    try Files.makeDirectories("\(data)/particles")
  }

  private var installation: DesktopInstallation {
    DesktopInstallation(
      in: data, files: [.init("apps/a.txt", "one"), .init("apps/sub/b.txt", "two")],
      program: ("p.desktop", ["image/x-a"]))
  }

  private func record(_ text: String) throws {
    let path = "\(data)/\(InstallationRecord.path)"
    try? Files.removeAll(path)
    try Files.create(path, Array(text.utf8))
  }

  @Test(
    "paths that lead out of the data folder are refused, and nothing is removed",
    arguments: [
      #"{"version": 1, "files": {"../victim": "DIGEST"}}"#,
      #"{"version": 1, "files": {"a/../../victim": "DIGEST"}}"#,
      #"{"version": 1, "files": {"/VICTIM": "DIGEST"}}"#,
      #"{"version": 1, "files": {"./a": "DIGEST"}}"#, #"{"version": 1, "files": {"a/..": "x"}}"#,
      #"{"version": 1, "files": {}, "folders": ["../empty"]}"#,
      #"{"version": 1, "files": {}, "folders": ["/EMPTY"]}"#,
      #"{"version": 1, "files": {}, "surroundings": ["empty"]}"#,
      #"{"version": 1, "files": {}, "surroundings": ["/EMPTY/../x"]}"#,
      #"{"version": 1, "files": {}, "surroundings": [""]}"#,
      #"{"version": 2, "files": {}}"#, #"{"files": {}}"#, #"{"version": 1}"#, "[]", "{", "",
    ])
  func outside(text: String) throws {
    try Files.create(scratch.file("victim"), [1])
    try Files.makeDirectory(scratch.file("empty"))
    let digest = DesktopInstallation.digest([1])
    try record(
      text.replacing("DIGEST", with: digest).replacing("/VICTIM", with: scratch.file("victim"))
        .replacing("/EMPTY", with: scratch.file("empty")))
    expectThrows(.desktopRecord) { try installation.uninstall() }
    expectThrows(.desktopRecord) { try installation.install() }
    expectThrows(.desktopRecord) { try installation.status() }
    #expect(try Files.list(scratch.path).sorted() == ["data", "empty", "victim"])
    #expect(try Files.list(data) == ["particles"])
  }

  @Test("a record is written and read without a difference")
  func roundTrip() throws {
    var record = InstallationRecord()
    #expect(try InstallationRecord(in: data) == record)
    record.files = ["a/b": "1", "c": "2"]
    record.folders = ["a"]
    record.surroundings = ["/x", "/x/y"]
    (record.chosen, record.choices, record.madeChoices) = (["image/x-a"], "/x/list", true)
    try record.write(in: data)
    #expect(try InstallationRecord(in: data) == record)
    record.choices = nil
    (record.chosen, record.madeChoices, record.surroundings) = ([], false, [])
    try record.write(in: data)
    #expect(try InstallationRecord(in: data) == record)
  }

  private func changes(_ outcome: DesktopInstallation.Outcome) -> [String: DesktopInstallation
    .Change]
  {
    Dictionary(uniqueKeysWithValues: outcome.changes.map { ($0.path, $0.change) })
  }

  @Test("files of others and modified ones stay, unless they may be replaced; the states tell")
  func states() throws {
    #expect(try changes(installation.status()).values.allSatisfy { $0 == .missing })
    #expect(try changes(installation.install()).values.allSatisfy { $0 == .created })
    #expect(try changes(installation.install()).values.allSatisfy { $0 == .unchanged })
    let path = "\(data)/apps/a.txt"
    try Files.removeAll(path)
    try Files.create(path, Array("mine".utf8))
    #expect(
      try changes(installation.status()) == ["apps/a.txt": .kept, "apps/sub/b.txt": .unchanged])
    expectThrows(.fileExists) { try installation.install() }
    #expect(try Files.read(path) == Array("mine".utf8))
    #expect(try changes(installation.install(replacing: true))["apps/a.txt"] == .updated)
    // A newer version replaces an unmodified file, and removes files that it does not have.
    let newer = DesktopInstallation(
      in: data, files: [.init("apps/a.txt", "new")], program: ("p.desktop", []))
    #expect(try changes(newer.status()) == ["apps/a.txt": .updated, "apps/sub/b.txt": .updated])
    #expect(try changes(newer.install()) == ["apps/a.txt": .updated, "apps/sub/b.txt": .removed])
    #expect(try changes(newer.status()) == ["apps/a.txt": .unchanged])
    try Files.removeAll(path)
    #expect(try changes(newer.uninstall()) == ["apps/a.txt": .missing])
    #expect(try newer.uninstall().changes.isEmpty)
  }

  @Test("to uninstall keeps modified files and folders with other files")
  func uninstall() throws {
    _ = try installation.install()
    try Files.removeAll("\(data)/apps/a.txt")
    try Files.create("\(data)/apps/a.txt", Array("mine".utf8))
    #expect(
      try changes(installation.uninstall()) == ["apps/a.txt": .kept, "apps/sub/b.txt": .removed])
    #expect(try Files.list("\(data)/apps") == ["a.txt"])
    #expect(try Files.status("\(data)/\(InstallationRecord.path)") == nil)
  }

  @Test("the program becomes the first choice; later choices of the user stay")
  func choices() throws {
    let config = scratch.file("config")
    let list = "\(config)/mimeapps.list"
    func text() throws -> String { String(decoding: try Files.read(list), as: UTF8.self) }
    _ = try installation.install()
    try installation.choose(in: config)
    #expect(try text() == "[Default Applications]\nimage/x-a=p.desktop;\n")
    try installation.choose(in: config)
    #expect(try text() == "[Default Applications]\nimage/x-a=p.desktop;\n")
    _ = try installation.uninstall()
    #expect(try Files.status(list) == nil)
    // A file of the user keeps its contents.
    try Files.makeDirectories(config)
    let mine = "[Default Applications]\nimage/x-a=mine.desktop;\ntext/x=t.desktop;\n"
    try Files.create(list, Array(mine.utf8))
    _ = try installation.install()
    try installation.choose(in: config)
    #expect(try text().contains("image/x-a=p.desktop;mine.desktop;\n"))
    _ = try installation.uninstall()
    #expect(try text() == mine)
    // A choice that was there before is not undone.
    let chosen = "[Default Applications]\nimage/x-a=p.desktop;\n"
    try Files.removeAll(list)
    try Files.create(list, Array(chosen.utf8))
    _ = try installation.install()
    try installation.choose(in: config)
    _ = try installation.uninstall()
    #expect(try text() == chosen)
    // Nor in another folder of settings.
    let second = scratch.file("second")
    _ = try installation.install()
    try installation.choose(in: config)
    try installation.choose(in: second)
    _ = try installation.uninstall()
    #expect(try Files.status("\(second)/mimeapps.list") == nil)
    #expect(try text() == chosen)
  }
}
