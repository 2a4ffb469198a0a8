package import ParticlesCore

/// An object or dictionary of a keyed archive, with accessors by key.
///
/// Every accessor returns nil if the key is absent or holds nil. If the value has another type, it returns nil too and
/// reports ``Rule/archiveValue``. The object records which keys were read, so that the remaining keys are reported and
/// not dropped silently.
package final class ArchivedObject {
  package let archive: KeyedArchive
  package let index: KeyedArchive.Index

  /// The key path of the object, for messages.
  package let path: String

  /// The nesting depth of the object's archive. 0 for the file itself.
  package let level: Int

  package let reader: ArchiveReader

  /// The members of an `NSDictionary`. Nil for other objects.
  private let entries: [String: KeyedArchive.Index]?
  /// The indices of the strings of the keys that were read.
  private var asked: Set<KeyedArchive.Index> = []

  init(
    _ archive: KeyedArchive, _ index: KeyedArchive.Index, path: String, level: Int,
    reader: ArchiveReader
  ) throws(Diagnostic) {
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

  /// The name of its class. Nil for a bare dictionary.
  package var className: String? { archive.className(of: index) }

  /// Whether it is of a class or a class derived from it.
  package func isA(_ name: String) -> Bool { archive.object(index, isA: name) }

  /// The keys, in the order of the file. The keys of an `NSDictionary` are sorted.
  package var keys: [String] {
    if let entries { return entries.keys.sorted() }
    guard case .dictionary(let keys, _) = archive.plist[index] else { return [] }
    return keys.compactMap {
      guard case .scalar(.string(let key)) = archive.plist[$0], key != "$class" else { return nil }
      return key
    }
  }

  /// The keys that were not read, in the order of ``keys``.
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

  /// Reports a value of the wrong type.
  package func mismatch(_ key: String, expected: String, found: String) {
    reader.report(
      Diagnostic(.archiveValue, at: .key(path(of: key)), expected: expected, found: found))
  }
}

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

  /// A whole number. Where integers have 32 bits, greater ones mean as much as the greatest.
  package func int(_ key: String) -> Int? { integer(key).map { Int(clamping: $0) } }

  /// A whole number: an integer, a real or a truth value.
  package func integer(_ key: String) -> Int64? {
    switch value(key) {
    case nil: return nil
    case .scalar(.integer(let value))?: return value
    case .scalar(.bool(let value))?: return value ? 1 : 0
    case .scalar(.real(let value, _))?:
      if let whole = Int64(exactly: value) { return whole }
      mismatch(key, expected: "a whole number", found: "\(value)")
    case let other?: mismatch(key, expected: "a whole number", found: other.kind)
    }
    return nil
  }

  /// A truth value. Older archivers wrote 0 and 1.
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
  package func array(_ key: String) throws(Diagnostic) -> [KeyedArchive.Index]? {
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
  package func object(_ key: String) throws(Diagnostic) -> ArchivedObject? {
    switch value(key) {
    case nil: return nil
    case .object?: return try reached(key)
    case let other?: mismatch(key, expected: "an object", found: other.kind)
    }
    return nil
  }

  package func dictionary(_ key: String) throws(Diagnostic) -> ArchivedObject? {
    switch value(key) {
    case nil: return nil
    case .dictionary?: return try reached(key)
    case let other?: mismatch(key, expected: "a dictionary", found: other.kind)
    }
    return nil
  }

  /// The root of an archive that is stored as data in this one.
  /// - Throws: ``Rule/limit``. A malformed archive is reported instead.
  package func archive(_ key: String) throws(Diagnostic) -> ArchivedObject? {
    guard let bytes = data(key) else { return nil }
    do {
      return try reader.open(bytes, path: path(of: key), level: level + 1)
    } catch  where error.rule != .limit {
      mismatch(key, expected: "an archive", found: error.message)
      return nil
    }
  }

  private func reached(_ key: String) throws(Diagnostic) -> ArchivedObject? {
    guard let index = index(of: key) else { return nil }
    return try object(at: index, path(of: key))
  }

  /// The object at a place in this archive.
  package func object(at index: KeyedArchive.Index, _ path: String) throws(Diagnostic)
    -> ArchivedObject
  {
    try reader.spend(1, at: .key(path))
    return try ArchivedObject(archive, index, path: path, level: level, reader: reader)
  }
}

// Accessors for enumerations, vectors and geometry, and reports about keys that were not read.

extension ArchivedObject {
  /// The case of an enumeration that is stored as a number.
  package func choice<Choice>(_ key: String, _ choices: [Choice], _ standard: Choice) -> Choice {
    guard let number = int(key) else { return standard }
    guard choices.indices.contains(number) else {
      mismatch(key, expected: "0 to \(choices.count - 1)", found: "\(number)")
      return standard
    }
    return choices[number]
  }

  /// Reports something about a key.
  package func note(
    _ rule: Rule, _ key: String, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    reader.report(
      Diagnostic(rule, at: .key(path(of: key)), detail, found: found, severity: severity))
  }

  /// Reports something about the object as a whole.
  package func note(
    _ rule: Rule, _ detail: String, found: String? = nil, severity: Severity? = nil
  ) {
    reader.report(Diagnostic(rule, at: .key(path), detail, found: found, severity: severity))
  }

  /// An array of 32-bit floats, least significant byte first. Nil if it is absent or malformed.
  package func floats(_ key: String, count: Int) -> [Double]? {
    guard let bytes = data(key) else { return nil }
    let starts = bytes.count == 4 * count ? (0..<count).map { 4 * $0 } : []
    let numbers = starts.map { bytes[$0..<$0 + 4].reversed().real }
    guard !numbers.isEmpty, numbers.allSatisfy({ $0.magnitude < 1e15 }) else {
      mismatch(key, expected: "\(count) floats", found: "\(bytes.count) bytes")
      return nil
    }
    return numbers.map { $0.tidy }
  }

  /// A number, or a truth value as 0 or 1.
  package func numberOrBool(_ key: String) -> Double? {
    if case .scalar(.bool(let value))? = value(key) { return value ? 1 : 0 }
    return double(key)
  }

  /// Reports that the value of a key was not interpreted.
  package func reportUninterpreted(_ key: String, _ detail: String? = nil, found: String? = nil) {
    reader.report(Diagnostic(.uninterpreted, at: .key(path(of: key)), detail, found: found))
  }

  /// Reports every key that was not read.
  package func reportUnasked() {
    for key in unaskedKeys where index(of: key) != nil {
      reportUninterpreted(key, found: value(key).map { $0.summary })
    }
  }

  /// Whether a value has no effect: nil, false, zero, or an empty container or text.
  package func isEmpty(_ key: String) throws(Diagnostic) -> Bool {
    switch value(key) {
    case nil, .scalar(.null)?, .scalar(.bool(false))?, .scalar(.integer(0))?: return true
    case .scalar(.real(let value, _))?: return value == 0
    case .scalar(.string(let text))?: return text.isEmpty
    case .array(let elements)?: return elements.isEmpty
    case .dictionary(let keys, _)?: return keys.isEmpty
    default: return false
    }
  }

  /// The numbers in a text such as `{{0, 0}, {1, 1}}`, bare or in an `NSValue`.
  package func geometry(_ key: String, count: Int) throws(Diagnostic) -> [Double]? {
    let text: String
    switch value(key) {
    case nil: return nil
    case .scalar(.string(let bare))?: text = bare
    case .object?:
      guard let object = try object(key) else { return nil }
      text =
        ["NS.pointval", "NS.sizeval", "NS.rectval"].lazy.compactMap { object.string($0) }.first
        ?? ""
    case let other?:
      mismatch(key, expected: "\(count) numbers as text", found: other.kind)
      return nil
    }
    let words = text.prefix(512).split { "{}, \t".contains($0) }
    let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && $0.magnitude < 1e15 }
    guard numbers.count == count, words.count == count else {
      mismatch(key, expected: "\(count) numbers as text", found: "'\(text.excerpt)'")
      return nil
    }
    // Editors write a negative zero for a zero that they flipped.
    return numbers.map { ($0 + 0).tidy }
  }
}

