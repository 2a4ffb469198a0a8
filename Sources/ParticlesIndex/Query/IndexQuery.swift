package import ParticlesCore
internal import ParticlesSystem

/// A query: which documents to find. Its language is in `Spec/finding.md`.
package struct IndexQuery: Sendable {
  indirect enum Expression: Sendable {
    case all([Expression])
    case any([Expression])
    case not(Expression)
    case text(columns: [String], String)
    case word(key: String, String)
    case number(key: String, NumberRange)
    case digest(String)
    case path(String)
    case similar(String)
  }

  /// A range of numbers.
  struct NumberRange: Sendable, Equatable {
    var lower = -Double.infinity
    var includesLower = true
    var upper = Double.infinity
    var includesUpper = true
  }

  let expression: Expression

  /// The file whose look is searched, or nil without such a term. The nearest documents come first then.
  package var similar: String? { expression.similar }

  /// The query without `similar`. Nil unless it is the only term or joined to the rest by `and`.
  var rest: Expression? {
    switch expression {
    case .similar: return .all([])
    case .all(let parts):
      guard let place = parts.firstIndex(where: { if case .similar = $0 { true } else { false } })
      else { return nil }
      var rest = parts
      rest.remove(at: place)
      return .all(rest)
    default: return nil
    }
  }

  /// Reads a query.
  /// - Throws: ``ParticlesCore/Rule/indexQuery``, with the character, the expected and the found text.
  package init(_ text: String, _ vocabulary: QueryVocabulary = QueryVocabulary()) throws {
    var parser = QueryParser(text, vocabulary)
    expression = try parser.parse()
    hasFields = parser.hasFields
  }

  /// Reads what may be a query or a text.
  /// - Returns: the query, or the fault of a query that compares fields. Both are nil for other texts.
  package static func reading(_ text: String, _ vocabulary: QueryVocabulary) -> (
    query: IndexQuery?, fault: Diagnostic?
  ) {
    var parser = QueryParser(text, vocabulary)
    do {
      let expression = try parser.parse()
      return (IndexQuery(expression: expression, hasFields: parser.hasFields), nil)
    } catch {
      return (nil, parser.hasFields ? error as? Diagnostic : nil)
    }
  }

  private init(expression: Expression, hasFields: Bool) {
    (self.expression, self.hasFields) = (expression, hasFields)
  }

  /// A query for documents with a text in any of their names.
  package init(text: String) {
    (expression, hasFields) = (.text(columns: QueryField.textColumns, text), false)
  }

  /// Whether it compares a field: it is more than words.
  package let hasFields: Bool
}

extension IndexQuery.Expression {
  fileprivate var similar: String? {
    switch self {
    case .all(let parts), .any(let parts): parts.lazy.compactMap(\.similar).first
    case .not(let part): part.similar
    case .similar(let path): path
    case .text, .word, .number, .digest, .path: nil
    }
  }
}

