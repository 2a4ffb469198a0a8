/// Lines and columns in a text file, for messages: places of bytes, and of keys in JSON, XML and
/// desktop entries.
package struct TextPlaces {
  private let bytes: [UInt8]
  /// A file may consist of line breaks.
  private let lineStarts: [UInt32]
  /// The characters before each block of ``blockSize`` bytes, for columns in long lines.
  private let characters: [Int]
  private static let blockSize = 4096

  /// Takes a text.
  /// - Parameter bytes: the bytes of the file. Fails unless they are UTF-8.
  package init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count < UInt32.max, !bytes.contains(0),
      String(validating: bytes, as: UTF8.self) != nil
    else {
      return nil
    }
    self.bytes = bytes
    lineStarts = Self.lineStarts(bytes)
    var (characters, count) = ([0], 0)
    for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
      count += Self.characters(bytes[start..<min(start + Self.blockSize, bytes.count)])
      characters.append(count)
    }
    self.characters = characters
  }

  private static func lineStarts(_ bytes: [UInt8]) -> [UInt32] {
    var starts: [UInt32] = [0]
    bytes.withUnsafeBufferPointer { bytes in
      starts.reserveCapacity(1 + bytes.count { $0 == 0x0A })
      for index in bytes.indices where bytes[index] == 0x0A { starts.append(UInt32(index + 1)) }
    }
    return starts
  }

  private static func characters(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.count { $0 & 0xC0 != 0x80 }
  }

  private func characters(before offset: Int) -> Int {
    let block = offset / Self.blockSize
    return characters[block] + Self.characters(bytes[(block * Self.blockSize)..<offset])
  }

  /// Returns the line and column of a byte. Places after the end are at the end.
  package func place(at offset: Int) -> Location.TextPlace {
    let offset = min(max(0, offset), bytes.count)
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle }
    }
    let start = Int(lineStarts[low])
    let before =
      offset - start <= Self.blockSize
      ? Self.characters(bytes[start..<offset])
      : characters(before: offset) - characters(before: start)
    return Location.TextPlace(line: low + 1, column: before + 1)
  }

  /// Returns the place of a position, or nil if the text has no such key.
  package mutating func place(of position: Location.Position) -> Location.TextPlace? {
    switch position {
    case .offset(let offset): return place(at: offset)
    case .key(let path): return offset(of: path).map(place(at:))
    }
  }

  private enum Keys {
    case json(JSONText.Offsets)
    case xml(XMLKeys)
    case lines(LineKeys)
    case none
  }

  /// The text is read when the first key is searched for, and only once.
  private lazy var keys: Keys = {
    switch bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
    case nil: .none
    case UInt8(ascii: "{"): (try? JSONText(bytes)).map { .json(JSONText.Offsets($0)) } ?? .none
    case UInt8(ascii: "<"): .xml(XMLKeys(bytes))
    default: .lines(LineKeys(bytes, lineStarts))
    }
  }()

  private mutating func offset(of path: String) -> Int? {
    let steps = Self.steps(path)
    switch keys {
    case .json(var offsets):
      // Taken out, so that it is changed in place.
      keys = .none
      defer { keys = .json(offsets) }
      return offsets.offset(of: steps)
    case .xml(let keys): return keys.offset(of: steps)
    case .lines(let keys): return keys.offset(of: steps)
    case .none: return nil
    }
  }

  /// The steps of a path such as `emitters[0].emission.rate` or `extras["a key"]`.
  private static func steps(_ path: String) -> [JSONText.Step] {
    var steps: [JSONText.Step] = []
    var rest = path[...]
    while let quote = rest.firstRange(of: "[\"") {
      steps += words(rest[..<quote.lowerBound])
      let literal = rest[rest.index(after: quote.lowerBound)...]
      guard let end = literal.firstRange(of: "\"]"),
        let key = try? JSONParser.parse(Array(literal[..<end.upperBound].dropLast().utf8)).string
      else { break }
      steps.append(.key(key))
      rest = rest[end.upperBound...]
    }
    return steps + words(rest)
  }

  private static func words(_ path: Substring) -> [JSONText.Step] {
    path.split { $0 == "." || $0 == "[" || $0 == "]" }.map { word in
      Int(word).map(JSONText.Step.index) ?? .key(String(word))
    }
  }
}

/// The places of keys in a text whose lines are `key=value`, `key value` or `key[…]=value`.
///
/// A line may begin with several keys, as `Name [fr]=…` does with `Name` and `Name [fr]`.
private struct LineKeys {
  // Limits for the bytes of a key, the keys at the start of a line, and the keys that are found in a
  // file: a file may consist of one line, or of lines that all differ.
  private static let longestKey = 1024
  private static let mostOfLine = 8
  private static let most = 100_000

  /// The first line of each key.
  private let starts: [ArraySlice<UInt8>: Int]

