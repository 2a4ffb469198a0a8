public import ParticlesCore

/// A property that two documents state differently.
public struct PropertyDifference: Sendable, Hashable {
  /// Where: `emitters[0].launch.speed`. For a property that only the other document has, its path
  /// there.
  public var path: String

  /// The value in the first document; nil if there is none.
  public var old: JSONValue?

  /// The value in the other; nil if there is none.
  public var new: JSONValue?

  /// Creates a difference.
  public init(path: String, old: JSONValue?, new: JSONValue?) {
    self.path = path
    self.old = old
    self.new = new
  }
}

extension ParticleSystem {
  /// Lists the properties that differ in another document, down to the innermost objects. A default
  /// equals the same value stated.
  ///
  /// Numbers are equal if they differ by at most a millionth of the greatest number in the same
  /// value, so that a few conversions through 32-bit floats make no difference.
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
    compare(other, by: \.json, at: path, into: &differences)
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
    guard Element.self is any ModelObject.Type else {
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
    for index in Set(indices).subtracting(pairs.map(\.0)).sorted() {
      differences.add(path.appending(index), self[index].json, nil)
    }
    for index in Set(other.indices).subtracting(pairs.map(\.1)).sorted() {
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
