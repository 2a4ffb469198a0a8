internal import ParticlesCore
internal import ParticlesPlatform

/// The parts of an ICC profile that convert a colour to sRGB: its description, and the matrix and
/// curves of a matrix profile.
package struct ICCProfile {
  private static let tagsLooked = 100

  /// Whether the description of the profile names sRGB.
  package let isSRGB: Bool

  /// The colour space, or nil if the profile converts colours by lookup tables.
  package let space: RGBSpace?

  /// Parses a profile; nil if the bytes are not an ICC profile.
  package init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes, rule: .archiveValue)
    guard bytes.count > 132, Self.text(bytes, 36) == "acsp", (try? reader.seek(to: 128)) != nil,
      let count = try? reader.bigEndian(4)
    else { return nil }
    var tags: [String: ArraySlice<UInt8>] = [:]
    for number in 0..<Int(min(count, UInt64(Self.tagsLooked))) {
      let place = 132 + 12 * number
      guard (try? reader.seek(to: place + 4)) != nil, let offset = try? reader.bigEndian(4),
        let size = try? reader.bigEndian(4), offset + size <= UInt64(bytes.count)
      else { continue }
      tags[Self.text(bytes, place)] = bytes[Int(offset)..<Int(offset + size)]
    }
    isSRGB = tags["desc"].map(Self.namesSRGB) ?? false
    space = Self.space(tags)
  }

  private static func text(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
  }

  /// Searches the description, in ASCII or UTF-16, for the name.
  private static func namesSRGB(_ description: ArraySlice<UInt8>) -> Bool {
    let letters = description.prefix(1 << 12).filter { $0 != 0 }
    return String(decoding: letters, as: UTF8.self).contains("sRGB")
  }

  private static func space(_ tags: [String: ArraySlice<UInt8>]) -> RGBSpace? {
    let columns = ["rXYZ", "gXYZ", "bXYZ"].compactMap { tags[$0].flatMap(xyz) }
    // The green curve is used for all components: display profiles have the same for each.
    guard columns.count == 3, let curve = tags["gTRC"].flatMap(curve) else { return nil }
    let matrix = fromD50.map { row in
      columns.map { column in zip(row, column).reduce(0) { $0 + $1.0 * $1.1 } }
    }
    return RGBSpace(linear: curve, matrix: matrix)
  }

  /// From the profile connection space, XYZ under D50, to linear sRGB (Bradford adaptation).
  private static let fromD50: [[Double]] = [
    [3.133_856_1, -1.616_866_7, -0.490_614_6], [-0.978_768_4, 1.916_141_5, 0.033_454],
    [0.071_945_3, -0.228_991_4, 1.405_242_7],
  ]

  private static func fixed(_ reader: inout ByteReader) throws -> Double {
    Double(Int32(truncatingIfNeeded: try reader.bigEndian(4))) / 65536
  }

  private static func xyz(_ tag: ArraySlice<UInt8>) -> [Double]? {
    var reader = ByteReader(Array(tag), rule: .archiveValue)
    guard (try? reader.seek(to: 8)) != nil else { return nil }
    return try? [fixed(&reader), fixed(&reader), fixed(&reader)]
  }

  private static func curve(_ tag: ArraySlice<UInt8>) -> (@Sendable (Double) -> Double)? {
    var reader = ByteReader(Array(tag), rule: .archiveValue)
    guard let kind = try? reader.bigEndian(4), (try? reader.seek(to: 8)) != nil else { return nil }
    switch kind {
    case 0x6375_7276: return try? sampledCurve(&reader)
    case 0x7061_7261: return try? parametricCurve(&reader)
    default: return nil
    }
  }

  /// `curv`: identity, a gamma, or evenly spaced samples.
  private static func sampledCurve(
    _ reader: inout ByteReader
  ) throws -> @Sendable (Double) -> Double {
    let count = Int(try reader.bigEndian(4))
    if count == 0 { return { $0 } }
    if count == 1 {
      let gamma = Double(try reader.bigEndian(2)) / 256
      return { pow(max($0, 0), gamma) }
    }
    let samples = Array(try reader.read(2 * count))
    return { input in
      let place = min(max(input, 0), 1) * Double(count - 1)
      let low = min(Int(saturating: place), count - 2)
      func sample(_ index: Int) -> Double {
        Double(UInt16(samples[2 * index]) << 8 | UInt16(samples[2 * index + 1])) / 65535
      }
      return sample(low) + (sample(low + 1) - sample(low)) * (place - Double(low))
    }
  }

  /// `para`: one of five formulas; the first four are special cases of the last.
  private static func parametricCurve(
    _ reader: inout ByteReader
  ) throws -> (@Sendable (Double) -> Double)? {
    let kind = Int(try reader.bigEndian(2))
    let counts = [1, 3, 4, 5, 7]
    guard counts.indices.contains(kind) else { return nil }
    _ = try reader.bigEndian(2)
    var p: [Double] = []
    for _ in 0..<counts[kind] { p.append(try fixed(&reader)) }
    let (g, a, b) = (p[0], kind > 0 ? p[1] : 1, kind > 0 ? p[2] : 0)
    let offset = kind == 2 ? p[3] : kind == 4 ? p[5] : 0
    let start = kind >= 3 ? p[4] : kind > 0 && a != 0 ? -b / a : 0
    let slope = kind >= 3 ? p[3] : 0
    let foot = kind == 4 ? p[6] : kind == 2 ? p[3] : 0
    return { $0 >= start ? pow(max(a * $0 + b, 0), g) + offset : slope * $0 + foot }
  }
}
