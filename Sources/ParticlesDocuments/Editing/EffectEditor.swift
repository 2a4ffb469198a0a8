public import ParticlesCore
internal import ParticlesModel

/// Changes the effect in a package by property keys.
///
/// Only the text of changed properties is rewritten; the rest of the document keeps its bytes. Each
/// key and value is checked when it is set; ``findings()`` checks all changes together.
public struct EffectEditor: Sendable {
  /// A change that was made.
  public struct Change: Sendable, Hashable {
    /// The key: `emitters[0].emission.rate`.
    public var key: String
    /// The previous value; nil if the property was not set.
    public var old: JSONValue?
    /// The new value; nil if the property was removed.
    public var new: JSONValue?
    /// Whether ``old`` was saved by another program after the package had been opened; see
    /// ``EffectEditor/markConflicts(with:)``.
    public var isConflict = false
  }

  /// The package with all changes so far.
  public internal(set) var package: EffectPackage

  /// The changes so far, in order. Setting a property to its current value adds no change.
  public internal(set) var changes: [Change] = []

  /// Remarks on changes that had no effect, such as a factor for a rate of 0.
  package internal(set) var remarks: [String] = []

  /// Whether changes may put numbers out of the range of their property; false by default. Numbers that are out of range
  /// already stay as they are.
  public var beyond = false

  /// The document.
  var text: JSONText

  private let original: EffectPackage
  let limits: Limits

  /// Creates an editor of a package.
  /// - Throws: ``ParticlesCore/Rule/noDocument``; the syntax error of a document that is not JSON.
  ///   An invalid effect can be edited, so that it can be corrected.
  public init(_ package: EffectPackage, limits: Limits = .standard) throws {
    self.package = package
    self.limits = limits
    original = package
    text = try package.text(limits: limits)
  }

  /// Sets a property.
  /// - Parameters:
  ///   - key: member keys separated by dots; elements of arrays by index or name in brackets; `[*]`
  ///     selects every element; `[+]` or the index after the last one appends an element.
  ///   - value: JSON; text without quotes if the property is a string or an enumeration; `1..2` for
  ///     a range; `#ff8800` for a colour; `null` to remove an optional property. A colour for an
  ///     object that contains one colour, such as `emitters[0].color`, sets that.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an unknown key; ``ParticlesCore/Rule/type`` for a
  ///   name that the property does not allow; ``ParticlesCore/Rule/range`` for a number out of the range of the property,
  ///   unless ``beyond``.
  public mutating func set(_ key: String, to value: String) throws {
    for key in try keys(matching: TypedKey(key)) { try set(key, to: value) }
  }

  private mutating func set(_ key: TypedKey, to value: String) throws {
    var place = try place(of: key)
    if let member = PropertyText(property: place.property).colorMember(for: value) {
      place = try self.place(of: TypedKey(key.steps + [.key(member)], from: key.text))
    }
    let location = Location(entry: EffectPackage.documentPath, position: .key(place.key))
    let new = try PropertyText(property: place.property).value(of: value, at: location)
    if new == .null, place.property?.standard == "null" {
      if text.value(at: place.steps) != nil { try remove(place) }
    } else {
      try set(new, at: place)
    }
  }

  /// Sets a property to a JSON value; null removes an optional property.
  /// - Parameters:
  ///   - key: as in ``set(_:to:)``.
  ///   - value: the value.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an unknown key; ``ParticlesCore/Rule/type`` for a value of another type,
  ///   of a property that is a number, a truth value, a string or a name; ``ParticlesCore/Rule/range`` for a number out of
  ///   the range of the property, unless ``beyond``. Others are checked by ``findings()``.
  public mutating func set(_ key: String, value: JSONValue) throws {
    for key in try keys(matching: TypedKey(key)) {
      let place = try place(of: key)
      if value == .null, place.property?.standard == "null" {
        if text.value(at: place.steps) != nil { try remove(place) }
      } else {
        try PropertyText(property: place.property).check(
          value, at: Location(entry: EffectPackage.documentPath, position: .key(place.key)))
        try set(value, at: place)
      }
    }
  }

  /// Returns the value of a property: that in the document, or else its default.
  /// - Parameter key: a key of one property, as in ``set(_:to:)``.
  /// - Returns: nil for an optional property that is not set.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an unknown key.
  public func value(_ key: String) throws -> JSONValue? {
    let place = try place(of: TypedKey(key))
    let value = text.value(at: place.steps) ?? place.defaults.last
    return value == .null ? nil : value
  }

