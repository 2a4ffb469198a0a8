import ParticlesFormats
import Testing

@testable import ParticlesBench

@Suite struct ConversionTests {
  @Test(arguments: Operation.allCases.compactMap(\.exportFormat))
  func everyEmitterIsExported(format: String) throws {
    #expect(FormatRegistry.standard[format]?.canWrite == true)
    let contestant = try Arena.export(of: 3, to: format)
    #expect(contestant.count == 3)
    guard case .call(let export) = contestant.work else {
      Issue.record("not timed as one call")
      return
    }
    try export()
    try contestant.check()
  }

  @Test func largeEffectsAreJudgedByTheirEmitters() throws {
    func line(_ seconds: Double) throws -> Line {
      func achievement(_ seconds: Double, _ count: Int) -> Achievement {
        let sample = Sample(wall: seconds, processor: seconds, memory: nil)
        return Achievement(label: "\(count) emitters", sample: sample, size: nil, count: count)
      }
      let result = Contest.Result(
        operation: .exportCocos2d, shape: .tiny, ours: achievement(seconds, 3200),
        peers: [achievement(1, 100)])
      let lines = Line.lines(of: result)
      #expect(lines.count == 1)
      return try #require(lines.first)
    }
    #expect(try line(32).ratio == 1)
    #expect(try line(48).isMet == true)
    #expect(try line(49).isMet == false)
    #expect(try line(49).goal?.text == "≤ 1.5 of its time for each")
  }

  @Test func usageListsConversions() {
    for operation in ["convert", "export-cocos2d", "export-spritekit", "export-scenekit"] {
      #expect(Arguments.usage.contains(operation))
    }
    #expect(Operation.exportSceneKit.rounds(on: .tiny, quick: true) == 1)
  }
}
