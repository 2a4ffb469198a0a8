internal import ParticlesCore

/// A text file of Godot as sections with keys and values, in the order of the file. Only their
/// places are kept. Values are read when they are needed.
///
/// A line without a key is skipped. A header or a value without an end is an error, because
/// everything behind it would belong to it.
struct GodotText: Sendable {
  struct Property: Sendable {
    let key: Range<Int>
    let value: Range<Int>
  }

  struct Section: Sendable {
    /// `gd_scene`, `ext_resource`, `sub_resource`, `node`, `resource` …
    var tag: String
    var attributes: [(name: String, value: GodotValue)]
    /// The header, with its brackets.
    var header: Range<Int>
    var properties: [Property] = []
    /// The end of the header or the last value.
    var end: Int

    func attribute(_ name: String) -> GodotValue? { attributes.first { $0.name == name }?.value }

    /// An attribute that is text.
    func text(_ name: String) -> String? {
      if case .text(let text)? = attribute(name) { text } else { nil }
    }

    /// The identifier of a resource: a number until Godot 3, then text.
    var id: String? {
      switch attribute("id") {
      case .text(let text)?: text
      case .integer(let number)?: "\(number)"
      default: nil
      }
    }
  }

  let bytes: [UInt8]
  private(set) var sections: [Section] = []

  /// The property of each key in sections with many properties. Of equal keys, the last.
  private var indices: [Int: [ArraySlice<UInt8>: Int]] = [:]

  /// Sections with fewer properties are searched.
  private static let mostSearched = 64

  init(_ bytes: [UInt8], limits: Limits) throws(Failure) {
    try limits.checkText(bytes.count, "bytes of text")
    self.bytes = bytes
    var count = 0
    try bytes.withUnsafeBufferPointer { text throws(Failure) in
      var place = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      while place < text.count {
        let byte = text[place]
        if TextEdits.isSpace(byte) {
          place += 1
        } else if byte == UInt8(ascii: ";") {
          place = text.endOfLine(from: place)
        } else {
          count += 1
          try limits.check(count, { $0.objects }, "sections and keys of a scene")
          if byte == UInt8(ascii: "[") {
            let end = try text.endOfValue(from: place, stopsAtLine: false)
            sections.append(try Self.section(text, place..<end, limits: limits))
            place = end
          } else {
            place = try readProperty(text, from: place, limits: limits)
          }
        }
      }
    }
    for (number, section) in sections.enumerated()
    where section.properties.count > Self.mostSearched {
      indices[number] = Dictionary(
        last: section.properties.enumerated().map { (bytes[$0.element.key], $0.offset) })
    }
  }

  /// Reads a key with its value, and returns the place behind them.
  private mutating func readProperty(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, limits: Limits
  ) throws(Failure) -> Int {
    var sign = start
    while sign < text.count, text[sign] != UInt8(ascii: "="), text[sign] != 0x0A { sign += 1 }
    // A line that ends within its key was cut off. Others without a key are skipped.
    if sign == text.count, !sections.isEmpty { throw Self.cut(at: start, "'='") }
    guard sign < text.count, text[sign] == UInt8(ascii: "="), !sections.isEmpty else {
      return text.endOfLine(from: sign)
    }
    var key = start..<sign
    while let last = key.last, TextEdits.isSpace(text[last]) { key = key.lowerBound..<last }
    try limits.checkWord(key.count, at: .offset(start))
    var first = sign + 1
    while first < text.count, text[first] == 0x20 || text[first] == 0x09 { first += 1 }
    let end = try text.endOfValue(from: first, stopsAtLine: true)
    var value = first..<max(first, end)
    while let last = value.last, TextEdits.isSpace(text[last]) { value = value.lowerBound..<last }
    if value.isEmpty, end == text.count { throw Self.cut(at: start, "a value") }
    sections[sections.count - 1].properties.append(Property(key: key, value: value))
    sections[sections.count - 1].end = value.upperBound
    return text.endOfLine(from: max(end, sign + 1))
  }

  /// The error for a file that ends within a line.
  private static func cut(at place: Int, _ expected: String) -> Diagnostic {
    Diagnostic(
      .emitterSyntax, at: .offset(place), "the file was cut off", expected: expected,
      found: "the end of the file", hint: "copy it again from its source")
  }

