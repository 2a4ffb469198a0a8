package import ParticlesCore

/// Reports as SARIF 2.1.0 (Static Analysis Results Interchange Format, an OASIS standard), which
/// editors and code hosts show beside the files.
extension Report {
  /// The version of the standard.
  package static let sarifVersion = "2.1.0"

  /// The report as a log of one run.
  ///
  /// The physical location of a finding is the file on disk, or the file in a directory package, with a region if it is
  /// a text. A place inside of a flat package is a logical location. If the entry is a text, a related location has its
  /// lines in a nested artifact. The log does not depend on the time or the machine.
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
    let artifacts = Artifacts(of: self)
    var fingerprints: [String: Int] = [:]
    let results = files.flatMap { file in
      file.diagnostics.map {
        $0.sarif(ruleIndex: indices[$0.rule], in: file, artifacts, &fingerprints)
      }
    }
    let run: JSONValue = [
      "tool": ["driver": driver],
      "invocations": .array([["executionSuccessful": .bool(isComplete)]]),
      "artifacts": .array(artifacts.json),
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

/// The files of a report, each once, followed by the texts in flat packages that have findings.
private struct Artifacts {
  private(set) var json: [JSONValue] = []
  private var indices: [[String]: Int] = [:]

  init(of report: Report) {
    for file in report.files {
      add(
        [file.path],
        [
          "location": ["uri": .string(file.reference)],
          "roles": .array(["analysisTarget"]),
        ])
    }
    for file in report.files where !file.isFolder {
      for entry in file.diagnostics.filter({ $0.location.textPlace != nil })
        .compactMap(\.location.entry)
      {
        guard let parent = self[file.path] else { continue }
        add(
          [file.path, entry],
          ["location": ["uri": .string(FileURI.reference(entry))], "parentIndex": .int(parent)])
      }
    }
  }

  private mutating func add(_ path: [String], _ artifact: JSONValue) {
    guard indices[path] == nil else { return }
    indices[path] = json.count
    json.append(artifact)
  }

  /// The index of a file, or of an entry of a package.
  subscript(_ path: String...) -> Int? { indices[path] }
}

extension Rule {
  /// The address of the section that states the rule. It is a name, since the specification comes with the
  /// sources and has no address on the web.
  fileprivate var helpAddress: String { "urn:particles:spec:\(anchor)" }

  /// The rule as a reporting descriptor.
  fileprivate var sarif: JSONValue {
    var object: JSONObject = [
      "id": .string(code), "shortDescription": ["text": .string(summary)],
    ]
    if let hint { object["help"] = ["text": .string(hint)] }
    object["helpUri"] = .string(helpAddress)
    object["defaultConfiguration"] = ["level": .string(severity.rawValue)]
    object["properties"] = ["spec": .string(anchor)]
    return .object(object)
  }
}

extension Diagnostic {
  /// The finding as a result.
  /// - Parameter fingerprints: how many results have had each fingerprint.
  fileprivate func sarif(
    ruleIndex: Int?, in file: Report.File, _ artifacts: Artifacts,
    _ fingerprints: inout [String: Int]
  ) -> JSONValue {
    var object: JSONObject = ["ruleId": .string(rule.code)]
    object["ruleIndex"] = ruleIndex.map(JSONValue.int)
    object["level"] = .string(severity.rawValue)
    object["message"] = ["text": .string(message)]
    object["locations"] = .array([sarifLocation(in: file, at: artifacts[file.path])])
    if !file.isFolder, let entry = location.entry, let region = location.textPlace?.sarifRegion {
      var artifact: JSONObject = ["uri": .string(FileURI.reference(entry))]
      artifact["index"] = artifacts[file.path, entry].map(JSONValue.int)
      object["relatedLocations"] = .array([
        [
          "physicalLocation": ["artifactLocation": .object(artifact), "region": region],
          "message": ["text": .string("in \(entry)")],
        ]
      ])
    }
    let fingerprint = fingerprint(in: file)
    fingerprints[fingerprint, default: 0] += 1
    let count = fingerprints[fingerprint] ?? 1
    object["partialFingerprints"] = ["finding/v1": .string("\(fingerprint):\(count)")]
    var properties = JSONObject()
    properties["expected"] = expected.map(JSONValue.string)
    properties["found"] = found.map(JSONValue.string)
    if hint != rule.hint { properties["hint"] = hint.map(JSONValue.string) }
    if !properties.isEmpty { object["properties"] = .object(properties) }
    return .object(object)
  }

  /// A digest of the finding that does not depend on other lines of the file.
  private func fingerprint(in file: Report.File) -> String {
    var parts = [rule.code, file.path, location.entry ?? "", message]
    if case .key(let path) = location.position { parts.append(path) }
    return String(
      SHA256.digest(Array(parts.joined(separator: "\n").utf8)).description.prefix(32))
  }

  private func sarifLocation(in file: Report.File, at index: Int?) -> JSONValue {
    var physical = JSONObject()
    if file.isFolder, let entry = location.entry {
      physical["artifactLocation"] = [
        "uri": .string("\(file.reference)/\(FileURI.reference(entry))")
      ]
    } else {
      var artifact: JSONObject = ["uri": .string(file.reference)]
      artifact["index"] = index.map(JSONValue.int)
      physical["artifactLocation"] = .object(artifact)
    }
    let isOnDisk = location.entry == nil || file.isFolder
    if isOnDisk, let region = location.textPlace?.sarifRegion {
      physical["region"] = region
    } else if isOnDisk, case .offset(let offset) = location.position {
      physical["region"] = ["byteOffset": .int(offset)]
    }
    var object: JSONObject = ["physicalLocation": .object(physical)]
    if let logical = sarifPlace(besides: isOnDisk) {
      object["logicalLocations"] = .array([logical])
    }
    return .object(object)
  }

  /// The place inside of the file on disk. Nil if the physical location is complete.
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

extension Location.TextPlace {
  fileprivate var sarifRegion: JSONValue {
    ["startLine": .int(line), "startColumn": .int(column)]
  }
}

extension Report.File {
  /// The path as a reference. Code hosts compare it with the paths of a repository, which do not begin with a dot.
  fileprivate var reference: String {
    FileURI.reference(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
  }
}
