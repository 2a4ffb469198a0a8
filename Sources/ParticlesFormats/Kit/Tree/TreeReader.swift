internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The values of one emitter of a file, by their paths.
///
/// Every accessor returns nil where the value is absent. For a value of another type it returns nil
/// too and reports ``Rule/emitterValue``. This is a class, because all rows report to one list.
final class TreeReader<Format: TreeFormat>: KeyReader {
  let format: Format
  /// The path of the emitter in the file.
  let path: String
  /// The emitter.
  let value: JSONValue
  /// The whole file.
  let root: JSONValue
  /// The engine that the file was made for. Nil if only one engine reads the format.
  let engine: EngineChoice?
  private(set) var diagnostics: [Diagnostic] = []
  /// The values of the emitter, after ``reportRest()``.
  private(set) var count = ReadCount()

  init(_ format: Format, _ emitter: TreeEmitter, root: JSONValue, engine: EngineChoice?) {
    (self.format, self.engine) = (format, engine)
    (path, value) = (emitter.path, emitter.value)
    self.root = root
  }

  subscript(_ name: String) -> JSONValue? {
    guard let path = format.spelling(of: name, in: value) else { return nil }
    return value[path].flatMap { $0 == .null ? nil : $0 }
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  /// A finite number, also from a text. `null` is 0 where the engine reads it so, otherwise absent.
  func number(_ name: String) -> Double? {
    guard let path = format.spelling(of: name, in: value), let found = value[path] else {
      return nil
    }
    return number(found, name)
  }

  /// The number in a value that was read at a path.
  func number(_ value: JSONValue, _ name: String) -> Double? {
    if value == .null { return format.isZeroIfNull(name) ? 0 : nil }
    let number = value.double ?? value.bool.map { $0 ? 1 : 0 } ?? value.string?.trimmed.double
    guard let number, number.magnitude < 1e15 else {
      mismatch(name, expected: "a number", found: value)
      return nil
    }
    return number.tidy
  }

  func number(_ name: String, _ standard: Double, atLeast least: Double? = nil) -> Double {
    max(number(name) ?? standard, least ?? -.infinity)
  }

  func integer(_ name: String) -> Int? { number(name).map { Int(saturating: $0) } }

  func flag(_ name: String) -> Bool? {
    switch self[name] {
    case nil: nil
    case .bool(let flag)?: flag
    case .string("true")?: true
    case .string("false")?: false
    default: number(name).map { $0 != 0 }
    }
  }

  func flag(_ name: String, _ standard: Bool) -> Bool { flag(name) ?? standard }

  /// A text that is not empty.
  func text(_ name: String) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.string else {
      mismatch(name, expected: "text", found: value)
      return nil
    }
    return text.isEmpty ? nil : text
  }

  func array(_ name: String) -> [JSONValue]? {
    guard let value = self[name] else { return nil }
    guard let array = value.array else {
      mismatch(name, expected: "an array", found: value)
      return nil
    }
    return array
  }

  /// A point or a direction: an object of `x`, `y` and `z`, each 0 if it is absent.
  func vector(_ name: String) -> Vector {
    Vector(number("\(name).x", 0), number("\(name).y", 0), number("\(name).z", 0))
  }

  /// The numbers of an array.
  func numbers(_ name: String) -> [Double] {
    (array(name) ?? []).compactMap { number($0, name) }
  }

  func value(
    _ name: String, width: String? = nil, _ standard: Double = 0, scope: Scope = .particle,
    times factor: Double = 1
  ) -> Value {
    Value(
      center: (number(name, standard) * factor + 0).rounded,
      halfWidth: format.randomness.half(
        ofWidth: number(width ?? name + Format.widthSuffix, 0) * factor), scope: scope)
  }

  /// A uniform value between two numbers, in either order.
  func range(
    _ low: String, _ high: String, _ standard: Double = 0, scope: Scope = .particle,
    times factor: Double = 1
  ) -> Value {
    let lower = number(low) ?? number(high) ?? standard
    let upper = number(high) ?? lower
    return .between(lower * factor, upper * factor, scope: scope)
  }

  func note(
    _ rule: Rule, _ name: String, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    diagnostics.add(rule, at: .key(place(name)), detail, found: found, severity: severity)
  }

