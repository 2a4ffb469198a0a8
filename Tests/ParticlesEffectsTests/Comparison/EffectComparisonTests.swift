import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite("Comparing effects") struct EffectComparisonTests {
  private func opened(_ package: EffectPackage) throws -> OpenedEffect {
    try OpenedEffect(bytes: package.container.encoded(), name: "a.particles")
  }

  private func edited(_ changes: String...) throws -> OpenedEffect {
    var editor = try EffectEditor(DrawnTemplates.package("fire"))
    for change in changes { try editor.apply(change) }
    return try opened(editor.package)
  }

  @Test("previews are no difference")
  func previews() throws {
    var package = try edited().package
    try package.embedPreviews(size: 16)
    let comparison = try EffectComparison(from: edited(), to: opened(package))
    #expect(comparison.isEmpty && comparison.comparesProperties)
    try package.container.root.setFileNode(
      FileNode(regularFileWithContents: [1]), at: "QuickLooks/a")
    #expect(try EffectComparison(from: edited(), to: opened(package)).files.count == 2)
  }

  @Test("properties have keys that can be set, old and new values, and units")
  func properties() throws {
    let old = try edited()
    let new = try edited("emitters[0].emission.rate*=2", "seed=3", "emitters[0].timing.delay=1")
    let comparison = try EffectComparison(from: old, to: new)
    #expect(
      comparison.properties.map { "\($0.key) \($0.unit ?? "-")" }
        == ["emitters[0].timing.delay s", "emitters[0].emission.rate 1/s", "seed -"])
    let rate = comparison.properties[1]
    #expect(rate.old == .int(95) && rate.new == .int(190))
    #expect(comparison.properties[2].old == .int(0) && comparison.properties[2].new == .int(3))
    #expect(comparison.files.isEmpty && comparison.comparesProperties && !comparison.isEmpty)
    // Applied to the old effect, the differences make it the new one.
    var editor = try EffectEditor(old.package)
    for property in comparison.properties {
      try editor.set(property.key, to: try #require(property.new).line)
    }
    #expect(try EffectComparison(from: opened(editor.package), to: new).isEmpty)
    #expect(try EffectComparison(from: old, to: edited()).isEmpty)
  }

  @Test("added and removed elements have one value")
  func elements() throws {
    let comparison = try EffectComparison(
      from: edited("emitters[0].emission.bursts[+]={\"count\": 5}"), to: edited())
    let burst = try #require(comparison.properties.first)
    #expect(comparison.properties.count == 1 && burst.key == "emitters[0].emission.bursts[0]")
    #expect(burst.old?.object?["count"] == .int(5) && burst.new == nil)
  }

  @Test("files are compared besides the document, and the document only if no property differs")
  func files() throws {
    let old = try edited()
    var other = old.package
    try other.container.root.setFileNode(FileNode(regularFileWithContents: [1]), at: "notes.txt")
    try other.setDocument(try old.package.document() + [0x0A])
    let comparison = try EffectComparison(from: old, to: opened(other))
    #expect(comparison.properties.isEmpty)
    #expect(comparison.files.map(\.path) == ["document.json", "notes.txt"])
    other = try edited("seed=3").package
    try other.container.root.setFileNode(FileNode(regularFileWithContents: [1]), at: "notes.txt")
    let both = try EffectComparison(from: old, to: opened(other))
    #expect(both.properties.map(\.key) == ["seed"] && both.files.map(\.path) == ["notes.txt"])
    other.container.root.removeFileNode(at: "document.json")
    let without = try EffectComparison(from: old, to: opened(other))
    #expect(
      !without.comparesProperties && without.files.map(\.path) == ["document.json", "notes.txt"])
  }

  @Test("a file of another format equals the package that was made of it")
  func imported() throws {
    for name in ["cocos2d/ember.plist", "starling/ember.pex", "scenekit/ember.scnp"] {
      let source = try OpenedEffect(path: Repository.path("Fixtures/\(name)"))
      #expect(try EffectComparison(from: source, to: opened(source.package)).isEmpty)
      var editor = try EffectEditor(source.package)
      try editor.apply("emitters[0].lifetime*=2")
      let edited = try opened(editor.package)
      let comparison = try EffectComparison(from: source, to: edited)
      #expect(comparison.properties.map(\.key).allSatisfy { $0.hasPrefix("emitters[0].lifetime") })
      #expect(!comparison.properties.isEmpty && comparison.files.isEmpty)
    }
  }
}
