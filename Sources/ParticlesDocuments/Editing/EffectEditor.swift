public import ParticlesCore
internal import ParticlesModel

/// Changes the effect in a package by the names of its properties.
///
/// The text of the document is changed in the places concerned only: what was not touched stays as
/// it was written, byte for byte. Keys and values are checked as they come; ``findings()`` says what
/// the changes together brought about.
public struct EffectEditor: Sendable {
  /// A change that was made.
  public struct Change: Sendable, Hashable {
    /// The key: `emitters[0].emission.rate`.
    public var key: String
    /// What stood there; nil if nothing did.
    public var old: JSONValue?
    /// What stands there now; nil if nothing does.
    public var new: JSONValue?
  }

  /// The package, with all changes up to now.
  public internal(set) var package: EffectPackage

  /// The changes up to now, in their order; none for what was so already.
  public internal(set) var changes: [Change] = []

  /// The document.
  var text: JSONText

  private let original: EffectPackage
  let limits: Limits

  /// Begins to edit.
  /// - Throws: ``ParticlesCore/Rule/noDocument``; what makes the document no JSON at all. One that is
  ///   no valid effect can be edited, so that it becomes one.
  public init(_ package: EffectPackage, limits: Limits = .standard) throws {
    self.package = package
    self.limits = limits
    original = package
    text = try JSONText(package.document(limits: limits), limits: limits)
  }

  /// Sets a property.
  /// - Parameters:
  ///   - key: which one: keys with dots between them, elements of arrays by index or, if they have
  ///     names, by name in brackets; `[+]` or the index behind the last one appends.
  ///   - value: JSON; a word without quotes where names or text are expected; `1..2` for a range;
  ///     `#ff8800` for a colour; `null` to leave an optional property out.
  /// - Throws: ``ParticlesCore/Rule/usage`` for a key that there is not, and
  ///   ``ParticlesCore/Rule/type`` for a name that the property does not know.
  public mutating func set(_ key: String, to value: String) throws {
    let place = try place(of: TypedKey(key))
    let location = Location(entry: EffectPackage.documentPath, position: .key(place.key))
    let new = try PropertyText(property: place.property).value(of: value, at: location)
    if new == .null, place.property?.standard == "null" {
      if text.value(at: place.steps) != nil { try remove(place) }
    } else {
      try set(new, at: place)
    }
  }

  /// Removes a property, so that it has its default; or an element of an array. What refers to
  /// elements behind a removed one is adjusted.
  /// - Throws: ``ParticlesCore/Rule/usage`` for a key that there is not, for a property that must be
  ///   there, and for an element that something refers to.
  public mutating func unset(_ key: String) throws {
    let place = try place(of: TypedKey(key))
    guard text.value(at: place.steps) != nil else { return }
    if place.property?.isRequired ?? false, case .key? = place.steps.last {
      throw Diagnostic(.usage, "'\(place.key)' must be there", hint: "set it instead")
    }
    try remove(place)
  }

  /// What there is to say of the package as it is now that there was not before: faults and
  /// warnings of the effect and of its images. A number out of range is an error here, also where
  /// a document that has one is only warned of.
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
    // Places may have moved, so they do not count.
    var known = Dictionary(grouping: old, by: \.message).mapValues(\.count)
    return try check(package).filter { finding in
      known[finding.message, default: 0] -= 1
      return known[finding.message, default: 0] < 0
    }.map { finding in
      var finding = finding
      if finding.rule == .range { finding.severity = .error }
      if finding.rule == .type, finding.hint == nil, case .key(let key)? = finding.location.position
      {
        let place = try? place(of: TypedKey(key))
        finding.hint = PropertyText(property: place?.property).shape
      }
      return finding
    }
  }

  /// Writes a value where it belongs, together with the objects around it that are missing.
  mutating func set(_ new: JSONValue, at place: Place) throws {
    let old = text.value(at: place.steps)
    guard old != new else { return }
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

  mutating func store() throws { try package.setDocument(text.bytes) }

  private mutating func remove(_ place: Place) throws {
    let old = text.value(at: place.steps)
    if case .index(let index)? = place.steps.last {
      try adjustReferences(to: Array(place.steps.dropLast()), removing: index)
    }
    _ = try text.remove(at: place.steps)
    changes.append(Change(key: place.key, old: old, new: nil))
    // An object that says nothing any more need not stand there.
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
  /// This default with a value put into it; an object if it is none that could hold it.
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