  private static func section(
    _ text: UnsafeBufferPointer<UInt8>, _ header: Range<Int>, limits: Limits
  ) throws(Failure) -> Section {
    var parser = GodotParser(text, header.lowerBound + 1..<header.upperBound, limits: limits)
    let tag = try parser.word()
    var attributes: [(name: String, value: GodotValue)] = []
    while let name = try parser.attributeName() {
      attributes.append((name, try parser.value() ?? .null))
    }
    return Section(tag: tag, attributes: attributes, header: header, end: header.upperBound)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The place of a key in a section. Of equal keys the last counts, as in the engine.
  func property(_ name: String, in section: Int) -> Property? {
    let name = Array(name.utf8)
    if let index = indices[section] {
      return index[name[...]].map { sections[section].properties[$0] }
    }
    return sections[section].properties.last { $0.key.count == name.count && isEqual($0.key, name) }
  }

  private func isEqual(_ range: Range<Int>, _ name: [UInt8]) -> Bool {
    for index in name.indices where bytes[range.lowerBound + index] != name[index] { return false }
    return true
  }

  /// Whether the text at a place has exponents, or `inf` or `nan`.
  func mayHaveInfiniteNumbers(_ range: Range<Int>) -> Bool {
    zip(bytes[range], bytes[range].dropFirst()).contains { first, second in
      (TextScanner.isDigit(first) && second | 0x20 == UInt8(ascii: "e"))
        || (first == UInt8(ascii: "n") && "af".utf8.contains(second))
    }
  }

  /// Whether the text at a place may refer to resources.
  func mayHaveReferences(_ range: Range<Int>) -> Bool {
    range.count > "SubResource()".count
      && bytes[range].contains { $0 == UInt8(ascii: "S") || $0 == UInt8(ascii: "E") }
  }

  /// The value at a place. Nil if it does not follow the grammar.
  func value(_ range: Range<Int>, limits: Limits) throws(Failure) -> GodotValue? {
    try bytes.withUnsafeBufferPointer { text throws(Failure) in
      var parser = GodotParser(text, range, limits: limits)
      let value = try parser.value()
      return parser.isAtEnd ? value : nil
    }
  }

  /// The number of references of a kind to each resource, by its identifier.
  /// - Parameter kind: `SubResource` or `ExtResource`.
  func references(_ kind: String) -> [String: Int] {
    var counts: [String: Int] = [:]
    for property in sections.lazy.flatMap({ $0.properties }) {
      for reference in references([kind], in: property.value) {
        counts[reference.id, default: 0] += 1
      }
    }
    return counts
  }

  /// The references to resources in a value, with their kinds and identifiers.
  func references(
    _ kinds: [String], in value: Range<Int>
  ) -> [(range: Range<Int>, kind: String, id: String)] {
    var found: [(range: Range<Int>, kind: String, id: String)] = []
    bytes.withUnsafeBufferPointer { text in
      for kind in kinds {
        let pattern = Array("\(kind)(".utf8)
        var place = value.lowerBound
        while place < value.upperBound {
          guard text[place] == pattern[0], text[place..<value.upperBound].starts(with: pattern)
          else {
            place += 1
            continue
          }
          let start = place
          place += pattern.count
          let inside = text[place..<value.upperBound].prefix { $0 != UInt8(ascii: ")") }
          let id = inside.filter { !TextEdits.isSpace($0) && $0 != UInt8(ascii: "\"") }
          place = Swift.min(inside.endIndex + 1, value.upperBound)
          found.append((start..<place, kind, String(decoding: id, as: UTF8.self)))
        }
      }
    }
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func endOfLine(from start: Int) -> Int {
    var place = start
    while place < count, self[place] != 0x0A { place += 1 }
    return Swift.min(place + 1, count)
  }

  /// The end of a value. With `stopsAtLine`, the end of its line, unless strings or brackets are
  /// open there. Without, the end of the first bracket and its contents.
  /// - Throws: ``ParticlesCore/Rule/emitterSyntax`` if a string or bracket is open at the end of the file.
  fileprivate func endOfValue(from start: Int, stopsAtLine: Bool) throws(Failure) -> Int {
    var (place, depth) = (start, 0)
    while place < count {
      switch self[place] {
      case UInt8(ascii: "\""):
        place += 1
        while place < count, self[place] != UInt8(ascii: "\"") {
          place += self[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        if place >= count { depth = 1 }
      case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"):
        depth -= 1
        if !stopsAtLine, depth <= 0 {
          guard self[place] == UInt8(ascii: "]") else {
            throw Diagnostic(
              .emitterSyntax, at: .offset(place), expected: "']', which ends a header",
              found: "'\(Character(UnicodeScalar(self[place])))'")
          }
          return place + 1
        }
      case 0x0A where stopsAtLine && depth <= 0: return place
      case UInt8(ascii: ";"):
        if stopsAtLine, depth <= 0 { return place }
        place = endOfLine(from: place) - 1
      default: break
      }
      place += 1
    }
    guard stopsAtLine, depth <= 0 else {
      throw Diagnostic(
        .emitterSyntax, at: .offset(start), expected: "a closing bracket or quotation mark",
        found: "the end of the file")
    }
    return count
  }
}
