import ParticlesContainer
import ParticlesCore
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Thumbnails")
struct EffectThumbnailTests {
  /// The pixels that differ from the corner pixel, by their quarter of the picture.
  private func quarters(_ picture: Bitmap) -> [Int] {
    var counts = [0, 0, 0, 0]
    let corner = picture.pixels[..<4]
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let index = (y * picture.width + x) * 4
        let isLit = zip(picture.pixels[index..<index + 3], corner).contains {
          abs(Int($0) - Int($1)) > 8
        }
        if isLit { counts[(2 * y / picture.height) * 2 + 2 * x / picture.width] += 1 }
      }
    }
    return counts
  }

  @Test(
    "every template shows its particles, not the pictures of its emitters",
    arguments: EffectTemplate.all)
  func templates(template: EffectTemplate) throws {
    let package = try template.package()
    let picture = try EffectThumbnail(package).bitmap(size: 48)
    #expect((picture.width, picture.height) == (48, 48))
    #expect(try picture == EffectThumbnail(package).bitmap(size: 48))
    let sprites = try SpriteThumbnail(package.system(), of: package, limits: .standard)
    let isEmpty = try package.system().emitters.allSatisfy {
      $0.emission.rate.mean == 0 && $0.emission.bursts.isEmpty
    }
    #expect((picture == sprites.bitmap(size: 48)) == isEmpty)
    #expect(quarters(picture).reduce(0, +) > 23, "more than a hundredth of the picture")
  }

  @Test(
    "a size that no picture has is refused", arguments: [Int.min, -1, 0, 1_025, 1 << 40, Int.max])
  func sizes(size: Int) throws {
    var package = try DrawnTemplates.package("fire")
    let fault = expectThrows(.imageOutput) { try EffectThumbnail(package).bitmap(size: size) }
    #expect(fault?.found == "\(size)")
    expectThrows(.imageOutput) { try package.embedPreviews(size: size) }
  }

  @Test(
    "a thumbnail is part of the work of its operation, and has less of all where little is left")
  func work() throws {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 1e9
    emitter.launch.spread = 180
    emitter.launch.speed = 100
    emitter.size.width = 100
    let package = try EffectPackage(
      ParticleSystem(name: "many", emitters: Array(repeating: emitter, count: 20)))
    func draw(_ work: Int) throws -> (picture: Bitmap, messages: String, work: Int) {
      var limits = Limits()
      limits.work = work
      return try WorkBudget.run(limits) {
        let (picture, problems, _) = try EffectThumbnail(package, limits: limits).picture(size: 64)
        return (picture, problems.compactMap(\.expected).joined(separator: "; "), WorkBudget.work)
      }
    }
    let (much, little) = try (draw(20_000), draw(6_000))
    for (drawn, most) in [(much, 20_000), (little, 6_000)] {
      #expect(drawn.work > most / 3 && drawn.work <= most, "\(drawn.work) of \(most)")
      #expect(drawn.messages.contains("'particleSteps'") && drawn.messages.contains("'paint'"))
      #expect(quarters(drawn.picture).allSatisfy { $0 > 0 })
    }
    #expect(little.picture != much.picture && little.work < much.work)
    let other = try draw(20_000)
    #expect(other.picture == much.picture && other.work == much.work)
  }

  @Test("an effect of very many emitters shows the first of them, and the others are reported")
  func manyEmitters() throws {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 10
    let system = ParticleSystem(
      name: "many", emitters: Array(repeating: emitter, count: 600))
    let picture = try EffectThumbnail(EffectPackage(system)).picture(size: 16)
    let problem = picture.problems.first { $0.rule == .limit }
    #expect(problem?.message.contains("100 emitters") == true)
    #expect(problem?.expected == "at most 500 emitters")
  }

  @Test("many emitters run for a part of the prewarming of few, so that they take no more work")
  func prewarming() throws {
    func work(emitters count: Int) throws -> Int {
      var emitter = Emitter(name: "a")
      (emitter.emission.rate, emitter.timing.prewarm) = (0.01, 20)
      let system = ParticleSystem(
        name: "many", emitters: Array(repeating: emitter, count: count))
      return try WorkBudget.run(.standard) {
        _ = try EffectThumbnail(EffectPackage(system)).picture(size: 16)
        return WorkBudget.work
      }
    }
    #expect(try work(emitters: 400) < 3 * work(emitters: 100))
  }

  @Test("rain and snow are everywhere; a fountain is on both sides of its middle")
  func places() throws {
    for name in ["rain", "snow"] {
      let package = try DrawnTemplates.package(name)
      let counts = quarters(try EffectThumbnail(package).bitmap(size: 64))
      #expect(counts.allSatisfy { $0 > 20 }, "\(name): \(counts)")
    }
    let counts = quarters(try EffectThumbnail(DrawnTemplates.package("fountain")).bitmap(size: 64))
    #expect(counts[2] > 20 && counts[3] > 20, "\(counts)")
  }

  @Test("an effect that begins late or plays once is shown when it is visible")
  func late() throws {
    var emitter = Emitter(name: "a")
    emitter.timing.delay = .constant(3)
    emitter.timing.duration = .constant(0.2)
    emitter.timing.loop = false
    emitter.launch.speed = .constant(60)
    emitter.launch.spread = 180
    emitter.lifetime = .constant(0.5)
    emitter.emission.rate = 100
    emitter.size.width = Track(10)
    let package = try EffectPackage(ParticleSystem(name: "a", emitters: [emitter]))
    let picture = try EffectThumbnail(package).bitmap(size: 32)
    let sprites = try SpriteThumbnail(package.system(), of: package, limits: .standard)
    let isSimulated = picture != sprites.bitmap(size: 32)
    #expect(isSimulated)
    #expect(quarters(picture).reduce(0, +) > 10)
  }

  @Test("without particles, the pictures of the emitters are shown")
  func nothing() throws {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 0
    emitter.size.width = Track(10)
    for emitters in [[emitter], []] {
      let package = try EffectPackage(ParticleSystem(name: "a", emitters: emitters))
      let sprites = try SpriteThumbnail(package.system(), of: package, limits: .standard)
      #expect(try EffectThumbnail(package).bitmap(size: 16) == sprites.bitmap(size: 16))
    }
  }

  @Test("an effect that asks for billions of particles has a thumbnail, too")
  func bounded() throws {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 1e9
    emitter.lifetime = .constant(0.3)
    emitter.timing.prewarm = 1e9
    emitter.launch.speed = .range(0, 100)
    emitter.launch.spread = 180
    emitter.size.width = Track(500)
    let package = try EffectPackage(ParticleSystem(name: "a", emitters: [emitter]))
    // Without bounds this takes minutes.
    var limits = Limits.standard
    limits.particles = 300
    let picture = try EffectThumbnail(package, limits: limits).bitmap(size: 16)
    #expect(quarters(picture).reduce(0, +) > 0 || Set(picture.pixels).count > 1)
  }
}
