import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Repairs")
struct RepairTests {
  /// The rules with a repair that needs no guess.
  static let repaired = [
    "document/keys", "document/keys-gradient", "document/canonical", "document/range",
    "document/range-minimum", "document/range-grid", "document/range-region",
    "image/mismatch", "image/mismatch-type", "tree/collision",
    "thumbnail/stale",
  ]

  private func copy(_ fixture: String, to scratch: Scratch) throws -> String {
    let path = scratch.file("a.particles")
    try Files.create(path, Fixture.read("rules/\(fixture).particles"))
    return path
  }

  @Test("repairs that need no guess are made and reported", arguments: repaired)
  func repairs(fixture: String) throws {
    let scratch = try Scratch()
    let path = try copy(fixture, to: scratch)
    let before = try Files.read(path)
    let planned = try Validator().repair(path, saving: false)
    #expect(try Files.read(path) == before, "nothing is written unless asked for")
    let repairs = try Validator().repair(path)
    #expect(repairs == planned && !repairs.isEmpty)
    #expect(repairs.allSatisfy { $0.location.file == path })
    let left = try Validator().check(path).diagnostics
    #expect(left.allSatisfy { $0.rule == .unknownKey }, "\(left)")
    #expect(try Validator().repair(path).isEmpty, "and it stays so")
    #expect(try Container(contentsOf: path).form == .flat)
  }

