internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesModel

/// A change of one property, as an editor orders it.
package struct EffectChange: Sendable {
  /// The kinds of changes.
  package enum Operation: Sendable {
    /// It gets a value.
    case set(JSONValue)
    /// It gets its default, or an element is removed.
    case unset
    /// Its value changes by a factor or a summand: `*1.5`, `+10`, `-10`.
    case relative(String)
  }

  /// The key, such as `emitters[0].emission.rate`.
  package var key: String
  package var operation: Operation

  /// - Throws: ``ParticlesCore/Rule/usage`` for JSON that is no change.
  package init(_ json: JSONValue) throws(Failure) {
    guard let object = json.object, let key = object["key"]?.string, !key.isEmpty else {
      throw Diagnostic(.usage, "a change", expected: "an object with a key", found: json.kind)
    }
    self.key = key
    if object["unset"]?.bool == true {
      operation = .unset
    } else if let text = object["relative"]?.string {
      guard let sign = text.first, "*+-".contains(sign), text.count > 1 else {
        throw Diagnostic(
          .usage, "'\(key)'", expected: "a change such as *1.5, +10 or -10", found: "'\(text)'")
      }
      operation = .relative(text)
    } else if let value = object["value"] {
      operation = .set(value)
    } else {
      throw Diagnostic(.usage, "the change of '\(key)'", expected: "value, relative or unset")
    }
  }

  package static func list(_ json: JSONValue?) throws(Failure) -> [EffectChange] {
    guard let array = json?.array else {
      throw Diagnostic(.usage, "the body", expected: "changes, an array")
    }
    return try array.map { change throws(Failure) in try EffectChange(change) }
  }

  func apply(to editor: inout EffectEditor) throws(Failure) {
    switch operation {
    case .set(let value): try editor.set(key, to: value.line)
    case .unset: try editor.unset(key)
    case .relative(let text):
      guard let sign = text.first else { return }
      try editor.apply("\(key)\(sign)=\(text.dropFirst())")
    }
  }
}

/// Checks values of one property without the document: a slider sends many.
package struct PropertyCheck: Sendable {
  private let property: PropertyInfo
  private let key: String

  /// Creates the check of a property, or nil for an unknown key.
  package init?(_ key: String, in package: EffectPackage) {
    guard let editor = try? EffectEditor(package, limits: .untrusted),
      let property = try? editor.place(of: TypedKey(key)).property
    else { return nil }
    (self.property, self.key) = (property, key)
  }

  /// Throws if a value is not allowed.
  /// - Returns: whether that was found out: numbers, truth values and names need no document.
  /// - Throws: ``ParticlesCore/Rule/type`` and ``ParticlesCore/Rule/range``.
  package func check(_ value: JSONValue) throws(Failure) -> Bool {
    try PropertyText(property: property).checkAlone(
      value, at: Location(entry: EffectPackage.documentPath, position: .key(key)))
  }
}

extension EffectPackage {
  /// Makes changes. An effect that could be read before can be read afterwards.
  /// - Throws: the fault of a change, with its key. Nothing has changed then.
  package mutating func make(_ changes: [EffectChange]) throws(Failure) {
    try editValid { editor throws(Failure) in
      for change in changes { try change.apply(to: &editor) }
    }
  }

  /// Edits the effect. Refuses changes that would make it unreadable.
  package mutating func editValid(_ body: (inout EffectEditor) throws(Failure) -> Void)
    throws(Failure)
  {
    // Pictures come from anywhere.
    var editor = try EffectEditor(self, limits: .untrusted)
    try body(&editor)
    guard !editor.changes.isEmpty else { return }
    do throws(Failure) {
      let faults = try Self.faults(editor.package.system())
      if !faults.isEmpty, let old = try? Self.faults(system()) {
        let known = Set(old.map { $0.message })
        if let fault = faults.first(where: { !known.contains($0.message) }) { throw fault }
      }
    } catch {
      // An effect that is unreadable already is mended step by step.
      guard (try? system()) == nil else { throw error }
    }
    self = editor.package
  }

