import ParticlesBrowser
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Archives in the browser")
struct ArchiveTests {
  @Test(
    "ZIP and tar are looked at and copied out; nothing in them is changed", .needs("zip", "tar"),
    arguments: ["zip", "tar"])
  func archive(_ kind: String) async throws {
    let scratch = try Scratch()
    for name in ["x", "x/sub"] { try Files.makeDirectory(scratch.file(name)) }
    try Files.create(scratch.file("x/a.txt"), Array("A".utf8))
    try Files.create(scratch.file("x/sub/b.txt"), Array("B".utf8))
    let archive = scratch.file("x.\(kind)")
    let program = try #require(Run.find(kind))
    _ = try Run.succeeding(
      program,
      kind == "zip" ? ["-qr", archive, "a.txt", "sub"] : ["-cf", archive, "a.txt", "sub"],
      in: scratch.file("x"))
    let before = try Files.read(archive)
    let fixture = try await BrowserFixture([:], providers: [ArchiveProvider(archive)])
    let browser = fixture.browser
    let root = try #require(await browser.locations().first { $0.kind == "archive" })
    let listing = try await browser.list(BrowserQuery(root.id))
    #expect(listing.items.map(\.name) == ["sub", "a.txt"])
    #expect(!listing.location.isWritable)
    let ids = listing.items.map(\.id)
    #expect(try await fixture.names(BrowserQuery(ids[0])) == ["b.txt"])
    for operation: BrowserOperation in [
      .rename(ids[1], to: "x"), .trash(ids), .delete(ids), .duplicate(ids),
      .importFiles(["/etc/hosts"], into: root.id, .copy),
    ] {
      let outcome = await browser.perform(operation)
      #expect(outcome.results.allSatisfy { $0.diagnostic?.rule == .fileReadOnly }, "\(operation)")
    }
    let document = try await browser.open(ids[1], in: "w")
    #expect(document.states.contains("read-only"))
    await #expect(throws: Diagnostic.self) {
      try await browser.setText("B", of: ids[1], from: document.revision)
    }
    try await browser.closeDocument(in: "w")
    let outcome = await browser.perform(.copy(ids, to: fixture.root))
    #expect(outcome.isComplete, "\(outcome)")
    #expect(try fixture.text("a.txt") == "A")
    #expect(try fixture.text("sub/b.txt") == "B")
    #expect(try Files.read(archive) == before)
    expectThrows(.unknownFormat) { try ArchiveProvider(fixture.path("a.txt")) }
  }
}
