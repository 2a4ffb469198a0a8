package import ParticlesCore

/// A binary property list (`bplist00`) as a graph: objects in a row that refer to each other by
/// their place in it.
///
/// It is never copied out into a tree, so a few bytes of shared children cannot grow into
/// something huge. What the file said is kept: the width of a real, whether a number was a truth
/// value, an integer or a real, and the order of keys. The system's own reader is not used because
/// it crashes on damaged archives.
package struct BinaryPropertyList: Sendable {
  /// The place of an object in ``objects``.
  package typealias Index = UInt32

  /// What stands at a place.
  package enum Object: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    /// An integer above those that are signed.
    case unsigned(UInt64)
    /// A real and how many bytes it had, 4 or 8.
    case real(Double, width: Int)
    /// Seconds since the beginning of 2001.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference of a keyed archive: a place in its own list of objects.
    case uid(Int)
    case array([Index])
    case set([Index])
    /// Keys and values in the order of the file. Equal keys refer to the same string.
    case dictionary(keys: [Index], values: [Index])
  }

  /// The objects, in the order of the offset table.
  package let objects: [Object]

  /// The object that all others hang from.
  package let root: Index

  private let offsets: [Int]
  private let strings: [String: Index]
  /// For dictionaries too large to be searched key by key: the places of the keys, by key. Without
  /// it, many references to one huge dictionary would keep a reader busy for ever.
  private let orders: [Index: [UInt32]]

  init(objects: [Object], offsets: [Int], strings: [String: Index], root: Index) {
    self.objects = objects
    self.offsets = offsets
    self.strings = strings
    self.root = root
    var orders: [Index: [UInt32]] = [:]
    for (index, object) in objects.enumerated() {
      guard case .dictionary(let keys, _) = object, keys.count > 32 else { continue }
      orders[Index(index)] = keys.indices.sorted { keys[$0] < keys[$1] }.map { UInt32($0) }
    }
    self.orders = orders
  }

  /// The first bytes of every binary property list.
  package static let signature = Array("bplist00".utf8)

  /// The object at a place.
  package subscript(index: Index) -> Object { objects[Int(index)] }

  /// Where in the file an object begins.
  package func location(of index: Index) -> Location { .offset(offsets[Int(index)]) }

  /// The first place at which this very string stands.
  package func index(of string: String) -> Index? { strings[string] }

  /// The value of a key, or nil if `index` is no dictionary or has no such key.
  package func value(of key: String, in index: Index) -> Index? {
    guard case .dictionary(let keys, let values) = self[index], let key = strings[key]
    else { return nil }
    guard let order = orders[index] else { return keys.firstIndex(of: key).map { values[$0] } }
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
  /// What kind of object this is, as messages name it: "a string", "an array".
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .integer, .unsigned: "an integer"
    case .real: "a real"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .uid: "a reference"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
