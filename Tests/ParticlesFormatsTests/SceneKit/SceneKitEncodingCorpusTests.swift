import ParticlesTestSupport
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import Testing

/// What becomes of real files that are written again.
struct SceneKitEncodingCorpusTests {
  @Test(arguments: SceneKitCorpusTests.files) func untouchedFilesComeOutAsTheyCameIn(
    path: String
  ) throws {
    let imported = try SceneKitCorpusTests.load(path)
    let exported = try Self.encode(imported, keepsSource: true)
    #expect(exported.parts.map(\.bytes) == [imported.source])
    let losses = exported.losses.filter { $0.rule != .missingImage }
    #expect(losses.allSatisfy { $0.lossLevel == .info }, "\(losses)")
  }

  @Test(arguments: SceneKitCorpusTests.files) func newFilesSayTheSame(path: String) throws {
    let imported = try SceneKitCorpusTests.load(path)
    let exported = try Self.encode(imported, keepsSource: false)
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
  }

  /// No Mac is at hand, so new files have to be like real files: equal keys, equal kinds of values,
  /// equal classes with equal chains.
  @Test(arguments: SceneKitCorpusTests.files) func newFilesAreLikeRealOnes(path: String) throws {
    let imported = try SceneKitCorpusTests.load(path)
    let real = try ArchiveContent(imported.source).kinds
    let new = try ArchiveContent(Self.encode(imported, keepsSource: false).parts[0].bytes).kinds
    for (key, kind) in new where real[key] != nil {
      // A number that is whole in one place need not be in another.
      #expect(kind == real[key], "\(key)")
    }
    let keys = Set(new.keys.filter { $0.split(separator: ".").count == 2 })
    let realKeys = Set(real.keys.filter { $0.split(separator: ".").count == 2 })
    #expect(keys.subtracting(realKeys).isSubset(of: Self.newer), "\(keys.subtracting(realKeys))")
    #expect(
      realKeys.subtracting(keys).isSubset(of: Self.leftOut), "\(realKeys.subtracting(keys))")
  }

  /// Compares the archives inside, too: a colour, and animations of Core Animation.
  @Test(.enabled(if: Corpus.isPresent, "there is no ../shared/corpus"))
  func archivesInsideAreLikeRealOnes() throws {
    let path = try #require(Corpus.published("apple-particles", "particles").first)
    let imported = try SceneKitCorpusTests.load(path)
    let real = try ArchiveContent.nested(in: imported.source)
    let bytes = try Self.encode(imported, keepsSource: false).parts[0].bytes
    let new = try ArchiveContent.nested(in: bytes)
    #expect(new.keys.sorted() == real.keys.sorted())
    #expect(new.count == 3)
    for (key, content) in new {
      let (mine, others) = (content.kinds, try #require(real[key]).kinds)
      for (key, kind) in mine where others[key] != nil { #expect(kind == others[key], "\(key)") }
      // A white has a key of its own in real files. Our colours are all red, green and blue.
      #expect(Set(others.keys).subtracting(mine.keys).isSubset(of: ["root.NSWhite"]))
    }
  }

  /// Keys that real files have since 2014 or later. Every new file has them.
  private static let newer: Set<String> = Set(
    [
      "fresnelExponent", "orientationDirection", "particleAngle", "particleAngleVariation",
      "particleCharge", "particleChargeVariation", "particleIntensity",
      "particleIntensityVariation",
    ].map { "root.\($0)" })

  /// Keys of old files that new files call otherwise, the key of an image that is not available,
  /// and a flag that is left out where it is false.
  private static let leftOut: Set<String> = Set(
    [
      "particleInitialAngle", "particleInitialAngleVariation", "particleImage",
      "writesToDepthBuffer", "propertyControllers",
    ].map { "root.\($0)" })

  static func encode(_ imported: Imported, keepsSource: Bool) throws -> Exported {
    let images = imported.images
    return try ParticleFormat.sceneKit.export(
      imported.system,
      EncodingContext(
        fileName: imported.sourceName,
        source: keepsSource ? .init(name: imported.sourceName, bytes: imported.source) : nil
      ) { images[$0] })
  }
}

extension ArchiveContent {
  /// The kind of each value, without the value: `-> an integer`, `f64`, the chain of classes. What
  /// containers hold differs from effect to effect.
  var kinds: [String: String] {
    lines.filter { !$0.key.contains(".NS.") }.mapValues { line in
      let words = line.split(separator: " ")
      let arrow = words.first == "->" ? 1 : 0
      let count = ["a", "an"].contains(words.dropFirst(arrow).first) ? 2 : 1
      return words.prefix(arrow + count).joined(separator: " ")
    }
  }

  /// The archives inside of archives, by the keys that lead to them.
  fileprivate static func nested(in bytes: [UInt8]) throws -> [String: ArchiveContent] {
    let content = try ArchiveContent(bytes)
    var nested: [String: ArchiveContent] = [:]
    for (key, line) in content.lines where line.contains("62706c6973743030") {
      let digits = Array(line.split(separator: " ").last ?? "")
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
      nested[key] = try ArchiveContent(bytes)
    }
    return nested
  }
}
