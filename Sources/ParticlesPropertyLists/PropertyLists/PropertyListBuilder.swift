/// A value of a property list that holds no others.
package enum PropertyListScalar: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  /// An integer above those that are signed.
  case unsigned(UInt64)
  /// A real and how many bytes it has, 4 or 8.
  case real(Double, width: Int)
  /// Seconds since the beginning of 2001.
  case date(Double)
  case data([UInt8])
  case string(String)
}

/// Puts a binary property list together from values that hold each other.
///
/// Equal scalars become one object, and a container stands before what it holds, as in the files of
/// Apple's writers. Equal values give equal lists.
struct PropertyListBuilder {
  /// What a list is built from.
  indirect enum Value {
    case scalar(PropertyListScalar)
    /// A reference of a keyed archive.
    case uid(Int)
    case array([Value])
    case dictionary([(key: String, value: Value)])
    /// What stands in the source, with all that it holds.
    case copy(BinaryPropertyList.Index)
  }

  private typealias Object = BinaryPropertyList.Object
  private typealias Index = BinaryPropertyList.Index

  private let source: KeyedArchive?
  private let numbers: [KeyedArchive.Index: Int]
  private var objects: [BinaryPropertyList.Object] = []
  private var places: [BinaryPropertyList.Object.Identity: BinaryPropertyList.Index] = [:]
  private var copies: [BinaryPropertyList.Index: BinaryPropertyList.Index] = [:]

  /// Creates a builder.
  /// - Parameters:
  ///   - source: the archive that copies are made from.
  ///   - numbers: what references to its objects become, by the place of the object.
  init(source: KeyedArchive? = nil, numbers: [KeyedArchive.Index: Int] = [:]) {
    self.source = source
    self.numbers = numbers
  }

  /// The bytes of a list that holds a value.
  mutating func encoded(_ value: Value) -> [UInt8] {
    let root = add(value)
    return BinaryPropertyList.encode(objects, root: root)
  }

  private mutating func add(_ value: Value) -> BinaryPropertyList.Index {
    switch value {
    case .scalar(let scalar): return place(scalar.object)
    case .uid(let number): return place(.uid(number))
    case .copy(let index): return copy(index)
    case .array(let elements):
      let index = reserve()
      objects[Int(index)] = .array(elements.map { add($0) })
      return index
    case .dictionary(let members):
      let index = reserve()
      let keys = members.map { place(.string($0.key)) }
      objects[Int(index)] = .dictionary(keys: keys, values: members.map { add($0.value) })
      return index
    }
  }

  private mutating func reserve() -> BinaryPropertyList.Index {
    objects.append(.null)
    return Index(objects.count - 1)
  }

  private mutating func place(_ object: BinaryPropertyList.Object) -> BinaryPropertyList.Index {
    if let known = places[object.identity] { return known }
    objects.append(object)
    // Where nil stands in an archive, nothing else may: not even a string that reads the same.
    if object != .string("$null") {
      places[object.identity] = Index(objects.count - 1)
    }
    return Index(objects.count - 1)
  }

  /// Copies what stands at a place, once: what is shared stays shared. Reading has limited how deep
  /// this can go.
  private mutating func copy(_ index: BinaryPropertyList.Index) -> BinaryPropertyList.Index {
    guard let source else { return place(.null) }
    if let known = copies[index] { return known }
    let copied: BinaryPropertyList.Index
    switch source.plist[index] {
    case .uid: copied = place(.uid(numbers[source.resolve(index)] ?? 0))
    case .array(let elements):
      copied = reserve()
      objects[Int(copied)] = .array(elements.map { copy($0) })
    case .set(let elements):
      copied = reserve()
      objects[Int(copied)] = .set(elements.map { copy($0) })
    case .dictionary(let keys, let values):
      copied = reserve()
      let keys = keys.map { copy($0) }
      objects[Int(copied)] = .dictionary(keys: keys, values: values.map { copy($0) })
    case let scalar: copied = place(scalar)
    }
    copies[index] = copied
    return copied
  }
}

extension BinaryPropertyList.Object {
  /// What makes two scalars one: that they are equal, and of reals that their bits are. A zero and
  /// a negative zero are equal and are two.
  struct Identity: Hashable {
    fileprivate let object: BinaryPropertyList.Object
    fileprivate let bits: UInt64
  }

  var identity: Identity {
    guard case .real(let value, let width) = self else { return Identity(object: self, bits: 0) }
    return Identity(object: .real(0, width: width), bits: value.bitPattern)
  }
}

extension PropertyListScalar {
  /// The object that stands for this value.
  var object: BinaryPropertyList.Object {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .real(let value, let width): .real(value, width: width)
    case .date(let value): .date(value)
    case .data(let value): .data(value)
    case .string(let value): .string(value)
    }
  }

  /// The value that an object stands for; nil if it holds or refers to others.
  init?(_ object: BinaryPropertyList.Object) {
    switch object {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .real(let value, let width): self = .real(value, width: width)
    case .date(let value): self = .date(value)
    case .data(let value): self = .data(value)
    case .string(let value): self = .string(value)
    case .uid, .array, .set, .dictionary: return nil
    }
  }
}