/// A field of queries: a row of the table in `Spec/finding.md`.
package struct QueryField: Sendable {
  /// The comparison of a term of the field.
  enum Kind: Sendable {
    /// Texts that contain the value, with the columns of the table of texts.
    case text([String])
    /// Words that are the value.
    case word
    /// Numbers in a range.
    case number
    /// Times in a range.
    case time
    /// Digests that begin with the value.
    case digest
    /// Paths that contain the value, or match it.
    case path
    /// Effects that look like one.
    case similar
  }

  package let name: String
  let kind: Kind
  /// The condition for documents, in a few words.
  package let summary: String
  /// A term.
  package let example: String

  /// All fields, in the order of the help.
  package static let all: [QueryField] = [
    QueryField(
      name: "text", kind: .text(textColumns),
      summary: "file name, name, an emitter or an image contains this", example: "text:smoke"),
    QueryField(
      name: "file", kind: .text(["file"]), summary: "the file name contains this",
      example: "file:boss"),
    QueryField(
      name: "name", kind: .text(["name"]), summary: "the name of the effect contains this",
      example: "name:\"camp fire\""),
    QueryField(
      name: "emitter", kind: .text(["emitters"]), summary: "the name of an emitter contains this",
      example: "emitter:spark"),
    QueryField(
      name: "texture", kind: .text(["textures"]), summary: "the path of an image contains this",
      example: "texture:smoke.png"),
    QueryField(
      name: "path", kind: .path,
      summary: "the absolute path contains this, and with * or ?, its end matches",
      example: "path:level1/*.sks"),
    QueryField(
      name: "format", kind: .word, summary: "the format, as 'particles formats' names it",
      example: "format:spritekit"),
    QueryField(
      name: "origin", kind: .word, summary: "the format that the effect was imported from",
      example: "origin:cocos2d"),
    QueryField(
      name: "profile", kind: .word, summary: "the engine whose law it follows",
      example: "profile:starling"),
    QueryField(
      name: "blend", kind: .word, summary: "the blend mode of an emitter", example: "blend:add"),
    QueryField(
      name: "shape", kind: .word, summary: "the shape of an emitter", example: "shape:rect"),
    QueryField(
      name: "dimension", kind: .word, summary: "2d or 3d", example: "dimension:3d"),
    QueryField(name: "unit", kind: .word, summary: "the unit of length", example: "unit:pixel"),
    QueryField(
      name: "problem", kind: .word,
      summary: "a finding of validate: code, family or severity", example: "problem:image/missing"),
    QueryField(
      name: "digest", kind: .digest, summary: "the digest of the tree begins with this",
      example: "digest:8944e199"),
    QueryField(
      name: "alive", kind: .number, summary: "particles alive at once, an upper bound",
      example: "alive>500"),
    QueryField(
      name: "emitted", kind: .number, summary: "particles emitted in the first two seconds",
      example: "emitted<100"),
    QueryField(
      name: "duration", kind: .number,
      summary: "seconds until it ends, without a bound if it does not",
      example: "duration<=2.5"),
    QueryField(
      name: "emitters", kind: .number, summary: "number of emitters", example: "emitters>3"),
    QueryField(name: "textures", kind: .number, summary: "number of images", example: "textures:0"),
    QueryField(
      name: "memory", kind: .number, summary: "bytes of its images in texture memory",
      example: "memory>4Mi"),
    QueryField(
      name: "size", kind: .number, summary: "bytes of the file or folder", example: "size>100k"),
    QueryField(
      name: "errors", kind: .number, summary: "number of errors that validate finds",
      example: "errors>0"),
    QueryField(
      name: "warnings", kind: .number, summary: "number of warnings that validate finds",
      example: "warnings:0"),
    QueryField(
      name: "modified", kind: .time, summary: "day or time of the last change, in UTC",
      example: "modified>=2026-11-01"),
    QueryField(
      name: "similar", kind: .similar,
      summary: "looks like the effect in this file, the nearest first",
      example: "similar:fire.sks"),
  ]

  /// The columns that a word alone is searched in.
  static let textColumns = ["file", "name", "emitters", "textures"]

  static func named(_ name: String) -> QueryField? { all.first { $0.name == name } }
}

/// The words that queries may use beside the fields, as the caller knows them.
package struct QueryVocabulary: Sendable {
  /// The keys of properties.
  package var keys: @Sendable () -> [String]
  /// The words of a field, or nil if any word is accepted.
  package var words: @Sendable (_ field: String) -> [String]?

  package init(
    keys: @escaping @Sendable () -> [String] = { [] },
    words: @escaping @Sendable (_ field: String) -> [String]? = { _ in nil }
  ) {
    (self.keys, self.words) = (keys, words)
  }
}

/// The parser of queries.
struct QueryParser {
  private let scalars: [Unicode.Scalar]
  private let vocabulary: QueryVocabulary
  private var position = 0
  private var depth = 0
  private var terms = 0
  private var hasSimilar = false
  /// Whether a term compares a field, also if a later part of the query has a fault.
  private(set) var hasFields = false

  /// The greatest number of bytes, nested parentheses, and terms.
  static let (mostBytes, mostDepth, mostTerms) = (8_192, 50, 200)

  typealias Expression = IndexQuery.Expression

