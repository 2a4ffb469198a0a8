internal import ParticlesCore
internal import ParticlesModel

/// Gives properties of an effect the values that they have in another one, to see what the change of
/// these alone does.
struct PropertyExchange {
  private let old: ParticleSystem
  private let source: JSONValue
  private let result: JSONValue

  /// - Parameters:
  ///   - source: the effect.
  ///   - result: the effect with the other values, in the same unit.
  init(_ source: ParticleSystem, _ result: ParticleSystem) {
    old = source
    (self.source, self.result) = (source.json, result.json)
  }

  /// The effect with the values of the other one at some paths; nil if that is no effect.
  func replacing(_ paths: [String]) -> ParticleSystem? {
    let changed = paths.reduce(source) { json, path in
      Self.replaced(json, by: result, at: Self.steps(of: whole(path))[...])
    }
    guard changed != source else { return old }
    guard let system = try? ParticleSystem(json: changed),
      !system.diagnostics().contains(where: { $0.severity == .error })
    else { return nil }
    return system
  }

  /// The path of the part that makes sense by itself: a width is a length or a factor by the mode of the
  /// size, so that another mode takes all of the size with it; and alpha can move between colour and
  /// opacity.
  private func whole(_ path: String) -> String {
    if let size = part("size", of: path), differ(size + ".mode") { return size }
    if let color = part("color", of: path), differ(color + ".base"), differ(color + ".opacity") {
      return color
    }
    return path
  }

  /// The path of a part of an emitter, if a path leads below it.
  private func part(_ name: String, of path: String) -> String? {
    path.firstRange(of: ".\(name).").map { path[..<$0.lowerBound] + ".\(name)" }
  }

  private func differ(_ path: String) -> Bool {
    let steps = Self.steps(of: path)
    return Self.value(at: steps, in: source) != Self.value(at: steps, in: result)
  }

  private static func value(at steps: [Substring], in json: JSONValue) -> JSONValue? {
    steps.reduce(json as JSONValue?) { value, step in
      guard let index = Int(step), let array = value?.array else {
        return value?.object?[String(step)]
      }
      return array.indices.contains(index) ? array[index] : nil
    }
  }

  private static func steps(of path: String) -> [Substring] {
    path.split { $0 == "." || $0 == "[" || $0 == "]" }
  }

  /// The value with the part at `steps` taken from the other one; without it, if the other one has none.
  private static func replaced(
    _ old: JSONValue, by new: JSONValue?, at steps: ArraySlice<Substring>
  ) -> JSONValue {
    guard let step = steps.first else { return new ?? old }
    let rest = steps.dropFirst()
    if let index = Int(step), var elements = old.array, elements.indices.contains(index) {
      let other = partner(of: index, in: elements, among: new?.array ?? [])
      if rest.isEmpty, other == nil {
        elements.remove(at: index)
      } else {
        elements[index] = replaced(elements[index], by: other, at: rest)
      }
      return .array(elements)
    }
    // A value in its short form, such as a number for a track, has no members.
    guard var object = old.object else { return new ?? old }
    let key = String(step)
    var other = new?.object?[key]
    if key == "from", rest.isEmpty {
      if isShort(object) { return (isShort(new) ? new : other) ?? old }
      if isShort(new) { other = new }
    }
    if rest.isEmpty {
      object[key] = other
    } else if let part = object[key] {
      object[key] = replaced(part, by: other, at: rest)
    } else if sections.contains(key) {
      // A section with only defaults is not there.
      object[key] = replaced(.object(JSONObject()), by: other, at: rest)
    } else {
      object[key] = other
    }
    return .object(object)
  }

  /// Whether a track is in its short form: the value that it begins with.
  private static func isShort(_ track: JSONValue?) -> Bool {
    guard let track else { return false }
    return track.object.map(isShort) ?? true
  }

  private static func isShort(_ track: JSONObject) -> Bool {
    (Track.valueKeys + ColorTrack.valueKeys).contains { track[$0] != nil }
  }

  /// The members of an emitter that are objects.
  private static let sections: Set<String> = [
    "transform", "timing", "emission", "shape", "launch", "motion", "rotation", "size", "color",
    "render", "physics",
  ]

  /// The element that an element became: forces by their kind, others by their index.
  private static func partner(
    of index: Int, in elements: [JSONValue], among others: [JSONValue]
  ) -> JSONValue? {
    guard let kind = elements[index].object?["type"] else {
      return others.indices.contains(index) ? others[index] : nil
    }
    let place = elements[..<index].count { $0.object?["type"] == kind }
    let same = others.filter { $0.object?["type"] == kind }
    return same.indices.contains(place) ? same[place] : nil
  }
}
