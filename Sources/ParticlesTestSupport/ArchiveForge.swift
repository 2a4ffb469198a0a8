/// A value to be archived, and its encoding in the archive.
package indirect enum ForgedValue: Sendable, Hashable {
  /// The value is stored inline, directly under its key.
  case inline(ForgedPropertyList)
  /// The value is stored among the objects; the key holds a reference.
  case boxed(ForgedPropertyList)
  /// An object: its class and those it derives from, and its keys.
  case object([String], [Entry])
  case array([ForgedValue])
  case dictionary([Entry])
  /// An `NSMutableData`.
  case data([UInt8])
  /// The reference to nothing.
  case null

  /// A key and its value.
  package struct Entry: Sendable, Hashable {
    package var key: String
    package var value: ForgedValue

    package init(_ key: String, _ value: ForgedValue) {
      self.key = key
      self.value = value
    }
  }

  package static func bool(_ value: Bool) -> ForgedValue { .inline(.bool(value)) }
  package static func int(_ value: Int) -> ForgedValue { .inline(.int(value)) }
  package static func real(_ value: Double) -> ForgedValue { .inline(.real(value)) }
  package static func string(_ value: String) -> ForgedValue { .boxed(.string(value)) }

  /// Float32 components as inline bytes, least significant first.
  package static func vector(_ components: Float...) -> ForgedValue {
    .inline(.data(components.flatMap { PropertyListForge.bigEndian($0.bitPattern).reversed() }))
  }
}

/// Writes keyed archives as `NSKeyedArchiver` does, for fixtures and tests.
package struct ArchiveForge {
  private var objects: [ForgedPropertyList] = [.string("$null")]
  private var classes: [[String]: Int] = [:]
  private var boxes: [ForgedPropertyList: Int] = [:]

  /// A complete archive of `root`.
  package static func archive(_ root: ForgedValue) -> [UInt8] {
    var forge = ArchiveForge()
    let reference = forge.reference(to: root)
    return file(root: reference, objects: forge.objects)
  }

  /// An archive of exactly these objects, the first of which should be `$null`.
  package static func file(
    root: ForgedPropertyList, objects: [ForgedPropertyList]
  ) -> [UInt8] {
    ForgedPropertyList.dictionary([
      .init("$version", .int(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
      .init("$top", .dictionary([.init("root", root)])), .init("$objects", .array(objects)),
    ]).bytes
  }

  private mutating func reference(to value: ForgedValue) -> ForgedPropertyList {
    switch value {
    case .inline(let plain): return plain
    case .null: return .uid(0)
    case .boxed(let plain):
      if let known = boxes[plain] { return .uid(known) }
      boxes[plain] = objects.count
      objects.append(plain)
      return .uid(objects.count - 1)
    case .object(let names, let entries):
      let index = reserve()
      var members = entries.map {
        ForgedPropertyList.Entry($0.key, reference(to: $0.value))
      }
      members.append(.init("$class", classReference(names)))
      objects[index] = .dictionary(members)
      return .uid(index)
    case .array(let elements):
      return container("NSArray", [.init("NS.objects", .array(elements.map { boxed($0) }))])
    case .dictionary(let entries):
      return container(
        "NSDictionary",
        [
          .init("NS.keys", .array(entries.map { boxed(.string($0.key)) })),
          .init("NS.objects", .array(entries.map { boxed($0.value) })),
        ])
    case .data(let bytes): return container("NSData", [.init("NS.data", .data(bytes))])
    }
  }

  /// Containers hold references only.
  private mutating func boxed(_ value: ForgedValue) -> ForgedPropertyList {
    guard case .inline(let plain) = value else { return reference(to: value) }
    return reference(to: .boxed(plain))
  }

  private mutating func reserve() -> Int {
    objects.append(.null)
    return objects.count - 1
  }

  private mutating func container(
    _ name: String, _ entries: [ForgedPropertyList.Entry]
  ) -> ForgedPropertyList {
    let mutable = "NSMutable" + name.dropFirst(2)
    let record = classReference([mutable, name, "NSObject"])
    objects.append(.dictionary(entries + [.init("$class", record)]))
    return .uid(objects.count - 1)
  }

  private mutating func classReference(_ names: [String]) -> ForgedPropertyList {
    if let known = classes[names] { return .uid(known) }
    classes[names] = objects.count
    objects.append(
      .dictionary([
        .init("$classname", .string(names.first ?? "")),
        .init("$classes", .array(names.map(ForgedPropertyList.string))),
      ]))
    return .uid(objects.count - 1)
  }
}
