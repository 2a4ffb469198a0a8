package import ParticlesCore

/// Reads XML 1.0: elements, attributes, text, CDATA sections, comments, processing instructions, and references to
/// characters and to the five predefined entities.
///
/// Web pages have no expat, so that the reader is ours. Tests compare it with expat. External entities are never read.
/// Documents that declare entities or attributes are rejected, since a few bytes of declarations can expand to very many.
package enum XMLParser {
  /// Parses a document and returns its root element.
  /// - Parameter report: called if the bytes do not fit the declared encoding and are read in another encoding. Without
  ///   it, they are an error.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/xml``,
  ///   ``ParticlesCore/Rule/xmlDeclarations`` or ``ParticlesCore/Rule/limit``, with offset, line and
  ///   column.
  package static func parse(
    _ bytes: [UInt8], limits: Limits = .standard, reporting report: ((Diagnostic) -> Void)? = nil
  ) throws(Diagnostic) -> XMLElement {
    try limits.checkText(bytes.count, "bytes of XML")
    let encoding = try XMLEncoding(of: bytes, reporting: report)
    let text = encoding == .utf8 ? bytes : try encoding.decoded(bytes)
    return try text.withUnsafeBufferPointer { text throws(Diagnostic) in
      var reader = XMLReader(text, of: encoding, limits: limits)
      return try reader.document()
    }
  }
}

/// Reads the text of a document from its beginning to its end.
private struct XMLReader {
  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// An element whose end tag was not read.
  private struct Open {
    var element: XMLElement
    /// The range of its name.
    let name: Range<Int>
    var text: [UInt8] = []
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: Limits
  private let isUTF8: Bool
  private var places: XMLPlaces
  /// The next byte.
  private var at = 0
  private var open: [Open] = []
  private var root: XMLElement?
  /// Whether the document has a document type, which may declare entities in other files.
  private var hasType = false
  private var count = 0
  /// The number of elements and attributes from which on the next are to be paid for.
  private var paid = WorkBudget.valuesOfPayment

  init(_ bytes: UnsafeBufferPointer<UInt8>, of encoding: XMLEncoding, limits: Limits) {
    self.bytes = bytes
    self.limits = limits
    isUTF8 = encoding == .utf8
    places = XMLPlaces(bytes, of: encoding)
  }

  // MARK: The document

  mutating func document() throws(Diagnostic) -> XMLElement {
    if starts("\u{FEFF}") { at += 3 }
    if starts("<?xml"), bytes.count > at + 5, TextEdits.isSpace(bytes[at + 5]) { try declaration() }
    while at < bytes.count, root == nil || !open.isEmpty || !isAtEnd() {
      if bytes[at] != UInt8(ascii: "<") { try text() } else { try markup() }
    }
    if let last = open.last {
      throw fault("the element <\(last.element.name.excerpt)> has no end tag", at: bytes.count)
    }
    guard let root else { throw fault("no element", at: bytes.count) }
    return root
  }

  /// Skips white space after the root. Returns whether nothing else follows.
  private mutating func isAtEnd() -> Bool {
    skipSpace()
    return at == bytes.count
  }

  private mutating func markup() throws(Diagnostic) {
    switch at + 1 < bytes.count ? bytes[at + 1] : 0 {
    case UInt8(ascii: "/"): try endTag()
    case UInt8(ascii: "?"): try instruction()
    case UInt8(ascii: "!"):
      if starts("<!--") {
        try comment()
      } else if starts("<![CDATA["), !open.isEmpty {
        try section()
      } else if starts("<!DOCTYPE"), open.isEmpty, root == nil, !hasType {
        try documentType()
      } else {
        throw fault("markup that does not belong here", at: at)
      }
    default: try startTag()
    }
  }

