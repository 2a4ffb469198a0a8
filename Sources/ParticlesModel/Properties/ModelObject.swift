public import ParticlesCore

/// An object that keeps the JSON members that this library does not know, and writes them back.
public protocol Extensible {
  /// The members that are in the document and not in the table of the object, in their order:
  /// `extensions`, `extras` and all that we do not know.
  var additions: JSONObject { get set }
}

/// A part of the effect that is an object in JSON.
///
/// Its table of properties is all there is to say about it: reading, writing, validation and the
/// catalogue (see ``PropertyCatalog``) work from the table. What a property is when the document
/// does not mention it is what ``init()`` makes it.
package protocol ModelObject: JSONConvertible, Extensible {
  /// Creates the object with every property at its default.
  init()

  /// What the catalogue calls the object, such as "Timing".
  static var title: String { get }

  /// What the schema calls the object; from the title unless stated.
  static var schemaName: String { get }

  /// What the object is for, in a sentence.
  static var about: String { get }

  /// The properties, in the order in which they are written.
  static var properties: [Property<Self>] { get }

  /// Appends what is wrong with the object beyond what its table says, such as two properties
  /// that contradict each other.
  func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic])
}

extension ModelObject {
  /// Reads an object, as ``init(object:at:)`` does.
  package init(json: JSONValue, at path: JSONPath) throws { try self.init(object: json, at: path) }

  /// Reads an object. Missing properties get their defaults, unknown ones are kept.
  init(object json: JSONValue, at path: JSONPath) throws {
    guard let object = json.object else { throw json.mismatch("an object", at: path) }
    self.init()
    var members: [String: JSONValue] = [:]
    for member in object.members { members[member.key] = member.value }
    for property in Self.properties {
      let key = property.key
      if let value = members.removeValue(forKey: key) {
        try property.read(value, path.appending(key), &self)
      } else if property.isRequired {
        throw Diagnostic(
          .type, at: path.appending(key).location, expected: property.info.type,
          found: "nothing")
      }
    }
    if let extensions = members["extensions"], extensions.object == nil {
      throw extensions.mismatch("an object", at: path.appending("extensions"))
    }
    guard !members.isEmpty else { return }
    additions = JSONObject(members: object.members.filter { members[$0.key] != nil })
  }

  /// The object, as ``objectJSON`` writes it.
  package var json: JSONValue { objectJSON }

  /// The object. Properties at their defaults are left out; then follow the additions.
  var objectJSON: JSONValue {
    var members: [JSONObject.Member] = []
    let standard = Self()
    for property in Self.properties {
      guard let value = property.write(self, standard) else { continue }
      members.append(.init(key: property.key, value: value))
    }
    if !additions.isEmpty {
      // A key of the table among the additions would stand twice; the table wins.
      let known = Set(Self.properties.map(\.key))
      members += additions.members.filter { !known.contains($0.key) }
    }
    return .object(JSONObject(members: members))
  }

  /// The title.
  package static var typeName: String { title }

  /// A reference to the definition of the object.
  package static func schema(_ bounds: Bounds?) -> JSONSchema { .reference(schemaName) }

  /// The title as part of a reference: "Value.range" for "Value (range)".
  package static var schemaName: String {
    title.replacing(" (", with: ".").replacing(")", with: "")
  }

  /// The object itself.
  package static var objects: [any ModelObject.Type] { [self] }

  /// Checks every property, the object as a whole, and notes unknown properties.
  package func check(_ bounds: Bounds?, at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    checkObject(at: path, into: &diagnostics)
  }

  /// Checks every property, the object as a whole, and notes unknown properties.
  func checkObject(at path: JSONPath, into diagnostics: inout [Diagnostic]) {
    for property in Self.properties {
      property.check(self, path.appending(property.key), &diagnostics)
    }
    checkWhole(at: path, into: &diagnostics)
    for member in unknown.members {
      diagnostics.append(Diagnostic(.unknownKey, at: path.appending(member.key).location))
    }
  }

  /// Finds nothing wrong.
  package func checkWhole(at path: JSONPath, into diagnostics: inout [Diagnostic]) {}
}

extension Extensible {
  /// Data of programs that extend the format, by the name of the extension (`VENDOR_name`).
  public var extensions: JSONObject {
    get { additions["extensions"]?.object ?? JSONObject() }
    set { additions["extensions"] = newValue.isEmpty ? nil : .object(newValue) }
  }

  /// Anything that an application wants to keep with the object; nil by default.
  public var extras: JSONValue? {
    get { additions["extras"] }
    set { additions["extras"] = newValue }
  }

  /// The properties that we do not know, in their order.
  public var unknown: JSONObject {
    guard !additions.isEmpty else { return additions }
    var unknown = additions
    unknown["extensions"] = nil
    unknown["extras"] = nil
    return unknown
  }
}