  init(_ bytes: [UInt8], _ lineStarts: [UInt32]) {
    var starts: [ArraySlice<UInt8>: Int] = [:]
    for start in lineStarts.lazy.map(Int.init) {
      guard starts.count < Self.most else { break }
      var (end, keys) = (start, 0)
      while end < bytes.count, bytes[end] != 0x0A, end - start <= Self.longestKey,
        keys < Self.mostOfLine
      {
        if [UInt8(ascii: "="), 0x20, UInt8(ascii: "[")].contains(bytes[end]) {
          let key = bytes[start..<end]
          if starts[key] == nil { starts[key] = start }
          keys += 1
        }
        end += 1
      }
    }
    self.starts = starts
  }

  /// The line with the last key of a path.
  func offset(of steps: [JSONText.Step]) -> Int? {
    for case .key(let name) in steps.reversed() { return starts[ArraySlice(name.utf8)] }
    return nil
  }
}

/// The places of keys in XML: of the keys of a property list, otherwise of the first element or
/// attribute of a name.
private struct XMLKeys {
  /// An element without its contents.
  private struct Tag {
    var name: ArraySlice<UInt8>
    var start: Int
    var end: Int
    var isClosing = false
    var isEmpty = false
  }

  private let bytes: [UInt8]
  private let tags: [Tag]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var tags: [Tag] = []
    var position = 0
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let isComment = bytes[start...].starts(with: Array("<!--".utf8))
      let end =
        isComment
        ? Self.end(of: "-->", in: bytes, from: start)
        : bytes[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
      guard let end else { break }
      position = end
      let isClosing = bytes[start + 1] == UInt8(ascii: "/")
      let name = bytes[(start + (isClosing ? 2 : 1))..<end].prefix {
        ![0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "/"), UInt8(ascii: ">")].contains($0)
      }
      guard let first = name.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") else {
        continue
      }
      tags.append(
        Tag(
          name: name, start: start, end: end, isClosing: isClosing,
          isEmpty: bytes[end - 2] == UInt8(ascii: "/")))
    }
    self.tags = tags
  }

  private static func end(of text: String, in bytes: [UInt8], from start: Int) -> Int? {
    let text = Array(text.utf8)
    return bytes[start...].indices.first { bytes[$0...].starts(with: text) }.map { $0 + text.count }
  }

  func offset(of steps: [JSONText.Step]) -> Int? {
    guard let root = tags.firstIndex(where: { $0.name.elementsEqual("dict".utf8) }),
      tags.first?.name.elementsEqual("plist".utf8) ?? false
    else { return firstUse(of: steps) }
    var (element, place) = (root, nil as Int?)
    for step in steps {
      guard let child = child(step, of: element) else { break }
      element = child.value
      place = tags[child.start].start
    }
    return place
  }

  /// The first element of the name of the last key, otherwise the first attribute.
  private func firstUse(of steps: [JSONText.Step]) -> Int? {
    let names = steps.compactMap { if case .key(let name) = $0 { Array(name.utf8) } else { nil } }
    guard let name = names.last else { return nil }
    if let tag = tags.first(where: { !$0.isClosing && $0.name.elementsEqual(name) }) {
      return tag.start
    }
    let attribute = [0x20] + name + [UInt8(ascii: "=")]
    return tags.lazy.compactMap { tag in
      (tag.start..<tag.end).first { bytes[$0...].starts(with: attribute) }.map { $0 + 1 }
    }.first
  }

  /// The child of a dictionary or an array: the tags at which its key and its value begin.
  private func child(_ step: JSONText.Step, of parent: Int) -> (start: Int, value: Int)? {
    guard !tags[parent].isEmpty else { return nil }
    var (index, key) = (parent + 1, nil as Int?)
    var count = 0
    while index < tags.count, !tags[index].isClosing {
      let isKey = tags[index].name.elementsEqual("key".utf8)
      switch step {
      case .index(let wanted):
        if count == wanted { return (index, index) }
        count += 1
      case .key(let wanted):
        if let key, !isKey, text(of: key).elementsEqual(wanted.utf8) { return (key, index) }
        key = isKey ? index : nil
      }
      index = next(after: index)
    }
    return nil
  }

  private func text(of tag: Int) -> ArraySlice<UInt8> {
    bytes[tags[tag].end...].prefix { $0 != UInt8(ascii: "<") }
  }

  /// The tag after an element.
  private func next(after start: Int) -> Int {
    var (depth, index) = (0, start)
    while index < tags.count {
      depth += tags[index].isClosing ? -1 : tags[index].isEmpty ? 0 : 1
      index += 1
      if depth <= 0 { break }
    }
    return index
  }
}

extension Report.File {
  /// These findings with lines and columns where they are in texts.
  /// - Parameter contents: the bytes of the file, or of an entry of the package. Nil if they are
  ///   unknown.
  package func locatingLines(_ contents: (_ entry: String?) -> [UInt8]?) -> Report.File {
    var copy = self
    var texts: [String?: TextPlaces?] = [:]
    for index in copy.diagnostics.indices {
      let location = copy.diagnostics[index].location
      guard let position = location.position, location.textPlace == nil else { continue }
      let entry = location.entry
      if texts[entry] == nil { texts[entry] = .some(contents(entry).flatMap { TextPlaces($0) }) }
      var place = texts[entry]??.place(of: position)
      if isFolder { place?.file = entry.map { Files.joined(path, $0) } }
      copy.diagnostics[index].location.textPlace = place
    }
    return copy
  }
}