  /// Removes a property, which then has its default, or an element of an array. References to
  /// elements after a removed one are adjusted.
  /// - Throws: ``ParticlesCore/Rule/usage`` for an unknown key, a required property, and an element
  ///   that a property refers to.
  public mutating func unset(_ key: String) throws {
    // From the last one, so that the indices of the others do not change.
    for key in try keys(matching: TypedKey(key)).reversed() { try unset(key) }
  }

  private mutating func unset(_ key: TypedKey) throws {
    let place = try place(of: key)
    guard text.value(at: place.steps) != nil else { return }
    if place.property?.isRequired ?? false, case .key? = place.steps.last {
      throw Diagnostic(.usage, "'\(place.key)' is required", hint: "set it instead")
    }
    try remove(place)
  }

  /// Returns the errors and warnings of the effect and its images that the changes have introduced. Values out of range are
  /// errors, or warnings if ``beyond``. Others have the severities that ``Validator`` gives them.
  public func findings() throws -> [Diagnostic] {
    let validator = Validator(limits: limits)
    func check(_ package: EffectPackage) throws -> [Diagnostic] {
      do {
        return try validator.check(package)
      } catch let diagnostic as Diagnostic {
        return [diagnostic]
      }
    }
    let old = try check(original)
    // Locations may have moved: findings are compared by message.
    var known = Dictionary(grouping: old, by: \.message).mapValues(\.count)
    return try check(package).filter { finding in
      known[finding.message, default: 0] -= 1
      return known[finding.message, default: 0] < 0
    }.map { finding in
      var finding = finding
      if finding.rule == .range { finding.severity = beyond ? .warning : .error }
      if finding.rule == .type, finding.hint == nil, case .key(let key)? = finding.location.position
      {
        let place = try? place(of: TypedKey(key))
        finding.hint = PropertyText(property: place?.property).shape
      }
      return finding
    }
  }

  /// Writes a value, and the objects around it that are missing.
  mutating func set(_ new: JSONValue, at place: Place) throws {
    let old = text.value(at: place.steps)
    guard old != new else { return }
    if !beyond {
      try PropertyText(property: place.property).checkRange(
        new, at: Location(entry: EffectPackage.documentPath, position: .key(place.key)))
    }
    var (steps, value, orders) = (place.steps, new, place.orders)
    while steps.count > 1, isMissing(steps.dropLast()) {
      let step = steps.removeLast()
      orders.removeLast()
      value = place.defaults[steps.count - 1].holding(value, at: step)
    }
    guard try text.set(value, at: steps, order: orders.last ?? []) else {
      throw Diagnostic(.usage, "'\(place.key)' cannot be set")
    }
    changes.append(Change(key: place.key, old: old, new: new))
    try store()
  }

  private func isMissing(_ steps: [JSONText.Step]) -> Bool {
    let value = text.value(at: steps)
    return value == nil || value == .null
  }

  mutating func store() throws { try package.setText(text) }

  private mutating func remove(_ place: Place) throws {
    let old = text.value(at: place.steps)
    if case .index(let index)? = place.steps.last {
      try adjustReferences(to: Array(place.steps.dropLast()), removing: index)
    }
    _ = try text.remove(at: place.steps)
    changes.append(Change(key: place.key, old: old, new: nil))
    // Remove objects that have become equal to their default.
    var (steps, defaults) = (Array(place.steps.dropLast()), Array(place.defaults.dropLast()))
    while let standard = defaults.popLast(), standard == .object(JSONObject()),
      text.value(at: steps) == standard, case .key? = steps.last
    {
      _ = try text.remove(at: steps)
      steps.removeLast()
    }
    try store()
  }
}

extension JSONValue {
  /// Returns this default with a value at a key or index; a new object or array if it is neither.
  fileprivate func holding(_ value: JSONValue, at step: JSONText.Step) -> JSONValue {
    switch step {
    case .key(let key):
      var object = object ?? JSONObject()
      object[key] = value
      return .object(object)
    case .index(let index):
      var elements = array ?? []
      if elements.indices.contains(index) {
        elements[index] = value
      } else {
        elements.append(value)
      }
      return .array(elements)
    }
  }
}
