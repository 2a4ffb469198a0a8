internal import ParticlesTypes

/// The file `magic` of a shared MIME database: content patterns by type (Shared MIME-info Database
/// specification 0.21, section 2.7).
///
/// The file is binary: lengths of values are two bytes, big-endian, and values may contain line
/// feeds. Parsing stops at the first error.
struct MagicFile {
  /// A type and its content patterns.
  struct Section {
    var type: String
    var patterns: [ContentPattern]
  }

  private(set) var sections: [Section] = []

  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    guard take(Array("MIME-Magic\0\n".utf8)) else { return }
    while let section = section() { sections.append(section) }
  }

  // MARK: Sections

  private mutating func section() -> Section? {
    guard take([UInt8(ascii: "[")]), let priority = number(), take([UInt8(ascii: ":")]),
      let end = bytes.firstIndex(of: UInt8(ascii: "]"))
    else { return nil }
    let type = String(decoding: bytes[..<end], as: UTF8.self)
    bytes = bytes[(end + 1)...]
    guard take([UInt8(ascii: "\n")]) else { return nil }
    var lines: [(level: Int, pattern: ContentPattern)] = []
    while let first = bytes.first, first != UInt8(ascii: "[") {
      guard let line = line(min(max(priority, 0), 100)) else { break }
      lines.append(line)
    }
    var position = 0
    return Section(type: type, patterns: Self.nest(lines, at: 0, &position))
  }

  /// A nested line applies only if the line that it is nested in matches.
  private static func nest(
    _ lines: [(level: Int, pattern: ContentPattern)], at level: Int, _ position: inout Int
  ) -> [ContentPattern] {
    var patterns: [ContentPattern] = []
    while position < lines.count, lines[position].level >= level {
      var pattern = lines[position].pattern
      position += 1
      if level < levels, position < lines.count, lines[position].level > level {
        pattern.also = nest(lines, at: level + 1, &position)
      }
      patterns.append(pattern)
    }
    return patterns
  }

  private static let levels = 32

  // MARK: Lines

  /// `[level]>offset=value[&mask][~word][+range]`
  private mutating func line(_ priority: Int) -> (level: Int, pattern: ContentPattern)? {
    let level = number() ?? 0
    guard take([UInt8(ascii: ">")]), let offset = number(), take([UInt8(ascii: "=")]),
      let high = bytes.popFirst(), let low = bytes.popFirst()
    else { return nil }
    let count = Int(high) << 8 | Int(low)
    guard let value = piece(count) else { return nil }
    var mask: [UInt8]?
    if take([UInt8(ascii: "&")]) {
      guard let piece = piece(count) else { return nil }
      mask = piece
    }
    // GLib ignores the size of words and compares them as big-endian ones.
    if take([UInt8(ascii: "~")]) { _ = number() }
    var range = 1
    if take([UInt8(ascii: "+")]) { range = number() ?? 1 }
    // Later versions of the format may add fields here; they are skipped.
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    bytes = bytes[(end + 1)...]
    let last = offset.addingReportingOverflow(max(range, 1) - 1)
    guard offset >= 0, !last.overflow else { return nil }
    let pattern = ContentPattern(
      value, at: offset...last.partialValue, mask: mask, priority: priority)
    return (level, pattern)
  }

  // MARK: Pieces

  private mutating func take(_ expected: [UInt8]) -> Bool {
    guard bytes.starts(with: expected) else { return false }
    bytes = bytes.dropFirst(expected.count)
    return true
  }

  private mutating func number() -> Int? {
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty, digits.count < 10 else { return nil }
    bytes = bytes.dropFirst(digits.count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private mutating func piece(_ count: Int) -> [UInt8]? {
    guard bytes.count >= count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return Array(bytes.prefix(count))
  }
}
