internal import ParticlesCore

extension EffectEditor {
  /// Makes a change that is written as an assignment: `key=value`; or relative to the current value:
  /// `key*=1.5`, `key+=10`, `key-=10`.
  ///
  /// A relative change of a range, a choice, a ramp or a track changes the result of the whole: with
  /// `+=`, for example, both ends of a range. Vectors are multiplied by a number and added to a
  /// vector: `preview.size+=[100, 0]`. Integers are rounded.
  /// - Parameter text: a key and a value as in ``set(_:to:)``.
  /// - Throws: ``ParticlesCore/Rule/usage`` for a text of another form, an unknown key, and a
  ///   relative change of a value that is not a number; what ``set(_:to:)`` throws.
  public mutating func apply(_ text: String) throws {
    guard let change = TypedChange(text) else {
      throw Diagnostic(
        .usage, "'\(text)' is not a change", expected: "key=value, key*=2, key+=2 or key-=2")
    }
    guard let operation = change.operation else { return try set(change.key, to: change.value) }
    for key in try keys(matching: TypedKey(change.key)) {
      let place = try place(of: key)
      let old = self.text.value(at: place.steps) ?? place.defaults.last ?? .null
      let relative = RelativeChange(operation: operation, text: change.value)
      let new = try relative.result(of: old, property: place.property, key: place.key)
      if operation == .multiply, old.isZero {
        remarks.append(remark(onMultiplying: place.key, by: change.value))
      } else {
        try set(new, at: place)
      }
    }
  }

  /// The reason why a factor changes nothing, with the change that has the wanted effect.
  private func remark(onMultiplying key: String, by factor: String) -> String {
    let text = "\(key) is 0, so there is nothing to multiply"
    let rate = ".emission.rate"
    guard key.hasSuffix(rate) else { return text }
    let bursts = "\(key.dropLast(".rate".count)).bursts"
    guard let count = try? value(bursts)?.array?.count, count > 0 else { return text }
    let counts = "\(bursts)[\(count == 1 ? "0" : "*")].count"
    return "\(text): the emitter emits bursts; use \(counts)*=\(factor)"
  }

  /// Marks the changes whose old value differs from the one in an earlier attempt on the same
  /// document: another program saved it in between, and is overwritten.
  public mutating func markConflicts(with earlier: [Change]) {
    for index in changes.indices {
      let first = earlier.first { $0.key == changes[index].key }
      changes[index].isConflict = first.map { $0.old != changes[index].old } ?? false
    }
  }

  /// Replaces `[*]` in a key with the index of each element.
  /// - Throws: ``ParticlesCore/Rule/usage`` if there are no elements.
  func keys(matching key: TypedKey) throws -> [TypedKey] {
    var matches: [[TypedKey.Step]] = [[]]
    for step in key.steps {
      guard step == .all else {
        for index in matches.indices { matches[index].append(step) }
        continue
      }
      matches = try matches.flatMap { steps -> [[TypedKey.Step]] in
        let place = try place(of: TypedKey(steps, from: key.text))
        let value = text.value(at: place.steps) ?? place.defaults.last ?? .null
        guard let elements = value.array ?? (value == .null ? [] : nil) else {
          throw Diagnostic(.usage, "'\(place.key)' is not an array", found: value.kind)
        }
        return elements.indices.map { steps + [.index($0)] }
      }
    }
    guard !matches.isEmpty else {
      throw Diagnostic(.usage, "'\(key.text)' matches no element")
    }
    return matches.map { TypedKey($0, from: key.text) }
  }
}

extension JSONValue {
  /// Whether it is the number 0, or numbers that are all 0.
  fileprivate var isZero: Bool {
    if let elements = array { return !elements.isEmpty && elements.allSatisfy(\.isZero) }
    return double == 0
  }
}

/// A change as text, split into key, operator and value.
struct TypedChange: Sendable, Hashable {
  var key: String
  /// Nil for an assignment.
  var operation: RelativeChange.Operation?
  var value: String

  /// Nil if the text has no `=` outside of brackets.
  init?(_ text: String) {
    var depth = 0
    let sign = text.indices.first { index in
      if text[index] == "[" { depth += 1 }
      if text[index] == "]" { depth -= 1 }
      return text[index] == "=" && depth == 0
    }
    guard let sign, sign > text.startIndex else { return nil }
    key = String(text[..<sign])
    value = String(text[text.index(after: sign)...])
    operation = key.last.flatMap(RelativeChange.Operation.init)
    if operation != nil { key.removeLast() }
  }
}
