import ParticlesCLI
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Reports as SARIF")
struct SARIFTests {
  private let report = Report(files: [
    .init(path: "a b/sound.particles", kind: "flat package"),
    .init(
      path: "/tmp/folder.particles", isFolder: true,
      diagnostics: [
        Diagnostic(
          .range, at: Location(entry: "document.json", position: .key("emitters[0].lifetime")),
          expected: "at least 0", found: "-1", severity: .warning)
      ]),
    .init(
      path: "c:ä.particles",
      diagnostics: [
        Diagnostic(.truncated, at: .offset(120)),
        Diagnostic(.json, at: Location(entry: "document.json", position: .offset(7))),
        Diagnostic(.image, at: .entry("Images/a.png"), hint: "draw it anew"),
        Diagnostic(Rule("mine/own", .note, "a rule of somebody else", spec: "mine.md#own")),
      ]),
  ])

  private var run: JSONObject {
    get throws {
      let log = try #require(report.sarif(tool: "particles", version: "1.2.3").object)
      #expect(log["version"] == "2.1.0")
      return try #require(log["runs"]?.array?.first?.object)
    }
  }

  @Test("the driver has the whole table of rules, and results point into it")
  func rules() throws {
    let driver = try #require(try run["tool"]?.object?["driver"]?.object)
    #expect(driver["name"] == "particles" && driver["version"] == "1.2.3")
    let rules = try #require(driver["rules"]?.array).compactMap(\.object)
    #expect(rules.compactMap { $0["id"]?.string } == Rule.all.map(\.code) + ["mine/own"])
    for (rule, descriptor) in zip(Rule.all, rules) {
      #expect(descriptor["shortDescription"] == ["text": .string(rule.summary)])
      #expect(descriptor["defaultConfiguration"] == ["level": .string(rule.severity.rawValue)])
      #expect(descriptor["properties"] == ["spec": .string(rule.anchor)])
    }
    let results = try #require(try run["results"]?.array).compactMap(\.object)
    #expect(results.count == 5)
    for result in results {
      let index = try #require(result["ruleIndex"]?.int)
      #expect(rules[index]["id"] == result["ruleId"])
    }
  }

