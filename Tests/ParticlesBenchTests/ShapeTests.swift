import ParticlesCore
import ParticlesSystem
import Testing

@testable import ParticlesBench

/// Figures of different days can be compared only if the shapes do not change.
@Suite struct ShapeTests {
  @Test func tinyNeverChanges() {
    var sizes: [String: Int] = [:]
    var hash = SHA256()
    Shape.tiny.forEachFile { file in
      sizes[file.path] = file.size
      file.forEachPiece { hash.update($0) }
    }
    #expect(sizes == ["particles.json": 4096, "spark.png": 2048])
    #expect(hash.finalize().description.prefix(16) == "2fc6159600e2c787")
  }

  /// Checks only the beginning of each large file, because the rest takes too long.
  @Test(arguments: [
    ("float cache", "614d76b8c7bb19d0", 0.25...0.35),
    ("key frames", "bbcfb06863f44fa6", 0.15...0.2),
    ("atlas", "9733ec064caa719b", 0.2...0.35), ("noise", "ad2563d486220506", 1.0...1.01),
  ])
  func largeFilesNeverChange(name: String, start: String, ratio: ClosedRange<Double>) throws {
    var source: any PieceSource =
      switch name {
      case "float cache": FloatCache(seed: 2)
      case "key frames": KeyFrames(seed: 3)
      case "atlas": Atlas(seed: 4, size: 128 << 20)
      default: NoiseSource(random: RandomSource(seed: 5))
      }
    let piece = Array(source.next().prefix(1 << 20))
    #expect(SHA256.digest(piece).description.prefix(16) == start)
    let packed = piece.withUnsafeBytes { Deflate(level: 6).zlib($0, limit: $0.count + 1024) }
    #expect(ratio.contains(Double(packed?.count ?? 0) / Double(piece.count)))
  }

  @Test func theEntryToReadIsThere() {
    for shape in Shape.allCases where shape != .big {
      var paths: Set<String> = []
      shape.forEachFile { paths.insert($0.path) }
      #expect(paths.contains(shape.entry))
    }
  }

  @Test func changesDiffer() {
    let changes = (1...21).map(Shape.change)
    #expect(Set(changes.map(\.count)).count == changes.count)
    #expect(changes.allSatisfy { (4000...4096).contains($0.count) })
  }
}

private struct NoiseSource: PieceSource {
  var random: RandomSource
  mutating func next() -> [UInt8] { random.bytes(1 << 20) }
}
