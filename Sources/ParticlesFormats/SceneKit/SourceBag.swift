internal import ParticlesCore
internal import ParticlesPropertyLists

/// The keys of an archived object with their values and types, as JSON: the source bag of the
/// document.
///
/// Types are `b`, `i`, `f32`, `f64`, `date`, `s`, `d` (data, as base64), `nil` and `obj`. What is
/// large or deep is only named; the file itself is kept beside the document.
enum SourceBag {
  private static let levels = 3
  private static let values = 4096
  private static let bytes = 4096

  /// The bag of an object.
  static func bag(of object: ArchivedObject) throws -> JSONValue {
    try bag(of: object, keys: object.keys)
  }

  /// The bag of some keys of an object.
  static func bag(of object: ArchivedObject, keys: [String]) throws -> JSONValue {
    var left = values
    return .object(try members(of: object, keys: keys, depth: 0, left: &left))
  }

  private static func members(
    of object: ArchivedObject, keys: [String], depth: Int, left: inout Int
  ) throws -> JSONObject {
    var members: [JSONObject.Member] = []
    for key in keys.prefix(left) {
      let value =
        try object.index(of: key).map {
          try typed($0, object.path(of: key), of: object, depth: depth, left: &left)
        } ?? ["t": "nil"]
      try object.reader.spend(bytes: key.utf8.count, at: .key(object.path))
      members.append(.init(key: key, value: value))
    }
    return JSONObject(members: members)
  }

  private static func typed(
    _ index: KeyedArchive.Index, _ path: String, of owner: ArchivedObject, depth: Int,
    left: inout Int
  ) throws -> JSONValue {
    try owner.reader.spend(1, at: .key(path))
    left -= 1
    switch owner.archive.value(at: index) {
    case .null: return ["t": "nil"]
    case .bool(let value): return ["t": "b", "v": .bool(value)]
    case .integer(let value): return ["t": "i", "v": .int(value)]
    case .unsigned(let value): return ["t": "i", "v": .number(JSONNumber(value))]
    case .real(let value, let width): return real(value, type: width == 4 ? "f32" : "f64")
    case .date(let value): return real(value, type: "date")
    case .string(let text):
      guard text.utf8.count <= bytes else { return ["t": "s", "count": .int(text.utf8.count)] }
      try owner.reader.spend(bytes: text.utf8.count, at: .key(path))
      return ["t": "s", "v": .string(text)]
    case .data(let data):
      guard data.count <= bytes else { return ["t": "d", "count": .int(data.count)] }
      try owner.reader.spend(bytes: data.count, at: .key(path))
      return ["t": "d", "v": .string(data.base64)]
    case .array(let elements):
      return try array(elements, index, path, of: owner, depth: depth, left: &left)
    case .dictionary, .object:
      var value: JSONObject = ["t": "obj"]
      value["class"] = owner.archive.className(of: index).map { .string($0.excerpt) }
      guard depth < levels, left > 0, value["class"] != .string(SceneKitDecoder.className)
      else { return .object(value) }
      let object = try owner.object(at: index, path)
      value["v"] = .object(
        try members(of: object, keys: object.keys, depth: depth + 1, left: &left))
      return .object(value)
    }
  }

  private static func array(
    _ elements: [KeyedArchive.Index], _ index: KeyedArchive.Index, _ path: String,
    of owner: ArchivedObject, depth: Int, left: inout Int
  ) throws -> JSONValue {
    var value: JSONObject = ["t": "obj"]
    value["class"] = owner.archive.className(of: index).map { .string($0.excerpt) }
    guard depth < levels, elements.count <= left else {
      value["count"] = .int(elements.count)
      return .object(value)
    }
    var list: [JSONValue] = []
    for element in elements {
      list.append(try typed(element, path, of: owner, depth: depth + 1, left: &left))
    }
    value["v"] = .array(list)
    return .object(value)
  }

  /// JSON has no number for those that are not finite.
  private static func real(_ value: Double, type: JSONValue) -> JSONValue {
    ["t": type, "v": value.isFinite ? .double(value) : .string("\(value)")]
  }
}
