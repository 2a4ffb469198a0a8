public import ParticlesCore
public import ParticlesModel

extension JSONValue: Codable {
  /// Decodes any JSON value.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      var object = JSONObject()
      for key in container.allKeys {
        object[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
      }
      self = .object(object)
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Encodes the value. The encoder may change the order of members.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: Key.self)
      for member in object.members {
        try container.encode(member.value, forKey: Key(stringValue: member.key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null, .bool, .number, .string:
      var container = encoder.singleValueContainer()
      if let value = int, case .number = self {
        try container.encode(value)
      } else if let value = double {
        try container.encode(value)
      } else if let value = string {
        try container.encode(value)
      } else if let value = bool {
        try container.encode(value)
      } else {
        try container.encodeNil()
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension ParticleSystem: Codable {
  /// Decodes an effect from the members of its document.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `document` or `emitter`.
  public init(from decoder: any Decoder) throws {
    try self.init(decoding: Array(JSONValue(from: decoder).text.utf8))
  }

  /// Encodes the members of the document.
  public func encode(to encoder: any Encoder) throws {
    try JSONValue(parsing: encoded()).encode(to: encoder)
  }
}
