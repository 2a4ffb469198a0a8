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

@Suite("Templates in folders") struct TemplateLibraryTests {
  private let scratch: Scratch
  private let library: EffectTemplateLibrary

  init() throws {
    scratch = try Scratch()
    library = EffectTemplateLibrary(folders: [
      scratch.file("own"), scratch.file("system"), "/nowhere",
    ])
    for folder in library.folders.prefix(2) { try Files.makeDirectory(folder) }
  }

  private func put(
    _ name: String, in folder: String, comment: String? = nil, as form: Container.Form = .flat
  ) throws {
    var system = ParticleSystem(name: "Mine", emitters: [Emitter(name: "E")])
    system.asset.comment = comment
    try EffectPackage(system).container.write(
      to: Files.joined(scratch.file(folder), name), as: form)
  }

  @Test("documents of both forms are templates, and so are those that are imported")
  func forms() throws {
    try put("Glitter.particles", in: "own", comment: "Glitters.\nMore about it.")
    try put("waves.particles", in: "system", as: .directory)
    let ember = Repository.path("Fixtures/scenekit/ember.particles")
    try Files.create(scratch.file("own/ember.particles"), Files.read(ember))
    try Files.create(scratch.file("own/notes.txt"), [1])
    try Files.create(scratch.file("own/.hidden.particles"), [1])
    let own = try library.entries().dropFirst(EffectTemplate.all.count)
    #expect(own.map(\.name) == ["Glitter", "ember", "waves"])
    #expect(own.map(\.summary) == ["Glitters.", "ember", "Mine"])
    #expect(own.allSatisfy { $0.problem == nil })
    for name in ["glitter", "WAVES"] {
      #expect(try library.package(named: name)?.system().emitters.map(\.name) == ["E"])
    }
    #expect(try library.package(named: "ember")?.system().asset.profile == .sceneKit)
    #expect(try library.package(named: "none") == nil)
  }

  @Test("earlier folders take precedence over later ones and built-in templates")
  func precedence() throws {
    try put("fire.particles", in: "system", comment: "system")
    #expect(try library.entries().filter { $0.name == "fire" }.map(\.summary) == ["system"])
    try put("Fire.particles", in: "own", comment: "own")
    let entries = try library.entries()
    #expect(entries.count == EffectTemplate.all.count)
    #expect(entries.last?.name == "Fire" && entries.last?.summary == "own")
    #expect(try library.package(named: "fire")?.system().asset.comment == "own")
    #expect(try library.package(named: "smoke")?.system().asset.name == "Smoke")
  }

  @Test("a damaged template is listed with the reason, and hides no other")
  func broken() throws {
    try Files.create(scratch.file("own/bad.particles"), Array("nothing".utf8))
    let fault = Repository.path("Fixtures/rules/document/type.particles")
    try Files.create(scratch.file("own/worse.particles"), Files.read(fault))
    try put("good.particles", in: "own")
    let own = try library.entries().dropFirst(EffectTemplate.all.count)
    #expect(own.map(\.name) == ["bad", "good", "worse"])
    #expect(own.map { $0.problem?.rule } == [.signature, nil, .type])
    #expect(own.first?.problem?.location.file == scratch.file("own/bad.particles"))
    expectThrows(.signature) { try library.package(named: "bad") }
    expectThrows(.type) { try library.package(named: "worse") }
    #expect(try library.package(named: "good") != nil)
  }

  @Test("a folder that cannot be listed is reported, and hides no template of another")
  func unlisted() throws {
    try Files.makeLink(scratch.file("loop"), to: "loop")
    let library = EffectTemplateLibrary(folders: [scratch.file("loop"), scratch.file("own")])
    try put("waves.particles", in: "own")
    #expect(try library.package(named: "waves") != nil)
    #expect(try library.package(named: "fire") != nil)
    expectThrows(.fileUnreadable) { try library.package(named: "none") }
    let own = try library.entries().dropFirst(EffectTemplate.all.count)
    #expect(own.map(\.name) == ["waves", "?"])
    #expect(own.last?.problem?.rule == .fileUnreadable && own.last?.path == scratch.file("loop"))
  }

  @Test(
    "the folders are those of the XDG Base Directory Specification",
    arguments: [
      (
        ["XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/a:/b", "HOME": "/h"], ["/d", "/a", "/b"]
      ),
      (["HOME": "/h"], ["/h/.local/share", "/usr/local/share", "/usr/share"]),
      (
        ["XDG_DATA_HOME": "relative", "XDG_DATA_DIRS": "x:/b", "HOME": "/h"],
        ["/h/.local/share", "/b"]
      ),
      (["XDG_DATA_HOME": "", "XDG_DATA_DIRS": ""], ["/usr/local/share", "/usr/share"]),
    ] as [([String: String], [String])])
  func folders(environment: [String: String], folders: [String]) {
    #expect(
      EffectTemplateLibrary(environment: environment).folders
        == folders.map { "\($0)/particles/templates" })
  }
}
