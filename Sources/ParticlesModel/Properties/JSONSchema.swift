package import ParticlesCore

/// Builds a JSON Schema (2020-12).
///
/// It checks types, names and ranges, as reading and the tables do. It cannot compare two values
/// with each other, such as the ends of a range.
package struct JSONSchema: Sendable, Hashable {
  package let json: JSONValue

  private init(_ json: JSONValue) { self.json = json }

  init(_ members: (String, JSONValue)...) {
    json = .object(JSONObject(members: members.map { .init(key: $0.0, value: $0.1) }))
  }

  /// A reference to a schema that is defined once.
  static func reference(_ name: String) -> JSONSchema {
    JSONSchema(("$ref", .string("#/$defs/\(name)")))
  }

  /// A value of one of JSON's own types.
  static func type(_ name: String) -> JSONSchema { JSONSchema(("type", .string(name))) }

  /// A number that a double can hold, within bounds.
  static func number(_ bounds: Bounds? = nil) -> JSONSchema {
    let most = Double.greatestFiniteMagnitude
    return numeric("number", bounds, JSONNumber(-most), JSONNumber(most))
  }

  /// A whole number within bounds, and in any case from `least` to `most`.
  static func integer(
    _ bounds: Bounds?, least: JSONNumber, most: JSONNumber
  ) -> JSONSchema { numeric("integer", bounds, least, most) }

  private static func numeric(
    _ type: String, _ bounds: Bounds?, _ least: JSONNumber, _ most: JSONNumber
  ) -> JSONSchema {
    JSONSchema(
      ("type", .string(type)),
      (
        bounds?.excludesLower == true ? "exclusiveMinimum" : "minimum",
        .number(bounds?.lower.map(JSONNumber.init) ?? least)
      ), ("maximum", .number(bounds?.upper.map(JSONNumber.init) ?? most)))
  }

  /// One of these values.
  static func oneOf(_ values: [JSONValue]) -> JSONSchema {
    values.count == 1 ? JSONSchema(("const", values[0])) : JSONSchema(("enum", .array(values)))
  }

  /// A string of a pattern (ECMA-262, anchored by itself).
  static func string(_ pattern: String) -> JSONSchema {
    JSONSchema(("type", "string"), ("pattern", .string(pattern)))
  }

  /// An array of any length.
  static func array(of element: JSONSchema) -> JSONSchema {
    JSONSchema(("type", "array"), ("items", element.json))
  }

  /// The schema of the elements of an array, or nil if unrestricted.
  var elements: JSONSchema? { json.object?["items"].map { JSONSchema($0) } }

  /// An array that is not empty.
  static func someArray(of element: JSONSchema) -> JSONSchema {
    array(of: element).and(JSONSchema(("minItems", .int(1))))
  }

  static let emptyArray = JSONSchema(("type", "array"), ("maxItems", .int(0)))

  /// Anything but an array of `count` elements.
  static func not(_ count: Int) -> JSONSchema {
    JSONSchema(("not", ["minItems": .int(count), "maxItems": .int(count)]))
  }

  /// An array whose elements all have one schema.
  static func array(of element: JSONSchema, _ count: ClosedRange<Int>) -> JSONSchema {
    JSONSchema(
      ("type", "array"), ("items", element.json), ("minItems", .int(count.lowerBound)),
      ("maxItems", .int(count.upperBound)))
  }

  /// An array that begins with `elements`, of which the first `least` have to be there.
  static func tuple(_ elements: [JSONSchema], least: Int) -> JSONSchema {
    JSONSchema(
      ("type", "array"), ("prefixItems", .array(elements.map { $0.json })),
      ("minItems", .int(least)), ("maxItems", .int(elements.count)))
  }

  /// A value that matches one of several schemas.
  static func any(_ schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema(("anyOf", .array(schemas.map { $0.json })))
  }

  /// A value that matches the schema, or `null`.
  var orNull: JSONSchema {
    // Avoids a nested `anyOf`.
    if case .object(let object) = json, object.members.count == 1,
      let choices = object["anyOf"]?.array
    {
      return JSONSchema(("anyOf", .array(choices + [["type": "null"]])))
    }
    return .any([self, .type("null")])
  }

  /// A value that matches both schemas.
  func and(_ other: JSONSchema) -> JSONSchema {
    guard case .object(var object) = json, case .object(let more) = other.json else { return self }
    for member in more.members { object[member.key] = member.value }
    return JSONSchema(.object(object))
  }
}

