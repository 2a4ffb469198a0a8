import Particles
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The functions of `ArticleListings.swift`, which the articles of the library show, work.
@Suite("Articles")
struct ArticleTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A document made from the template `fire`.
  private func fire(_ name: String = "fire.particles") throws -> String {
    let path = scratch.file(name)
    try create(path, template: "fire")
    return path
  }

  @Test("open and edit: a template, an editor, an import")
  func editing() throws {
    let path = try fire()
    let image = try #require(
      EffectPackage(try Container(contentsOf: path)).container.root["Images/flame.png"])
    let bytes = try #require(try image.regularFileContents())
    #expect(try brighten(path, image: bytes).isEmpty)
    let package = EffectPackage(try Container(contentsOf: path))
    #expect(try package.system().emitters[0].emission.rate.sample(0.5) == 150)

    let written = try sceneKit(from: try Files.read(path), named: "fire.particles")
    let scene = scratch.file("fire.scnp")
    try Files.create(scene, try #require(written["effect.scnp"]))
    _ = try importEffect(scene, to: scratch.file("back.particles"))
    #expect(
      try OpenedEffect(path: scratch.file("back.particles")).package.system().emitters.count > 0)
  }

  @Test("convert: losses in memory, a folder of documents")
  func converting() throws {
    let package = try #require(EffectTemplate.named("fire")).package()
    let exported = try package.exported(as: .starling, fileName: "fire.pex")
    #expect(!visibleLosses(of: exported).isEmpty)
    let path = try fire()
    let files = try sceneKit(from: try Files.read(path), named: path)
    try Files.create(scratch.file("smoke.scnp"), try #require(files["effect.scnp"]))
    // The package would lose too much. smoke.scnp is in the format already.
    let written = try convertAll(in: scratch.path, to: scratch.file("out"))
    #expect(written == [scratch.file("out/smoke.scnp")])
    #expect(try Files.status(scratch.file("out/smoke.scnp")) != nil)
  }

  @Test("documents over time: an edit, and an archive of SceneKit that becomes a package")
  func live() async throws {
    let path = try fire()
    let configuration = DocumentConfiguration(dataFolder: scratch.file("data"))
    #expect(try await editLive(path, rate: 77, configuration: configuration) == ["Change Rate"])
    let package = EffectPackage(try Container(contentsOf: path))
    #expect(try package.system().emitters[0].emission.rate == .constant(77))

    let written = try sceneKit(from: try Files.read(path), named: "fire.particles")
    let old = scratch.file("old.particles")
    try Files.create(old, try #require(written["effect.scnp"]))
    for _ in 0..<2 {
      let document = try await openMoving(old, configuration: configuration)
      #expect(try await !document.content.system().emitters.isEmpty)
      #expect(try await document.versions().count == 1)
      try await document.close()
    }
    #expect(try Container(contentsOf: old).form == .flat)
  }

  @Test("validate: a document, an upload, a repair")
  func validating() throws {
    let path = try fire()
    #expect(try errors(in: path).isEmpty)
    let text = try report(onUpload: Array("nothing".utf8), named: "upload.particles")
    #expect(text.contains("\"errors\": 1"))
    #expect(try repair(path) == 0)
  }
}
