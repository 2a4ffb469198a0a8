import ParticlesCore

@testable import ParticlesModel

/// The tables and the schema of the specification.
extension PropertyCatalog {
  func schema() -> JSONValue {
    var definitions = JSONObject()
    for (name, schema) in Self.unions { definitions[name] = schema.json }
    for object in objects { definitions[object.schemaName] = object.schema }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string("urn:particles:document:\(ParticleSystem.version)"),
      "title": .string("Particle effect, version \(ParticleSystem.version)"),
      "description": .string(
        "The entry document.json of a .particles package. Generated from the tables of the library."
      ),
      "$ref": "#/$defs/Document", "$defs": .object(definitions),
    ]
  }

  /// The values that are objects or a shorter form, distinguished as by their readers.
  private static var unions: [(String, JSONSchema)] {
    let value = JSONSchema.object(
      with: ["oneOf"], .reference(Value.Choice.schemaName),
      otherwise: .object(
        with: ["low", "high"], .reference(Value.Ramp.schemaName),
        otherwise: .reference(Value.Uniform.schemaName)))
    let color = JSONSchema.object(
      with: ["color"], .reference(ColorValue.Varied.schemaName),
      otherwise: .object(
        with: ["oneOf"], .reference(ColorValue.Choice.schemaName),
        otherwise: .object(
          with: ["gradient"], .reference(ColorValue.Pick.schemaName),
          otherwise: .reference(ColorValue.Range.schemaName))))
    let track = JSONSchema.object(
      with: Track.valueKeys, without: Track.ownKeys, Value.schema(nil),
      otherwise: .reference(Track.schemaName))
    let colorTrack = JSONSchema.object(
      with: ColorTrack.valueKeys, without: ColorTrack.ownKeys, ColorValue.schema(nil),
      otherwise: .reference(ColorTrack.schemaName))
    return [
      (Value.typeName, .any([.number(), .type("object").and(value)])),
      (Track.typeName, .any([.number(), .type("object").and(track)])),
      (Curve.typeName, .any([.number(), .oneOf(["linear"]), .reference(Curve.schemaName)])),
      (ColorValue.typeName, .any([Color.schema(nil), .type("object").and(color)])),
      (ColorTrack.typeName, .any([Color.schema(nil), .type("object").and(colorTrack)])),
    ]
  }
}

extension PropertyCatalog.Object {
  fileprivate var schema: JSONValue {
    var properties = JSONObject()
    for info in self.properties {
      let notes = [info.unit, info.bounds?.description].compactMap(\.self)
      let remark = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
      var schema: JSONObject = ["description": .string(info.summary + remark)]
      for member in info.schema.json.object?.members ?? [] { schema[member.key] = member.value }
      schema["default"] = info.standardValue
      properties[info.key] = .object(schema)
    }
    properties["extensions"] = ["type": "object"]
    properties["extras"] = .bool(true)
    var object: JSONObject = ["description": .string(about), "type": "object"]
    let required = self.properties.filter(\.isRequired).map { JSONValue.string($0.key) }
    if !required.isEmpty { object["required"] = .array(required) }
    object["properties"] = .object(properties)
    return .object(object)
  }
}

extension PropertyCatalog {
  /// The tables as Markdown: the text of the section "Properties" of `Spec/document.md`.
  func markdown() -> String {
    objects.map { object in
      let rows = object.properties.map { Self.row($0) }
      let head = ["| Property | Type | Unit | Range | Default | |", "|---|---|---|---|---|---|"]
      return "### \(object.title)\n\n\(object.about)\n\n"
        + (head + rows).joined(separator: "\n") + "\n"
    }
    .joined(separator: "\n")
  }

  private static func row(_ info: PropertyInfo) -> String {
    let standard =
      switch info.standard {
      case nil: "**required**"
      case let text?: "`\(text)`"
      }
    let cells = [
      "`\(info.key)`", info.type, info.unit ?? "", info.bounds?.description ?? "", standard,
      info.summary,
    ]
    return "| " + cells.map(escaped).joined(separator: " | ") + " |"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}

extension JSONSchema {
  /// An object of one schema or another, distinguished by its keys.
  fileprivate static func object(
    with keys: [String], without others: [String] = [], _ schema: JSONSchema,
    otherwise: JSONSchema
  ) -> JSONSchema {
    func having(_ keys: [String]) -> JSONValue {
      keys.count == 1
        ? ["required": .array([.string(keys[0])])]
        : ["anyOf": .array(keys.map { ["required": .array([.string($0)])] })]
    }
    var condition = having(keys)
    if !others.isEmpty {
      condition = ["allOf": .array([condition, ["not": having(others)]])]
    }
    return JSONSchema(("if", condition), ("then", schema.json), ("else", otherwise.json))
  }
}
