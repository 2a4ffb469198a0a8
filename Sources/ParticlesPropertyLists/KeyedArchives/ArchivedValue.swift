internal import ParticlesCore

/// A value of a keyed archive in any of its spellings: inline or behind a reference, bare or wrapped in
/// an object of a Foundation class.
package enum ArchivedValue: Sendable, Hashable, PropertyListScalarConvertible {
  /// A scalar; `null` is nil.
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

  /// The value of an object of a Foundation class; nil if it lacks its contents.
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

  /// The elements of an array or set; very old archives number them.
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

  /// Numbers are written bare; archivers other than Apple's wrap them.
  private func number(_ index: Index) -> ArchivedValue? {
    for key in ["NS.dblval", "NS.intval", "NS.boolval"] {
      guard let value = value(of: key, in: index) else { continue }
      switch plist[value] {
      case .scalar(.bool(let value)): return .bool(value)
      case .scalar(.integer(let value)): return .integer(value)
      case .scalar(.real(let value, let width)): return .real(value, width: width)
      default: continue
      }
    }
    return nil
  }
}