  /// The values of an effect that are not allowed.
  private static func faults(_ system: ParticleSystem) -> [Diagnostic] {
    system.diagnostics().filter { $0.severity == .error || $0.rule == .range }
  }
}

/// A change relative to the current value of a property: `*=1.5`, `+=10`, `-=10`.
struct RelativeChange {
  enum Operation: Character, Sendable {
    case multiply = "*"
    case add = "+"
    case subtract = "-"
  }

  let operation: Operation
  /// The operand as text.
  let text: String

  /// Computes the new value.
  /// - Throws: ``ParticlesCore/Rule/usage`` if the operand or the old value is not numeric.
  package func result(of old: JSONValue, property: PropertyInfo?, key: String) throws(Failure)
    -> JSONValue
  {
    let type = property?.type ?? ""
    let isColor = PropertyText.colors.contains { type.hasPrefix($0) }
    let operand = PropertyText(property: nil)
    let location = Location(entry: EffectPackage.documentPath, position: .key(key))
    let value = try operand.value(of: text, at: location)
    guard !isColor, let new = changed(old, by: value) else {
      let isVector = old.array != nil && operation != .multiply && !isColor
      throw Diagnostic(
        .usage, "'\(key)' cannot be changed by '\(operation.rawValue)=\(text)'",
        expected: isVector ? "a vector of the same size" : nil,
        hint: isVector
          ? nil : "numbers, ranges, tracks and vectors can; set other values with \(key)=VALUE")
    }
    // A negative factor exchanges the ends.
    if type.hasPrefix("interval"), let ends = new.array, ends.count == 2,
      let lower = ends[0].double, let upper = ends[1].double, lower > upper
    {
      return .array([ends[1], ends[0]])
    }
    guard type.hasPrefix("integer"), let number = new.double else { return new }
    return Int(exactly: number.rounded()).map(JSONValue.int) ?? new
  }

  private func changed(_ old: JSONValue, by operand: JSONValue) -> JSONValue? {
    switch (old, operand) {
    case (.number, .number): return number(old, operand)
    case (.array(let elements), .number) where operation == .multiply:
      return array(elements.map { changed($0, by: operand) })
    case (.array(let elements), .array(let operands))
    where operation != .multiply && elements.count == operands.count:
      return array(zip(elements, operands).map { changed($0, by: $1) })
    case (.object(let object), .number): return self.object(object, operand)
    default: return nil
    }
  }

  private func array(_ elements: [JSONValue?]) -> JSONValue? {
    let values = elements.compactMap { $0 }
    return values.count == elements.count ? .array(values) : nil
  }

  private func number(_ old: JSONValue, _ operand: JSONValue) -> JSONValue? {
    guard let a = old.double, let b = operand.double else { return nil }
    switch operation {
    case .multiply: return Self.value(a * b)
    case .add: return Self.value(a + b)
    case .subtract: return Self.value(a - b)
    }
  }

  /// Rounds away the digits that only the arithmetic added: 0.1 · 3 is 0.3.
  private static func value(_ number: Double) -> JSONValue? {
    number.isFinite ? .double(number.rounded) : nil
  }

  /// The members of value and track objects that scale with the result.
  private static let scaled = ["min", "max", "oneOf", "low", "high", "from", "to", "rate", "range"]

  /// The members that an addition shifts. Relative ends are not shifted.
  private static func shifted(_ object: JSONObject) -> [String] {
    let isRelative = object["relative"]?.bool ?? false
    let ends = isRelative ? [] : ["high", "to"]
    return ["min", "max", "oneOf", "low", "from", "range"] + ends
  }