  /// `<?xml version="1.0" encoding="…" standalone="…"?>`. ``XMLEncoding`` has looked at the encoding.
  private mutating func declaration() throws(Diagnostic) {
    let start = at
    at += 5
    var names = ["version", "encoding", "standalone"][...]
    while true {
      let gap = at
      skipSpace()
      if starts("?>"), names.count < 3 { break }
      let name = try name("an attribute of the XML declaration")
      guard gap < at - name.count, let place = names.firstIndex(of: string(name)),
        place == 0 || names.count < 3
      else { throw fault("an XML declaration that is not well-formed", at: start) }
      names = names[(place + 1)...]
      try skipEquals()
      let value = try quoted()
      guard
        value.allSatisfy({ Self.isNameByte($0) && $0 < 0x80 && $0 != UInt8(ascii: ":") })
          && (place < 2 || ["yes", "no"].contains(string(value)))
      else { throw fault("an XML declaration that is not well-formed", at: start) }
    }
    at += 2
  }

  /// `<!DOCTYPE name SYSTEM "…">`, which is not read, without declarations.
  private mutating func documentType() throws(Diagnostic) {
    hasType = true
    at += 9
    try skipGap()
    _ = try name("the name of a document type")
    skipSpace()
    let isPublic = starts("PUBLIC")
    if isPublic || starts("SYSTEM") {
      at += 6
      try skipGap()
      let first = at
      let text = try quoted(mayHaveTags: true)
      if isPublic {
        guard text.allSatisfy({ Self.isPublicByte($0) }) else {
          throw fault("a character that cannot be in a public identifier", at: first)
        }
        try skipGap()
        _ = try quoted(mayHaveTags: true)
      }
      skipSpace()
    }
    if at < bytes.count, bytes[at] == UInt8(ascii: "[") { throw refusal("an internal DTD subset") }
    try expect(UInt8(ascii: ">"), "the document type")
  }

  private mutating func comment() throws(Diagnostic) {
    let start = at
    at += 4
    try skip(to: "--", of: "a comment", from: start)
    try expect(UInt8(ascii: ">"), "a comment that has '--' in it")
  }

  private mutating func instruction() throws(Diagnostic) {
    let start = at
    at += 2
    let target = string(try name("the name of a processing instruction"))
    guard target.lowercased() != "xml" else {
      throw fault("an XML declaration that is not at the beginning", at: start)
    }
    if !starts("?>") { try skipGap() }
    try skip(to: "?>", of: "a processing instruction", from: start)
  }

  // MARK: Elements

  private mutating func startTag() throws(Diagnostic) {
    let start = at
    guard root == nil else { throw fault("an element after the end of the document", at: start) }
    at += 1
    let name = try name("the name of an element")
    var element = XMLElement("")
    element.place = places.place(of: start)
    try limits.checkWord(name.count, at: offset(start))
    element.name = string(name)
    var isEmpty = false
    while true {
      let gap = at
      skipSpace()
      guard at < bytes.count else { throw fault("a tag without '>'", at: start) }
      if bytes[at] == UInt8(ascii: ">") { break }
      if bytes[at] == UInt8(ascii: "/") {
        at += 1
        isEmpty = true
        guard at < bytes.count, bytes[at] == UInt8(ascii: ">") else {
          throw fault("'/' without '>'", at: at)
        }
        break
      }
      guard at > gap else { throw fault("no white space before an attribute", at: at) }
      element.attributes.append(try attribute(start))
    }
    at += 1
    try checkAttributes(element.attributes, start)
    if isUTF8 { element.span = XMLSpan(tag: start..<at, end: at..<at) }
    try pay(for: element, start)
    if isEmpty {
      close(element)
    } else {
      open.append(Open(element: element, name: name.startIndex..<name.endIndex))
    }
  }

