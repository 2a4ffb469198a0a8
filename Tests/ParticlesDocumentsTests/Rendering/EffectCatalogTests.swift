import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Catalogues of folders")
struct EffectCatalogTests {
  @Test("have an entry for each document in order, and the error of one that cannot be read")
  func entries() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a.plist"), Fixture.read("cocos2d/ember.plist"))
    try Files.create(scratch.file("b.pex"), Array("<particleEmitterConfig><".utf8))
    try Files.create(scratch.file("c.txt"), Array("text".utf8))
    let set = DocumentSet([scratch.path], isRecursive: true)
    var catalog = EffectCatalog()
    (catalog.plan.width, catalog.plan.height) = (16, 16)
    catalog.plan.duration = 0.2
    var entries: [EffectCatalog.Entry] = []
    try catalog.draw(set.documents) { entries.append($0) }
    #expect(entries.map { Files.lastComponent(of: $0.path) } == ["a.plist", "b.pex"])
    #expect(entries[0].failure == nil && entries[0].card.media != nil)
    #expect(!entries[0].card.parameters.isEmpty)
    #expect(entries[1].failure != nil && entries[1].card.media == nil)
    #expect(!entries[1].card.problems.isEmpty)
  }

  @Test("of effects that the page plays, pictures are still, and documents and images are there")
  func played() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("a.plist"), Fixture.read("cocos2d/ember.plist"))
    try Files.create(
      scratch.file("b.particles"), EffectTemplate.fire.package().container.encoded())
    var catalog = EffectCatalog()
    (catalog.plan.width, catalog.plan.height, catalog.plays) = (16, 16, true)
    var entries: [EffectCatalog.Entry] = []
    try catalog.draw(DocumentSet([scratch.path], isRecursive: true).documents) {
      entries.append($0)
    }
    try #require(entries.count == 2)
    for entry in entries {
      let effect = try #require(entry.card.played)
      let document = try Zlib.inflate(effect.document, limit: 1 << 20, rule: .json)
      let system = try ParticleSystem(decoding: document)
      #expect(Set(entry.images.map(\.path)) == Set(system.images.map(\.uri)))
      #expect(entry.images.allSatisfy { !$0.bytes.isEmpty } && !entry.images.isEmpty)
      #expect(effect.start == entry.view?.start && effect.background.hasPrefix("#"))
      guard case .picture(let bytes, _, 16, 16) = entry.card.media else {
        Issue.record("no picture")
        continue
      }
      #expect(Self.durations(ofWebP: bytes).count <= 1)
    }
  }

  @Test("a preview is a whole cycle, with fewer frames per second where it is long")
  func wholeCycle() throws {
    for life in [1.0, 6.0] {
      var emitter = Emitter(name: "slow")
      emitter.emission.rate = 10
      emitter.lifetime = .constant(life)
      emitter.launch.speed = .range(20, 40)
      emitter.launch.spread = 180
      emitter.size.width = 20
      var package = try EffectPackage(ParticleSystem(name: "slow", emitters: [emitter]))
      try package.embedPreviews(size: 16, animation: true)
      let file = try #require(package.container.root["QuickLook/Preview.webp"]?.contents)
      let durations = try Self.durations(ofWebP: file.bytes())
      #expect(durations.count > 20 && durations.count <= 38)
      // A cycle lasts at least 2 s.
      #expect(abs(durations.reduce(0, +) - Int(max(life, 2) * 1_000)) <= 40)
    }
  }

  /// The milliseconds of each frame.
  private static func durations(ofWebP bytes: [UInt8]) -> [Int] {
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    var (durations, place) = ([Int](), 12)
    while place + 24 <= bytes.count {
      if Array(bytes[place..<place + 4]) == Array("ANMF".utf8) {
        durations.append(number(place + 20, 3))
      }
      let size = number(place + 4, 4)
      place += 8 + size + size & 1
    }
    return durations
  }
}
