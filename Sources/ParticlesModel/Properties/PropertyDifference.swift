public import ParticlesCore

/// A property that two documents state differently.
public struct PropertyDifference: Sendable, Hashable {
  /// The path in the first document, such as `emitters[0].launch.speed`. If only the second document has the property,
  /// the path there.
  public var path: String

  /// The value in the first document, or nil if there is none.
  public var old: JSONValue?

  /// The value in the second document, or nil if there is none.
  public var new: JSONValue?

  /// Creates a difference.
  public init(path: String, old: JSONValue?, new: JSONValue?) {
    self.path = path
    self.old = old
    self.new = new
  }
}

extension ParticleSystem {
  /// Lists the properties that differ in another document, down to the innermost objects. An omitted property equals a
  /// stated default.
  ///
  /// Numbers are equal if they differ by at most a millionth of the greatest number in their value. So a few
  /// conversions through 32-bit floats make no difference.
  public func differences(from other: ParticleSystem) -> [PropertyDifference] {
    var differences: [PropertyDifference] = []
    compare(other, at: .root, into: &differences)
    return differences
  }
}

extension [PropertyDifference] {
  fileprivate mutating func add(_ path: JSONPath, _ old: JSONValue?, _ new: JSONValue?) {
    append(PropertyDifference(path: path.description, old: old, new: new))
  }
}

// MARK: - Kinds of values

extension JSONConvertible {
  package func compare(
    _ other: Self, at path: JSONPath, into differences: inout [PropertyDifference]
  ) {
    compare(other, by: { $0.json }, at: path, into: &differences)
  }

  /// Adds a difference if the forms of both are not close.
  fileprivate func compare(
    _ other: Self, by form: (Self) -> JSONValue, at path: JSONPath,
    into differences: inout [PropertyDifference]
  ) {
    guard self != other, !form(self).isClose(to: form(other)) else { return }
    differences.add(path, json, other.json)
  }
}

extension ComponentValue where Component == Double {
  package func compare(
    _ other: Self, at path: JSONPath, into differences: inout [PropertyDifference]
  ) {
    // All components, which a short form leaves out.
    compare(other, by: { $0.components.json }, at: path, into: &differences)
  }
}

extension Value {
  package func compare(
    _ other: Value, at path: JSONPath, into differences: inout [PropertyDifference]
  ) {
    compare(other, by: { $0.plain.json }, at: path, into: &differences)
  }

  private var plain: Value {
    switch self {
    case .choice(let choice) where choice.numbers.count == 1 && choice.additions.isEmpty:
      .constant(choice.numbers[0])
    case .uniform(let range) where range.min == range.max && range.additions.isEmpty:
      .constant(range.min)
    default: self
    }
  }
}

extension ModelObject {
  package func compare(
    _ other: Self, at path: JSONPath, into differences: inout [PropertyDifference]
  ) {
    guard self != other else { return }
    var (root, twin) = (self, other)
    for property in Self.properties {
      property.aspects.compare(&root, &twin, path.appending(property.key), &differences)
    }
    for member in additions.members where other.additions[member.key] != member.value {
      differences.add(path.appending(member.key), member.value, other.additions[member.key])
    }
    for member in other.additions.members where additions[member.key] == nil {
      differences.add(path.appending(member.key), nil, member.value)
    }
  }
}

extension JSONConvertible where Self: BinaryInteger {
  package func compare(
    _ other: Self, at path: JSONPath, into differences: inout [PropertyDifference]
  ) {
    guard self != other else { return }
    differences.add(path, json, other.json)
  }
}

extension Optional where Wrapped: JSONConvertible {
  func compare(
    _ other: Self, at path: JSONPath, into differences: inout [PropertyDifference]
  ) {
    if let self, let other { return self.compare(other, at: path, into: &differences) }
    guard self != other else { return }
    differences.add(path, self?.json, other?.json)
  }
}

