internal import ParticlesCore
internal import ParticlesModel

extension EffectEditor {
  /// The location of a property, which may be missing from the document.
  struct Place {
    /// The path, with names of elements resolved to indices.
    var steps: [JSONText.Step] = []
    /// The default at each step; null if there is none.
    var defaults: [JSONValue] = []
    /// The keys of the object at each step, in their canonical order; empty for arrays.
    var orders: [[String]] = []
    /// The last property of the path; nil for unknown JSON members.
    var property: PropertyInfo?

    /// The path as text.
    var key: String { path.description }

    private var path: JSONPath {
      steps.reduce(.root) { path, step in
        switch step {
        case .key(let key): path.appending(key)
        case .index(let index): path.appending(index)
        }
      }
    }
  }

  /// Resolves a key against the schema and the document.
  /// - Throws: ``ParticlesCore/Rule/usage``.
  func place(of typed: TypedKey) throws -> Place {
    var place = Place()
    var types: [any ModelObject.Type] = [ParticleSystem.self]
    // Below extensions, extras and unknown members, any key is allowed.
    var isFree = false
    for (index, step) in typed.steps.enumerated() {
      let here = text.value(at: place.steps) ?? place.defaults.last ?? .object(JSONObject())
      switch step {
      case .name(let name) where here.array == nil: fallthrough
      case .key(let name):
        try requireObject(here, place)
        place.orders.append(types.flatMap { $0.keys })
        if isFree {
          place.defaults.append(.null)
        } else if let property = types.lazy.compactMap({ $0.property(name) }).first {
          place.property = property
          place.defaults.append(property.standardValue ?? .null)
          types = property.objects
        } else {
          let kept = here.object?[name] != nil || ["extensions", "extras"].contains(name)
          guard kept else { throw unknown(name, at: place, among: types) }
          isFree = true
          types = []
          place.property = nil
          place.defaults.append(.null)
        }
        place.steps.append(.key(name))
      case .index, .name, .end, .all:
        let isNone = here == .null && place.property?.type.hasPrefix("array of ") ?? false
        guard let elements = isNone ? [] : here.array else { throw noArray(here, place) }
        let isLast = index + 1 == typed.steps.count
        let element = try self.index(of: step, in: elements, at: place, canAppend: isLast)
        place.steps.append(.index(element))
        place.orders.append([])
        place.property = place.property?.element
        place.defaults.append(elements.indices.contains(element) ? elements[element] : .null)
      }
    }
    return place
  }

  private func index(
    of step: TypedKey.Step, in elements: [JSONValue], at place: Place, canAppend: Bool
  ) throws -> Int {
    switch step {
    case .end where canAppend: return elements.count
    case .index(let index) where index < elements.count + (canAppend ? 1 : 0): return index
    case .name(let name):
      let names = elements.map { $0.object?["name"]?.string ?? "" }
      let matches = names.indices.filter { names[$0] == name }
      if matches.count == 1 { return matches[0] }
      let known = names.filter { !$0.isEmpty }
      let guess = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
      throw Diagnostic(
        .usage, "'\(place.key)' has \(matches.isEmpty ? "no" : "more than one") '\(name)'",
        hint: guess
          ?? (known.isEmpty ? "count from 0" : "expected one of \(known.joined(separator: ", "))"))
    default:
      let count = elements.count == 1 ? "1 element" : "\(elements.count) elements"
      throw Diagnostic(
        .usage, "'\(place.key)' has \(count)",
        hint: "\(place.key)[0] is the first; \(place.key)[+] appends one")
    }
  }

  private func requireObject(_ here: JSONValue, _ place: Place) throws {
    if here.object != nil || here == .null { return }
    if here.array != nil {
      throw Diagnostic(
        .usage, "'\(place.key)' is an array", hint: "name an element, such as \(place.key)[0]")
    }
    throw Diagnostic(
      .usage, "'\(place.key)' is \(here.line), which has no members",
      hint: "set it as a whole, such as \(place.key)=1..2 or \(place.key)='{…}'")
  }

  private func noArray(_ here: JSONValue, _ place: Place) -> Diagnostic {
    Diagnostic(
      .usage, "'\(place.key)' is not an array", found: here.kind,
      hint: here == .null ? "set it as a whole, such as \(place.key)='[1, 2]'" : nil)
  }

  private func unknown(
    _ name: String, at place: Place, among types: [any ModelObject.Type]
  ) -> Diagnostic {
    let keys = types.flatMap { $0.keys }
    let whole = place.key.isEmpty ? name : "\(place.key).\(name)"
    let guess = Suggestion.nearest(to: name, among: keys).map { "did you mean '\($0)'?" }
    let list = keys.isEmpty ? nil : "expected one of \(keys.joined(separator: ", "))"
    return Diagnostic(.usage, "there is no property '\(whole)'", hint: guess ?? list)
  }
}