  private func object(_ old: JSONObject, _ operand: JSONValue) -> JSONValue? {
    var new = old
    let isTrack = ["from", "to", "rate", "warp", "over", "range", "domain"].contains {
      old[$0] != nil
    }
    // A missing `from` is 0.
    if isTrack, operation != .multiply, old["from"] == nil { new["from"] = .int(0) }
    let keys = operation == .multiply ? Self.scaled : Self.shifted(old)
    var isChanged = false
    for member in new.members where keys.contains(member.key) {
      let changes: JSONValue?
      if let elements = member.value.array {
        changes = array(elements.map { changed($0, by: operand) })
      } else {
        changes = member.value == .null ? .null : changed(member.value, by: operand)
      }
      guard let changes else { return nil }
      new[member.key] = changes
      isChanged = true
    }
    guard isChanged else { return nil }
    // A negative factor exchanges the ends.
    if let min = new["min"]?.double, let max = new["max"]?.double, min > max {
      (new["min"], new["max"]) = (new["max"], new["min"])
    }
    if let ends = new["range"]?.array, ends.count == 2, let lower = ends[0].double,
      let upper = ends[1].double, lower > upper
    {
      new["range"] = .array([ends[1], ends[0]])
    }
    return .object(new)
  }
}

/// A change of the list of emitters. Triggers and roots still refer to their emitters afterwards.
///
///     try EmitterOperation.duplicate([0]).apply(to: &package)
public enum EmitterOperation: Sendable {
  /// Adds emitters, as in `document.json`, before an index, or at the end for nil.
  case add([JSONValue], at: Int?)
  /// Copies emitters behind themselves.
  case duplicate([Int])
  /// Removes emitters.
  case remove([Int])
  /// Moves an emitter to an index.
  case move(Int, to: Int)
  /// Renames an emitter.
  case rename(Int, String)
  /// Adds the emitters of another effect, with their images and sprites. Images with equal contents are used together.
  case merge(EffectPackage)

  /// Reads an operation: an object with `op`, and `values` and `at`, `indices`, `index` and `to`, or `index` and `name`.
  /// - Throws: ``ParticlesCore/Rule/usage`` for JSON that is no operation, and for `merge`, whose effect is not JSON.
  public init(_ json: JSONValue?) throws(Failure) {
    guard let object = json?.object, let name = object["op"]?.string else {
      throw Diagnostic(.usage, "the body", expected: "an operation with 'op'")
    }
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.usage, "the operation '\(name)'", expected: expected)
    }
    let indices =
      object["indices"]?.array?.compactMap { $0.int } ?? object["index"]?.int.map { [$0] } ?? []
    switch name {
    case "add", "paste":
      let values = object["values"]?.array ?? object["value"].map { [$0] } ?? [[:]]
      guard !values.isEmpty, values.allSatisfy({ $0.object != nil }) else {
        throw fault("emitters, objects, as values")
      }
      self = .add(values, at: object["at"]?.int)
    case "duplicate", "remove":
      guard !indices.isEmpty else { throw fault("an index, or indices") }
      self = name == "remove" ? .remove(indices) : .duplicate(indices)
    case "move":
      guard let index = indices.first, let to = object["to"]?.int else { throw fault("index, to") }
      self = .move(index, to: to)
    case "rename":
      guard let index = indices.first, let text = object["name"]?.string else {
        throw fault("index, name")
      }
      self = .rename(index, text)
    default:
      throw Diagnostic(
        .usage, "the operation", expected: "add, paste, duplicate, remove, move, rename or merge",
        found: "'\(name.excerpt)'")
    }
  }

  /// Makes the change.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an index that no emitter has, and for the removal of an emitter that
  ///   a trigger of a remaining emitter refers to. Errors of reading the effects. The first new error that the effect
  ///   would have. Nothing has changed then.
  public func apply(to package: inout EffectPackage) throws(Failure) {
    var new = package
    try make(in: &new)
    package = new
  }

  private func make(in package: inout EffectPackage) throws(Failure) {
    if case .merge(let other) = self { return try package.merge(other) }
    if case .rename(let index, let name) = self {
      return try package.editValid { editor throws(Failure) in
        try editor.set("emitters[\(index)].name", to: JSONValue.string(name).line)
      }
    }
    var system = try package.system()
    let order = try order(of: system.emitters.count)
    if case .add(let values, let place) = self {
      try package.editValid { editor throws(Failure) in
        for value in values { try editor.set("emitters[+]", to: value.line) }
      }
      guard let place else { return }
      system = try package.system()
      let count = system.emitters.count
      let new = Array((count - values.count)..<count)
      var order = Array(0..<(count - values.count))
      order.insert(contentsOf: new, at: min(max(0, place), order.count))
      return try package.arrange(order)
    }
    try package.arrange(order)
  }

  /// The indices of the emitters as they will be.
  private func order(of count: Int) throws(Failure) -> [Int] {
    func check(_ index: Int) throws(Failure) {
      guard (0..<count).contains(index) else {
        throw Diagnostic(
          .usage, "the index of an emitter", expected: "0 to \(count - 1)", found: "\(index)")
      }
    }
    var order = Array(0..<count)
    switch self {
    case .add, .rename, .merge: break
    case .duplicate(let indices):
      for index in indices { try check(index) }
      order = order.flatMap { indices.contains($0) ? [$0, $0] : [$0] }
    case .remove(let indices):
      for index in indices { try check(index) }
      order.removeAll { indices.contains($0) }
    case .move(let index, let to):
      try check(index)
      order.remove(at: index)
      order.insert(index, at: min(max(0, to), order.count))
    }
    return order
  }
}

