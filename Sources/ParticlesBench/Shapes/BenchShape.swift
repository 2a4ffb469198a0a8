internal import ParticlesCore
internal import ParticlesSystem

/// A tree of files to measure with.
enum Shape: String, CaseIterable {
  /// 1 JSON of 4 KB and 1 PNG of 2 KB: shows the cost of starting a process.
  case tiny
  /// 3 JSON of 50 KB, 20 PNG of 100 KB, a thumbnail: a typical effect.
  case typical
  /// 10,000 JSON of 1…8 KB in 100 folders: shows the cost of names, small contents, system calls.
  case many
  /// 512 MiB that deflate to a quarter: a particle cache, key frames, an atlas, and a mix.
  case big

  /// The file that is read, extracted and changed: a small one, in the middle of the tree if there
  /// are many.
  var entry: String {
    switch self {
    case .tiny, .typical: "particles.json"
    case .many: "layers/50/item-05000.json"
    case .big: "document.json"
    }
  }

  /// The number of counted rounds. Short runs are noisy and need many. Long runs need few.
  func rounds(quick: Bool) -> Int {
    switch self {
    case .tiny: quick ? 11 : 21
    case .typical: quick ? 5 : 11
    case .many: quick ? 3 : 7
    case .big: quick ? 1 : 3
    }
  }

  /// Bytes of scratch space for the files, the packages made from them and one unpacked copy.
  var room: Int {
    switch self {
    case .tiny: 1 << 20
    case .typical: 64 << 20
    case .many: 512 << 20
    case .big: 3 << 30
    }
  }

  /// Calls `body` with every file, parents of their folders first.
  func forEachFile(_ body: (GeneratedFile) throws -> Void) rethrows {
    var random = RandomSource(seed: 1)
    switch self {
    case .tiny:
      try body(GeneratedFile("particles.json", JSONText.make(4096, &random)))
      try body(GeneratedFile("spark.png", NoisePNG.make(2048, &random)))
    case .typical:
      for name in ["particles", "scene", "materials"] {
        try body(GeneratedFile("\(name).json", JSONText.make(50 << 10, &random)))
      }
      for index in 0..<20 {
        let name = "textures/texture-\(padded(index, 2)).png"
        try body(GeneratedFile(name, NoisePNG.make(100 << 10, &random)))
      }
      try body(GeneratedFile("QuickLook/thumbnail.png", NoisePNG.make(12 << 10, &random)))
    case .many:
      for index in 0..<10_000 {
        let name = "layers/\(padded(index / 100, 2))/item-\(padded(index, 5)).json"
        try body(GeneratedFile(name, JSONText.make(1024 + random.below(7169), &random)))
      }
    case .big:
      let size = 128 << 20
      try body(GeneratedFile("cache/frames.f32", size, FloatCache(seed: 2)))
      try body(GeneratedFile("scene/keyframes.json", size, KeyFrames(seed: 3)))
      try body(GeneratedFile("textures/atlas.bmp", size, Atlas(seed: 4, size: size)))
      try body(GeneratedFile("cache/mixed.bin", size, Mix(seed: 5, size: size)))
      try body(GeneratedFile("document.json", JSONText.make(4096, &random)))
    }
  }

  /// The contents of the changed file after change number `count`: about 4 KB, different each time
  /// in contents and length, as after an edit.
  static func change(_ count: Int) -> [UInt8] {
    var random = RandomSource(seed: UInt64(1000 + count))
    return JSONText.make(4000 + count * 37 % 97, &random)
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    var bytes: [UInt8] = []
    Decimal.append(number, to: &bytes, width: width)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A file of a shape, made piece by piece so that even large ones take little memory.
struct GeneratedFile {
  let path: String
  let size: Int
  private var pieces: any PieceSource

  init(_ path: String, _ size: Int, _ pieces: any PieceSource) {
    self.path = path
    self.size = size
    self.pieces = pieces
  }

  init(_ path: String, _ bytes: [UInt8]) { self.init(path, bytes.count, OnePiece(bytes: bytes)) }

  /// Calls `body` with the contents in order.
  func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) rethrows {
    var pieces = pieces
    var rest = size
    while rest > 0 {
      let piece = pieces.next().prefix(rest)
      try body(piece)
      rest -= piece.count
    }
  }
}

/// An endless source of contents. The reader decides how much to take.
protocol PieceSource {
  /// The next piece, about 1 MiB, never empty.
  mutating func next() -> [UInt8]
}

private struct OnePiece: PieceSource {
  let bytes: [UInt8]
  mutating func next() -> [UInt8] { bytes }
}

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

/// Each source in turn for a mebibyte. Every sixteenth mebibyte is noise.
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

/// Pretty-printed JSON as particle editors write it.
enum JSONText {
  private static let keys = [
    "birthRate", "lifeSpan", "lifeSpanVariation", "velocity", "velocityVariation",
    "angularVelocity", "spreadingAngle", "particleSize", "particleSizeVariation", "mass", "bounce",
    "friction", "charge", "dampingFactor", "imageSequenceFrameRate", "emissionDuration",
    "idleDuration",
  ]
  private static let modes = ["additive", "alpha", "multiply", "screen"]
  private static let head = "{\n  \"version\" : 3,\n  \"emitters\" : [\n"
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz ".utf8)

