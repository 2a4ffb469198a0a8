internal import ParticlesCore

/// An object or dictionary of a keyed archive, with accessors by key.
///
/// Every accessor returns nil if the key is absent or holds nil. If the value has another type, it
/// returns nil too and reports ``Rule/archiveValue``. The object records which keys were read, so that
/// the others can be reported instead of being dropped silently.
package final class ArchivedObject {
  package let archive: KeyedArchive
  package let index: KeyedArchive.Index

  /// The key path of the object, for messages.
  package let path: String

  /// The number of archives around the one that this object is in.
  package let level: Int

  package let reader: ArchiveReader

  /// The members of an `NSDictionary`; nil for other objects.
  private let entries: [String: KeyedArchive.Index]?
  /// The indices of the strings of the keys that were read.
  private var asked: Set<KeyedArchive.Index> = []

  init(
    _ archive: KeyedArchive, _ index: KeyedArchive.Index, path: String, level: Int,
    reader: ArchiveReader
  ) throws {
    self.archive = archive
    self.index = archive.resolve(index)
    self.path = path
    self.level = level
    self.reader = reader
    guard case .dictionary(let keys, let values) = archive.value(at: index),
      archive.className(of: index) != nil
    else {
      entries = nil
      return
    }
    try reader.spend(keys.count, at: .key(path))
    var entries: [String: KeyedArchive.Index] = [:]
    for (key, value) in zip(keys, values) {
      guard case .scalar(.string(let name)) = archive.value(at: key) else { continue }
      try checkName(name, at: .key(path))
      entries[name] = value
    }
    self.entries = entries
  }

  /// The name of its class; nil for a bare dictionary.
  package var className: String? { archive.className(of: index) }

  /// Whether it is of a class or a class derived from it.
  package func isA(_ name: String) -> Bool { archive.object(index, isA: name) }

  /// The keys, in the order of the file; sorted for an `NSDictionary`.
  package var keys: [String] {
    if let entries { return entries.keys.sorted() }
    guard case .dictionary(let keys, _) = archive.plist[index] else { return [] }
    return keys.compactMap {
      guard case .scalar(.string(let key)) = archive.plist[$0], key != "$class" else { return nil }
      return key
    }
  }

  /// The keys that were not read, in the same order.
  package var unaskedKeys: [String] {
    keys.filter { key in
      key != "$class" && archive.plist.index(of: key).map { !asked.contains($0) } ?? true
    }
  }

  /// The place of a key's value, or nil if the key is absent or holds nil.
  package func index(of key: String) -> KeyedArchive.Index? {
    // No object has a key that is not a string of the archive.
    guard let name = archive.plist.index(of: key) else { return nil }
    asked.insert(name)
    let found = entries.map { $0[key] } ?? archive.plist.value(of: name, in: index)
    guard let found, !archive.isNil(found) else { return nil }
    return found
  }

  /// The place of a key's value, nil or not. Does not count as reading the key.
  package func place(of key: String) -> KeyedArchive.Index? {
    entries.map { $0[key] } ?? archive.plist.value(of: key, in: index)
  }

  /// The value of a key, or nil if it is absent or holds nil.
  package func value(_ key: String) -> ArchivedValue? { index(of: key).map(archive.value) }

  /// The path of a key, for messages.
  package func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Reports that a value is not what it should be.
  package func mismatch(_ key: String, expected: String, found: String) {
    reader.report(
      Diagnostic(.archiveValue, at: .key(path(of: key)), expected: expected, found: found))
  }
}

// MARK: - Values of one type

extension ArchivedObject {
  /// A finite number: a real or an integer.
  package func double(_ key: String) -> Double? {
    switch value(key) {
    case nil: return nil
    case .scalar(.real(let value, _))? where value.isFinite: return value
    case .scalar(.integer(let value))?: return Double(value)
    case .scalar(.unsigned(let value))?: return Double(value)
    case .scalar(.real(let value, _))?:
      mismatch(key, expected: "a finite number", found: "\(value)")
    case let other?: mismatch(key, expected: "a number", found: other.kind)
    }
    return nil
  }

  /// A whole number: an integer, a real or a truth value.
  package func int(_ key: String) -> Int? {
    switch value(key) {
    case nil: return nil
    case .scalar(.integer(let value))?: return value
    case .scalar(.bool(let value))?: return value ? 1 : 0
    case .scalar(.real(let value, _))?:
      if let whole = Int(exactly: value) { return whole }
      mismatch(key, expected: "a whole number", found: "\(value)")
    case let other?: mismatch(key, expected: "a whole number", found: other.kind)
    }
    return nil
  }

  /// A truth value; older archivers wrote 0 and 1.
  package func bool(_ key: String) -> Bool? {
    switch value(key) {
    case nil: return nil
    case .scalar(.bool(let value))?: return value
    case .scalar(.integer(0))?: return false
    case .scalar(.integer(1))?: return true
    case let other?: mismatch(key, expected: "a truth value", found: other.kind)
    }
    return nil
  }

  /// A string or a URL.
  package func string(_ key: String) -> String? {
    switch value(key) {
    case nil: return nil
    case .scalar(.string(let value))?: return value
    case let other?: mismatch(key, expected: "a string", found: other.kind)
    }
    return nil
  }

  package func data(_ key: String) -> [UInt8]? {
    switch value(key) {
    case nil: return nil
    case .scalar(.data(let value))?: return value
    case let other?: mismatch(key, expected: "data", found: other.kind)
    }
    return nil
  }

  /// The places of the elements of an array or set.
  package func array(_ key: String) throws -> [KeyedArchive.Index]? {
    switch value(key) {
    case nil: return nil
    case .array(let elements)?:
      try reader.spend(elements.count, at: .key(path(of: key)))
      return elements
    case let other?: mismatch(key, expected: "an array", found: other.kind)
    }
    return nil
  }

  /// An object of a class that is not a Foundation container or scalar.
  package func object(_ key: String) throws -> ArchivedObject? {
    switch value(key) {
    case nil: return nil
    case .object?: return try index(of: key).map { try object(at: $0, path(of: key)) }
    case let other?: mismatch(key, expected: "an object", found: other.kind)
    }
    return nil
  }

  /// A dictionary with strings as keys.
  package func dictionary(_ key: String) throws -> ArchivedObject? {
    switch value(key) {
    case nil: return nil
    case .dictionary?: return try index(of: key).map { try object(at: $0, path(of: key)) }
    case let other?: mismatch(key, expected: "a dictionary", found: other.kind)
    }
    return nil
  }

  /// The root of an archive that is stored as data in this one.
  /// - Throws: ``Rule/limit``; an archive that is malformed is reported instead.
  package func archive(_ key: String) throws -> ArchivedObject? {
    guard let bytes = data(key) else { return nil }
    do {
      return try reader.open(bytes, path: path(of: key), level: level + 1)
    } catch let fault as Diagnostic where fault.rule != .limit {
      mismatch(key, expected: "an archive", found: fault.message)
      return nil
    }
  }

  /// The object at a place in the same archive.
  package func object(at index: KeyedArchive.Index, _ path: String) throws -> ArchivedObject {
    try reader.spend(1, at: .key(path))
    return try ArchivedObject(archive, index, path: path, level: level, reader: reader)
  }
}
