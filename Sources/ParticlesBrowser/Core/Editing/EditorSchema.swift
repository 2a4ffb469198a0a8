internal import ParticlesCore
internal import ParticlesDocuments

/// The properties that a page can edit, a row for each, in the order of the tables.
enum EditorSchema {
  static let json: JSONValue = .array(SettableKey.all().map(row))

  private static func row(_ key: SettableKey) -> JSONValue {
    var row: JSONObject = [
      "key": .string(key.key), "type": .string(key.type), "summary": .string(key.summary),
    ]
    row["unit"] = key.unit.map(JSONValue.string)
    row["standard"] = key.standard.flatMap { try? JSONParser.parse(Array($0.utf8)) }
    let type = key.type.hasSuffix(" or null") ? String(key.type.dropLast(8)) : key.type
    if type.hasPrefix("\"") {
      row["values"] = .array(
        type.split(separator: "\"").map(String.init).filter { $0 != ", " }
          .map(JSONValue.string))
    }
    row["isOptional"] = .bool(key.type.hasSuffix(" or null"))
    row["minimum"] = key.minimum.map(JSONValue.double)
    row["maximum"] = key.maximum.map(JSONValue.double)
    row["section"] = .string(key.hint.section)
    row["applies"] = key.hint.applies.map { ["key": .string($0.key), "is": .array($0.values)] }
    if !key.names.isEmpty { row["names"] = .array(key.names.map(JSONValue.string)) }
    guard let numbers = key.hint.numbers else { return .object(row) }
    func pair(_ range: ClosedRange<Double>) -> JSONValue {
      .array([.double(range.lowerBound), .double(range.upperBound)])
    }
    row["usual"] = pair(numbers.usual)
    row["usualInSpace"] = numbers.usualInSpace.map(pair)
    row["scale"] = .string(numbers.scale.rawValue)
    row["step"] = .double(numbers.step)
    return .object(row)
  }
}