extension Array where Element: JSONConvertible {
  package func compare(
    _ other: Self, at path: JSONPath, into differences: inout [PropertyDifference]
  ) {
    guard self != other else { return }
    guard Element.isObject else {
      let (old, new) = (json, other.json)
      guard !old.isClose(to: new) else { return }
      differences.add(path, old, new)
      return
    }
    let most = Swift.min(count, other.count)
    var pairs = (0..<most).map { ($0, $0) }
    if count != other.count {
      let head = zip(self, other).prefix { $0.0.isClose(to: $0.1) }.count
      let tail = zip(reversed(), other.reversed()).prefix(most - head)
        .prefix { $0.0.isClose(to: $0.1) }.count
      pairs = (0..<most - tail).map { ($0, $0) }
      pairs += (0..<tail).map { (count - tail + $0, other.count - tail + $0) }
    }
    for (index, twin) in pairs {
      self[index].compare(other[twin], at: path.appending(index), into: &differences)
    }
    for index in Set(indices).subtracting(pairs.map { $0.0 }).sorted() {
      differences.add(path.appending(index), self[index].json, nil)
    }
    for index in Set(other.indices).subtracting(pairs.map { $0.1 }).sorted() {
      differences.add(path.appending(index), nil, other[index].json)
    }
  }
}

extension JSONConvertible {
  /// Whether there is no difference.
  fileprivate func isClose(to other: Self) -> Bool {
    var differences: [PropertyDifference] = []
    compare(other, at: .root, into: &differences)
    return differences.isEmpty
  }
}

// MARK: - Numbers

extension JSONValue {
  /// Whether both are equal up to rounding.
  fileprivate func isClose(to other: JSONValue) -> Bool {
    isClose(to: other, within: 1e-6 * max(magnitude, other.magnitude))
  }

  private func isClose(to other: JSONValue, within tolerance: Double) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)):
      guard a != b else { return true }
      guard let a = double, let b = other.double else { return false }
      return (a - b).magnitude <= tolerance
    case (.array(let a), .array(let b)):
      return a.count == b.count
        && zip(a, b).allSatisfy { $0.isClose(to: $1, within: tolerance) }
    case (.object(let a), .object(let b)):
      return a.members.count == b.members.count
        && a.members.allSatisfy { member in
          b[member.key].map { member.value.isClose(to: $0, within: tolerance) } ?? false
        }
    default: return self == other
    }
  }

  /// The greatest number in here.
  private var magnitude: Double {
    switch self {
    case .number: double?.magnitude ?? 0
    case .array(let elements): elements.reduce(0) { max($0, $1.magnitude) }
    case .object(let object): object.members.reduce(0) { max($0, $1.value.magnitude) }
    default: 0
    }
  }
}

/// The values that an effect states, by their paths. Each emitter is serialised once at most, and
/// the rest of the document too.
package struct StatedValues {
  private let system: ParticleSystem
  private var emitters: [Int: JSONValue] = [:]
  private lazy var rest: JSONValue = {
    var rest = system
    rest.emitters = []
    return rest.json
  }()

  package init(of system: ParticleSystem) { self.system = system }

  /// The value at a path such as `emitters[0].forces[1]`, or nil if the document does not state it.
  package mutating func value(at path: String) -> JSONValue? {
    let steps = path.split { $0 == "." || $0 == "[" || $0 == "]" }
    guard let first = steps.first else { return system.json }
    guard first == "emitters" else { return rest.value(at: steps[...]) }
    guard steps.count > 1 else { return system.json.object?["emitters"] }
    guard let index = Int(steps[1]), system.emitters.indices.contains(index) else { return nil }
    return emitter(index).value(at: steps[2...])
  }

  private mutating func emitter(_ index: Int) -> JSONValue {
    if let known = emitters[index] { return known }
    let json = system.emitters[index].json
    emitters[index] = json
    return json
  }
}

extension JSONValue {
  fileprivate func value(at steps: ArraySlice<Substring>) -> JSONValue? {
    steps.reduce(self as JSONValue?) { value, step in
      if let index = Int(step), let array = value?.array {
        return array.indices.contains(index) ? array[index] : nil
      }
      return value?.object?[String(step)]
    }
  }
}

