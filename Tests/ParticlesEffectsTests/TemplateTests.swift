import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

@Suite("Templates")
struct TemplateTests {
  @Test(
    "every template makes a document without a finding", arguments: EffectTemplate.all.map(\.name))
  func valid(name: String) throws {
    let template = try #require(EffectTemplate.named(name))
    let package = try DrawnTemplates.package(name)
    #expect(try Validator().check(package).isEmpty)
    let system = try package.system()
    #expect(system.asset.name?.lowercased() == template.name)
    let bytes = try package.container.encoded()
    #expect(try template.package().container.encoded() == bytes, "the same each time")
    let archive = try ParticleFormat.zip.packed(package.container.root).bytes
    // For a single small file, the container is larger than the contents.
    let isSmaller = bytes.count < archive.count
    #expect(isSmaller == (package.container.root.children?.count != 1), "a ZIP archive is larger")
  }

  /// The first digits of the SHA-256 digests of the documents. Change them with a template that you have looked at.
  private static let digests = [
    "blank": "41097aca", "fire": "1e41d168", "smoke": "249daf15",
    "snow": "53df7fbf", "rain": "703ed03f", "sparks": "55562a06",
    "magic": "527e9ac3", "bokeh": "52daa5d3", "fireflies": "9b663a83",
    "confetti": "ed7aa9e1", "explosion": "28bd9ef6", "fountain": "a5e66178",
    "galaxy": "d976f6e9", "bubbles": "8fc97cf2", "leaves": "b756c3d2",
    "plasma": "62e623de",
  ]

  @Test("no number of a template changes unseen", arguments: EffectTemplate.all.map(\.name))
  func digest(name: String) throws {
    let root = try #require(EffectTemplate.named(name)).package().container.root
    let document = try #require(try root["document.json"]?.regularFileContents())
    let digest = SHA256.digest(document).description.prefix(8)
    #expect(Self.digests[name] == String(digest), "\(name)")
  }

  @Test("names are single words, distinct, and found in any case")
  func names() {
    #expect(Set(EffectTemplate.all.map(\.name)).count == EffectTemplate.all.count)
    for template in EffectTemplate.all {
      #expect(template.name.allSatisfy { $0.isLowercase })
      #expect(EffectTemplate.named(template.name.uppercased())?.name == template.name)
    }
    #expect(EffectTemplate.named("none of them") == nil)
  }

  @Test("the set includes the presets of other particle programs")
  func set() {
    #expect(
      EffectTemplate.all.map(\.name) == [
        "blank", "fire", "smoke", "snow", "rain", "sparks", "magic", "bokeh", "fireflies",
        "confetti", "explosion", "fountain", "galaxy", "bubbles", "leaves", "plasma",
      ])
  }

  static let pictured = EffectTemplate.all.map(\.name).filter { $0 != "blank" }

  @Test("pictures are neither empty nor full, and fade out at their edges", arguments: pictured)
  func pictures(name: String) throws {
    let package = try DrawnTemplates.package(name)
    let system = try package.system()
    #expect(!system.images.isEmpty)
    for image in system.images {
      let bytes = try #require(try package.container.root[image.uri]?.regularFileContents())
      let picture = try PNG.decode(bytes)
      func alpha(_ column: Int, _ row: Int) -> UInt8 {
        picture.pixels[(row * picture.width + column) * 4 + 3]
      }
      let alphas = (0..<picture.height).flatMap { row in
        (0..<picture.width).map { alpha($0, row) }
      }
      #expect(alphas.contains { $0 > 150 } && alphas.contains { $0 < 8 }, "\(image.uri)")
      #expect(alphas.contains { (40...200).contains($0) }, "\(image.uri) is not smooth")
      let corners = [0, picture.width - 1].flatMap { column in
        [0, picture.height - 1].map { alpha(column, $0) }
      }
      #expect(corners.allSatisfy { $0 < 40 }, "\(image.uri)")
    }
  }

  @Test("every emitter emits or is triggered; every sprite is used", arguments: pictured)
  func emitters(name: String) throws {
    let system = try DrawnTemplates.package(name).system()
    let starting = Set(system.startingEmitters)
    for (index, emitter) in system.emitters.enumerated() {
      #expect(!emitter.name.isEmpty)
      let emits = emitter.emission.rate != 0 || !emitter.emission.bursts.isEmpty
      #expect(emits == starting.contains(index), "\(emitter.name)")
    }
    #expect(Set(system.emitters.map(\.name)).count == system.emitters.count)
    #expect(Set(system.emitters.flatMap(\.sprites)) == Set(system.sprites.indices))
    #expect(system.asset.dimension == .plane)
  }
}