  init(_ text: String, _ vocabulary: QueryVocabulary) {
    scalars = Array(text.unicodeScalars)
    self.vocabulary = vocabulary
  }

  // MARK: Errors

  /// The error at a character, counted from 1.
  private func fault(
    _ expected: String, at place: Int? = nil, found: String? = nil, hint: String? = nil
  ) -> Diagnostic {
    let place = place ?? position
    return Diagnostic(
      .indexQuery, "character \(place + 1)", expected: expected,
      found: found ?? (place < scalars.count ? "'\(excerpt(from: place))'" : "the end"), hint: hint)
  }

  /// The word at a place, at most 40 characters.
  private func excerpt(from start: Int) -> String {
    let rest = scalars[start...].prefix(40)
    let word = rest.prefix { !Self.isSpace($0) }
    return String(String.UnicodeScalarView(word.isEmpty ? rest.prefix(1) : word))
  }

  // MARK: Grammar

  mutating func parse() throws -> Expression {
    let bytes = scalars.reduce(0) { $0 + UTF8.width($1) }
    guard bytes <= Self.mostBytes else {
      throw fault("at most \(Self.mostBytes) bytes", at: 0, found: "\(bytes)")
    }
    skipSpaces()
    guard position < scalars.count else { throw fault("a term, such as format:spritekit") }
    let expression = try either()
    guard position == scalars.count else { throw fault("a term or the end") }
    return expression
  }