extension ArchivedValue {
  /// The value as messages show it.
  package var summary: String {
    switch self {
    case .scalar(.bool(let value)): "\(value)"
    case .scalar(.integer(let value)): "\(value)"
    case .scalar(.real(let value, _)): "\(value)"
    case .scalar(.string(let value)): "'\(value.excerpt)'"
    default: kind
    }
  }
}

extension Collection<UInt8> {
  /// The float or double in these bytes, the most significant one first.
  package var real: Double {
    let pattern = reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return count == 8
      ? Double(bitPattern: pattern)
      : Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
  }
}

/// A value of a keyed archive in any of its spellings: inline or behind a reference, bare or wrapped in
/// an object of a Foundation class.
package enum ArchivedValue: Sendable, Hashable, PropertyListScalarConvertible {
  /// A scalar. `null` is nil.
  case scalar(PropertyListScalar)
  case array([KeyedArchive.Index])
  /// Keys, which need not be strings, and values.
  case dictionary(keys: [KeyedArchive.Index], values: [KeyedArchive.Index])
  /// An object of any other class.
  case object(className: String)

  /// The kind of the value, for messages.
  package var kind: String {
    switch self {
    case .scalar(.null): "nil"
    case .scalar(let value): value.kind
    case .array: "an array"
    case .dictionary: "a dictionary"
    case .object(let className): "an object of class \(className.excerpt)"
    }
  }
}

