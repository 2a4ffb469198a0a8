public import ParticlesCore

/// An object that keeps the JSON members that this library does not know, and writes them back.
public protocol Extensible {
  /// The members that are not in the table of the object, in document order: `extensions`, `extras`
  /// and unknown members.
  var additions: JSONObject { get set }
}

/// A part of the effect that is an object in JSON.
///
/// Its table of properties defines it completely: reading, writing, validation and the catalogue
/// (see ``PropertyCatalog``) work from the table. ``init()`` sets the defaults of missing
/// properties.
package protocol ModelObject: JSONConvertible, Extensible {
  /// Creates the object with every property at its default.
  init()

  /// The name of the object in the catalogue, such as "Timing".
  static var title: String { get }

  /// The name of the object in the schema. Default: derived from the title.
  static var schemaName: String { get }

  /// A description in one sentence.
  static var about: String { get }

  /// The properties, in the order in which they are written.
  static var properties: [Property<Self>] { get }

  /// Appends problems that the table cannot express, such as two properties that contradict each
  /// other.
  func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic])
}

extension ModelObject {
  /// Reads an object, as ``init(object:at:)`` does.
  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    try self.init(object: json, at: path)
  }

  /// Reads an object. Missing properties get their defaults, unknown ones are kept.
  @inline(never)
  init(object json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    self.init()
    let rows = Self.properties
    let additions = try withUnsafeMutablePointer(to: &self) {
      (root: UnsafeMutablePointer<Self>) throws(Diagnostic) in
      try json.read(
        at: path, into: UnsafeMutableRawPointer(root), rows.count, { rows[$0].reading },
        typeName: { rows[$0].aspects.typeName })
    }
    if let additions { self.additions = additions }
  }

  package static var typeName: String { title }

  /// A reference to the definition of the object.
  package static func schema(_ bounds: Bounds?) -> JSONSchema { .reference(schemaName) }

  /// The title as part of a reference: "Value.range" for "Value (range)".
  package static var schemaName: String {
    title.replacing(" (", with: ".").replacing(")", with: "")
  }

  /// Checks every property, the object as a whole, and notes unknown properties.
  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    checkObject(at: path, into: &diagnostics)
  }

  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {}

  /// Checks every property, the object as a whole, and notes unknown properties.
  func checkObject(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    var root = self
    let rows = Self.properties
    withUnsafeMutablePointer(to: &root) { root in
      path.check(
        UnsafeMutableRawPointer(root), rows.count, { rows[$0].reading }, into: &diagnostics)
    }
    checkWhole(at: path, into: &diagnostics)
    path.note(additions, into: &diagnostics)
  }
}

extension JSONPath {
  /// Checks the values in the root at an address by the rows of its table. This is compiled once for all tables.
  @inline(never)
  fileprivate func check(
    _ root: UnsafeMutableRawPointer, _ count: Int, _ row: (Int) -> PropertyReading,
    into diagnostics: inout [Diagnostic]
  ) {
    for index in 0..<count {
      let row = row(index)
      row.check(root, at: appending(row.key), into: &diagnostics)
    }
  }

  /// Notes unknown properties.
  @inline(never)
  fileprivate func note(_ additions: JSONObject, into diagnostics: inout [Diagnostic]) {
    for member in additions.members where !["extensions", "extras"].contains(member.key) {
      diagnostics.append(Diagnostic(.unknownKey, at: appending(member.key).location))
    }
  }
}

extension Extensible {
  /// Data of extensions, by the name of the extension (`VENDOR_name`).
  public var extensions: JSONObject {
    get { additions["extensions"]?.object ?? JSONObject() }
    set { additions["extensions"] = newValue.isEmpty ? nil : .object(newValue) }
  }

  /// Application data stored with the object. Default: nil.
  public var extras: JSONValue? {
    get { additions["extras"] }
    set { additions["extras"] = newValue }
  }

  /// The unknown properties, in document order.
  public var unknown: JSONObject {
    guard !additions.isEmpty else { return additions }
    var unknown = additions
    unknown["extensions"] = nil
    unknown["extras"] = nil
    return unknown
  }
}

extension JSONValue {
  /// Reads the members of an object into the root at an address by the rows of its table. This is compiled once for
  /// all tables.
  /// - Returns: the members that are in no row, in document order, or nil if there are none.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/type`` if it is no object, a required member is
  ///   missing, or a member has another type.
  @inline(never)
  func read(
    at path: JSONPath, into root: UnsafeMutableRawPointer, _ count: Int,
    _ row: (Int) -> PropertyReading, typeName: (Int) -> String
  ) throws(Diagnostic) -> JSONObject? {
    guard let object else { throw mismatch("an object", at: path) }
    let members = object.members
    var isRead = [Bool](repeating: false, count: members.count)
    // Most members are in the order of the table.
    var next = 0
    for index in 0..<count {
      let row = row(index)
      let isNext = next < members.count && members[next].key == row.key
      if let place = isNext ? next : members.firstIndex(where: { $0.key == row.key }) {
        isRead[place] = true
        next = place + 1
        try row.read(members[place].value, path.appending(row.key), row, root)
      } else if row.isRequired {
        throw Diagnostic(
          .type, at: path.appending(row.key).location, expected: typeName(index), found: "nothing")
      }
    }
    var rest: [JSONObject.Member] = []
    for (place, member) in members.enumerated() where !isRead[place] {
      guard member.key != "extensions" || member.value.object != nil else {
        throw member.value.mismatch("an object", at: path.appending("extensions"))
      }
      rest.append(member)
    }
    return rest.isEmpty ? nil : JSONObject(members: rest)
  }
}

/// A value of another type, or a name in its place.
package protocol NamedAlternative: JSONConvertible {
  associatedtype Stated: JSONConvertible

  static var named: [Self] { get }

  /// Both forms, for messages.
  static var expected: String { get }

  /// The range of the stated value. Nil: the range of the property.
  static var bounds: Bounds? { get }

  /// Whether JSON is of the kind of a stated value.
  static func states(_ json: JSONValue) -> Bool

  init(stating value: Stated)

  /// The name. It is not used if there is a stated value.
  var name: String { get }

  var stated: Stated? { get }
}

extension NamedAlternative {
  package static var bounds: Bounds? { nil }

  package init(json: JSONValue, at path: JSONPath) throws(Diagnostic) {
    if let name = json.string, let value = Self.named.first(where: { $0.name == name }) {
      self = value
    } else if Self.states(json) {
      self.init(stating: try Stated(json: json, at: path))
    } else {
      throw json.mismatch(Self.expected, at: path)
    }
  }

  package var json: JSONValue { stated?.json ?? .string(name) }

  package static func schema(_ bounds: Bounds?) -> JSONSchema {
    .any([.oneOf(named.map { .string($0.name) }), Stated.schema(Self.bounds)])
  }

  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    stated?.check(Self.bounds ?? bounds, at: path, into: &diagnostics)
  }
}