  /// Terms joined by `or`.
  private mutating func either() throws -> Expression {
    var parts = [try both()]
    while consume(word: "or") { parts.append(try both()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  /// Terms behind each other, with or without `and`.
  private mutating func both() throws -> Expression {
    var parts = [try single()]
    while true {
      if consume(word: "and") {
        parts.append(try single())
      } else if position < scalars.count, scalars[position] != ")", !isNext(word: "or") {
        parts.append(try single())
      } else {
        return parts.count == 1 ? parts[0] : .all(parts)
      }
    }
  }

  private mutating func single() throws -> Expression {
    guard depth < Self.mostDepth else {
      throw fault("at most \(Self.mostDepth) levels", found: "more")
    }
    depth += 1
    defer { depth -= 1 }
    if consume(word: "not") { return .not(try single()) }
    guard position < scalars.count else { throw fault("a term") }
    if isNext(word: "and") || isNext(word: "or") { throw fault("a term") }
    switch scalars[position] {
    case "-" where position + 1 < scalars.count && !Self.isSpace(scalars[position + 1]):
      position += 1
      return .not(try single())
    case ")": throw fault("a term")
    case "(":
      let start = position
      position += 1
      skipSpaces()
      let inner = try either()
      guard position < scalars.count, scalars[position] == ")" else {
        throw fault("a closing parenthesis for character \(start + 1)")
      }
      position += 1
      skipSpaces()
      return inner
    default: return try term()
    }
  }

  private mutating func term() throws -> Expression {
    terms += 1
    guard terms <= Self.mostTerms else {
      throw fault("at most \(Self.mostTerms) terms", found: "more")
    }
    let start = position
    var end = start
    while end < scalars.count, Self.isKey(scalars[end]) { end += 1 }
    let name = String(String.UnicodeScalarView(scalars[start..<end]))
    position = end
    guard !name.isEmpty, let comparison = takeComparison() else {
      position = start
      return .text(columns: QueryField.textColumns, try value("a text"))
    }
    return try term(name, at: start, comparison)
  }

  private func fields(near name: String, at start: Int) -> Diagnostic {
    let known = QueryField.all.map(\.name) + vocabulary.keys()
    let near = Suggestion.nearest(to: name, among: known)
    return fault(
      "a field", at: start, found: "'\(name)'",
      hint: near.map { "did you mean '\($0)'?" })
  }

  private mutating func term(
    _ name: String, at start: Int, _ comparison: Comparison
  ) throws -> Expression {
    let key = name.hasPrefix("emitters.") ? String(name.dropFirst(9)) : name
    guard let field = QueryField.named(name) else {
      guard vocabulary.keys().contains(key) else { throw fields(near: name, at: start) }
      hasFields = true
      return try property(key, comparison)
    }
    hasFields = true
    switch field.kind {
    case .number: return .number(key: name, try range(comparison))
    case .time: return .number(key: name, try times(comparison))
    default: break
    }
    guard comparison == .equal else {
      throw fault("':' after '\(name)'", at: position - comparison.rawValue.count)
    }
    let place = position
    switch field.kind {
    case .text(let columns): return .text(columns: columns, try value("a text"))
    case .path: return .path(try value("a path"))
    case .word: return .word(key: name, try word(of: name))
    case .digest:
      let digits = try value("a digest").lowercased()
      guard digits.utf8.count <= 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
        throw fault("1 to 64 hexadecimal digits", at: place)
      }
      return .digest(digits)
    case .similar:
      let path = try value("the path of an effect")
      guard !hasSimilar else { throw fault("one term 'similar' at most", at: start) }
      hasSimilar = true
      return .similar(path)
    case .number, .time: return .all([])
    }
  }

  private mutating func word(of field: String) throws -> String {
    let place = position
    let word = try value("a word")
    guard let words = vocabulary.words(field), !words.contains(word) else { return word }
    let lower = word.lowercased()
    if let same = words.first(where: { $0.lowercased() == lower }) { return same }
    let near = Suggestion.nearest(to: lower, among: words)
    let few = words.count <= 20 ? "one of \(words.joined(separator: ", "))" : nil
    throw fault(
      "a \(field)", at: place, found: "'\(word)'",
      hint: near.map { "did you mean '\($0)'?" } ?? few)
  }

  /// A property is compared as a number or as a word, whichever the value is.
  private mutating func property(_ key: String, _ comparison: Comparison) throws -> Expression {
    guard comparison == .equal else { return .number(key: key, try range(comparison)) }
    let place = position
    let text = try value("a value")
    guard isNumber(text) else { return .word(key: key, text) }
    position = place
    return .any([.number(key: key, try range(.equal)), .word(key: key, text)])
  }

  // MARK: Values

  private enum Comparison: String, CaseIterable {
    case atMost = "<="
    case atLeast = ">="
    case less = "<"
    case greater = ">"
    case equal = ":"
    case equals = "="
  }

  private mutating func takeComparison() -> Comparison? {
    for comparison in Comparison.allCases {
      let text = Array(comparison.rawValue.unicodeScalars)
      guard scalars[position...].starts(with: text) else { continue }
      position += text.count
      return comparison == .equals ? .equal : comparison
    }
    return nil
  }

  /// A word, or a text in quotes, in which `\` precedes quotes and itself.
  private mutating func value(_ what: String) throws -> String {
    guard position < scalars.count, !Self.isSpace(scalars[position]), scalars[position] != ")",
      scalars[position] != "("
    else { throw fault(what) }
    var text = String.UnicodeScalarView()
    let start = position
    if scalars[position] == "\"" {
      position += 1
      while position < scalars.count, scalars[position] != "\"" {
        if scalars[position] == "\\", position + 1 < scalars.count { position += 1 }
        text.append(scalars[position])
        position += 1
      }
      guard position < scalars.count else {
        throw fault("a closing quote for character \(start + 1)")
      }
      position += 1
      if text.isEmpty { throw fault(what, at: start, found: "an empty text") }
    } else {
      while position < scalars.count, !Self.isSpace(scalars[position]),
        !"()\"".unicodeScalars.contains(scalars[position])
      {
        text.append(scalars[position])
        position += 1
      }
    }
    if position < scalars.count, !Self.isSpace(scalars[position]), scalars[position] != ")" {
      throw fault("a space or the end")
    }
    skipSpaces()
    return String(text)
  }

  private static let factors: [(suffix: String, factor: Double)] = [
    ("Ki", 1_024), ("Mi", 1_048_576), ("Gi", 1_073_741_824), ("k", 1e3), ("M", 1e6), ("G", 1e9),
  ]

  private func number(_ text: some StringProtocol) -> Double? {
    let factor = Self.factors.first { text.hasSuffix($0.suffix) }
    let digits = text.dropLast(factor?.suffix.count ?? 0)
    // Neither names such as "nan" nor hexadecimal digits.
    guard digits.allSatisfy({ "0123456789+-.eE".contains($0) }), let number = Double(digits)
    else { return nil }
    return number * (factor?.factor ?? 1)
  }

  private func isNumber(_ text: String) -> Bool {
    guard let dots = text.firstRange(ofDots: ()) else { return number(text) != nil }
    let parts = [text[..<dots.lowerBound], text[dots.upperBound...]]
    return parts.allSatisfy { $0.isEmpty || number($0) != nil } && !parts.allSatisfy(\.isEmpty)
  }

  private mutating func range(_ comparison: Comparison) throws -> IndexQuery.NumberRange {
    let place = position
    let text = try value("a number")
    if comparison == .equal, let dots = text.firstRange(ofDots: ()) {
      let (low, high) = (text[..<dots.lowerBound], text[dots.upperBound...])
      let (lower, upper) = (number(low), number(high))
      guard low.isEmpty || lower != nil, high.isEmpty || upper != nil,
        !low.isEmpty || !high.isEmpty
      else { throw fault("numbers with '..' between them", at: place) }
      if let lower, let upper, lower > upper { throw fault("the lesser number first", at: place) }
      return IndexQuery.NumberRange(lower: lower ?? -.infinity, upper: upper ?? .infinity)
    }
    guard let number = number(text) else { throw fault("a number", at: place) }
    return Self.range(comparison, from: number, to: number, isClosed: true)
  }

  private mutating func times(_ comparison: Comparison) throws -> IndexQuery.NumberRange {
    let place = position
    let text = try value("a day such as 2026-11-01")
    let isDay = text.utf8.count == 10
    guard let start = WallClock.seconds(of: isDay ? "\(text) 00:00:00" : text, inUTC: true) else {
      throw fault("a day such as 2026-11-01, or a time such as 2026-11-01T09:30:00", at: place)
    }
    return Self.range(comparison, from: start, to: start + (isDay ? 86_400 : 1), isClosed: false)
  }

  /// The numbers that compare with those from `start` to `end`.
  /// - Parameter isClosed: whether `end` belongs to the range.
  private static func range(
    _ comparison: Comparison, from start: Double, to end: Double, isClosed: Bool
  ) -> IndexQuery.NumberRange {
    switch comparison {
    case .less: IndexQuery.NumberRange(upper: start, includesUpper: false)
    case .atMost: IndexQuery.NumberRange(upper: end, includesUpper: isClosed)
    case .greater: IndexQuery.NumberRange(lower: end, includesLower: !isClosed)
    case .atLeast: IndexQuery.NumberRange(lower: start)
    case .equal, .equals:
      IndexQuery.NumberRange(lower: start, upper: end, includesUpper: isClosed)
    }
  }

  // MARK: Words

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.value < 0x20
  }

  private static func isKey(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".": true
    default: false
    }
  }

  private mutating func skipSpaces() {
    while position < scalars.count, Self.isSpace(scalars[position]) { position += 1 }
  }

  /// Whether an operator is next: a word in small or in capital letters, followed by a space, a parenthesis or the end.
  private func isNext(word: String) -> Bool {
    let end = position + word.count
    guard end <= scalars.count else { return false }
    let text = String(String.UnicodeScalarView(scalars[position..<end]))
    guard text == word || text == word.uppercased() else { return false }
    return end == scalars.count || Self.isSpace(scalars[end])
      || "()".unicodeScalars.contains(scalars[end])
  }

  private mutating func consume(word: String) -> Bool {
    guard isNext(word: word) else { return false }
    position += word.count
    skipSpaces()
    return true
  }
}

extension String {
  /// The range of the first two full stops behind each other.
  fileprivate func firstRange(ofDots: Void) -> Range<Index>? {
    var index = startIndex
    while index < endIndex {
      let next = self.index(after: index)
      if self[index] == ".", next < endIndex, self[next] == "." {
        return index..<self.index(after: next)
      }
      index = next
    }
    return nil
  }
}
