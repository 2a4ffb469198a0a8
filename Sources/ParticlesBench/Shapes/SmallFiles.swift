internal import ParticlesCore

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
    // A comment of noise makes the size exact; a chunk takes 12 bytes besides its contents.
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
