import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesTestSupport
import Testing

/// Whatever is done to the bytes, reading ends with an effect or a diagnostic, and soon.
@Suite struct SceneKitMutationTests {
  /// SplitMix64: equal mutants every time.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
      return z ^ z >> 31
    }
  }

  private static func mutant(_ bytes: [UInt8], _ random: inout Generator) -> [UInt8] {
    var mutant = bytes
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = Int.random(in: mutant.indices, using: &random)
        mutant[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case 1:
      for _ in 0...Int.random(in: 0..<16, using: &random) {
        mutant[Int.random(in: mutant.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
    case 2:  // Trailer and offset table.
      let tail = max(mutant.count - 200, 0)..<mutant.count
      mutant[Int.random(in: tail, using: &random)] = UInt8.random(in: 0...255, using: &random)
    case 3: mutant.removeLast(Int.random(in: 1...mutant.count, using: &random))
    case 4:
      let place = Int.random(in: mutant.indices, using: &random)
      mutant.insert(contentsOf: [0xD1, 0xA1, 0x80, 0xFF], at: place)
    default:  // References only, which keeps the file readable.
      let places = mutant.indices.filter { mutant[$0] == 0x80 && $0 + 1 < mutant.count }
      for _ in 0..<3 {
        guard let place = places.randomElement(using: &random) else { break }
        mutant[place + 1] = UInt8.random(in: 0..<40, using: &random)
      }
    }
    return mutant
  }

  private func survive(_ bytes: [UInt8], count: Int, seed: UInt64) throws {
    var random = Generator(state: seed)
    var read = 0
    let count = Sample.isWhole ? count : count / 5
    for _ in 0..<count {
      let mutant = Self.mutant(bytes, &random)
      _ = ParticleFormat.sceneKit.recognise(mutant, "mutant.scnp")
      do {
        let imported = try ParticleFormat.sceneKit.decode(
          mutant, DecodingContext(fileName: "mutant.scnp"))
        // Numbers in the document are such as JSON can hold.
        #expect(!imported.system.encoded().isEmpty)
        read += 1
      } catch is Diagnostic {
      }
    }
    // Some must get through, or nothing but the front door was tested.
    #expect(read > count / 20)
  }

  @Test func older() throws { try survive(SceneKitForge.ember, count: 1500, seed: 1) }

  @Test func newer() throws { try survive(SceneKitForge.emberC3D, count: 1500, seed: 2) }

  @Test func nested() throws {
    let inner = SceneKitForge.system([])
    let bytes = SceneKitForge.archive(
      .init("systemSpawnedOnDying", inner), .init("systemSpawnedOnLiving", inner))
    try survive(bytes, count: 1500, seed: 3)
  }
}