  private mutating func attribute(_ tag: Int) throws(Diagnostic) -> XMLElement.Attribute {
    let name = try name("the name of an attribute")
    try limits.checkWord(name.count, at: offset(tag))
    try skipEquals()
    let value = try quoted()
    // White space is a space in values, and references are resolved.
    let isPlain = value.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "&") }
    let text = isPlain ? [] : try expanded(value, inAttribute: true)
    if isPlain {
      try limits.checkScalar(value, at: offset(tag))
    } else {
      try limits.checkScalar(text, at: offset(tag))
    }
    return .init(string(name), isPlain ? string(value) : String(decoding: text, as: UTF8.self))
  }

  private mutating func checkAttributes(
    _ attributes: [XMLElement.Attribute], _ start: Int
  ) throws(Diagnostic) {
    guard attributes.count > 1 else { return }
    var isUnique = true
    if attributes.count < 16 {
      for index in attributes.indices {
        for other in 0..<index where attributes[other].name == attributes[index].name {
          isUnique = false
        }
      }
    } else {
      isUnique = Set(attributes.map { $0.name }).count == attributes.count
    }
    guard isUnique else { throw fault("an attribute occurs twice in a tag", at: start) }
  }

  /// Pays for an element, and checks how many there are and how deep they are.
  private mutating func pay(for element: XMLElement, _ start: Int) throws(Diagnostic) {
    count += 1 + element.attributes.count
    try limits.check(count, { $0.objects }, "elements of XML", at: offset(start))
    while paid <= count {
      try WorkBudget.spend(onValues: 2, memory: 256, at: offset(start))
      paid += WorkBudget.valuesOfPayment
    }
    try limits.check(open.count, { $0.nesting }, "levels of XML", at: offset(start))
  }

  private mutating func endTag() throws(Diagnostic) {
    let start = at
    at += 2
    let name = try name("the name of an end tag")
    skipSpace()
    guard let last = open.popLast() else {
      throw fault("the end tag </\(string(name).excerpt)> without a start tag", at: start)
    }
    guard name.elementsEqual(bytes[last.name]) else {
      throw fault(
        "the end tag </\(string(name).excerpt)> does not belong to <\(last.element.name.excerpt)>",
        at: start)
    }
    try expect(UInt8(ascii: ">"), "an end tag")
    var element = last.element
    element.span?.end = start..<at
    // White space between elements is layout.
    if element.children.isEmpty || last.text.contains(where: { $0 > 0x20 }) {
      // Data of property lists may be of any kind.
      if element.name != "data" { try limits.checkScalar(last.text, at: offset(start)) }
      element.text = String(decoding: last.text, as: UTF8.self)
    }
    close(element)
  }

  private mutating func close(_ element: XMLElement) {
    if let parent = open.indices.last {
      open[parent].element.children.append(element)
    } else {
      root = element
    }
  }

  // MARK: Text

  private mutating func text() throws(Diagnostic) {
    let start = at
    guard let last = open.indices.last else {
      skipSpace()
      guard at == bytes.count || bytes[at] == UInt8(ascii: "<") else {
        let part = root == nil ? "before the first element" : "after the last element"
        throw fault("text \(part)", at: at)
      }
      return
    }
    var isPlain = true
    while at < bytes.count, bytes[at] != UInt8(ascii: "<") {
      switch bytes[at] {
      case UInt8(ascii: "&"), 0x0D:
        isPlain = false
        at += 1
      case UInt8(ascii: "]") where starts("]]>"): throw fault("']]>' in a text", at: at)
      default: try skipCharacter()
      }
    }
    if isPlain {
      open[last].text += bytes[start..<at]
    } else {
      open[last].text += try expanded(bytes[start..<at], inAttribute: false)
    }
  }

  /// `<![CDATA[…]]>`.
  private mutating func section() throws(Diagnostic) {
    let start = at
    at += 9
    let first = at
    try skip(to: "]]>", of: "a CDATA section", from: start)
    append(bytes[first..<at - 3], to: &open[open.count - 1].text)
  }

  /// Appends a text whose lines end with line feeds.
  private func append(_ part: Bytes, to text: inout [UInt8]) {
    var start = part.startIndex
    while let end = part[start...].firstIndex(of: 0x0D) {
      text += part[start..<end]
      text.append(0x0A)
      start = end + 1
      if start < part.endIndex, part[start] == 0x0A { start += 1 }
    }
    text += part[start...]
  }

  /// A text with characters in place of references.
  private mutating func expanded(
    _ part: Bytes, inAttribute: Bool
  ) throws(Diagnostic) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(part.count)
    var start = part.startIndex
    while start < part.endIndex {
      guard bytes[start] == UInt8(ascii: "&") else {
        let end = part[start...].firstIndex(of: UInt8(ascii: "&")) ?? part.endIndex
        let first = text.count
        append(part[start..<end], to: &text)
        if inAttribute {
          for index in text.indices[first...] where TextEdits.isSpace(text[index]) {
            text[index] = 0x20
          }
        }
        start = end
        continue
      }
      guard let end = part[start...].firstIndex(of: UInt8(ascii: ";")) else {
        throw fault("'&' without ';'", at: start)
      }
      text += try character(bytes[start + 1..<end], at: start).utf8
      start = end + 1
    }
    return text
  }

  /// The character of a reference without `&` and `;`.
  private mutating func character(
    _ reference: Bytes, at place: Int
  ) throws(Diagnostic) -> Unicode.Scalar {
    let name = string(reference)
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "apos": return "'"
    case "quot": return "\""
    default: break
    }
    if name.utf8.first == UInt8(ascii: "#") {
      let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
      // A sign is no digit.
      guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
        let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
        let scalar = Unicode.Scalar(number), Self.isCharacter(number)
      else { throw fault("a reference to no character, '&\(name.excerpt);'", at: place) }
      return scalar
    }
    guard Self.isName(reference) else { throw fault("'&' without a name", at: place) }
    if hasType { throw refusal("the entity '\(name.excerpt)'") }
    throw fault("the entity '\(name.excerpt)' is not known", at: place)
  }

  // MARK: Tokens

  private mutating func skipSpace() {
    while at < bytes.count, TextEdits.isSpace(bytes[at]) { at += 1 }
  }

  /// Skips white space, of which there has to be some.
  private mutating func skipGap() throws(Diagnostic) {
    guard at < bytes.count, TextEdits.isSpace(bytes[at]) else {
      throw fault("no white space", at: at)
    }
    skipSpace()
  }

  private func starts(_ text: StaticString) -> Bool {
    guard bytes.count - at >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[at + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  private mutating func expect(_ byte: UInt8, _ what: StaticString) throws(Diagnostic) {
    guard at < bytes.count, bytes[at] == byte else {
      throw fault("'\(Unicode.Scalar(byte))' is missing at the end of \(what)", at: at)
    }
    at += 1
  }

  /// Skips characters and the text behind them.
  private mutating func skip(
    to end: StaticString, of what: StaticString, from start: Int
  ) throws(Diagnostic) {
    while !starts(end) {
      guard at < bytes.count else { throw fault("\(what) has no end", at: start) }
      try skipCharacter()
    }
    at += end.utf8CodeUnitCount
  }

  private mutating func skipEquals() throws(Diagnostic) {
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else {
      throw fault("an attribute without '='", at: at)
    }
    at += 1
    skipSpace()
  }

  /// The text between two quotes.
  private mutating func quoted(mayHaveTags: Bool = false) throws(Diagnostic) -> Bytes {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
      throw fault("a value without quotes", at: at)
    }
    let quote = bytes[at]
    let start = at + 1
    at = start
    while true {
      guard at < bytes.count else { throw fault("a value without its last quote", at: start - 1) }
      if bytes[at] == quote { break }
      guard mayHaveTags || bytes[at] != UInt8(ascii: "<") else {
        throw fault("'<' in a value", at: at)
      }
      try skipCharacter()
    }
    at += 1
    return bytes[start..<at - 1]
  }

  private mutating func name(_ what: StaticString) throws(Diagnostic) -> Bytes {
    let start = at
    while at < bytes.count, Self.isNameByte(bytes[at]) {
      let (place, byte) = (at, bytes[at])
      let scalar = byte < 0x80 ? UInt32(byte) : try skipCharacter()
      if byte < 0x80 { at += 1 }
      guard byte < 0x80 || Self.isLetter(scalar, isFirst: place == start) else {
        throw fault("a character that cannot be in \(what)", at: place)
      }
    }
    guard at > start, Self.isName(bytes[start..<at]) else {
      throw fault("a character that cannot be in \(what)", at: start)
    }
    return bytes[start..<at]
  }

  /// Whether a character above U+007F may be in a name (XML 1.0, fifth edition, 2.3).
  private static func isLetter(_ scalar: UInt32, isFirst: Bool) -> Bool {
    switch scalar {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: !isFirst
    default: false
    }
  }

  private static func isPublicByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-'()+,./:=?;!*#@$_%".utf8.contains(byte)
    }
  }

  /// Whether a byte may be part of a name. ``isLetter(_:isFirst:)`` decides on characters above U+007F.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
    case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Whether bytes are a name: they do not begin with a digit, a hyphen or a full stop.
  private static func isName(_ name: Bytes) -> Bool {
    guard let first = name.first else { return false }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): return false
    default: return name.allSatisfy { isNameByte($0) }
    }
  }

  /// Skips a character, and returns it.
  @discardableResult
  private mutating func skipCharacter() throws(Diagnostic) -> UInt32 {
    let byte = bytes[at]
    if byte < 0x80 {
      guard byte >= 0x20 || TextEdits.isSpace(byte) else {
        throw fault("a control character, \(byte.hex)", at: at)
      }
      at += 1
      return UInt32(byte)
    }
    let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    guard bytes.count - at >= length, 0xC2...0xF4 ~= byte else {
      throw fault("text is not UTF-8", at: at)
    }
    var scalar = UInt32(byte) & (0x7F >> UInt32(length))
    for index in at + 1..<at + length {
      guard bytes[index] & 0xC0 == 0x80 else { throw fault("text is not UTF-8", at: at) }
      scalar = scalar << 6 | UInt32(bytes[index] & 0x3F)
    }
    guard Self.isCharacter(scalar), length < 3 || scalar >= (length < 4 ? 0x800 : 0x10000) else {
      throw fault("text is not UTF-8", at: at)
    }
    at += length
    return scalar
  }

  /// Whether XML may contain a character.
  private static func isCharacter(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  private func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Faults

  private mutating func offset(_ position: Int) -> Location {
    .offset(places.place(of: position).offset)
  }

  private mutating func fault(_ detail: String, at position: Int) -> Diagnostic {
    let place = places.place(of: position)
    return Diagnostic(.xml, at: .offset(place.offset), "\(detail) at \(place.description)")
  }

  private mutating func refusal(_ found: String) -> Diagnostic {
    let place = places.place(of: at)
    return Diagnostic(
      .xmlDeclarations, at: .offset(place.offset), "at \(place.description)", found: found)
  }
}

