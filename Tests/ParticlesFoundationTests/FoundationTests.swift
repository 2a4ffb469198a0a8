import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFoundation
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite("Bridges to Foundation")
struct FoundationTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func fire() throws -> EffectPackage {
    try #require(EffectTemplate.named("fire")).package()
  }

  @Test("errors tell applications what is wrong and what to do")
  func errors() throws {
    let url = URL(fileURLWithPath: scratch.file("none.particles"))
    do {
      _ = try Container(contentsOf: url)
      Issue.record("it was opened")
    } catch {
      #expect(error.localizedDescription.contains("no such file or folder"))
      let fault = error as NSError
      #expect(fault.domain == "org.particles-format.particles")
      #expect(fault.userInfo["rule"] as? String == "file/not-found")
    }
    let web = try #require(URL(string: "https://x.org/a.particles"))
    let fault = expectThrows(.fileUnreadable) { try Container(contentsOf: web) }
    #expect(fault?.recoverySuggestion == "download it first")
  }

  @Test("packages are read from and written to URLs and data")
  func files() throws {
    let url = URL(fileURLWithPath: scratch.file("fire.particles"))
    var package = try fire()
    try package.container.save(to: url)
    let opened = try Container(contentsOf: url)
    #expect(opened.root == package.container.root)
    #expect(try Container(decoding: opened.data()).root == opened.root)
    #expect(try OpenedEffect(url: url).package.system() == package.system())
    let node = FileNode(regularFileWithContents: Data([1, 2, 3]))
    #expect(try node.regularFileData() == Data([1, 2, 3]))
  }

  @Test("an effect is coded by any coder: JSON, property lists")
  func coding() throws {
    let system = try fire().system()
    let json = try JSONEncoder().encode(system)
    #expect(try JSONDecoder().decode(ParticleSystem.self, from: json) == system)
    let plist = try PropertyListEncoder().encode(["effect": system])
    let back = try PropertyListDecoder().decode([String: ParticleSystem].self, from: plist)
    #expect(back["effect"] == system)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(ParticleSystem.self, from: Data("{\"emitters\": 5}".utf8))
    }
  }

  @Test("a document at a URL, observed on the main actor")
  @MainActor func document() async throws {
    let url = URL(fileURLWithPath: scratch.file("a.txt"))
    var configuration = DocumentConfiguration(dataFolder: scratch.file("data"))
    configuration.autosave = .off
    let document = try Document<PlainText>(url: url, configuration: configuration)
    try await document.create(PlainText("a"))
    #expect(document.url == url)
    let model = ObservableDocument(document)
    await model.follow()
    try await document.edit("Typing") { $0.text += "b" }
    let deadline = Date(timeIntervalSinceNow: 120)
    while model.content?.text != "ab", Date() < deadline {
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(model.content?.text == "ab" && model.undoName == "Typing")
    #expect(model.states == .changed)
    try await document.save()
    #expect(try await document.versions().allSatisfy { $0.date < Date(timeIntervalSinceNow: 60) })
    model.unfollow()
  }

  @Test("following keeps neither the observed state nor the document alive")
  @MainActor func released() async throws {
    weak var model: ObservableDocument<PlainText>?
    weak var document: Document<PlainText>?
    do {
      var configuration = DocumentConfiguration(dataFolder: nil)
      configuration.autosave = .off
      let held = Document<PlainText>(storage: MemoryStorage(), configuration: configuration)
      try await held.create(PlainText("a"))
      let observed = ObservableDocument(held)
      let following = Task { await observed.follow() }
      await following.value
      #expect(observed.content?.text == "a")
      (model, document) = (observed, held)
    }
    let deadline = Date(timeIntervalSinceNow: 60)
    while model != nil || document != nil, Date() < deadline {
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(model == nil && document == nil)
  }
}