  /// Reports a word that its key does not know.
  /// - Parameter taken: the value that is used instead, for the report.
  func note(unknown word: String, _ name: String, _ taken: String, known: [String]) {
    let finding = Diagnostic(
      .emitterValue, at: .key(place(name)), taken, expected: known.joined(separator: ", "),
      found: "'\(word.excerpt)'")
    if !diagnostics.contains(finding) { diagnostics.append(finding) }
  }

  /// The choice that a word names. Without a word, or after a report, the first choice.
  func choice<Choice>(_ name: String, _ choices: KeyValuePairs<String, Choice>) -> Choice {
    let word = text(name)?.trimmed
    if let known = choices.first(where: { $0.key == word }) { return known.value }
    if let word {
      note(unknown: word, name, "'\(choices[0].key)' is used", known: choices.map { $0.key })
    }
    return choices[0].value
  }

  /// The path of a value in the file, for messages.
  func place(_ name: String) -> String {
    written(format.spelling(of: name, in: value) ?? name)
  }

  private func written(_ name: String) -> String {
    (path.isEmpty ? name : name.isEmpty ? path : "\(path).\(name)").excerpt
  }

  private func mismatch(_ name: String, expected: String, found: JSONValue) {
    let finding = Diagnostic(
      .emitterValue, at: .key(place(name)), expected: expected, found: found.shortExcerpt)
    // A value may be asked for more than once.
    if !diagnostics.contains(finding) { diagnostics.append(finding) }
  }

  /// Reports every value that no row of the table has, unless it changes nothing.
  func reportRest() {
    var rest: [(path: String, value: JSONValue)] = []
    collect(value, "", &rest)
    count.rest = rest.count
    for (path, value) in rest.prefix(100) {
      diagnostics.add(.uninterpreted, at: .key(written(path)), found: value.shortExcerpt)
    }
    if rest.count > 100 {
      diagnostics.add(.uninterpreted, "keys that are not listed", found: "\(rest.count - 100)")
    }
  }

  private func collect(
    _ value: JSONValue, _ path: String, _ rest: inout [(path: String, value: JSONValue)]
  ) {
    if format.table.contains(path) {
      if format.table.readsValue(path) { count.read += 1 }
      return
    }
    guard !format.changesNothing(value, at: path, in: self.value) else { return }
    switch value {
    case .object(let object):
      for member in object.members {
        collect(member.value, path.isEmpty ? member.key : "\(path).\(member.key)", &rest)
      }
    case .array(let elements) where elements.allSatisfy { $0.identity != nil }:
      for element in elements {
        collect(element, "\(path)[\(element.identity ?? "")]", &rest)
      }
    case .null: break
    // The name of an element is a part of its path.
    case .string where path.hasSuffix("].\(format.identityKey)"): break
    default: rest.append((path, value))
    }
  }
}

extension JSONValue {
  /// The number that arithmetic in JavaScript makes of a value: `null` is 0, `true` is 1.
  var arithmetic: Double? { self == .null ? 0 : double ?? bool.map { $0 ? 1 : 0 } }

  /// The factor that JavaScript makes of a value in a product: as ``arithmetic``, and texts become
  /// the numbers that they spell. Nil for other values.
  var coerced: Double? {
    if let text = string?.trimmed { return text.isEmpty ? 0 : text.double }
    return arithmetic
  }

  /// Whether a condition in JavaScript holds: all but `null`, `false`, 0 and an empty text.
  var isTruthy: Bool {
    switch self {
    case .null: false
    case .string(let text): !text.isEmpty
    case .array, .object: true
    default: arithmetic != 0
    }
  }

  /// A scalar, or the kind of a value that is none.
  var shortExcerpt: String {
    switch self {
    case .string(let text): "'\(text.excerpt)'"
    case .array(let elements): "an array of \(elements.count)"
    case .object: "an object"
    default: line
    }
  }
}

extension Value {
  /// A number, or a uniform range between two in either order.
  static func between(_ a: Double, _ b: Double, scope: Scope = .particle) -> Value {
    let (low, high) = (min(a, b) + 0, max(a, b) + 0)
    return low == high
      ? .constant(low.rounded) : .range(low.rounded, high.rounded, scope: scope)
  }
}

