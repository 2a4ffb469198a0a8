import ParticlesTestSupport
import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import Testing

struct SpriteKitCorpusTests {
  static let files = Corpus.files("sks", "sks")

  @Test(arguments: files) func imports(path: String) throws {
    let imported = try Self.load(path)
    let system = imported.system
    #expect(system.diagnostics().filter { $0.severity > .note }.isEmpty)
    #expect(system.emitters.count == 1)
    #expect(try ParticleSystem(decoding: system.encoded()) == system)
    let present = system.images.filter { $0.sha256 != nil }
    #expect(Set(present.map(\.uri)).isSubset(of: imported.images.keys))
    // A document is about the effect. Preserved source data does not bury it.
    #expect(system.encoded().split(separator: UInt8(ascii: "\n")).count < 150)
  }

  /// Everything that is said of the files, by rule and place: nothing new slips in unseen.
  @Test func whatIsReported() throws {
    var counts: [String: Int] = [:]
    var exact = 0
    for path in Self.files {
      let imported = try Self.load(path)
      for finding in imported.diagnostics {
        counts["\(finding.rule.code) \(finding.location)", default: 0] += 1
      }
      let exported = try Self.encode(imported, keepsSource: true)
      let losses = exported.losses.filter { $0.rule != .missingImage }
      if exported.parts.map(\.bytes) == [imported.source], losses.isEmpty { exact += 1 }
    }
    #expect(exact == Self.files.count)
    #expect(counts == (Corpus.isPresent ? Self.expected : [:]))
    #expect(Corpus.published("sks", "sks").count == (Corpus.isPresent ? 25 : 0))
  }

  /// Of 25 files in the corpus: the images of two are in no repository, one has a colour that sRGB has not, one
  /// has neither image nor size, two are spread by a little more than all around, and ten shrink below nothing.
  static let expected = [
    "convert/missing-image _particleTexture._imgName": 2,
    "convert/assumed _scaleSpeed": 10,
    "convert/approximated _particleColorSequence._values[2]": 1,
    "convert/approximated _emissionAngleVariance": 2,
    "convert/assumed _startSize": 1,
  ]

  // MARK: Other things under the same extension

  @Test(.enabled(if: Corpus.isPresent, "there is no ../shared/corpus"))
  func scenesAndActionsAreNamed() throws {
    let found = Corpus.files("other/sks-not-an-emitter", "sks").map { path in
      let fault = #expect(throws: Diagnostic.self) { try Self.load(path) }
      #expect(fault?.rule == .lookAlike)
      return fault?.found
    }
    #expect(
      found == [
        "2 actions", "a scene of 1 SKLabelNode, 1 SKSpriteNode",
        "a scene of 56 SKSpriteNode, 8 SKNode", "a scene without nodes", "a scene without nodes",
      ])
  }

  // MARK: Writing

  @Test(arguments: files) func newFilesSayTheSame(path: String) throws {
    let imported = try Self.load(path)
    let exported = try Self.encode(imported, keepsSource: false)
    let losses = exported.losses.filter { $0.rule != .missingImage }
    #expect(losses.allSatisfy { $0.lossLevel == .info }, "\(losses)")
    #expect(exported.losses.allSatisfy { $0.rule != .changed }, "\(exported.losses)")
  }

  /// No Mac is at hand, so new files have to be like real files: equal keys, equal kinds of values,
  /// equal classes with equal chains.
  @Test(arguments: files) func newFilesAreLikeRealOnes(path: String) throws {
    let imported = try Self.load(path)
    let bytes = try Self.encode(imported, keepsSource: false).parts[0].bytes
    let (new, real) = (try ArchiveContent(bytes).kinds, try ArchiveContent(imported.source).kinds)
    for (key, kind) in new {
      guard let realKind = real[key] else { continue }
      // A value may be nil in one file and an object in another.
      if [kind, realKind].contains("-> nil") { continue }
      let chain = realKind.replacing("NSMutable", with: "NS")
      #expect(kind == realKind || kind.replacing("NSMutable", with: "NS") == chain, "\(key)")
    }
  }

  /// Files of the newest generation have the very keys that we write, in the archive and in its
  /// objects.
  @Test(.enabled(if: Corpus.isPresent, "there is no ../shared/corpus"))
  func newFilesHaveTheKeysOfTheNewestGeneration() throws {
    let newest = Self.files.filter { $0.contains("RainFall") || $0.contains("SnowFall") }
    #expect(newest.count == 2)
    for path in newest {
      let imported = try Self.load(path)
      let bytes = try Self.encode(imported, keepsSource: false).parts[0].bytes
      let (new, real) = (try ArchiveContent(bytes), try ArchiveContent(imported.source))
      func keys(_ content: ArchiveContent) -> Set<String> {
        // What the editor keeps, and how many keys a sequence has, differs from file to file.
        Set(
          content.lines.keys.filter { key in
            !["Sequence", "_info.NS", "NSC"].contains { key.contains($0) }
          })
      }
      let (mine, others) = (keys(new), keys(real))
      #expect(mine.subtracting(others) == [])
      #expect(others.subtracting(mine) == [])
      #expect(new.lines["root._version"] == real.lines["root._version"])
      #expect(new.lines["_info.NS.objects[1]"] == real.lines["_info.NS.objects[1]"])
      let roots = new.lines.filter { $0.key.split(separator: ".").count == 2 }
      #expect(roots.count == 78)
    }
  }

  /// One edit changes one key, whatever the generation of the file.
  @Test(arguments: files) func anEditChangesWhatWasEdited(path: String) throws {
    var imported = try Self.load(path)
    imported.system.emitters[0].emission.rate = 42.5
    let bytes = try Self.encode(imported, keepsSource: true).parts[0].bytes
    let (new, old) = (try ArchiveContent(bytes), try ArchiveContent(imported.source))
    let rate = old.lines["root._birthrate"] ?? ""
    #expect(new.differences(from: old) == ["root._birthrate: f64 42.5, was \(rate)"])
  }

  // MARK: Reading and writing

  static func load(_ path: String) throws -> Imported {
    let bytes = try Files.read(path)
    let name = Files.lastComponent(of: path)
    // Textures are kept by owner and repository, which the name of the file begins with.
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    let owner = parts.count > 2 ? "\(parts[0])__\(parts[2])" : ""
    let finder = ImageFinder(
      besides: path, folders: ["\(Files.folder(of: path))/textures/\(owner)"])
    #expect(ParticleFormat.spriteKit.recognise(bytes, "renamed.sks"))
    return try ParticleFormat.spriteKit.decode(
      bytes, DecodingContext(fileName: name, findImage: finder.find))
  }

  static func encode(_ imported: Imported, keepsSource: Bool) throws -> Exported {
    let images = imported.images
    return try ParticleFormat.spriteKit.export(
      imported.system,
      EncodingContext(
        fileName: imported.sourceName,
        source: keepsSource ? .init(name: imported.sourceName, bytes: imported.source) : nil
      ) { images[$0] })
  }
}
