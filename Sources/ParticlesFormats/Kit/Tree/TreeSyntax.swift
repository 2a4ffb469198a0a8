internal import ParticlesCore
internal import ParticlesModel

/// An open text file with nested values. It keeps the position of each value, so that one changed
/// value is one changed line.
protocol TreeSyntax: SendableMetatype {
  /// Reads a file.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/json``,
  ///   ``ParticlesCore/Rule/emitterSyntax`` or ``ParticlesCore/Rule/limit``.
  init(decoding bytes: [UInt8], limits: Limits) throws(Failure)

  /// The contents of the file, in the types of JSON.
  var value: JSONValue { get }

  /// Faults of a text that can be read nevertheless. None by default.
  var findings: [Diagnostic] { get }

  /// The file with other contents: values that are equal keep their text.
  func replacing(with value: JSONValue) -> [UInt8]

  /// A new file.
  static func bytes(of value: JSONValue) -> [UInt8]

  /// The syntax, for the source bag: `json`, `lua`.
  static var encoding: String { get }

  /// Where decimal commas differ from separators. Nil, the default, if they look alike.
  static var decimalCommas: DecimalCommas.Syntax? { get }
}

extension TreeSyntax {
  var findings: [Diagnostic] { [] }
  static var decimalCommas: DecimalCommas.Syntax? { nil }
}

/// A value of a text with the range of its bytes.
struct TextNode {
  /// A member or an element.
  struct Child {
    var key: String?
    /// From the key, or from the value of an element, to the end of the value.
    var span: Range<Int>
    var node: TextNode
  }

  var range: Range<Int>
  var value: JSONValue
  var children: [Child] = []
}

/// A syntax whose values are written one inside another, with or without a separator.
protocol NestedSyntax: TreeSyntax {
  var text: [UInt8] { get }
  var root: TextNode { get }

  /// The character between members or elements. Nil if there is only white space.
  static var separator: String? { get }

  /// The text of a value.
  /// - Parameter indent: the indentation of the line that it begins on, or nil for a text on one line.
  static func text(of value: JSONValue, indent: String?) -> String

  /// The text of a member, or of an element if there is no key.
  static func member(_ key: String?, _ value: JSONValue, indent: String?) -> String
}

extension NestedSyntax {
  var value: JSONValue { root.value }

  func replacing(with value: JSONValue) -> [UInt8] {
    var edits = TextEdits(text)
    edit(root, to: value, &edits)
    return edits.bytes
  }

  func edit(_ node: TextNode, to new: JSONValue, _ edits: inout TextEdits) {
    guard node.value != new else { return }
    switch (node.value, new) {
    case (.object, .object(let object)) where !object.isEmpty && !node.children.isEmpty:
      let keys = node.children.map { $0.key ?? "" }
      let places = Dictionary(first: zip(keys, keys.indices).map { ($0, $1) })
      let values = Dictionary(first: object.members.map { ($0.key, $0.value) })
      var added: [(after: Int?, key: String?, value: JSONValue)] = []
      var previous: Int?
      for member in object.members {
        if let place = places[member.key] {
          previous = place
        } else {
          added.append((previous, member.key, member.value))
        }
      }
      change(node, keys.map { values[$0] }, added, &edits)
    case (.array(let old), .array(let elements)) where !elements.isEmpty && !node.children.isEmpty:
      let pairs = TreeMerge.alignment(old, elements)
      var kept = [JSONValue?](repeating: nil, count: old.count)
      var added: [(after: Int?, key: String?, value: JSONValue)] = []
      var previous: Int?
      for (place, element) in elements.enumerated() {
        if let index = pairs[place] {
          kept[index] = element
          previous = index
        } else {
          added.append((previous, node.children[0].key, element))
        }
      }
      change(node, kept, added, &edits)
    default:
      edits.replace(node.range, with: Self.text(of: new, indent: indent(at: node.range)).utf8)
    }
  }

