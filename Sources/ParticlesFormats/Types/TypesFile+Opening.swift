public import ParticlesCore
public import ParticlesTypes

extension TypesFile {
  /// Reads what stands at a path: a property list, binary or XML, also that of a bundle; a
  /// `types.json`; a desktop entry. Which of them it is, the contents tell.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if it is none of them, or cannot be read.
  public init(contentsOf path: String, limits: Limits = .standard) throws {
    let file = try Self.file(at: path)
    try self.init(Files.read(file, limits: limits), path: file, limits: limits)
  }

  /// Reads the bytes of such a file.
  public init(_ bytes: [UInt8], path: String, limits: Limits = .standard) throws {
    self = try locating(Location(file: path)) {
      let text = bytes.drop { $0 <= 0x20 }
      if text.first == UInt8(ascii: "{") {
        return try TypesFile(
          json: JSONParser.parse(bytes, limits: limits), path: path, limits: limits)
      } else if text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "#") {
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw Diagnostic(.typesStructure, expected: "UTF-8")
        }
        return TypesFile(
          desktopEntry: text, identifier: Files.lastComponent(of: path), path: path)
      }
      let list = try PropertyListValue(decoding: bytes, limits: limits)
      return try TypesFile(propertyList: list.json, path: path, limits: limits)
    }
  }

  /// The property list of a bundle; the path itself if it leads to no directory.
  private static func file(at path: String) throws -> String {
    guard try Files.status(path)?.kind == .directory else { return path }
    let places = ["Contents/Info.plist", "Info.plist"].map { Files.joined(path, $0) }
    guard let place = try places.first(where: { try Files.status($0) != nil }) else {
      throw Diagnostic(
        .fileNotFound, at: Location(file: path),
        expected: "a bundle with Contents/Info.plist or Info.plist")
    }
    return place
  }
}

extension PropertyListValue {
  /// The tree as JSON: dates and data as strings.
  package var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let text): Self.integer(text).map { .int($0) } ?? .string(text)
    case .real(let text, _):
      Double(text).flatMap { $0.isFinite ? .double($0) : nil } ?? .string(text)
    case .string(let text), .date(let text): .string(text)
    case .data(let bytes): .string(bytes.base64)
    case .array(let elements): .array(elements.map(\.json))
    case .dictionary(let members):
      .object(JSONObject(members: members.map { .init(key: $0.key, value: $0.value.json) }))
    }
  }

  /// A property list that says what JSON does; null in it is left out.
  package init(_ json: JSONValue) {
    switch json {
    case .null: self = .string("")
    case .bool(let value): self = .bool(value)
    case .number(let number):
      self = json.int.map { .integer("\($0)") } ?? .real(number.text)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.filter { $0 != .null }.map { .init($0) })
    case .object(let object):
      self = .dictionary(
        object.members.filter { $0.value != .null }.map { Member($0.key, .init($0.value)) })
    }
  }
}