  @Test("a finding stands at the file, or at the entry of a folder, with the place inside")
  func locations() throws {
    let locations = try #require(try run["results"]?.array).map {
      $0.object?["locations"]?.array?.first
    }
    #expect(
      locations == [
        [
          "physicalLocation": [
            "artifactLocation": ["uri": "file:///tmp/folder.particles/document.json"]
          ],
          "logicalLocations": .array([
            [
              "name": "emitters[0].lifetime", "fullyQualifiedName": "emitters[0].lifetime",
              "kind": "property",
            ]
          ]),
        ],
        [
          "physicalLocation": [
            "artifactLocation": ["uri": "c%3A%C3%A4.particles", "index": .int(2)],
            "region": ["byteOffset": .int(120)],
          ]
        ],
        [
          "physicalLocation": [
            "artifactLocation": ["uri": "c%3A%C3%A4.particles", "index": .int(2)]
          ],
          "logicalLocations": .array([
            [
              "name": "document.json", "fullyQualifiedName": "document.json:byte 7",
              "kind": "resource",
            ]
          ]),
        ],
        [
          "physicalLocation": [
            "artifactLocation": ["uri": "c%3A%C3%A4.particles", "index": .int(2)]
          ],
          "logicalLocations": .array([
            [
              "name": "Images/a.png", "fullyQualifiedName": "Images/a.png", "kind": "resource",
            ]
          ]),
        ],
        [
          "physicalLocation": [
            "artifactLocation": ["uri": "c%3A%C3%A4.particles", "index": .int(2)]
          ]
        ],
      ])
    let artifacts = try #require(try run["artifacts"]?.array)
    #expect(artifacts.first?.object?["location"] == ["uri": "a%20b/sound.particles"])
  }

  @Test("severity, message and what else is known are in a result")
  func results() throws {
    let results = try #require(try run["results"]?.array).compactMap(\.object)
    #expect(results[0]["level"] == "warning")
    #expect(
      results[0]["message"] == [
        "text": "a value is out of range (expected at least 0, found -1)"
      ])
    #expect(results[0]["properties"] == ["expected": "at least 0", "found": "-1"])
    #expect(results[3]["properties"] == ["hint": "draw it anew"])
    #expect(results[1]["properties"] == nil)
    #expect(try run["invocations"] == .array([["executionSuccessful": .bool(true)]]))
    let failed = Report(files: [.init(path: "a", diagnostics: [Diagnostic(.fileNotFound)])])
    let log = failed.sarif(tool: "t", version: "1").object
    #expect(
      log?["runs"]?.array?.first?.object?["invocations"]
        == .array([["executionSuccessful": .bool(false)]]))
  }

  @Test("the log is built as the standard demands")
  func structure() {
    let log = report.sarif(tool: "particles", version: "1.2.3")
    #expect(SARIFStructure.problems(of: log) == [])
    #expect(SARIFStructure.problems(of: Report().sarif(tool: "t", version: "1")) == [])
    let twice = Report(files: report.files + report.files)
    #expect(SARIFStructure.problems(of: twice.sarif(tool: "t", version: "1")) == [])
  }

  /// A directory package, a flat one and a property list, each with findings.
  private func findings(in scratch: Scratch) throws -> String {
    let tool = Tool.particles
    for (name, form) in [("folder", "directory"), ("flat.particles", "flat")] {
      let path = scratch.file(name)
      _ = tool.run("new", path, "--form", form)
      var container = try Container(contentsOf: path)
      let text = String(
        decoding: try #require(try container.root["document.json"]?.regularFileContents()),
        as: UTF8.self)
      let changed = text.replacing("{\n", with: "{\n  \"ö\": 1,\n", maxReplacements: 1)
      #expect(changed != text)
      try container.root.setFileNode(
        FileNode(regularFileWithContents: Array(changed.utf8)), at: "document.json")
      try container.save(mode: .replace)
    }
    let list = String(decoding: try Fixture.read("cocos2d/ember.plist"), as: UTF8.self)
    try Files.create(
      scratch.file("a.plist"),
      Array(list.replacing("<dict>", with: "<dict>\n  <key>vendorKey</key><real>7</real>").utf8))
    return tool.run(
      "validate", "--sarif", scratch.file("folder"), scratch.file("flat.particles"),
      scratch.file("a.plist"), scratch.file("none"), Fixture.path("rules/document/json.particles")
    ).output
  }

  @Test("findings in texts have lines and columns; those in flat packages in a related location")
  func regions() throws {
    let scratch = try Scratch()
    let log = try JSONParser.parse(Array(findings(in: scratch).utf8)).object
    #expect(SARIFStructure.problems(of: .object(try #require(log))) == [])
    let run = try #require(log?["runs"]?.array?.first?.object)
    let results = try #require(run["results"]?.array).compactMap(\.object)
    /// File, line and column of the locations of the results of a rule.
    func places(_ rule: Rule, _ key: String) -> [[String]] {
      results.filter { $0["ruleId"]?.string == rule.code }.compactMap { result in
        guard let physical = result[key]?.array?.first?.object?["physicalLocation"]?.object,
          let uri = physical["artifactLocation"]?.object?["uri"]?.string
        else { return nil }
        let region = physical["region"]?.object
        let numbers = ["startLine", "startColumn"].compactMap { region?[$0]?.int.map(String.init) }
        return [String(uri.split(separator: "/").last ?? "")] + numbers
      }
    }
    let document = String(
      decoding: try Files.read(scratch.file("folder/document.json")), as: UTF8.self)
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("\"ö\"") })
    let column = try #require(lines[line].firstRange(of: "\"ö\"")).lowerBound
    let place = [
      "\(line + 1)", "\(lines[line].distance(from: lines[line].startIndex, to: column) + 1)",
    ]
    #expect(
      places(.unknownKey, "locations") == [["document.json"] + place, ["flat.particles"]])
    #expect(places(.unknownKey, "relatedLocations") == [["document.json"] + place])
    let source = String(decoding: try Files.read(scratch.file("a.plist")), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let key = try #require(source.firstIndex { $0.contains("vendorKey") })
    #expect(places(.uninterpreted, "locations").contains(["a.plist", "\(key + 1)", "3"]))
    let nested = try #require(run["artifacts"]?.array).compactMap(\.object)
      .filter { $0["parentIndex"] != nil }
    #expect(nested.map { $0["parentIndex"] } == [.int(1), .int(4)])
  }

  @Test("a fingerprint stays when lines are added, and each result has its own")
  func fingerprints() throws {
    func log(_ document: String) throws -> [String] {
      let scratch = "/tmp/particles-fingerprints"
      var places = try #require(TextPlaces(Array(document.utf8)))
      let diagnostics = ["a", "a", "b"].map { key in
        var diagnostic = Diagnostic(
          .range, at: Location(entry: "document.json", position: .key(key)))
        diagnostic.location.textPlace = places.place(of: .key(key))
        return diagnostic
      }
      let report = Report(files: [.init(path: scratch, isFolder: true, diagnostics: diagnostics)])
      let run = report.sarif(tool: "t", version: "1").object?["runs"]?.array?.first?.object
      return try #require(run?["results"]?.array).compactMap {
        $0.object?["partialFingerprints"]?.object?["finding/v1"]?.string
      }
    }
    let first = try log(#"{"a": 1, "b": 2}"#)
    #expect(first.count == 3 && Set(first).count == 3)
    #expect(try log("{\n\n  \"c\": 0,\n  \"a\": 1,\n  \"b\": 2\n}") == first)
  }

  @Test(
    "the schema of OASIS accepts a log",
    .enabled(if: JSONSchemaOracle.hasSARIF, "\(JSONSchemaOracle.sarifAbsence)"))
  func schema() throws {
    let scratch = try Scratch()
    let logs = [
      report.sarif(tool: "particles", version: "1.2.3").text, try findings(in: scratch),
      Tool.particles.run(
        "types", "lint", "--sarif", Fixture.path("types/structure-apple-sample.plist")
      )
      .output, #"{"version": "2.1.0", "runs": [{"results": []}]}"#,
    ]
    let verdicts = try JSONSchemaOracle.verdicts(
      on: logs.map { Array($0.utf8) }, by: JSONSchemaOracle.sarif)
    #expect(verdicts.dropLast().allSatisfy { $0 == nil }, "\(verdicts)")
    #expect(verdicts.count == logs.count && verdicts.last != .some(nil))
  }

  @Test("what the standard forbids is noticed")
  func structureIsChecked() {
    func problems(_ result: JSONValue) -> [String] {
      SARIFStructure.problems(of: [
        "version": "2.1.0",
        "runs": .array([["tool": ["driver": ["name": "t"]], "results": .array([result])]]),
      ])
    }
    #expect(problems(["message": ["text": "a"]]) == [])
    #expect(problems([:]) == ["runs[0].results[0]: no message"])
    #expect(
      problems(["message": ["text": "a"], "level": "fatal"]) == [
        "runs[0].results[0].level: fatal"
      ])
    #expect(
      problems(["message": ["text": "a"], "path": "b"]) == ["runs[0].results[0]: unknown path"])
    #expect(
      problems(["message": ["text": "a"], "ruleIndex": .int(3)]) == [
        "runs[0].results[0]: ruleIndex leads nowhere"
      ])
    #expect(
      problems(["message": ["text": .int(1)]]) == ["runs[0].results[0].message.text: no string"])
  }
}
