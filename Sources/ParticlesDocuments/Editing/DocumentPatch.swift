package import ParticlesCore

/// Changes between two JSON documents, as an editor and a program exchange them; see "Edits" in `Spec/editing.md`.
///
///     let patch = DocumentPatch.difference(from: old, to: new)  // [{"key": "emitters[0].lifetime", "value": 2}]
package enum DocumentPatch {
  /// The defaults that an editor puts in place of an object that a document leaves out, by key with empty brackets.
  private static let standards: [String: JSONValue] = SettableKey.all().reduce(into: [:]) {
    guard let text = $1.standard, let value = try? JSONParser.parse(Array(text.utf8)) else {
      return
    }
    if value != .null { $0[$1.key] = value }
  }

  /// The steps of a plain key: names that are separated by dots, and indices in brackets.
  /// - Returns: nil for another key, such as one with `[+]` or a name in quotes.
  package static func steps(_ key: String) -> [JSONText.Step]? {
    var (steps, rest) = ([JSONText.Step](), key[...])
    while !rest.isEmpty {
      if rest.first == "[" {
        guard !steps.isEmpty, let end = rest.firstIndex(of: "]") else { return nil }
        let digits = rest[rest.index(after: rest.startIndex)..<end]
        guard (1...9).contains(digits.utf8.count),
          digits.utf8.allSatisfy({ (48...57).contains($0) }),
          let index = Int(digits)
        else { return nil }
        steps.append(.index(index))
        rest = rest[rest.index(after: end)...]
      } else {
        if !steps.isEmpty, rest.popFirst() != "." { return nil }
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard isPlain(name) else { return nil }
        steps.append(.key(String(name)))
        rest = rest[name.endIndex...]
      }
    }
    return steps.isEmpty ? nil : steps
  }

  /// Whether a name of a member can be a step of a key.
  private static func isPlain(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name != "__proto__" && !name.utf8.contains { ".[]\"".utf8.contains($0) }
  }

  // MARK: Differences

  /// The changes that lead from a document to another one: of members of objects, and of elements of arrays of one length.
  /// - Returns: nil if no changes of plain keys do.
  package static func difference(from old: JSONValue, to new: JSONValue) -> [JSONValue]? {
    difference(from: old, to: new, at: "")
  }

  private static func difference(
    from old: JSONValue, to new: JSONValue, at key: String
  ) -> [JSONValue]? {
    if old == new { return [] }
    switch (old, new) {
    case (.object(let old), .object(let new)):
      let before = Dictionary(old.members.map { ($0.key, $0.value) }) { first, _ in first }
      let after = Set(new.members.map(\.key))
      var changes: [JSONValue] = []
      for member in new.members where before[member.key] != member.value {
        guard isPlain(member.key) else { return nil }
        let place = key.isEmpty ? member.key : "\(key).\(member.key)"
        let inner = before[member.key].flatMap {
          difference(from: $0, to: member.value, at: place)
        }
        changes += inner ?? [["key": .string(place), "value": member.value]]
      }
      for member in old.members where !after.contains(member.key) {
        guard isPlain(member.key) else { return nil }
        let place = key.isEmpty ? member.key : "\(key).\(member.key)"
        changes.append(["key": .string(place), "unset": .bool(true)])
      }
      return changes
    case (.array(let old), .array(let new)) where old.count == new.count && !key.isEmpty:
      return zip(old, new).enumerated().flatMap { index, pair in
        let place = "\(key)[\(index)]"
        return difference(from: pair.0, to: pair.1, at: place)
          ?? [["key": .string(place), "value": pair.1]]
      }
    default: return nil
    }
  }

  // MARK: Application

  /// Makes changes as an editor shows them before they are answered. It leaves out relative changes, and those of keys that
  /// are not plain.
  /// - Returns: nil if the result of an editor is not known.
  package static func applied(_ changes: [EffectChange], to document: JSONValue) -> JSONValue? {
    changes.reduce(document as JSONValue?) { document, change in
      guard let document, let steps = steps(change.key) else { return document }
      switch change.operation {
      case .set(let value): return setting(value, at: steps[...], in: document, place: "")
      case .unset: return removing(steps[...], from: document)
      case .relative: return document
      }
    }
  }

  private static func setting(
    _ value: JSONValue, at steps: ArraySlice<JSONText.Step>, in old: JSONValue?, place: String
  ) -> JSONValue? {
    guard let step = steps.first else { return value }
    let base = (old == .null ? nil : old) ?? standards[place]
    switch step {
    case .key(let name):
      if base?.array != nil { return nil }
      var object = base?.object ?? JSONObject()
      let inner = place.isEmpty ? name : "\(place).\(name)"
      guard
        let new = setting(value, at: steps.dropFirst(), in: object[name], place: inner)
      else { return nil }
      object[name] = new
      return .object(object)
    case .index(let index):
      guard var array = base == nil ? [] : base?.array, index <= array.count else { return nil }
      let element = index < array.count ? array[index] : nil
      guard
        let new = setting(value, at: steps.dropFirst(), in: element, place: "\(place)[]")
      else { return nil }
      if index < array.count { array[index] = new } else { array.append(new) }
      return .array(array)
    }
  }

  private static func removing(
    _ steps: ArraySlice<JSONText.Step>, from document: JSONValue
  ) -> JSONValue {
    let isLast = steps.count == 1
    switch (document, steps.first) {
    case (.object(var object), .key(let name)?):
      guard let old = object[name] else { return document }
      object[name] = isLast ? nil : removing(steps.dropFirst(), from: old)
      return .object(object)
    case (.array(var array), .index(let index)?) where array.indices.contains(index):
      if isLast {
        array.remove(at: index)
      } else {
        array[index] = removing(steps.dropFirst(), from: array[index])
      }
      return .array(array)
    default: return document
    }
  }
}

extension EffectPackage {
  /// The document as JSON. It shares its storage with copies.
  /// - Throws: ``ParticlesCore/Rule/noDocument``; the syntax error of a document that is not JSON.
  package var documentValue: JSONValue {
    get throws { try text(limits: .untrusted).value }
  }

  /// The value in the document at the end of the steps; nil if there is none.
  package func documentValue(at steps: [JSONText.Step]) throws -> JSONValue? {
    try text(limits: .untrusted).value(at: steps)
  }

  /// Makes changes of a journal again: those of properties as an editor does, others in the text.
  /// - Throws: ``ParticlesCore/Rule/usage`` for a change of a place that is not there; the errors of the effect that it
  ///   would make unreadable. Nothing has changed then.
  package mutating func patch(_ changes: [EffectChange]) throws {
    var new = self
    for change in changes {
      if (try? new.make([change])) != nil { continue }
      var text = try new.text(limits: .untrusted)
      var isMade = false
      if let steps = DocumentPatch.steps(change.key) {
        switch change.operation {
        case .set(let value): isMade = try text.set(value, at: steps)
        case .unset:
          _ = try text.remove(at: steps)
          isMade = true
        case .relative: break
        }
      }
      guard isMade else { throw Diagnostic(.usage, "'\(change.key)' is not there any more") }
      try new.setText(text)
    }
    if (try? system()) != nil { _ = try new.system() }
    self = new
  }
}
