import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// Archives and volumes as places.
@Suite("Archives and volumes as places")
struct PlaceOfArchiveTests {
  @Test("an archive is a place: it is revealed itself, its documents are copied out", .needs("zip"))
  func archive() async throws {
    let scratch = try Scratch()
    let folder = try Files.resolve(scratch.path) + "/docs"
    try Files.makeDirectories("\(folder)/in/deep")
    try Files.create("\(folder)/in/deep/a.txt", Array("A".utf8))
    let made = try Run(#require(Run.find("zip")), ["-qr", "../x.zip", "."], in: "\(folder)/in")
    #expect(made.status == 0)
    let archive = try ArchiveProvider("\(folder)/x.zip")
    #expect(!archive.isDocument)
    let fixture = try await BrowserFixture([:], providers: [archive], in: scratch)
    let item = try await fixture.browser.reveal("\(folder)/x.zip")
    let location = try #require(await fixture.browser.locations().first { $0.kind == "archive" })
    #expect(item.id == location.id && location.name == "x.zip")
    let deep = try #require(try await fixture.browser.list(BrowserQuery(item.id)).items.first)
    let text = try #require(try await fixture.browser.list(BrowserQuery(deep.id)).items.first)
    #expect(text.name == "a.txt")
    #expect(await fixture.browser.perform(.copy([text.id], to: fixture.root)).isComplete)
    #expect(try fixture.text("a.txt") == "A")
  }

  @Test("a volume that is mounted or unmounted, wherever that is, changes the places")
  func volume() async throws {
    let scratch = try Scratch()
    let stick = "/media/particles-test-\(scratch.path.split(separator: "-").last ?? "")/STICK"
    guard (try? Files.makeDirectories(stick)) != nil else { return }
    defer { try? Files.removeAll(Files.folder(of: stick)) }
    let environment = BrowserEnvironment(variables: scratch.desktop())
    let browser = try Browser(
      providers: [FolderProvider([], includingUserFolders: true, environment: environment)],
      environment: environment, registry: DocumentRegistry())
    func volumes() async -> [String] {
      await browser.locations().filter { $0.kind == "volume" }.compactMap(\.path)
    }
    #expect(await !volumes().contains(stick))
    func changed(_ body: () throws -> Bool) async throws -> Bool {
      let events = browser.events()
      guard try body() else { return false }
      let told = await BrowserFixture.events(events) {
        if case .locations = $0 { true } else { false }
      }
      return told.contains { if case .locations = $0 { true } else { false } }
    }
    let isMounted = try await changed {
      try Run("/bin/mount", ["-t", "tmpfs", "tmpfs", stick]).status == 0
    }
    guard isMounted else {
      print("skipped: no file system can be mounted")
      return
    }
    #expect(await volumes().contains(stick))
    #expect(try await changed { try Run("/bin/umount", ["-l", stick]).status == 0 })
    #expect(await !volumes().contains(stick))
  }
}