// Normalises effects before they are compared: content that differs only in order or names becomes equal.

extension ParticleSystem {
  /// Puts sprites and images in the order in which emitters use them, each once.
  package mutating func keepShownSprites() {
    var (shown, shownImages) = (Places<Sprite>(), Places<ImageReference>())
    for emitter in emitters.indices {
      for place in emitters[emitter].sprites.indices {
        let index = emitters[emitter].sprites[place]
        guard sprites.indices.contains(index) else { continue }
        var sprite = sprites[index]
        if images.indices.contains(sprite.image) {
          sprite.image = shownImages.place(of: images[sprite.image])
        }
        emitters[emitter].sprites[place] = shown.place(of: sprite)
      }
    }
    (sprites, images) = (shown.elements, shownImages.elements)
  }

  /// Removes the angles and vectors that the modes of directions do not use, here and in `read`.
  /// - Returns: the paths of the values that were removed or changed.
  package mutating func forgetUnusedDirections(alsoOf read: inout ParticleSystem) -> [String] {
    var places: [String] = []
    for index in emitters.indices where read.emitters.indices.contains(index) {
      let direction = emitters[index].launch.direction
      var changes: [PropertyDifference] = []
      direction.compare(read.emitters[index].launch.direction, at: .root, into: &changes)
      places += direction.unusedKeys
        .filter { key in changes.contains { $0.path.isPath(at: key) } }
        .map { "emitters[\(index)].launch.direction.\($0)" }
    }
    for index in emitters.indices { emitters[index].launch.direction.forgetUnused() }
    for index in read.emitters.indices { read.emitters[index].launch.direction.forgetUnused() }
    return places
  }

  /// Adds the emitters of another effect, which shares this one's settings.
  package mutating func append(_ other: ParticleSystem) {
    let (firstEmitter, firstSprite) = (emitters.count, sprites.count)
    for var sprite in other.sprites {
      sprite.image += images.count
      sprites.append(sprite)
    }
    images += other.images
    for var emitter in other.emitters {
      emitter.sprites = emitter.sprites.map { $0 + firstSprite }
      for index in emitter.triggers.indices { emitter.triggers[index].emitter += firstEmitter }
      emitters.append(emitter)
    }
  }

  /// Restores the order that emitters had in the document that they were exported from, by their
  /// indices. Of several copies of one emitter the first counts.
  package mutating func arrangeEmitters(_ places: [Int]) {
    guard places.count == emitters.count else { return }
    var chosen: [Int: Int] = [:]
    for (index, place) in places.enumerated() where chosen[place] == nil { chosen[place] = index }
    let order = chosen.keys.sorted()
    let positions = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    emitters = order.compactMap { chosen[$0].map { emitters[$0] } }
    for emitter in emitters.indices {
      for index in emitters[emitter].triggers.indices {
        let target = emitters[emitter].triggers[index].emitter
        guard places.indices.contains(target), let place = positions[places[target]] else {
          continue
        }
        emitters[emitter].triggers[index].emitter = place
      }
    }
  }
}

/// Elements in order of insertion, each once.
private struct Places<Element: Hashable> {
  private(set) var elements: [Element] = []
  private var places: [Element: Int] = [:]

  /// Returns the index of an element. Adds the element if it is new.
  mutating func place(of element: Element) -> Int {
    if let known = places[element] { return known }
    elements.append(element)
    places[element] = elements.count - 1
    return elements.count - 1
  }
}

extension Direction {
  /// Stated properties that the mode does not use.
  fileprivate var unusedKeys: [String] {
    (mode != .angle && angle != Direction().angle ? ["angle"] : [])
      + (mode != .vector && vector != Direction().vector ? ["vector"] : [])
  }

  fileprivate mutating func forgetUnused() {
    if mode != .angle { angle = Direction().angle }
    if mode != .vector { vector = Direction().vector }
  }
}
