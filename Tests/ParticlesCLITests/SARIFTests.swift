import ParticlesCLI
import ParticlesCore
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