extension Gradient {
  /// This gradient, with times that an easing function has changed.
  /// - Parameters:
  ///   - parts: the number of parts of the function. Each part is sampled at 16 points.
  ///   - function: a function from 0…1, whose results are clamped to 0…1.
  func eased(parts: Int, by function: (Double) -> Double) -> Gradient {
    func unit(_ x: Double) -> Double { min(max(function(x), 0), 1) }
    let isStepped = interpolation == .step
    let steps = (isStepped ? 64 : 16) * parts
    var found: [GradientKey] = []
    func add(_ time: Double, _ color: Color) {
      guard found.last.map({ $0.color != color || $0.time < time && !isStepped }) ?? true else {
        return
      }
      // Of equal colours in a row, the first and the last are enough.
      if found.count > 1, found.suffix(2).allSatisfy({ $0.color == color }) { found.removeLast() }
      found.append(GradientKey(time.rounded, color))
    }
    for index in 0..<steps {
      let (start, end) = (Double(index) / Double(steps), Double(index + 1) / Double(steps))
      let (low, high) = (unit(start), unit(end))
      if index == 0 || !isStepped { add(start, color(at: low)) }
      // The keys of the gradient that lie between.
      let between = keys.filter {
        isStepped
          ? min(low, high) < $0.time && $0.time <= max(low, high)
          : min(low, high) < $0.time && $0.time < max(low, high)
      }
      for key in low < high ? between : between.reversed() {
        let time = start + (key.time - low) / (high - low) * (end - start)
        // Backwards, a step returns to the key before.
        let before = keys.last { $0.time < key.time }?.color ?? key.color
        add(time, isStepped && high < low ? before : key.color)
      }
    }
    if !isStepped { add(1, color(at: unit(1))) }
    var eased = self
    eased.keys = found
    return eased
  }
}

/// The numbers of a file that are infinite, not a number, or too large for a double. Rows use the
/// default in their place.
struct InfiniteNumbers {
  private(set) var found: [(path: String, value: JSONValue)] = []
  private let mayBeText: Bool

  /// - Parameter mayBeText: whether the syntax has such numbers as words, such as `inf`. Otherwise
  ///   texts are not examined, because `1e9999` may be a colour.
  init(in root: JSONValue, mayBeText: Bool) {
    self.mayBeText = mayBeText
    // Paths are long, and nearly no file has such a number.
    if contains(root) { collect(root, "") }
  }

  private func contains(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object): object.members.contains { contains($0.value) }
    case .array(let elements): elements.contains(where: contains)
    case .number(let number): number.mayBeInfinite && number.double == nil
    case .string(let text): mayBeText && text.isInfiniteNumber
    default: false
    }
  }

  private mutating func collect(_ value: JSONValue, _ path: String) {
    switch value {
    case .object(let object):
      for member in object.members where member.key != "name" {
        collect(member.value, path.isEmpty ? member.key : "\(path).\(member.key)")
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() { collect(element, "\(path)[\(index)]") }
    default: if contains(value) { found.append((path, value)) }
    }
  }

  /// Findings for the numbers that no row has reported.
  /// - Parameter findings: the findings of the rows.
  func findings(besides findings: [Diagnostic]) -> [Diagnostic] {
    guard !found.isEmpty else { return [] }
    let known = findings.filter { $0.rule == .emitterValue }.map {
      (path: Self.plain($0.location.position?.description ?? ""), text: $0.found)
    }
    let rest = found.filter { path, value in
      let plain = Self.plain(path)
      return !known.contains {
        $0.text == value.shortExcerpt && ($0.path.hasSuffix(plain) || plain.hasSuffix($0.path))
      }
    }
    var result = rest.prefix(Self.most).map { path, value in
      Diagnostic(
        .emitterValue, at: .key(path.excerpt), expected: "a finite number",
        found: value.shortExcerpt)
    }
    if rest.count > Self.most {
      result.append(
        Diagnostic(
          .emitterValue, "numbers that are not listed", expected: "finite numbers",
          found: "\(rest.count - Self.most)"))
    }
    return result
  }

  private static let most = 100

  /// A path without indices: rows may name an element.
  private static func plain(_ path: String) -> String {
    var depth = 0
    return String(
      path.filter { character in
        if character == "[" { depth += 1 }
        defer { if character == "]" { depth -= 1 } }
        return depth == 0
      })
  }
}

extension JSONNumber {
  /// Whether the text is long, or has an exponent. All other numbers are below the greatest double.
  fileprivate var mayBeInfinite: Bool {
    text.utf8.count > 300 || text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
  }
}

extension String {
  /// Whether this is the text of a number that is not finite.
  fileprivate var isInfiniteNumber: Bool {
    let isShort = utf8.count <= 400 && utf8.contains { "eEnN".utf8.contains($0) }
    return isShort && Double(trimmed)?.isFinite == false
  }
}
