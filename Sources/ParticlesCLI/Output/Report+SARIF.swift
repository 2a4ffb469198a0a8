package import ParticlesCore

/// Reports as SARIF 2.1.0 (Static Analysis Results Interchange Format, an OASIS standard), which
/// editors and code hosts show beside the files.
extension Report {
  /// The version of the standard.
  package static let sarifVersion = "2.1.0"

  /// The report as a log of one run.
  ///
  /// The physical location of a finding is the file on disk, or the file in a directory package. A place
  /// inside of that file is a logical location. The log does not depend on the time or the machine.
  /// - Parameters:
  ///   - tool: the name of the program.
  ///   - version: its version.
  package func sarif(tool: String, version: String) -> JSONValue {
    let rules = self.rules
    let indices = Dictionary(uniqueKeysWithValues: zip(rules, 0...))
    let driver: JSONValue = [
      "name": .string(tool), "version": .string(version),
      "rules": .array(rules.map(\.sarif)),
    ]
    // A file that was checked twice is one artifact.
    var artifacts: [String] = []
    var places: [String: Int] = [:]
    for file in files where places[file.path] == nil {
      places[file.path] = artifacts.count
      artifacts.append(file.path)
    }
    let results = files.flatMap { file in
      file.diagnostics.map {
        $0.sarif(ruleIndex: indices[$0.rule], in: file, at: places[file.path])
      }
    }
    let run: JSONValue = [
      "tool": ["driver": driver],
      "invocations": .array([["executionSuccessful": .bool(isComplete)]]),
      "artifacts": .array(
        artifacts.map {
          ["location": ["uri": .string($0.uri)], "roles": .array(["analysisTarget"])]
        }),
      "results": .array(results),
      "columnKind": "unicodeCodePoints",
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": .string(Self.sarifVersion), "runs": .array([run]),
    ]
  }

  /// Whether every file could be read.
  private var isComplete: Bool {
    !files.contains {
      $0.diagnostics.contains { $0.rule.family == "file" && $0.severity == .error }
    }
  }

  /// The rules of the table, followed by rules of findings that are not in the table.
  private var rules: [Rule] {
    var known = Set(Rule.all)
    return Rule.all + files.flatMap(\.diagnostics).map(\.rule).filter { known.insert($0).inserted }
  }
}

extension Rule {
  /// The rule as a reporting descriptor.
  fileprivate var sarif: JSONValue {
    var object: JSONObject = [
      "id": .string(code), "shortDescription": ["text": .string(summary)],
    ]
    if let hint { object["help"] = ["text": .string(hint)] }
    object["defaultConfiguration"] = ["level": .string(severity.rawValue)]
    object["properties"] = ["spec": .string(anchor)]
    return .object(object)
  }
}

extension Diagnostic {
  /// The finding as a result.
  fileprivate func sarif(ruleIndex: Int?, in file: Report.File, at index: Int?) -> JSONValue {
    var object: JSONObject = ["ruleId": .string(rule.code)]
    object["ruleIndex"] = ruleIndex.map(JSONValue.int)
    object["level"] = .string(severity.rawValue)
    object["message"] = ["text": .string(message)]
    object["locations"] = .array([sarifLocation(in: file, at: index)])
    var properties = JSONObject()
    properties["expected"] = expected.map(JSONValue.string)
    properties["found"] = found.map(JSONValue.string)
    if hint != rule.hint { properties["hint"] = hint.map(JSONValue.string) }
    if !properties.isEmpty { object["properties"] = .object(properties) }
    return .object(object)
  }

  private func sarifLocation(in file: Report.File, at index: Int?) -> JSONValue {
    var physical = JSONObject()
    if file.isFolder, let entry = location.entry {
      physical["artifactLocation"] = ["uri": .string("\(file.path.uri)/\(entry.uri)")]
    } else {
      var artifact: JSONObject = ["uri": .string(file.path.uri)]
      artifact["index"] = index.map(JSONValue.int)
      physical["artifactLocation"] = .object(artifact)
    }
    let isOnDisk = location.entry == nil || file.isFolder
    if case .offset(let offset) = location.position, isOnDisk {
      physical["region"] = ["byteOffset": .int(offset)]
    }
    var object: JSONObject = ["physicalLocation": .object(physical)]
    if let logical = sarifPlace(besides: isOnDisk) {
      object["logicalLocations"] = .array([logical])
    }
    return .object(object)
  }

  /// The place inside of the file on disk; nil if the physical location is complete.
  private func sarifPlace(besides entryIsOnDisk: Bool) -> JSONValue? {
    let inside = Location(entry: entryIsOnDisk ? nil : location.entry, position: location.position)
    switch location.position {
    case .key(let path):
      return [
        "name": .string(path), "fullyQualifiedName": .string(inside.description),
        "kind": "property",
      ]
    case .offset where entryIsOnDisk: return nil
    default:
      guard !entryIsOnDisk, let entry = location.entry else { return nil }
      return [
        "name": .string(entry), "fullyQualifiedName": .string(inside.description),
        "kind": "resource",
      ]
    }
  }
}

extension String {
  /// This path as a URI reference (RFC 3986): an absolute path with its scheme, a relative one without;
  /// other characters are percent-encoded.
  fileprivate var uri: String {
    let path = utf8.reduce(into: "") { text, byte in
      if byte.isPlainInPath {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return path.hasPrefix("/") ? "file://" + path : path
  }
}

extension UInt8 {
  /// Whether it is not encoded in the path of a reference. A colon is, as it might end a scheme.
  fileprivate var isPlainInPath: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
