import ParticlesTestSupport
import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import Testing

struct SceneKitCorpusTests {
  static let files =
    Corpus.sample("scnp", "scnp", 8) + Corpus.sample("apple-particles", "particles")

  @Test(arguments: files) func imports(path: String) throws {
    let imported = try Self.load(path)
    let system = imported.system
    let errors = system.diagnostics().filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors)")
    #expect(system.emitters.count == 1)
    let missing = imported.diagnostics.filter { $0.rule == .missingImage }.map(\.detail)
    #expect(system.images.count == 1)
    #expect(system.images.count { $0.sha256 == nil } == missing.count)
    #expect(missing.allSatisfy { Self.notInCorpus.contains($0 ?? "") }, "\(missing)")
    // Anything else that was not understood is listed here, so that nothing slips in unseen.
    let odd = imported.diagnostics.filter { ![.assumed, .missingImage].contains($0.rule) }
    #expect(odd.allSatisfy { Self.expected.contains($0.location.description) }, "\(odd)")
    let present = system.images.filter { $0.sha256 != nil }
    #expect(Set(present.map(\.uri)).isSubset(of: imported.images.keys))
    // The written document reads back without a change.
    #expect(try ParticleSystem(decoding: system.encoded()) == system)
  }

  /// Images that nobody has published with the files.
  static let notInCorpus = ["bubble2.png", "bubbleFresnel.png"]

  /// Properties that are known to have no home, or to be approximated.
  static let expected = [
    // Of the last, one is in Apple's variant of PNG.
    "emissionDurationVariation", "particleColor", "propertyControllers.Color", "particleImage",
  ]

  static func load(_ path: String) throws -> Imported {
    let bytes = try Files.read(path)
    let name = Files.lastComponent(of: path)
    // Textures are kept by owner and repository, which the name of the file begins with.
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    let owner = parts.count > 2 ? "\(parts[0])__\(parts[2])" : ""
    let finder = ImageFinder(
      besides: path, folders: ["\(Files.folder(of: path))/textures/\(owner)"])
    #expect(ParticleFormat.sceneKit.recognise(bytes, "renamed.bin"))
    return try ParticleFormat.sceneKit.decode(
      bytes, DecodingContext(fileName: name, findImage: finder.find))
  }
}
