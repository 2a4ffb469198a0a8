package import ParticlesCore

/// A binary property list (`bplist00`) as a graph: an array of objects that refer to each other by
/// index.
///
/// It is never expanded to a tree, so shared children cannot grow to a huge one. The width of reals,
/// the kind of numbers and the order of keys are preserved. Foundation's reader is not used, since it
/// crashes on damaged archives.
package struct BinaryPropertyList: Sendable {
  /// The place of an object in ``objects``.
  package typealias Index = UInt32

  /// An object.
  package enum Object: Sendable, Hashable, PropertyListScalarConvertible {
    case scalar(PropertyListScalar)
    /// A reference of a keyed archive: an index in its `$objects`.
    case uid(Int)
    case array([Index])
    case set([Index])
    /// Keys and values in the order of the file. Equal keys refer to the same string.
    case dictionary(keys: [Index], values: [Index])
  }

  /// The objects, in the order of the offset table.
  package let objects: [Object]

  /// The root object.
  package let root: Index

  private let offsets: [Int]
  private let strings: [String: Index]
  /// For large dictionaries: the indices of their keys, sorted, for binary search. Without it, many
  /// references to one huge dictionary would take quadratic time.
  private let orders: [Index: [UInt32]]

  init(objects: [Object], offsets: [Int], strings: [String: Index], root: Index) {
    self.objects = objects
    self.offsets = offsets
    self.strings = strings
    self.root = root
    var orders: [Index: [UInt32]] = [:]
    for (index, object) in objects.enumerated() {
      guard case .dictionary(let keys, _) = object, keys.count > Self.scanned else { continue }
      orders[Index(index)] = keys.indices.sorted { keys[$0] < keys[$1] }.map { UInt32($0) }
    }
    self.orders = orders
  }

  /// The greatest number of keys that are searched one after another.
  private static let scanned = 32

  /// The first bytes of every binary property list.
  package static let signature = Array("bplist00".utf8)

  /// The object at a place.
  package subscript(index: Index) -> Object { objects[Int(index)] }

  /// The offset of an object in the file.
  package func location(of index: Index) -> Location { .offset(offsets[Int(index)]) }

  /// The index of the first string object with this value.
  package func index(of string: String) -> Index? { strings[string] }

  /// The value of a key, or nil if `index` is no dictionary or has no such key.
  package func value(of key: String, in index: Index) -> Index? {
    strings[key].flatMap { value(of: $0, in: index) }
  }

  /// The same for a key by the index of its string; see ``index(of:)``.
  package func value(of key: Index, in index: Index) -> Index? {
    guard case .dictionary(let keys, let values) = self[index] else { return nil }
    guard keys.count > Self.scanned, let order = orders[index] else {
      return keys.firstIndex(of: key).map { values[$0] }
    }
    var range = order.indices
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range =
        keys[Int(order[middle])] > key ? range.lowerBound..<middle : middle..<range.upperBound
    }
    let place = Int(order[range.lowerBound])
    return keys[place] == key ? values[place] : nil
  }
}

extension BinaryPropertyList.Object {
  /// The kind of the object, for messages: "a string", "an array".
  package var kind: String {
    switch self {
    case .scalar(let value): value.kind
    case .uid: "a reference"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
