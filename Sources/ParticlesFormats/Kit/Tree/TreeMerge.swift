internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Merges the contents of a file with an effect, so that only edited values change.
///
/// As ``FieldMerge``, for nested values: `then` is the source decoded and encoded again, `now` the
/// effect as it is. Where both agree, the value of the source is kept, and so are unknown members.
struct TreeMerge {
  /// The member that states how its siblings act together. If the source and `then` differ in this
  /// member, the meanings of its siblings differ too. Then an edit of one member writes all.
  var joint: String?

  func merge(_ source: JSONValue, then: JSONValue, now: JSONValue) -> JSONValue {
    if then == now { return source }
    switch (source, then, now) {
    case (.object(let source), .object(let then), .object(let now)):
      // An object of a type that is not understood is replaced as a whole.
      if let type = source["type"]?.string, let known = then["type"]?.string, type != known {
        return .object(now)
      }
      if let joint, !Self.isSame(source[joint], then[joint]) {
        let known = then.members.map {
          JSONObject.Member(key: $0.key, value: source[$0.key] ?? $0.value)
        }
        return .object(merge(source, JSONObject(members: known), now))
      }
      return .object(merge(source, then, now))
    case (.array(let source), .array(let then), .array(let now)):
      return .array(merge(source, then, now))
    default:
      if let old = source.double ?? source.string?.double, old == now.double { return source }
      // Texts that hold numbers stay texts.
      if source.string?.double != nil, let number = now.double {
        return .string(shortText(number))
      }
      return now
    }
  }

  /// Whether two values are equal, or equal numbers, which a file may have as texts.
  private static func isSame(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
    if a == b { return true }
    guard let number = a?.double ?? a?.string?.double else { return false }
    return number == b?.double ?? b?.string?.double
  }

  private func merge(_ source: JSONObject, _ then: JSONObject, _ now: JSONObject)
    -> JSONObject
  {
    var members: [JSONObject.Member] = []
    for member in source.members {
      switch (then[member.key], now[member.key]) {
      case (let old?, let new?):
        members.append(.init(key: member.key, value: merge(member.value, then: old, now: new)))
      case (nil, let new?): members.append(.init(key: member.key, value: new))
      case (_?, nil): break
      case (nil, nil): members.append(member)
      }
    }
    // A member that the file leaves out is still left out if its value has not changed.
    let known = Set(source.members.map { $0.key })
    for (index, member) in now.members.enumerated()
    where !known.contains(member.key) && then[member.key] != member.value {
      let before = Set(now.members[..<index].map { $0.key })
      let place = members.lastIndex { before.contains($0.key) }
      members.insert(member, at: place.map { $0 + 1 } ?? members.count)
    }
    return JSONObject(members: members)
  }

  private func merge(_ source: [JSONValue], _ then: [JSONValue], _ now: [JSONValue])
    -> [JSONValue]
  {
    let places = Self.alignment(then, now)
    // By name, unless the file has as many elements under other names. Keys have no other names.
    if let identities = Self.identities(source), let known = Self.identities(then),
      source.count != then.count || Set(known).isSubset(of: identities)
        || source.allSatisfy({ $0.object?["key"] != nil })
    {
      // Elements that the effect does not know stay where they are.
      let old = Dictionary(first: zip(known, then.indices).map { ($0, $1) })
      var new: [Int: Int] = [:]
      for (place, index) in places { new[index] = place }
      var used: Set<Int> = []
      var elements: [JSONValue] = []
      for (identity, element) in zip(identities, source) {
        guard let index = old[identity] else {
          elements.append(element)
          continue
        }
        guard let place = new[index] else { continue }
        used.insert(place)
        elements.append(merge(element, then: then[index], now: now[place]))
      }
      elements += now.indices.filter { place in
        !used.contains(place) && places[place].map { then[$0] != now[place] } ?? true
      }.map { now[$0] }
      return elements
    }
    guard source.count == then.count else { return now }
    return now.indices.map { place in
      places[place].map { merge(source[$0], then: then[$0], now: now[place]) } ?? now[place]
    }
  }

