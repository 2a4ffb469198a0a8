internal import ParticlesCore
internal import ParticlesPropertyLists
internal import ParticlesModel

/// The values of one emitter of a file, by their paths.
///
/// Every accessor returns nil where the value is absent; for a value of another type it returns nil
/// too and reports ``Rule/emitterValue``. This is a class, because all rows report to one list.
final class TreeReader<Format: TreeFormat>: KeyReader {
  let format: Format
  /// The path of the emitter in the file.
  let path: String
  /// The emitter.
  let value: JSONValue
  /// The whole file.
  let root: JSONValue
  /// The engine that the file was made for; nil if only one reads the format.
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

  /// A finite number, also if it is spelled as a text; for `null` what the engine makes of it.
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

  /// Reports a word that is none of those of its key.
  /// - Parameter taken: what the effect does in its place.
  func note(unknown word: String, _ name: String, _ taken: String, known: [String]) {
    let finding = Diagnostic(
      .emitterValue, at: .key(place(name)), taken, expected: known.joined(separator: ", "),
      found: "'\(word.excerpt)'")
    if !diagnostics.contains(finding) { diagnostics.append(finding) }
  }

  /// The choice that a word names; without one, or after a report, the first.
  func choice<Choice>(_ name: String, _ choices: KeyValuePairs<String, Choice>) -> Choice {
    let word = text(name)?.trimmed
    if let known = choices.first(where: { $0.key == word }) { return known.value }
    if let word {
      note(unknown: word, name, "'\(choices[0].key)' is used", known: choices.map(\.key))
    }
    return choices[0].value
  }

  func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

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

  /// The number that a value is in a product in JavaScript: as ``arithmetic``, and texts are the numbers that they
  /// spell. nil for what is not a number.
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
