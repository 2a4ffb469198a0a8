import ParticlesCore
import ParticlesFormats
import ParticlesModel
import Testing

/// What becomes of real files that are written again.
@Suite(.enabled(if: Corpus.isPresent, "there is no ../shared/corpus"))
struct SceneKitEncodingCorpusTests {
  @Test(arguments: SceneKitCorpusTests.files) func untouchedFilesComeOutAsTheyCameIn(
    path: String
  ) throws {
    let imported = try SceneKitCorpusTests.load(path)
    let exported = try Self.encode(imported, keepsSource: true)
    #expect(exported.parts.map(\.bytes) == [imported.source])
    #expect(exported.losses.allSatisfy { $0.lossLevel == .info }, "\(exported.losses)")
  }

  @Test(arguments: SceneKitCorpusTests.files) func newFilesSayTheSame(path: String) throws {
    let imported = try SceneKitCorpusTests.load(path)
    let exported = try Self.encode(imported, keepsSource: false)
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
  }

  static func encode(_ imported: Imported, keepsSource: Bool) throws -> Exported {
    let images = imported.images
    return try ParticleFormat.sceneKit.encode(
      imported.system,
      EncodingContext(
        fileName: imported.sourceName,
        source: keepsSource ? .init(name: imported.sourceName, bytes: imported.source) : nil
      ) { images[$0] })
  }
}
