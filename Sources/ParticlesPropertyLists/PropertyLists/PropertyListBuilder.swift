/// Builds a binary property list from nested values.
///
/// Equal scalars become one object, and a container is before its elements, as in the files of Apple's
/// writers. Equal values give equal lists.
struct PropertyListBuilder {
  /// A value to build a list from.
  indirect enum Value {
    case scalar(PropertyListScalar)
    /// A reference of a keyed archive.
    case uid(Int)
    case array([Value])
    case dictionary([(key: String, value: Value)])
    /// An object of the source, with all objects that it contains.
    case copy(BinaryPropertyList.Index)
  }

  private typealias Index = BinaryPropertyList.Index

  private let source: KeyedArchive?
  private let numbers: [KeyedArchive.Index: Int]
  private var objects: [BinaryPropertyList.Object] = []
  /// The places of scalars and references. Most are strings and references, which have tables of their
  /// own, because the identity of an object takes longer to hash.
  private var places: [BinaryPropertyList.Object.Identity: BinaryPropertyList.Index] = [:]
  private var strings: [String: BinaryPropertyList.Index] = [:]
  private var references: [Int: BinaryPropertyList.Index] = [:]
  private var copies: [BinaryPropertyList.Index: BinaryPropertyList.Index] = [:]

  /// Creates a builder.
  /// - Parameters:
  ///   - source: the archive to copy from.
  ///   - numbers: the new references to its objects, by the place of the object.
  init(source: KeyedArchive? = nil, numbers: [KeyedArchive.Index: Int] = [:]) {
    self.source = source
    self.numbers = numbers
  }

  /// The bytes of a list with a value as root.
  mutating func encoded(_ value: Value) -> [UInt8] {
    let root = add(value)
    return BinaryPropertyList.encode(objects, root: root)
  }

  private mutating func add(_ value: Value) -> BinaryPropertyList.Index {
    switch value {
    case .scalar(let scalar): return place(.scalar(scalar))
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
    let new = Index(objects.count)
    switch object {
    // `$null` is nil in an archive; a string with the same text must be another object.
    case .scalar(.string("$null")): break
    case .scalar(.string(let text)):
      if let known = strings[text] { return known }
      strings[text] = new
    case .uid(let number):
      if let known = references[number] { return known }
      references[number] = new
    default:
      let identity = object.identity
      if let known = places[identity] { return known }
      places[identity] = new
    }
    objects.append(object)
    return new
  }

  /// Copies an object once, so that shared objects stay shared. The reader has limited the depth.
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
  /// The identity of scalars: their value, and for reals their bits, so that zero and negative zero
  /// are different objects.
  struct Identity: Hashable {
    fileprivate let object: BinaryPropertyList.Object
    fileprivate let bits: UInt64
  }

  var identity: Identity {
    guard case .scalar(.real(let value, let width)) = self else {
      return Identity(object: self, bits: 0)
    }
    return Identity(object: .real(0, width: width), bits: value.bitPattern)
  }
}