extension EffectPackage {
  /// Arranges the emitters by `order`, a list of their current indices. An index that is in it twice copies the
  /// emitter. Triggers and roots are adjusted to the new indices.
  /// - Throws: ``ParticlesCore/Rule/usage`` if a trigger refers to an emitter that is left out.
  fileprivate mutating func arrange(_ order: [Int]) throws(Failure) {
    var system = try system()
    var places: [Int: Int] = [:]
    for (place, index) in order.enumerated() where places[index] == nil { places[index] = place }
    var names = Set(system.emitters.map { $0.name })
    var emitters = order.map { system.emitters[$0] }
    for (place, index) in order.enumerated() {
      for trigger in emitters[place].triggers.indices {
        let target = emitters[place].triggers[trigger].emitter
        // A trigger without an emitter is reported by `validate`, and stays.
        guard system.emitters.indices.contains(target) else { continue }
        guard let new = places[target] else {
          throw Diagnostic(
            .usage, "'\(system.emitters[target].name)' is emitted by a trigger",
            found: "emitters[\(index)].triggers[\(trigger)]", hint: "remove the trigger first")
        }
        emitters[place].triggers[trigger].emitter = new
      }
      // A copy has a name of its own.
      guard places[index] != place else { continue }
      let name = emitters[place].name
      var number = 2
      while !names.insert("\(name) \(number)").inserted { number += 1 }
      emitters[place].name = "\(name) \(number)"
    }
    system.roots = system.roots?.compactMap { places[$0] }
    system.emitters = emitters
    try setSystem(system)
  }
}

/// Changes between two JSON documents, as an editor and a program exchange them. See "Edits" in `Spec/editing.md`.
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

  /// The changes between two documents: of members of objects, and of elements of arrays of equal length.
  /// - Returns: nil if no changes of plain keys do.
  package static func difference(
    from old: JSONValue, to new: JSONValue, at key: String = ""
  ) -> [JSONValue]? {
    if old == new { return [] }
    switch (old, new) {
    case (.object(let old), .object(let new)):
      let before = Dictionary(first: old.members.map { ($0.key, $0.value) })
      let after = Set(new.members.map { $0.key })
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

  /// Makes changes as an editor shows them before they are answered. It leaves out relative changes, and changes of
  /// keys that are not plain.
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
  /// - Throws: ``ParticlesCore/Rule/noDocument``, or the syntax error of a document that is not JSON.
  package var documentValue: JSONValue {
    get throws(Failure) { try text(limits: .untrusted).value }
  }

  /// The value in the document at the end of the steps, or nil.
  package func documentValue(at steps: [JSONText.Step]) throws(Failure) -> JSONValue? {
    try text(limits: .untrusted).value(at: steps)
  }

  /// Makes changes of a journal again: changes of properties like an editor, others in the text.
  /// - Throws: ``ParticlesCore/Rule/usage`` for a change of a missing place, or the errors of an effect that would
  ///   become unreadable. Nothing has changed then.
  package mutating func patch(_ changes: [EffectChange]) throws(Failure) {
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