  /// - Parameters:
  ///   - values: the new value of each child, or nil for a removed child.
  ///   - added: new children, each with the place of the child that it follows.
  private func change(
    _ node: TextNode, _ values: [JSONValue?],
    _ added: [(after: Int?, key: String?, value: JSONValue)], _ edits: inout TextEdits
  ) {
    let children = node.children
    let kept = children.indices.filter { values[$0] != nil }
    guard let first = kept.first, let last = kept.last else {
      var whole = added.map { ($0.key ?? "", $0.value) }
      if case .array = node.value { whole = whole.map { ("", $0.1) } }
      let value: JSONValue =
        node.value.array != nil
        ? .array(whole.map { $0.1 })
        : .object(JSONObject(members: whole.map { .init(key: $0.0, value: $0.1) }))
      edits.replace(node.range, with: Self.text(of: value, indent: indent(at: node.range)).utf8)
      return
    }
    for index in kept {
      if let value = values[index] { edit(children[index].node, to: value, &edits) }
    }
    let separator = Self.separator ?? ""
    for index in children.indices where values[index] == nil {
      if separator.isEmpty {
        let start = edits.gap(before: children[index].span.lowerBound).lowerBound
        edits.replace(start..<children[index].span.upperBound, with: [])
      } else if index > first {
        edits.replace(
          children[index - 1].span.upperBound..<children[index].span.upperBound, with: [])
      }
    }
    if !separator.isEmpty, first > 0 {
      edits.replace(children[0].span.lowerBound..<children[first].span.lowerBound, with: [])
    }
    let isArray = node.value.array != nil
    for (after, key, value) in added {
      let neighbour = children[after ?? first].span
      let gap = Array(text[edits.gap(before: neighbour.lowerBound)])
      let member = Array(
        Self.member(key, value, indent: indent(at: neighbour)).utf8)
      let next = kept.first { $0 > after ?? -1 }
      if separator.isEmpty, let after, let place = kept.last(where: { $0 <= after }) {
        edits.insert(gap + member, at: children[place].span.upperBound)
      } else if let next {
        edits.insert(
          member + Array(separator.utf8) + gap, at: children[next].span.lowerBound)
      } else if isArray {
        edits.insert(Array(separator.utf8) + gap + member, at: children[last].span.upperBound)
      } else {
        // Before the last member, because otherwise its line would get a separator.
        edits.insert(member + Array(separator.utf8) + gap, at: children[last].span.lowerBound)
      }
    }
  }

  /// The indentation of the line of a value. Nil if the file is one line.
  private func indent(at range: Range<Int>) -> String? {
    guard text.dropLast().contains(0x0A) else { return nil }
    let line = text[..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let indent = text[line...].prefix { $0 == 0x20 || $0 == 0x09 }
    return String(decoding: indent, as: UTF8.self)
  }
}

/// Reads bytes of a text for a syntax.
struct TextScanner {
  let bytes: [UInt8]
  let limits: Limits
  var position = 0
  private var values = 0

