import ParticlesCore
import ParticlesSystem

/// A TIFF file, put together tag by tag.
struct TIFFForge {
  var width = 5
  var height = 4
  var samples = 4
  var photometric = 2
  var compression = 1
  var predictor = 1
  var isPlanar = false
  var isLittle = false
  var rowsPerStrip = 3
  var extra: Int? = 2
  /// Tags that are added, or take the place of others.
  var tags: [Int: [Int]] = [:]

  /// The samples of each pixel, from the top left: ramps and edges, so that every codec has runs and
  /// changes to deal with.
  var content: [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let edge = x > 2 ? y : 0
        for sample in 0..<samples {
          let value = sample == 3 ? 255 - 17 * y : x * 40 * (sample + 1) + edge
          bytes.append(UInt8(truncatingIfNeeded: value))
        }
      }
    }
    return bytes
  }

  /// The rows of a strip, of all samples or of one plane.
  private func strip(_ rows: Range<Int>, plane: Int?) -> [UInt8] {
    let content = self.content
    var bytes: [UInt8] = []
    let step = plane == nil ? samples : 1
    for y in rows {
      var row: [UInt8] = []
      for x in 0..<width {
        let pixel = (y * width + x) * samples
        if let plane {
          row.append(content[pixel + plane])
        } else {
          row += content[pixel..<pixel + samples]
        }
      }
      if predictor == 2 {
        for index in row.indices.reversed() where index >= step { row[index] &-= row[index - step] }
      }
      bytes += row
    }
    return pack(bytes)
  }

  private func pack(_ bytes: [UInt8]) -> [UInt8] {
    switch compression {
    case 5: return LZWForge.pack(bytes)
    case 8: return bytes.withUnsafeBytes { Deflate(level: 6).zlib($0, limit: 1 << 20) } ?? []
    case 32773: return Self.packBits(bytes)
    default: return bytes
    }
  }

  private static func packBits(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let run = bytes[index...].prefix(128).prefix { $0 == bytes[index] }.count
      if run > 2 {
        output += [UInt8(bitPattern: Int8(1 - run)), bytes[index]]
        index += run
      } else {
        // −128 stands for nothing, which writers may put anywhere.
        output += [0x80, 0, bytes[index]]
        index += 1
      }
    }
    return output
  }

  var file: [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? bytes : bytes.reversed()
    }
    var file: [UInt8] = isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
    file += number(42, 2)
    file += number(0, 4)
    var (offsets, counts) = ([Int](), [Int]())
    let planes: [Int?] = isPlanar ? Array(0..<samples) : [nil]
    for plane in planes {
      for top in stride(from: 0, to: height, by: rowsPerStrip) {
        let strip = self.strip(top..<min(top + rowsPerStrip, height), plane: plane)
        offsets.append(file.count)
        counts.append(strip.count)
        file += strip
      }
    }
    var entries: [Int: [Int]] = [
      256: [width], 257: [height], 258: [Int](repeating: 8, count: samples), 259: [compression],
      262: [photometric], 273: offsets, 277: [samples], 278: [rowsPerStrip], 279: counts,
      284: [isPlanar ? 2 : 1], 317: [predictor],
    ]
    if let extra, samples == 2 || samples == 4 { entries[338] = [extra] }
    entries.merge(tags) { _, new in new }
    var table: [UInt8] = []
    for (tag, values) in entries.sorted(by: { $0.key < $1.key }) where !values.isEmpty {
      let isLong = tag == 273 || tag == 279
      var bytes = values.flatMap { number($0, isLong ? 4 : 2) }
      if bytes.count > 4 {
        let place = file.count
        file += bytes
        bytes = number(place, 4)
      }
      while bytes.count < 4 { bytes.append(0) }
      table += number(tag, 2)
      table += number(isLong ? 4 : 3, 2)
      table += number(values.count, 4)
      table += bytes
    }
    file.replaceSubrange(4..<8, with: number(file.count, 4))
    file += number(table.count / 12, 2)
    file += table
    file += number(0, 4)
    return file
  }
}

/// LZW as TIFF has it.
enum LZWForge {
  static func pack(_ bytes: [UInt8]) -> [UInt8] {
    var (output, bits, count) = ([UInt8](), 0, 0)
    func emit(_ code: Int, _ width: Int) {
      bits = bits << width | code
      count += width
      while count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> count))
      }
      bits &= 1 << count - 1
    }
    var codes: [[UInt8]: Int] = [:]
    var width = 9
    func clear() {
      emit(256, width)
      codes = Dictionary(uniqueKeysWithValues: (0..<256).map { ([UInt8($0)], $0) })
      width = 9
    }
    clear()
    var next = 258
    var word: [UInt8] = []
    for byte in bytes {
      if codes[word + [byte]] != nil {
        word.append(byte)
        continue
      }
      emit(codes[word] ?? 0, width)
      codes[word + [byte]] = next
      next += 1
      if next == 4094 {
        clear()
        next = 258
      } else if next + 1 > 1 << width {
        width += 1
      }
      word = [byte]
    }
    if !word.isEmpty { emit(codes[word] ?? 0, width) }
    emit(257, width)
    emit(0, 7)
    return output
  }
}
