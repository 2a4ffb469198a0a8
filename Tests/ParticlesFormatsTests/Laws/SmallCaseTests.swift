import Foundation
import ParticlesCore
import ParticlesModel
import ParticlesPropertyLists
import ParticlesTestSupport
import Testing

@testable import ParticlesFormats

/// Single values that were changed in silence, reported without need, or rejected.
@Suite("Small cases of conversions") struct SmallCaseTests {
  private func losses(
    _ format: ParticleFormat, _ change: (inout Emitter) -> Void
  ) throws -> [Diagnostic] {
    var emitter = Emitter(name: "a")
    emitter.emission.rate = 10
    emitter.launch.speed = 10
    emitter.size.aspect = .ratio(1)
    change(&emitter)
    var system = ParticleSystem(name: "a", emitters: [emitter])
    system.asset.dimension = .space
    return try format.export(system, EncodingContext(fileName: "a.x")).losses
  }

  @Test("a random period of an effect that repeats has a line")
  func randomPeriods() throws {
    let losses = try losses(.cocos2d) {
      $0.timing.duration = .range(1, 3, scope: .cycle)
      $0.timing.idle = 1
      $0.timing.loop = true
    }
    #expect(!losses.contains { $0.rule == .changed })
    #expect(losses.contains { $0.loss?.path == "emitters[0].timing.duration" })
  }

  @Test("a random direction has no spread", arguments: [ParticleFormat.cocos2d, .spriteKit])
  func randomDirections(format: ParticleFormat) throws {
    var direction = Direction(vector: Vector(0, 1, 0))
    direction.mode = .random
    let losses = try losses(format) {
      $0.launch.direction = direction
      $0.launch.spread = 2.5
    }
    #expect(!losses.contains { $0.loss?.path == "emitters[0].launch.spread" && $0.rule != .dead })
    #expect(!losses.contains { $0.loss?.recipe?.contains("°") ?? false }, "\(losses)")
    let exported = try ParticleFormat.cocos2d.export(
      {
        var emitter = Emitter(name: "a")
        emitter.launch.direction = direction
        emitter.launch.spread = 2.5
        return ParticleSystem(name: "a", emitters: [emitter])
      }(), EncodingContext(fileName: "a.plist"))
    #expect(
      try EngineReference.File(propertyList: exported.parts[0].bytes)["angleVariance"] == 180)
  }

  @Test("a negative capacity is reported")
  func capacity() throws {
    let (emitter, rules) = try CocosForge.cocos2d([("maxParticles", "-5")])
    #expect(emitter.emission.maxAlive == 0 && rules == [.assumed])
  }

  @Test(
    "files in UTF-16 are recognised",
    arguments: [String.Encoding.utf16BigEndian, .utf16LittleEndian])
  func wideText(encoding: String.Encoding) throws {
    let mark: [UInt8] = encoding == .utf16BigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    let pex = String(decoding: CocosForge.starling(), as: UTF8.self)
    let bytes = mark + Array(try #require(pex.data(using: encoding)))
    let format = try FormatRegistry.standard.recognising(bytes, fileName: "a.pex")
    #expect(format.name == "starling")
    #expect(try CocosForge.emitter(bytes, as: format).emitter.emission.rate == 50)
    let plist = String(decoding: CocosForge.propertyList(), as: UTF8.self)
      .replacing("UTF-8", with: "UTF-16")
    let list = mark + Array(try #require(plist.data(using: encoding)))
    #expect(try FormatRegistry.standard.recognising(list, fileName: "a").name == "cocos2d")
  }

  @Test("the least integer is one")
  func leastInteger() throws {
    let bytes = CocosForge.propertyList([("note", "-9223372036854775808")])
    _ = try CocosForge.emitter(bytes, as: .cocos2d)
    let foundation = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    #expect((foundation as? [String: Any])?["note"] as? Int == Int.min)
    #expect(PropertyListValue.integer("-9223372036854775808") == Int64.min)
    #expect(PropertyListValue.integer("-9223372036854775809") == nil)
    #expect(PropertyListValue.integer("-9223372036854775807") == Int64.min + 1)
  }

  @Test("a SceneKit scene is named")
  func scenes() {
    let scene = ArchiveForge.archive(.object(["SCNScene", "NSObject"], []))
    let fault = expectThrows(.foreign) {
      try FormatRegistry.standard.recognising(scene, fileName: "a.scn")
    }
    #expect(fault?.found?.hasPrefix("a SceneKit scene") == true)
    let other = ArchiveForge.archive(.object(["UIView", "NSObject"], []))
    let found = expectThrows(.foreign) {
      try FormatRegistry.standard.recognising(other, fileName: "a.nib")
    }
    #expect(found?.found == "a keyed archive of UIView")
  }
}