/// Finds the places of bytes in the file that a text was read from. Each search goes on at the place of the last one,
/// so that a file is walked once.
private struct XMLPlaces {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let encoding: XMLEncoding
  private var at = 0
  private var last: XMLPlace

  init(_ bytes: UnsafeBufferPointer<UInt8>, of encoding: XMLEncoding) {
    self.bytes = bytes
    self.encoding = encoding
    last = XMLPlace(offset: 0, line: 1, column: 1)
  }

  mutating func place(of position: Int) -> XMLPlace {
    if position < at { self = XMLPlaces(bytes, of: encoding) }
    while at < position {
      let byte = bytes[at]
      // Bytes in the middle of a character.
      let isFirst = byte & 0xC0 != 0x80
      switch encoding {
      case .utf8: last.offset += 1
      case .latin1, .windows, .ascii: last.offset += isFirst ? 1 : 0
      // A character above U+FFFF has four bytes in both encodings.
      case .wideLittle, .wideBig: last.offset += byte >= 0xF0 ? 4 : isFirst ? 2 : 0
      }
      let isBreak = byte == 0x0A || byte == 0x0D && (at + 1 == bytes.count || bytes[at + 1] != 0x0A)
      if isBreak {
        last.line += 1
        last.column = 1
      } else if isFirst {
        last.column += 1
      }
      at += 1
    }
    return last
  }
}
