internal import ParticlesPropertyLists
internal import ParticlesCore
internal import ParticlesModel

/// The keys of an archived object with their values and types, as JSON: the source bag of the
/// document.
///
/// Types are `b`, `i`, `f32`, `f64`, `date`, `s`, `d` (data, as base64), `nil` and `obj`. Large or
/// deeply nested values are only named, because the package keeps the file itself.
struct SourceBag {
  private static let levels = 3
  static let values = 4096
  private static let bytes = 4096

  private let className: String
  private var left = values

  private init(className: String) { self.className = className }

  /// The bag of some keys of an object.
  /// - Parameter className: the class of objects that have bags of their own.
  static func bag(of object: ArchivedObject, keys: [String], without className: String)
    throws(Failure) -> JSONValue
  {
    var bag = SourceBag(className: className)
    return .object(try bag.members(of: object, keys: keys, depth: 0))
  }

  private mutating func members(of object: ArchivedObject, keys: [String], depth: Int)
    throws(Failure) -> JSONObject
  {
    var members: [JSONObject.Member] = []
    for key in keys.prefix(left) {
      let value =
        try object.index(of: key).map { index throws(Failure) in
          try typed(index, object.path(of: key), of: object, depth: depth)
        } ?? ["t": "nil"]
      try object.reader.spend(bytes: key.utf8.count, at: .key(object.path))
      members.append(.init(key: key, value: value))
    }
    return JSONObject(members: members)
  }

  private mutating func typed(
    _ index: KeyedArchive.Index, _ path: String, of owner: ArchivedObject, depth: Int
  ) throws(Failure) -> JSONValue {
    try owner.reader.spend(1, at: .key(path))
    left -= 1
    switch owner.archive.value(at: index) {
    case .scalar(.null): return ["t": "nil"]
    case .scalar(.bool(let value)): return ["t": "b", "v": .bool(value)]
    case .scalar(.integer(let value)): return ["t": "i", "v": .number(JSONNumber(value))]
    case .scalar(.unsigned(let value)): return ["t": "i", "v": .number(JSONNumber(value))]
    case .scalar(.real(let value, let width)):
      return Self.real(value, type: width == 4 ? "f32" : "f64")
    case .scalar(.date(let value)): return Self.real(value, type: "date")
    case .scalar(.string(let text)):
      guard text.utf8.count <= Self.bytes else {
        return ["t": "s", "count": .int(text.utf8.count)]
      }
      try owner.reader.spend(bytes: text.utf8.count, at: .key(path))
      return ["t": "s", "v": .string(text)]
    case .scalar(.data(let data)):
      guard data.count <= Self.bytes else { return ["t": "d", "count": .int(data.count)] }
      try owner.reader.spend(bytes: data.count, at: .key(path))
      return ["t": "d", "v": .string(data.base64)]
    case .array(let elements):
      var value = Self.container(at: index, of: owner)
      guard depth < Self.levels, elements.count <= left else {
        value["count"] = .int(elements.count)
        return .object(value)
      }
      var list: [JSONValue] = []
      for element in elements {
        list.append(try typed(element, path, of: owner, depth: depth + 1))
      }
      value["v"] = .array(list)
      return .object(value)
    case .dictionary, .object:
      var value = Self.container(at: index, of: owner)
      guard depth < Self.levels, left > 0, owner.archive.className(of: index) != className
      else { return .object(value) }
      let object = try owner.object(at: index, path)
      value["v"] = .object(try members(of: object, keys: object.keys, depth: depth + 1))
      return .object(value)
    }
  }

  private static func container(at index: KeyedArchive.Index, of owner: ArchivedObject)
    -> JSONObject
  {
    var value: JSONObject = ["t": "obj"]
    value["class"] = owner.archive.className(of: index).map { .string($0.excerpt) }
    return value
  }

  /// JSON has no infinity and no NaN.
  private static func real(_ value: Double, type: JSONValue) -> JSONValue {
    ["t": type, "v": value.isFinite ? .double(value) : .string("\(value)")]
  }
}

extension ParticleSystem {
  /// Stores the contents of the imported file, so that values without a property in the model are
  /// kept.
  /// - Parameters:
  ///   - format: the name of the format.
  ///   - details: further properties of the file.
  ///   - bag: its keys and values with their types.
  mutating func keepSource(
    _ bytes: [UInt8], of format: String, _ context: DecodingContext, _ details: JSONObject = [:],
    bag: JSONValue
  ) {
    var source: JSONObject = [
      "format": .string(format), "file": .string(Imported.sourcePath(of: context.fileName)),
      "sha256": .string(SHA256.digest(bytes).description),
    ]
    for member in details.members { source[member.key] = member.value }
    source["bag"] = bag
    extensionsUsed = [Self.sourceExtension]
    extensions[Self.sourceExtension] = .object(source)
  }
}

extension Emitter {
  /// Stores the keys of the emitter that the document has no properties for.
  mutating func keepSource(of format: String, bag: JSONValue) {
    extensions[ParticleSystem.sourceExtension] = ["format": .string(format), "bag": bag]
  }
}