  /// A text of exactly `size` bytes: as many emitters as fit, and a note that fills the rest.
  static func make(_ size: Int, _ random: inout RandomSource) -> [UInt8] {
    var text = Array(head.utf8)
    var number = 0
    while true {
      let emitter = emitter(number, &random)
      if text.count + emitter.count > size - 48 { break }
      text += emitter
      number += 1
    }
    text += Array("  ], \"note\": \"".utf8)
    let end = Array("\" }\n".utf8)
    while text.count + end.count < size { text.append(letters[random.below(letters.count)]) }
    return text + end
  }

  private static func emitter(_ number: Int, _ random: inout RandomSource) -> [UInt8] {
    var text = Array("    {\n      \"identifier\" : \"".utf8)
    Decimal.append(Int(random.next() >> 32), radix: 16, to: &text, width: 8)
    text += Array("\",\n      \"name\" : \"emitter \(number)\",\n      \"blendMode\" : \"".utf8)
    text += Array("\(modes[random.below(modes.count)])\",\n".utf8)
    // A random choice that keeps the order, as an encoder would.
    let share = random.between(0.35, 1)
    for key in keys where random.unit() < share {
      text += Array("      \"\(key)\" : ".utf8)
      Decimal.append(random.between(0, 100), 4, to: &text)
      text += Array(",\n".utf8)
    }
    text += Array("      \"color\" : [ ".utf8)
    for index in 0..<4 {
      if index > 0 { text += Array(", ".utf8) }
      Decimal.append(random.unit(), 4, to: &text)
    }
    text += Array(" ],\n      \"image\" : \"textures\\/spark-\(random.below(41)).png\"\n".utf8)
    text += Array("    },\n".utf8)
    return text
  }
}

/// A PNG whose pixels are noise: what cannot be made smaller and should not be tried for long.
///
/// The noise is stored, not deflated, as any encoder would end up doing, so that the bytes do not
/// depend on the version of a library.
enum NoisePNG {
  private static let width = 64

  /// A valid RGBA image of exactly `size` bytes.
  static func make(_ size: Int, _ random: inout RandomSource) -> [UInt8] {
    let row = width * 4 + 1
    let height = max(1, (size - 200) / row)
    var header: [UInt8] = []
    for value in [width, height] { header += bigEndian(UInt32(value)) }
    header += [8, 6, 0, 0, 0]
    var pixels: [UInt8] = []
    for _ in 0..<height { pixels += [0] + random.bytes(row - 1) }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk("IHDR", header)
    file += chunk("IDAT", stored(pixels))
    let end = chunk("IEND", [])
    // A comment of noise makes the size exact. A chunk takes 12 bytes besides its contents.
    let comment = Array("Comment\0".utf8)
    let missing = size - file.count - end.count - 12 - comment.count
    if missing >= 0 { file += chunk("tEXt", comment + random.bytes(missing)) }
    return file + end
  }

  private static func chunk(_ kind: String, _ contents: [UInt8]) -> [UInt8] {
    let checked = Array(kind.utf8) + contents
    return bigEndian(UInt32(contents.count)) + checked + bigEndian(CRC32.checksum(checked))
  }

  /// A zlib stream of stored blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    while !rest.isEmpty {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return stream + bigEndian(b << 16 | a)
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}

/// Formats numbers in decimal, without Foundation and fast enough to generate half a gigabyte.
enum Decimal {
  /// `value` with a fixed number of digits after the decimal point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    var bytes: [UInt8] = []
    append(value, digits, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `value` with a fixed number of digits after the decimal point.
  static func append(_ value: Double, _ digits: Int, to bytes: inout [UInt8]) {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int(saturating: (value.magnitude * scale).rounded())
    if value < 0, scaled > 0 { bytes.append(UInt8(ascii: "-")) }
    append(scaled / Int(saturating: scale), to: &bytes)
    guard digits > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    append(scaled % Int(saturating: scale), to: &bytes, width: digits)
  }

  /// Appends a number that is not negative, with zeros before it up to `width`.
  static func append(_ value: Int, radix: Int = 10, to bytes: inout [UInt8], width: Int = 1) {
    let start = bytes.count
    var rest = value
    while rest > 0 || bytes.count - start < width {
      let digit = UInt8(rest % radix)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      rest /= radix
    }
    bytes[start...].reverse()
  }
}

/// Repeatable random numbers (SplitMix64): equal seeds give equal shapes everywhere.
struct RandomSource {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// A whole number, at least 0 and less than `bound`. The small modulo bias does not matter here.
  mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }

  /// A number, at least 0 and less than 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number between two others.
  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  /// Bytes that nothing compresses.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: next().littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
