import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Numbers that were worked out by hand, against Apple's own sample document.
@Suite struct SceneKitGoldenTests {
  private func expectClose(
    _ found: [Double], _ expected: [Double], within tolerance: Double = 1e-4,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found.count == expected.count, sourceLocation: sourceLocation)
    for (a, b) in zip(found, expected) {
      #expect(abs(a - b) < tolerance, "\(a) is not \(b)", sourceLocation: sourceLocation)
    }
  }

  @Test(.enabled(if: Corpus.isPresent, "there is no ../shared/corpus"))
  func appleSample() throws {
    let path = try #require(Corpus.published("apple-particles", "particles").first)
    let imported = try SceneKitCorpusTests.load(path)
    #expect(imported.diagnostics.isEmpty)
    let emitter = try #require(imported.system.emitters.first)
    #expect(emitter.emission.rate == 455)
    #expect(emitter.timing.duration == 1)
    #expect(emitter.timing.loop)
    #expect(emitter.lifetime == .range(2.25, 2.75))
    #expect(emitter.launch.speed == .range(1.4, 1.6))
    #expect(emitter.launch.direction == Direction(vector: Vector(0, 1)))
    #expect(emitter.launch.spread == 5)
    #expect(emitter.shape == .rect(width: 3, height: 1))
    #expect(emitter.forces == [.gravity(Vector(0, 1))])
    #expect(emitter.render.blend.mode == .add)
    #expect(emitter.render.blackPass)
    #expect(imported.images.keys.sorted() == ["Images/spark.png"])

    let gradient = try #require(emitter.color.base.gradient)
    expectClose(
      gradient.keys.map(\.time), [0, 0.239_749_053_03, 0.495_407_196_97, 1], within: 1e-10)
    expectClose(
      gradient.keys.flatMap { [$0.color.red, $0.color.green, $0.color.blue, $0.color.alpha] },
      [1, 0.6862, 0.5157, 0, 1, 0.4458, 0, 1, 0.4976, 0.2384, 0, 1, 0, 0, 0, 0])

    let width = emitter.size.width
    #expect(width.to == .range(0.75, 1.25))
    #expect(width.curve.interpolation == .cubic)
    expectClose(
      width.curve.keys.map(\.time), [0.003_693_18, 0.171_448_86, 0.417_702_41, 1], within: 1e-8)
    expectClose(
      width.curve.keys.map(\.value), [0.527_379_26, 0.323_242_19, 0.187_624_29, 0], within: 1e-8)
    expectClose(
      (0..<4).map(width.curve.outSlope), [-1.21687, -0.82065, -0.39013, -0.32221], within: 1e-5)
  }

  /// The bytes of a file of the newer encoding, and of its stored tangents.
  @Test func bigEndianBlobs() throws {
    func bytes(_ text: String) -> [UInt8] {
      stride(from: 0, to: text.utf8.count, by: 2).compactMap { place in
        let start = text.index(text.startIndex, offsetBy: place)
        return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16)
      }
    }
    let red: [Float] = [0, 0, 0, 0]
    var animation = SceneKitForge.c3d([0, 0], [red, red])
    animation = animation.replacing(
      "values-data",
      by: .data(bytes("3f8000003f2fa8e93f0409e300000000" + "00000000000000000000000000000000")))
    animation = animation.replacing(
      "keytimes-data", by: .data(bytes("3fcfd17460000000" + "3ff0000000000000")))
    let archive = SceneKitForge.archive(
      .init(
        "propertyControllers",
        .dictionary([.init("Color", SceneKitForge.controller(animation))])))
    let imported = try ParticleFormat.sceneKit.decode(
      archive, DecodingContext(fileName: "a.scnp"))
    #expect(imported.diagnostics.isEmpty)
    let gradient = try #require(imported.system.emitters.first?.color.base.gradient)
    expectClose(gradient.keys.map(\.time), [0.248_580, 1], within: 1e-6)
    let color = try #require(gradient.keys.first?.color)
    expectClose(
      [color.red, color.green, color.blue, color.alpha], [1, 0.686_171, 0.515_776, 0],
      within: 1e-6)
  }
}

extension ForgedValue {
  /// This value, where each value with this key is replaced, however deep.
  func replacing(_ key: String, by value: ForgedValue) -> ForgedValue {
    func replaced(_ entries: [Entry]) -> [Entry] {
      entries.map {
        Entry($0.key, $0.key == key ? value : $0.value.replacing(key, by: value))
      }
    }
    switch self {
    case .dictionary(let entries): return .dictionary(replaced(entries))
    case .object(let classes, let entries): return .object(classes, replaced(entries))
    default: return self
    }
  }
}