extension KeyedArchive {
  /// The value at a place. Elements of containers are not read, so this terminates for every archive.
  package func value(at index: Index) -> ArchivedValue {
    if isNil(index) { return .null }
    let index = resolve(index)
    switch plist[index] {
    case .uid: return .null
    case .scalar(let value): return .scalar(value)
    case .array(let elements), .set(let elements): return .array(elements)
    case .dictionary(let keys, let values):
      guard let archived = archivedClass(of: index) else {
        return .dictionary(keys: keys, values: values)
      }
      return archived.foundation.flatMap { foundationValue(index, of: $0) }
        ?? .object(className: archived.name)
    }
  }

  /// The value of an object of a Foundation class. Nil if it lacks its contents.
  private func foundationValue(_ index: Index, of foundation: FoundationClass) -> ArchivedValue? {
    func bare(_ key: String) -> BinaryPropertyList.Object? {
      value(of: key, in: index).map { plist[$0] }
    }
    switch foundation {
    case .array, .set, .orderedSet: return elements(index)
    case .arrayProxy: return value(of: "array", in: index).flatMap(elements)
    case .dictionary:
      guard case .array(let keys) = bare("NS.keys"), case .array(let values) = bare("NS.objects")
      else { return nil }
      return .dictionary(keys: keys, values: values)
    case .data:
      guard case .scalar(.data(let bytes)) = bare("NS.data") ?? bare("NS.bytes") else { return nil }
      return .data(bytes)
    case .string:
      guard case .scalar(.string(let text)) = bare("NS.string") else { return nil }
      return .string(text)
    case .url: return url(index)
    case .number: return number(index)
    case .date:
      guard case .scalar(.real(let seconds, _)) = bare("NS.time") else { return nil }
      return .date(seconds)
    }
  }

  /// The elements of an array or set. Very old archives number them.
  private func elements(_ index: Index) -> ArchivedValue? {
    if let list = value(of: "NS.objects", in: index), case .array(let elements) = plist[list] {
      return .array(elements)
    }
    if case .array(let elements) = plist[index] { return .array(elements) }
    var elements: [Index] = []
    while let element = value(of: "NS.object.\(elements.count)", in: index) {
      elements.append(element)
    }
    return .array(elements)
  }

  /// The text of a URL without its base, since only the last component is used.
  private func url(_ index: Index) -> ArchivedValue? {
    guard let relative = value(of: "NS.relative", in: index) else { return nil }
    switch plist[relative] {
    case .scalar(.string(let text)): return .string(text)
    case .dictionary:
      guard let text = value(of: "NS.string", in: relative),
        case .scalar(.string(let text)) = plist[text]
      else { return nil }
      return .string(text)
    default: return nil
    }
  }

  /// A number. Apple's archivers write numbers bare, others wrap them.
  private func number(_ index: Index) -> ArchivedValue? {
    for key in ["NS.dblval", "NS.intval", "NS.boolval"] {
      guard let value = value(of: key, in: index) else { continue }
      switch plist[value] {
      case .scalar(.bool(let value)): return .bool(value)
      case .scalar(.integer(let value)): return .scalar(.integer(value))
      case .scalar(.real(let value, let width)): return .real(value, width: width)
      default: continue
      }
    }
    return nil
  }
}
