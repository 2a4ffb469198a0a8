import ParticlesCore

/// The part of the SARIF 2.1.0 schema that our output uses: the keys of each object, the required keys, and the types
/// of their values. SARIF objects are closed: any other key is an error.
enum SARIFStructure {
  private indirect enum Shape: Sendable {
    case string
    /// A reference to a file or page, in the characters of RFC 3986.
    case reference
    case choice([String])
    case boolean
    /// A whole number, at least -1.
    case index
    case object(String)
    case array(Shape, unique: Bool)
    /// A property bag: any object.
    case bag
  }

  private struct Definition: Sendable {
    var required: [String] = []
    /// At least one of these keys is required.
    var oneOf: [String] = []
    var keys: [String: Shape]
  }

  private static let levels = Shape.choice(["none", "note", "warning", "error"])

  private static let definitions: [String: Definition] = [
    "log": Definition(
      required: ["version", "runs"],
      keys: [
        "$schema": .reference, "version": .choice(["2.1.0"]),
        "runs": .array(.object("run"), unique: false),
      ]),
    "run": Definition(
      required: ["tool"],
      keys: [
        "tool": .object("tool"), "invocations": .array(.object("invocation"), unique: false),
        "artifacts": .array(.object("artifact"), unique: true),
        "results": .array(.object("result"), unique: false),
        "columnKind": .choice(["utf16CodeUnits", "unicodeCodePoints"]),
      ]),
    "tool": Definition(required: ["driver"], keys: ["driver": .object("toolComponent")]),
    "toolComponent": Definition(
      required: ["name"],
      keys: [
        "name": .string, "version": .string,
        "rules": .array(.object("reportingDescriptor"), unique: true),
      ]),
    "reportingDescriptor": Definition(
      required: ["id"],
      keys: [
        "id": .string, "shortDescription": .object("multiformatMessageString"),
        "help": .object("multiformatMessageString"), "helpUri": .reference,
        "defaultConfiguration": .object("reportingConfiguration"), "properties": .bag,
      ]),
    "multiformatMessageString": Definition(required: ["text"], keys: ["text": .string]),
    "reportingConfiguration": Definition(keys: ["level": levels]),
    "invocation": Definition(
      required: ["executionSuccessful"], keys: ["executionSuccessful": .boolean]),
    "artifact": Definition(
      keys: [
        "location": .object("artifactLocation"), "parentIndex": .index,
        "roles": .array(.choice(["analysisTarget"]), unique: true),
      ]),
    "artifactLocation": Definition(keys: ["uri": .reference, "index": .index]),
    "result": Definition(
      required: ["message"],
      keys: [
        "ruleId": .string, "ruleIndex": .index, "level": levels, "message": .object("message"),
        "locations": .array(.object("location"), unique: false),
        "relatedLocations": .array(.object("location"), unique: true),
        "partialFingerprints": .bag, "properties": .bag,
      ]),
    "message": Definition(oneOf: ["text", "id"], keys: ["text": .string, "id": .string]),
    "location": Definition(
      keys: [
        "physicalLocation": .object("physicalLocation"), "message": .object("message"),
        "logicalLocations": .array(.object("logicalLocation"), unique: true),
      ]),
    "physicalLocation": Definition(
      oneOf: ["artifactLocation", "address"],
      keys: ["artifactLocation": .object("artifactLocation"), "region": .object("region")]),
    "region": Definition(
      keys: ["byteOffset": .index, "startLine": .index, "startColumn": .index]),
    "logicalLocation": Definition(
      keys: ["name": .string, "fullyQualifiedName": .string, "kind": .string]),
  ]

  /// The errors of a log, each with its path.
  static func problems(of log: JSONValue) -> [String] {
    var problems: [String] = []
    check(log, .object("log"), at: "", into: &problems)
    return problems + indices(of: log)
  }

  private static func check(
    _ value: JSONValue, _ shape: Shape, at path: String, into problems: inout [String]
  ) {
    switch shape {
    case .bag: if value.object == nil { problems.append("\(path): no object") }
    case .boolean: if value.bool == nil { problems.append("\(path): no truth value") }
    case .string: if value.string == nil { problems.append("\(path): no string") }
    case .index: if (value.int ?? -2) < -1 { problems.append("\(path): no index") }
    case .reference:
      let isReference = value.string?.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || ":/?#@!$&'()*+,;=.~%-_".utf8.contains(byte)
      }
      if isReference != true { problems.append("\(path): no reference") }
    case .choice(let names):
      if !names.contains(value.string ?? "") { problems.append("\(path): \(value.string ?? "?")") }
    case .array(let element, let unique):
      guard let elements = value.array else { return problems.append("\(path): no array") }
      if unique, Set(elements).count != elements.count { problems.append("\(path): twice") }
      for (index, value) in elements.enumerated() {
        check(value, element, at: "\(path)[\(index)]", into: &problems)
      }
    case .object(let name):
      guard let object = value.object, let definition = definitions[name] else {
        return problems.append("\(path): no object")
      }
      check(object, definition, at: path, into: &problems)
    }
  }

  private static func check(
    _ object: JSONObject, _ definition: Definition, at path: String, into problems: inout [String]
  ) {
    for key in definition.required where object[key] == nil {
      problems.append("\(path): no \(key)")
    }
    if !definition.oneOf.isEmpty, definition.oneOf.allSatisfy({ object[$0] == nil }) {
      problems.append("\(path): none of \(definition.oneOf.joined(separator: ", "))")
    }
    for member in object.members {
      guard let shape = definition.keys[member.key] else {
        problems.append("\(path): unknown \(member.key)")
        continue
      }
      let place = path.isEmpty ? member.key : "\(path).\(member.key)"
      check(member.value, shape, at: place, into: &problems)
    }
  }

  /// Checks that each index refers to the element whose name is given beside it.
  private static func indices(of log: JSONValue) -> [String] {
    (log.object?["runs"]?.array ?? []).enumerated().flatMap { number, run -> [String] in
      let driver = run.object?["tool"]?.object?["driver"]?.object
      let rules = (driver?["rules"]?.array ?? []).map { $0.object?["id"] }
      let artifacts = (run.object?["artifacts"]?.array ?? []).map {
        $0.object?["location"]?.object?["uri"]
      }
      let results = (run.object?["results"]?.array ?? []).map(\.object)
      return results.enumerated().flatMap { place, result -> [String] in
        var problems: [String] = []
        let path = "runs[\(number)].results[\(place)]"
        if let index = result?["ruleIndex"]?.int {
          let isThere = rules.indices.contains(index) && rules[index] == result?["ruleId"]
          if !isThere { problems.append("\(path): ruleIndex leads nowhere") }
        }
        for location in result?["locations"]?.array ?? [] {
          let file = location.object?["physicalLocation"]?.object?["artifactLocation"]?.object
          guard let index = file?["index"]?.int else { continue }
          let isThere = artifacts.indices.contains(index) && artifacts[index] == file?["uri"]
          if !isThere { problems.append("\(path): the index of its file leads nowhere") }
        }
        return problems
      }
    }
  }
}
