/// A value for ``KeyedArchiver``, inline or behind a reference. Readers treat both alike, but programs
/// differ in which one they write.
package indirect enum Archivable: Sendable, Hashable {
  /// nil: a reference to the first object, `$null`.
  case null
  /// An inline value.
  case inline(PropertyListScalar)
  /// A reference to a value among the objects. Equal values share one object.
  case shared(PropertyListScalar)
  /// An inline array, such as `NS.objects`.
  case list([Archivable])
  /// A reference to an object.
  case object(ArchivableObject)
  /// An object of the source, with all objects that it refers to.
  case kept(KeyedArchive.Index)
}

/// An object with its class and its encoded members.
package struct ArchivableObject: Sendable, Hashable {
  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: Archivable

    package init(_ key: String, _ value: Archivable) {
      self.key = key
      self.value = value
    }
  }

  /// The names of its class and its base classes, `NSObject` last.
  package var classes: [String]

  /// The encoded members, in order. Keys are unique.
  package var members: [Member]

  package init(_ classes: [String], _ members: [Member]) {
    self.classes = classes
    self.members = members
  }

  /// The value of a key. Setting nil removes the key. A new key is appended.
  package subscript(key: String) -> Archivable? {
    get { members.first { $0.key == key }?.value }
    set {
      let place = members.firstIndex { $0.key == key }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key, value))
      case (nil, nil): break
      }
    }
  }
}

// MARK: - Inline scalars

extension Archivable {
  package static func bool(_ value: Bool) -> Archivable { .inline(.bool(value)) }

  package static func integer(_ value: Int) -> Archivable { .inline(.integer(Int64(value))) }

  /// A real of 64 bits.
  package static func double(_ value: Double) -> Archivable { .inline(.real(value, width: 8)) }
}

// MARK: - Objects of Foundation

extension Archivable {
  package static func object(
    _ classes: [String], _ members: [ArchivableObject.Member]
  ) -> Archivable {
    .object(ArchivableObject(classes, members))
  }

  /// A string behind a reference, without a class, as archivers write immutable strings.
  package static func string(_ text: String) -> Archivable { .shared(.string(text)) }

  package static func array(_ elements: [Archivable], mutable: Bool = true) -> Archivable {
    .object(
      chain("NSArray", mutable: mutable ? "NSMutableArray" : nil),
      [.init("NS.objects", .list(elements))])
  }

  package static func dictionary(
    _ members: [ArchivableObject.Member], mutable: Bool = true
  ) -> Archivable {
    .object(
      chain("NSDictionary", mutable: mutable ? "NSMutableDictionary" : nil),
      [
        .init("NS.keys", .list(members.map { .string($0.key) })),
        .init("NS.objects", .list(members.map { $0.value })),
      ])
  }

  package static func data(_ bytes: [UInt8], mutable: Bool = true) -> Archivable {
    .object(
      chain("NSData", mutable: mutable ? "NSMutableData" : nil),
      [.init("NS.data", .inline(.data(bytes)))])
  }

  private static func chain(_ name: String, mutable: String?) -> [String] {
    (mutable.map { [$0] } ?? []) + [name, "NSObject"]
  }

  /// A point as an `NSValue`.
  package static func point(_ x: Double, _ y: Double) -> Archivable {
    value("NS.pointval", Geometry.pair(x, y), kind: 1)
  }

  /// A width and a height as an `NSValue`.
  package static func size(_ width: Double, _ height: Double) -> Archivable {
    value("NS.sizeval", Geometry.pair(width, height), kind: 2)
  }

  /// A rectangle as an `NSValue`.
  package static func rect(
    x: Double, y: Double, width: Double, height: Double
  ) -> Archivable {
    value(
      "NS.rectval", "{\(Geometry.pair(x, y)), \(Geometry.pair(width, height))}", kind: 3)
  }

  private static func value(_ key: String, _ text: String, kind: Int) -> Archivable {
    .object(
      ["NSValue", "NSObject"], [.init(key, .string(text)), .init("NS.special", .integer(kind))])
  }
}

/// Geometry as AppKit writes it: `{1, 2}`.
package enum Geometry {
  package static func pair(_ x: Double, _ y: Double) -> String { "{\(text(x)), \(text(y))}" }

  /// The shortest text of a number, without a decimal point if it is whole.
  package static func text(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