// The version of the document decides whether it is read at all, see `ParticleSystem.checkVersion`.
extension JSONSchema {
  /// A version of this major version or an earlier one.
  static let version = string(#"^0*[01]\.[0-9]+$"#)
  /// A version up to this one.
  static let knownVersion = string(#"^(0+\.[0-9]+|0*1\.0+)$"#)
  /// A path that stays in the package.
  static let address = string(#"^(?!\.{1,2}(/|$))[^/:\\]+(/(?!\.{1,2}(/|$))[^/:\\]+)*$"#)
  /// A SHA-256.
  static let checksum = string("^[0-9a-f]{64}$")
}

/// The path of a value in a document: keys and indices.
///
/// Its text, such as `emitters[0].timing.delay`, is what
/// ``ParticlesCore/Diagnostic/Location/Position/key(_:)`` holds. The text is built on demand,
/// because most paths are never printed.
package indirect enum JSONPath: Sendable, Hashable {
  /// The document itself.
  case root
  /// No path, for checks whose faults are only counted. Nothing is appended, so that no memory is needed.
  case nowhere
  /// A member of an object.
  case key(JSONPath, String)
  /// An element of an array, counted from 0.
  case index(JSONPath, Int)

  /// The member `key` of the object here.
  package func appending(_ key: String) -> JSONPath {
    if case .nowhere = self { self } else { .key(self, key) }
  }

  /// The element `index` of the array here.
  package func appending(_ index: Int) -> JSONPath {
    if case .nowhere = self { self } else { .index(self, index) }
  }

  /// How many keys and indices there are.
  package var depth: Int {
    var (depth, path) = (0, self)
    while true {
      switch path {
      case .root, .nowhere: return depth
      case .key(let parent, _), .index(let parent, _): (depth, path) = (depth + 1, parent)
      }
    }
  }

  package var location: Location { .key(description) }
}

extension JSONPath: CustomStringConvertible {
  /// Keys with dots between them, indices in brackets. Other keys than plain words are in brackets
  /// and quotes.
  package var description: String {
    switch self {
    case .root, .nowhere: return ""
    case .index(let parent, let index): return "\(parent)[\(index)]"
    case .key(let parent, let key):
      guard key.isPlainKey else { return "\(parent)[\"\(key)\"]" }
      let prefix = parent.description
      return prefix.isEmpty ? key : "\(prefix).\(key)"
    }
  }
}

extension String {
  fileprivate var isPlainKey: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

/// The numbers that a property allows. Infinities and NaN are never allowed.
package struct Bounds: Sendable, Hashable {
  /// The minimum, or nil for none.
  package var lower: Double?

  /// The maximum, or nil for none.
  package var upper: Double?

  /// Whether ``lower`` itself is not allowed.
  package var excludesLower = false

  /// Every number.
  package static let any = Bounds()
  /// 0 and more.
  package static let nonNegative = Bounds(lower: 0)
  /// More than 0.
  package static let positive = Bounds(lower: 0, excludesLower: true)
  /// 0 to 1.
  package static let fraction = Bounds(lower: 0, upper: 1)

  /// A closed range.
  package static func between(_ lower: Double, _ upper: Double) -> Bounds {
    Bounds(lower: lower, upper: upper)
  }

  /// This number and more.
  package static func atLeast(_ lower: Double) -> Bounds { Bounds(lower: lower) }

  /// Whether the number is allowed.
  package func contains(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    if let lower, excludesLower ? value <= lower : value < lower { return false }
    if let upper, value > upper { return false }
    return true
  }

  /// The allowed number that is nearest to `value`. Nil for NaN, for bounds without a number, and for a number at or
  /// below an excluded minimum.
  package func nearest(to value: Double) -> Double? {
    guard !value.isNaN else { return nil }
    let most = Double.greatestFiniteMagnitude
    let nearest = max(min(value, upper ?? most), lower ?? -most)
    return contains(nearest) ? nearest : nil
  }
}

extension Bounds: CustomStringConvertible {
  /// "0 to 1", "at least 0", "more than 0" …
  package var description: String {
    let from = lower.map { (excludesLower ? "more than " : "at least ") + $0.plain }
    switch (lower, upper) {
    case (let lower?, let upper?) where !excludesLower: return "\(lower.plain) to \(upper.plain)"
    case (_, let upper?):
      return [from, "at most " + upper.plain].compactMap { $0 }.joined(separator: ", ")
    case (_, nil): return from ?? "a finite number"
    }
  }
}

extension Double {
  /// This number as messages show it: as in the document.
  var plain: String { isFinite ? json.line : description }
}