  init(_ bytes: [UInt8], limits: Limits) throws(Failure) {
    try limits.checkText(bytes.count, "bytes of text")
    self.bytes = bytes
    self.limits = limits
    // A byte order mark is no part of the text.
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func peek(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  func starts(with word: String) -> Bool { bytes[position...].starts(with: word.utf8) }

  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Counts a value against the limits.
  mutating func count(depth: Int) throws(Failure) {
    values += 1
    try limits.check(depth, { $0.nesting }, "nested values", at: .offset(position))
    try limits.check(values, { $0.objects }, "values", at: .offset(position))
    if values % WorkBudget.valuesOfPayment == 0 {
      try WorkBudget.spend(onValues: 4, memory: 112, at: .offset(position))
    }
  }

  /// The bytes up to the first that does not fit.
  mutating func consume(while condition: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while let byte = next, condition(byte) { position += 1 }
    return start..<position
  }

  /// A text of the file.
  /// - Throws: ``ParticlesCore/Rule/limit`` if it is too long for a name, a number or any other value.
  func string(_ range: Range<Int>) throws(Diagnostic) -> String {
    try string(bytes[range], at: range.lowerBound)
  }

  /// The text of bytes that were read at a place.
  func string(_ text: some Collection<UInt8>, at start: Int) throws(Diagnostic) -> String {
    try limits.checkScalar(text, at: .offset(start))
    return String(decoding: text, as: UTF8.self)
  }

  /// A word without quotes: a key or a number.
  func word(_ range: Range<Int>) throws(Diagnostic) -> String {
    try limits.checkWord(range.count, at: .offset(range.lowerBound))
    return String(decoding: bytes[range], as: UTF8.self)
  }

  func failure(_ expected: String) -> Diagnostic {
    let found =
      next.map {
        (0x20..<0x7F).contains($0)
          ? "'\(Character(Unicode.Scalar($0)))'" : "byte \([$0].hexDigits)"
      } ?? "the end of the text"
    return Diagnostic(.emitterSyntax, at: .offset(position), expected: expected, found: found)
  }

  static func isName(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || isDigit(byte)
      || byte == UInt8(ascii: "_")
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A number as JSON writes it. Nil for a text that is no number, or not finite.
  static func number(_ text: String) -> JSONValue? {
    if let value = try? JSONParser.parse(Array(text.utf8)), value.double != nil { return value }
    guard let number = Double(text), number.isFinite else { return nil }
    return .double(number)
  }
}

/// JSON. Comments, as in JavaScript, are read over and kept. Of equal keys of an object the last counts.
struct JSONTree: NestedSyntax {
  /// The text that is edited: without members whose key occurs again.
  let text: [UInt8]
  let root: TextNode
  let findings: [Diagnostic]
  private let original: [UInt8]

  init(decoding bytes: [UInt8], limits: Limits) throws(Failure) {
    var plain = Self.withoutComments(bytes)
    var edited = bytes
    original = bytes
    let unique = try Self.unique(plain, limits: limits)
    if !unique.superseded.isEmpty {
      for place in bytes.indices where unique.text[place] != plain[place] {
        edited[place] = unique.text[place]
      }
      plain = unique.text
    }
    findings = unique.superseded.findings
    text = edited
    var scanner = try TextScanner(plain, limits: limits)
    Self.skipSpace(&scanner)
    root = Self.node(unique.value, &scanner)
  }

  /// The text without members whose key occurs again, its value, and the removed members.
  private static func unique(_ plain: [UInt8], limits: Limits) throws(Failure) -> (
    text: [UInt8], value: JSONValue, superseded: [JSONParser.Superseded]
  ) {
    do {
      return (plain, try JSONParser.parse(plain, limits: limits), [])
    } catch {
      guard JSONParser.isOfRepeatedKey(error) else { throw error }
      let (text, superseded) = try JSONParser.withoutRepeatedKeys(plain, limits: limits)
      return (text, try JSONParser.parse(text, limits: limits), superseded)
    }
  }

  func replacing(with value: JSONValue) -> [UInt8] {
    guard value != self.value else { return original }
    var edits = TextEdits(text)
    edit(root, to: value, &edits)
    return edits.bytes
  }

  /// The text with spaces in place of comments and of a byte order mark.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var plain = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { for place in 0..<3 { plain[place] = 0x20 } }
    guard bytes.contains(UInt8(ascii: "/")) else { return plain }
    var (place, isText) = (0, false)
    while place < plain.count {
      switch plain[place] {
      case UInt8(ascii: "\\") where isText: place += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "/") where !isText && place + 1 < plain.count:
        let isLine = plain[place + 1] == UInt8(ascii: "/")
        guard isLine || plain[place + 1] == UInt8(ascii: "*") else { break }
        var end = place + 2
        while end < plain.count {
          if isLine, plain[end] == 0x0A { break }
          if !isLine, plain[end] == UInt8(ascii: "/"), end > place + 2,
            plain[end - 1] == UInt8(ascii: "*")
          {
            end += 1
            break
          }
          end += 1
        }
        for index in place..<end where plain[index] != 0x0A && plain[index] != 0x0D {
          plain[index] = 0x20
        }
        place = end - 1
      default: break
      }
      place += 1
    }
    return plain
  }

  /// The ranges of a value that the caller has found in the text.
  private static func node(_ value: JSONValue, _ scanner: inout TextScanner) -> TextNode {
    let start = scanner.position
    var children: [TextNode.Child] = []
    switch value {
    case .object(let object):
      scanner.position += 1
      for member in object.members {
        skipSpace(&scanner)
        let key = scanner.position
        skipString(&scanner)
        skipSpace(&scanner)
        scanner.position += 1
        skipSpace(&scanner)
        let node = node(member.value, &scanner)
        children.append(.init(key: member.key, span: key..<scanner.position, node: node))
        skipSpace(&scanner)
        _ = scanner.accept(",")
      }
      skipSpace(&scanner)
      scanner.position += 1
    case .array(let elements):
      scanner.position += 1
      for element in elements {
        skipSpace(&scanner)
        let node = node(element, &scanner)
        children.append(.init(key: nil, span: node.range, node: node))
        skipSpace(&scanner)
        _ = scanner.accept(",")
      }
      skipSpace(&scanner)
      scanner.position += 1
    case .string: skipString(&scanner)
    default:
      _ = scanner.consume { $0 > 0x20 && !",]}".utf8.contains($0) }
    }
    return TextNode(range: start..<scanner.position, value: value, children: children)
  }

  private static func skipSpace(_ scanner: inout TextScanner) {
    _ = scanner.consume(while: TextEdits.isSpace)
  }

  private static func skipString(_ scanner: inout TextScanner) {
    scanner.position += 1
    while let byte = scanner.next, byte != UInt8(ascii: "\"") {
      scanner.position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    scanner.position += 1
  }

  static let separator: String? = ","
  static let encoding = "json"
  static let decimalCommas: DecimalCommas.Syntax? = .json

  static func text(of value: JSONValue, indent: String?) -> String {
    indent.map { value.text(indent: $0) } ?? value.line
  }

  static func member(_ key: String?, _ value: JSONValue, indent: String?) -> String {
    let text = text(of: value, indent: indent)
    return key.map { "\(JSONValue.string($0).line): \(text)" } ?? text
  }

  static func bytes(of value: JSONValue) -> [UInt8] { Array(value.text.utf8) }
}

extension [JSONParser.Superseded] {
  /// A finding for each key, up to a hundred.
  var findings: [Diagnostic] {
    let most = 100
    var findings = prefix(most).map {
      Diagnostic(
        .emitterRepeatedKey, at: .offset($0.range.lowerBound), found: "'\($0.key.excerpt)'")
    }
    if count > most {
      findings.add(.emitterRepeatedKey, "keys that are not listed", found: "\(count - most)")
    }
    return findings
  }
}

extension Value {
  /// The value plus a number.
  func moved(by distance: Double) -> Value {
    guard case .ramp(var ramp) = self else { return mapped { ($0 + distance).rounded } }
    ramp.low = ramp.low.moved(by: distance)
    if !ramp.relative { ramp.high = ramp.high.moved(by: distance) }
    return .ramp(ramp)
  }

  /// The value with its bounds at 0 or above.
  var notNegative: Value {
    switch self {
    case .constant, .uniform: mapped { max($0, 0) }
    default: self
    }
  }

  /// The value with its numbers rounded to parts of a second or of a particle, at least 0, and the
  /// greatest change in such parts.
  func inWholes(times factor: Double) -> (value: Value, error: Double) {
    func whole(_ number: Double) -> Double { max((number * factor).rounded(), 0) }
    func error(_ number: Double) -> Double {
      let error = (number * factor - whole(number)).magnitude
      return error < 1e-6 ? 0 : error
    }
    switch self {
    case .constant(let number): return (.constant(whole(number) / factor), error(number))
    case .uniform(var range):
      let most = max(error(range.min), error(range.max))
      (range.min, range.max) = (whole(range.min) / factor, whole(range.max) / factor)
      return (.uniform(range), most)
    case .choice(var choice):
      let most = choice.numbers.map(error).max() ?? 0
      choice.numbers = choice.numbers.map { whole($0) / factor }
      return (.choice(choice), most)
    case .ramp(var ramp):
      let (low, high) = (ramp.low.inWholes(times: factor), ramp.high.inWholes(times: factor))
      (ramp.low, ramp.high) = (low.value, high.value)
      return (.ramp(ramp), max(low.error, high.error))
    }
  }
}

extension Value.Ramp {
  /// The mean over the period, times a factor.
  func meanCurve(times factor: Double) -> Curve {
    let (low, high) = (low.mean, relative ? high.mean : high.mean - low.mean)
    var curve = curve.multiplied(by: high * factor)
    for index in curve.keys.indices { curve.keys[index].value += low * factor }
    return curve
  }
}

extension Track {
  /// The track plus a number.
  func moved(by distance: Double) -> Track {
    var track = self
    track.from = from.moved(by: distance)
    if !relative { track.to = to?.moved(by: distance) }
    return track
  }

  /// The value at the emission of a particle, with exact bounds.
  var initial: Value {
    guard let to else { return from }
    let share = curve.value(at: 0)
    if share == 0 { return from }
    if share == 1, !relative { return to }
    let (start, end) = (from.bounds, to.bounds)
    func mixed(_ start: Double, _ end: Double) -> Double {
      (start + (relative ? end : end - start) * share).rounded
    }
    let ends = [mixed(start.lower, end.lower), mixed(start.upper, end.upper)].sorted()
    return .between(ends[0], ends[1])
  }

  /// The random factor of the start, or else of the end: a range around 1.
  var randomFactor: Value {
    for value in [from, to ?? 0] {
      let (center, half, _) = value.spread
      guard half != 0, center != 0 else { continue }
      return Value(center: 1, halfWidth: min((half / center).magnitude, 1))
    }
    return 1
  }
}
