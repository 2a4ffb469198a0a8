private let mebibyte = 1 << 20

/// Frames of a particle cache: records of position, velocity, age, size and colour as 12 float32.
/// Velocities and colours come from a small palette, positions move smoothly.
struct FloatCache: PieceSource {
  private static let records = mebibyte / 48

  private var positions: [SIMD3<Float>] = []
  private var palette: [(velocity: SIMD3<Float>, size: Float, color: SIMD4<Float>)] = []
  private var kinds: [Int] = []
  private var frame = 0

  init(seed: UInt64) {
    var random = RandomSource(seed: seed)
    for _ in 0..<64 {
      let velocity = SIMD3(random.between(-1, 1), random.between(0, 2), random.between(-1, 1))
      let color = SIMD4(Double(random.below(256)), Double(random.below(256)), 1, 1) / 255
      palette.append((SIMD3(velocity), Float(random.between(0.1, 2)), SIMD4(color)))
    }
    for _ in 0..<Self.records {
      let place = SIMD3(random.between(-10, 10), random.between(0, 10), random.between(-10, 10))
      positions.append(SIMD3(place))
      kinds.append(random.below(64))
    }
  }

  mutating func next() -> [UInt8] {
    let step: Float = 1 / 60
    var floats: [Float] = []
    floats.reserveCapacity(Self.records * 12)
    for index in positions.indices {
      let kind = palette[kinds[index]]
      let place = positions[index] + kind.velocity * step
      positions[index] = place
      for value in [place, kind.velocity] { floats += [value.x, value.y, value.z] }
      floats += [Float(frame) * step, kind.size]
      floats += [kind.color.x, kind.color.y, kind.color.z, kind.color.w]
    }
    frame += 1
    var bytes = floats.withUnsafeBytes { Array($0) }
    bytes += [UInt8](repeating: 0, count: mebibyte - bytes.count)
    return bytes
  }
}

/// Key frames as JSON, one record a line.
struct KeyFrames: PieceSource {
  private static let eases = ["linear", "easeIn", "easeOut", "hold"]

  private var random: RandomSource
  private var count = 0

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  mutating func next() -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(mebibyte + 256)
    while text.count < mebibyte { append(to: &text) }
    return text
  }

  private mutating func append(to text: inout [UInt8]) {
    text.append(contentsOf: "    { \"time\" : ".utf8)
    Decimal.append(Double(count) / 240, 4, to: &text)
    text.append(contentsOf: ", \"emitter\" : ".utf8)
    Decimal.append(random.below(64), to: &text)
    text.append(contentsOf: ", \"position\" : [ ".utf8)
    for index in 0..<3 {
      if index > 0 { text.append(contentsOf: ", ".utf8) }
      Decimal.append(random.between(-10, 10), 3, to: &text)
    }
    text.append(contentsOf: " ], \"birthRate\" : ".utf8)
    Decimal.append(random.between(0, 500), 2, to: &text)
    text.append(contentsOf: ", \"color\" : \"#".utf8)
    Decimal.append(random.below(4096) << 12, radix: 16, to: &text, width: 6)
    text.append(contentsOf: "\", \"ease\" : \"".utf8)
    text.append(contentsOf: Self.eases[random.below(4)].utf8)
    text.append(contentsOf: "\" },\n".utf8)
    count += 1
  }
}

/// BGRA rows of 4096 pixels behind the header of a BMP: a gradient, a flat area, another gradient
/// and a band of noise, a quarter each.
struct Atlas: PieceSource {
  private static let width = 4096
  private static let noiseSize = 1024

  private var random: RandomSource
  private var noise: [[UInt8]] = []
  private var head: [UInt8]
  private var row = 0

  init(seed: UInt64, size: Int) {
    random = RandomSource(seed: seed)
    for _ in 0..<512 { noise.append(random.bytes(Self.noiseSize)) }
    let height = (size - 54) / (Self.width * 4)
    head = Array("BM".utf8)
    for value in [size, 0, 54, 40, Self.width, height] { head += Self.bytes(UInt32(value), 4) }
    head += Self.bytes(1, 2) + Self.bytes(32, 2)
    for value in [0, size - 54, 2835, 2835, 0, 0] { head += Self.bytes(UInt32(value), 4) }
  }

  private static func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0.prefix(count)) }
  }

  mutating func next() -> [UInt8] {
    var piece = head
    head = []
    piece.reserveCapacity(piece.count + 64 * Self.width * 4)
    for _ in 0..<64 { appendRow(to: &piece) }
    return piece
  }

  private mutating func appendRow(to piece: inout [UInt8]) {
    let ramp = row % 1024
    let gradient = (0..<1024).map { UInt8(truncatingIfNeeded: $0 * 255 / 1023 + ramp / 8) }
    for x in 0..<1024 {
      piece.append(gradient[x])
      piece.append(UInt8(ramp / 4))
      piece.append(gradient[1023 - x])
      piece.append(255)
    }
    let flat = UInt8(truncatingIfNeeded: ramp & 0xF0)
    for _ in 0..<1024 {
      piece.append(flat)
      piece.append(32)
      piece.append(64)
      piece.append(255)
    }
    for _ in 0..<2 {
      piece += gradient
      piece += [UInt8](repeating: 0, count: 1024)
    }
    for _ in 0..<4 { piece += noise[random.below(noise.count)] }
    row += 1
  }
}

/// A mebibyte of each of the others in turn, and every sixteenth of noise.
struct Mix: PieceSource {
  private var random: RandomSource
  private var sources: [any PieceSource]
  private var count = 0

  init(seed: UInt64, size: Int) {
    random = RandomSource(seed: seed)
    sources = [
      FloatCache(seed: random.next()), KeyFrames(seed: random.next()),
      Atlas(seed: random.next(), size: size),
    ]
  }

  mutating func next() -> [UInt8] {
    defer { count += 1 }
    return count % 16 == 15 ? random.bytes(mebibyte) : sources[count % 3].next()
  }
}