  /// The old element for each new one, by places: by name where the elements have one, otherwise by
  /// order.
  static func alignment(_ old: [JSONValue], _ new: [JSONValue]) -> [Int: Int] {
    if let known = identities(old), let names = identities(new) {
      let places = Dictionary(first: zip(known, old.indices).map { ($0, $1) })
      var result: [Int: Int] = [:]
      var last = -1
      for (place, name) in names.enumerated() {
        guard let index = places[name], index > last else { continue }
        result[place] = index
        last = index
      }
      return result
    }
    // Equal elements at both ends, and between these the elements in order.
    let least = min(old.count, new.count)
    var (head, tail) = (0, 0)
    while head < least, old[head] == new[head] { head += 1 }
    while tail < least - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    let middle = least - tail
    var pairs = Dictionary(uniqueKeysWithValues: (0..<middle).map { ($0, $0) })
    for index in 0..<tail { pairs[new.count - 1 - index] = old.count - 1 - index }
    return pairs
  }

  /// The names of elements, with a count behind each for equal names. Nil if an element has none.
  private static func identities(_ elements: [JSONValue]) -> [String]? {
    var counts: [String: Int] = [:]
    var names: [String] = []
    for element in elements {
      guard let name = element.identity else { return nil }
      counts[name, default: 0] += 1
      names.append("\(name) \(counts[name] ?? 0)")
    }
    return names
  }
}

extension JSONValue {
  /// The name of an element of an array: the text of its `type`, `key`, `id` or `name`.
  var identity: String? {
    guard case .object(let object) = self else { return nil }
    for key in ["type", "key", "id", "name"] {
      if let text = object[key]?.string { return text }
    }
    return nil
  }

  /// The value at the end of a path such as `alpha.list` or `behaviors[alpha].config`.
  subscript(path: some StringProtocol) -> JSONValue? {
    var value = self
    for step in TreePath.steps(path) {
      switch (step, value) {
      case (.key(let key), .object(let object)):
        guard let next = object[String(key)] else { return nil }
        value = next
      case (.element(let name), .array(let array)):
        guard let next = array.first(where: { $0.identity.map { $0 == name } ?? false }) else {
          return nil
        }
        value = next
      default: return nil
      }
    }
    return value
  }

  /// A point or a direction: an object of `x`, `y` and `z`, each 0 if it is absent.
  func vector(_ key: String) -> Vector {
    Vector(
      self["\(key).x"]?.double ?? 0, self["\(key).y"]?.double ?? 0, self["\(key).z"]?.double ?? 0)
  }

  /// Sets the value at the end of a path. Missing objects and elements on the way are created.
  mutating func set(_ new: JSONValue, at steps: ArraySlice<TreePath.Step>, identity: String) {
    guard let step = steps.first else {
      self = new
      return
    }
    switch step {
    case .key(let key):
      var object = self.object ?? JSONObject()
      var member = object[String(key)] ?? .null
      member.set(new, at: steps.dropFirst(), identity: identity)
      object[String(key)] = member
      self = .object(object)
    case .element(let name):
      var array = self.array ?? []
      if let place = array.firstIndex(where: { $0.identity.map { $0 == name } ?? false }) {
        array[place].set(new, at: steps.dropFirst(), identity: identity)
      } else {
        var element: JSONValue = .object([identity: .string(String(name))])
        element.set(new, at: steps.dropFirst(), identity: identity)
        array.append(element)
      }
      self = .array(array)
    }
  }

  /// Changes the object at the end of keys and indices.
  mutating func change(at path: [String], _ change: (inout JSONObject) -> Void) {
    guard let step = path.first else {
      guard case .object(var object) = self else { return }
      change(&object)
      self = .object(object)
      return
    }
    let rest = Array(path.dropFirst())
    switch self {
    case .object(var object):
      guard var member = object[step] else { return }
      member.change(at: rest, change)
      object[step] = member
      self = .object(object)
    case .array(var elements):
      guard let index = Int(step), elements.indices.contains(index) else { return }
      elements[index].change(at: rest, change)
      self = .array(elements)
    default: break
    }
  }
}

/// Paths to values in a tree: keys with points between them, and elements of arrays by their name in
/// brackets.
enum TreePath {
  enum Step { case key(Substring), element(Substring) }

  static func steps(_ path: some StringProtocol) -> [Step] {
    var steps: [Step] = []
    // Bytes, because finding characters takes a tenth of the time of reading a small file.
    for part in Substring(path).utf8.split(separator: UInt8(ascii: ".")) {
      guard let open = part.firstIndex(of: UInt8(ascii: "[")), part.last == UInt8(ascii: "]") else {
        steps.append(.key(Substring(part)))
        continue
      }
      if open > part.startIndex { steps.append(.key(Substring(part[..<open]))) }
      steps.append(.element(Substring(part[part.index(after: open)...].dropLast())))
    }
    return steps
  }
}
