import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import ParticlesTypes
import Testing

@Suite struct ParticleFormatTests {
  @Test func theContentDecides() throws {
    let recognise = ParticleFormat.sceneKit.recognise
    #expect(recognise(SceneKitForge.ember, "whatever.txt"))
    #expect(recognise(SceneKitForge.ember, ""))
    #expect(!recognise(Array("<?xml".utf8), "a.scnp"))
    #expect(!recognise([], "a.scnp"))
  }

  @Test func theNameDecidesWhereTheContentLeavesDoubt() throws {
    let recognise = ParticleFormat.sceneKit.recognise
    let other = ArchiveForge.archive(.object(["SKEmitterNode"], []))
    let damaged = Array(SceneKitForge.ember.dropLast())
    for bytes in [other, damaged] {
      #expect(recognise(bytes, "a.scnp"))
      #expect(recognise(bytes, "A.PARTICLES"))
      #expect(!recognise(bytes, "a.sks"))
    }
  }

  @Test func namesAreUnique() {
    let names = FormatRegistry.standard.formats.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(
      FormatRegistry.standard.formats.allSatisfy { !$0.extensions.isEmpty && !$0.title.isEmpty })
  }

  @Test func nobodyKnowsIt() {
    let fault = #expect(throws: Diagnostic.self) {
      try FormatRegistry.standard.recognising([1, 2, 3], fileName: "x")
    }
    #expect(fault?.rule == .unknownFormat)
  }

  @Test(arguments: [
    ("a.scnp", "Source/original.scnp"), ("A.Particles", "Source/original.particles"),
    ("none", "Source/original"), ("a.b/c", "Source/original"), ("a.../..", "Source/original"),
    ("a.x y", "Source/original"),
  ])
  func sourcePaths(name: String, path: String) {
    #expect(Imported.sourcePath(of: name) == path)
  }

  @Test("the types of formats have a MIME name, and patterns near the beginning of a file")
  func types() {
    for declaration in FormatRegistry.standard.formats.flatMap(\.types) {
      #expect(!declaration.tags[.mimeType].isEmpty)
      // Packages of Unity begin as any other archive in gzip does.
      let isNamed = declaration.tags[.filenameExtension] == ["unitypackage"]
      #expect(declaration.patterns.isEmpty == isNamed)
      #expect(declaration.patterns.allSatisfy { $0.reach <= 4096 })
    }
  }

  @Test(
    "emitters have a limit in all formats that hold several, and the message names it",
    arguments: [
      ("libgdx/galaxy-1.p", "\n\n\n"), ("defold/torch.particlefx", "\n"),
      ("godot/torch.tscn", "\n"),
    ])
  func emitterLimit(name: String, separator: String) throws {
    let one = String(decoding: try Fixture.read("effects/\(name)"), as: UTF8.self)
    let file = Array((one + separator + one).utf8)
    let format = try FormatRegistry.standard.recognising(file, fileName: name)
    var context = DecodingContext(fileName: name)
    let count = try format.decode(file, context).system.emitters.count
    #expect(count > 1)
    context.limits.emitters = count
    #expect(throws: Never.self) { try format.decode(file, context) }
    context.limits.emitters = count - 1
    let fault = expectThrows(.limit) { try format.decode(file, context) }
    #expect(fault?.message.contains("emitters of an effect") == true)
  }
}