  @Test(
    "what would be a guess is left alone",
    arguments: [
      "document/keys-empty", "document/range-weights",
      "document/reference-sprite", "document/type",
      "document/version", "document/json", "document/missing", "image/undecodable",
      "tree/collision-different", "document/unreferenced", "container/checksum-block",
    ])
  func leaves(fixture: String) throws {
    let scratch = try Scratch()
    let path = try copy(fixture, to: scratch)
    let rules = try Validator().check(path).diagnostics.filter { $0.severity > .note }.map(\.rule)
    #expect(try Validator().repair(path).allSatisfy { $0.rule == .canonical })
    #expect(
      try Validator().check(path).diagnostics.filter { $0.severity > .note }.map(\.rule) == rules)
  }

  @Test("decimal commas of files of other formats become points, and nothing else changes")
  func commas() throws {
    let scratch = try Scratch()
    let path = scratch.file("a.pex")
    let bytes = try Fixture.read("rules/emitter/decimal-comma.pex")
    try Files.create(path, bytes)
    #expect(try Validator().check(path).diagnostics.map(\.rule) == [.decimalCommas])
    let planned = try Validator().repair(path, saving: false)
    #expect(planned.map(\.action) == ["replaced 2 decimal commas by points"])
    #expect(try planned.first?.location.file == path && Files.read(path) == bytes)
    #expect(try Validator().repair(path) == planned)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      try Files.read(path)
        == Array(text.replacing("2,5", with: "2.5").replacing("-1,0", with: "-1.0").utf8))
    #expect(try Validator().check(path).diagnostics.allSatisfy { $0.severity < .error })
    #expect(try Validator().repair(path).isEmpty)
    // A file that has other faults, too, stays as it is.
    let cut = scratch.file("cut.pex")
    try Files.create(cut, Array(text.dropLast(10).utf8))
    #expect(try Validator().repair(cut).isEmpty)
  }

  @Test("a directory remains a directory, and unknown files are preserved")
  func directory() throws {
    let scratch = try Scratch()
    let path = scratch.file("a.particles")
    var container = try ValidatorTests.sound()
    try container.root.setFileNode(FileNode(regularFileWithContents: [7]), at: "Notes/mine")
    var package = EffectPackage(container)
    let text = String(decoding: try package.document(), as: UTF8.self)
    try package.setDocument(
      Array(text.replacing("\"rate\": 160", with: "\"mine\": [1.50], \"rate\": 160").utf8))
    try package.container.write(to: path, as: .directory)
    let repairs = try Validator().repair(path)
    #expect(repairs.map(\.rule) == [.canonical])
    #expect(
      "\(repairs[0])"
        == "\(path):document.json: fixed: rewrote the document in canonical form [document/canonical]"
    )
    let again = try Container(contentsOf: path)
    #expect(again.form == .directory)
    #expect(try again.root["Notes/mine"]?.regularFileContents() == [7])
    let system = try EffectPackage(again).system()
    #expect(system.emitters[0].emission.unknown["mine"] == .array([.number(try number("1.50"))]))
  }

  private func number(_ text: String) throws -> JSONNumber {
    guard case .number(let number) = try JSONParser.parse(Array(text.utf8)) else {
      throw Diagnostic(.json)
    }
    return number
  }

  @Test("an unfinished save and temporary files of killed saves are removed")
  func leftovers() throws {
    let scratch = try Scratch()
    let path = scratch.file("a.particles")
    try ValidatorTests.sound().write(to: path, as: .flat)
    let sound = try Files.read(path)
    try Files.removeAll(path)
    try Files.create(path, sound + [UInt8](repeating: 0, count: 100))
    let leftover = Files.temporaryName(beside: path)
    try Files.create(leftover, [1])
    #expect(try Validator().repair(path, saving: false).map(\.rule) == [.torn, .fileLeftover])
    #expect(try Files.status(leftover) != nil)
    #expect(try Validator().repair(path).map(\.rule) == [.torn, .fileLeftover])
    #expect(try Files.status(leftover) == nil)
    #expect(try Files.read(path) == sound)
  }

  @Test("an unfinished save is cut off where the file has other hard links, which are kept")
  func hardLinks() throws {
    let scratch = try Scratch()
    let path = scratch.file("a.particles")
    let other = scratch.file("b.particles")
    try ValidatorTests.sound().write(to: path, as: .flat)
    // A second generation, so that blocks of two tables are read afterwards.
    var package = try Container(contentsOf: path)
    try package.root.setFileNode(FileNode(regularFileWithContents: [7]), at: "Notes/mine")
    #expect(try package.save(mode: .append) == .append)
    let sound = try Files.read(path)
    _ = try Run.succeeding(#require(Run.find("ln")), [path, other])
    let file = try OpenFile(updating: path)
    try [UInt8](repeating: 0, count: 100).withUnsafeBytes { try file.write($0, at: sound.count) }
    let state = try #require(try Files.status(path)).state
    #expect(try Validator().repair(path, saving: false).map(\.rule) == [.torn])
    #expect(try Files.read(path).count == sound.count + 100)
    #expect(try Validator().repair(path).map(\.rule) == [.torn])
    #expect(try Files.read(path) == sound && Files.read(other) == sound)
    let after = try #require(try Files.status(path))
    #expect(after.state.isSameFile(as: state) && after.links == 2)
    #expect(try Validator().repair(path).isEmpty)
  }

  @Test("a repair of the document keeps hard links, too")
  func repairWithHardLinks() throws {
    let scratch = try Scratch()
    let path = scratch.file("a.particles")
    var package = EffectPackage(try ValidatorTests.sound())
    let text = String(decoding: try package.document(), as: UTF8.self)
    try package.setDocument(Array((text + "\n").utf8))
    try package.container.write(to: path, as: .flat)
    _ = try Run.succeeding(#require(Run.find("ln")), [path, scratch.file("b")])
    #expect(try Validator().repair(path).map(\.rule) == [.canonical])
    #expect(try Files.read(path) == Files.read(scratch.file("b")))
    #expect(try Files.status(path)?.links == 2)
  }

  @Test("files of other formats are not changed")
  func others() throws {
    let scratch = try Scratch()
    let path = scratch.file("ember.scnp")
    let bytes = try Fixture.read("scenekit/ember.scnp")
    try Files.create(path, bytes)
    #expect(try Validator().repair(path).isEmpty)
    #expect(try Files.read(path) == bytes)
    expectThrows(.fileNotFound) { try Validator().repair(scratch.file("none")) }
  }
}
