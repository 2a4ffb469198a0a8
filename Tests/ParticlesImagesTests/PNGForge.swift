import ParticlesCore
import ParticlesImages
import ParticlesTestSupport

/// A PNG file, put together chunk by chunk.
struct PNGForge {
  var (width, height) = (13, 9)
  var kind = 6
  var depth = 8
  var isInterlaced = false
  /// Chunks after the header.
  var chunks: [(name: String, content: [UInt8])] = []
  /// Colours of a palette.
  var colors: Int? = nil
  var hasTransparency = false
  var random: SeededGenerator

  static let kinds: [(kind: Int, depths: [Int])] = [
    (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A picture of any kind.
  static func random(seed: UInt64) -> PNGForge {
    var forge = PNGForge(seed: seed)
    let kind = kinds.randomElement(using: &forge.random) ?? (6, [8])
    (forge.kind, forge.depth) = (kind.kind, kind.depths.randomElement(using: &forge.random) ?? 8)
    (forge.width, forge.height) = (forge.number(1...20), forge.number(1...14))
    forge.isInterlaced = forge.number(0...1) == 1
    forge.hasTransparency = forge.number(0...1) == 1
    if kind.kind == 3 { forge.colors = forge.number(1...1 << forge.depth) }
    return forge
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  static func bigEndian(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  private var samples: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind] ?? 1 }

  var header: [UInt8] {
    Self.bigEndian(width) + Self.bigEndian(height)
      + [UInt8(depth), UInt8(kind), 0, 0, isInterlaced ? 1 : 0]
  }

  /// The samples of each pixel, from the top left: noise with runs of equal pixels.
  mutating func pixels() -> [[Int]] {
    var pixels: [[Int]] = []
    while pixels.count < width * height {
      let pixel = (0..<samples).map { _ in number(0...(1 << depth - 1)) }
      pixels += [[Int]](repeating: pixel, count: number(1...3))
    }
    return pixels
  }

  /// The filtered rows of all passes.
  mutating func rows(_ pixels: [[Int]]) -> [UInt8] {
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    var result: [UInt8] = []
    for (x, y, xStep, yStep) in passes where x < width {
      var above: [UInt8]?
      for row in stride(from: y, to: height, by: yStep) {
        var bytes: [UInt8] = []
        var (rest, bits) = (0, 0)
        for column in stride(from: x, to: width, by: xStep) {
          for sample in pixels[row * width + column] {
            (rest, bits) = (rest << depth | sample, bits + depth)
            while bits >= 8 {
              bits -= 8
              bytes.append(UInt8(truncatingIfNeeded: rest >> bits))
            }
          }
        }
        if bits > 0 { bytes.append(UInt8(truncatingIfNeeded: rest << (8 - bits))) }
        let type = number(0...4)
        result.append(UInt8(type))
        result += filtered(bytes, above ?? [UInt8](repeating: 0, count: bytes.count), type)
        above = bytes
      }
    }
    return result
  }

  private func filtered(_ row: [UInt8], _ above: [UInt8], _ type: Int) -> [UInt8] {
    let distance = max(1, samples * depth / 8)
    return row.indices.map { index in
      let left = index < distance ? 0 : Int(row[index - distance])
      let corner = index < distance ? 0 : Int(above[index - distance])
      let top = Int(above[index])
      let nearest = [left, top, corner].min {
        abs(left + top - corner - $0) < abs(left + top - corner - $1)
      }
      let predicted = [0, left, top, (left + top) / 2, nearest ?? 0][type]
      return row[index] &- UInt8(truncatingIfNeeded: predicted)
    }
  }

  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { Deflate(level: 6).zlib($0, limit: $0.count * 2 + 1024) } ?? []
  }

  /// All chunks of a file with these pixels, and with image data in so many pieces.
  mutating func parts(_ pixels: [[Int]], pieces: Int = 1) -> [(name: String, content: [UInt8])] {
    var parts = [("IHDR", header)] + chunks
    if let colors { parts.append(("PLTE", noise(colors * 3))) }
    if hasTransparency {
      switch kind {
      case 0, 2: parts.append(("tRNS", pixels[0].flatMap { Self.bigEndian($0, 2) }))
      case 3: parts.append(("tRNS", noise(number(1...(colors ?? 1)))))
      default: break
      }
    }
    let stream = Self.zlib(rows(pixels))
    for piece in 0..<pieces {
      let range = stream.count * piece / pieces..<stream.count * (piece + 1) / pieces
      parts.append(("IDAT", Array(stream[range])))
    }
    return parts + [("IEND", [])]
  }

  static func file(_ parts: [(name: String, content: [UInt8])]) -> [UInt8] {
    PNG.signature + parts.flatMap { PNGChunks.chunk($0.name, $0.content) }
  }

  /// A file with any pixels.
  mutating func file(pieces: Int = 1) -> [UInt8] { Self.file(parts(pixels(), pieces: pieces)) }
}
