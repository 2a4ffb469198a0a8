import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Reports")
struct ReportTests {
  @Test("a report counts, and keeps the order of files and findings")
  func json() {
    let report = Report(files: [
      .init(path: "sound.particles", kind: "package"),
      .init(
        path: "odd.particles",
        diagnostics: [
          Diagnostic(
            .checksum, at: Location(file: "odd.particles", entry: "a", position: .offset(24)),
            "b", expected: "0x01", found: "0x02"),
          Diagnostic(.torn, at: .offset(7), hint: "do nothing"),
          Diagnostic(.unknownKey, at: .key("emitters[0].x")),
          Diagnostic(.index),
        ]),
    ])
    #expect(report.count(.error) == 2)
    #expect(report.count(.warning) == 1)
    #expect(report.count(.note) == 1)
    #expect(
      report.json.text == """
        {
          "version": 1,
          "errors": 2,
          "warnings": 1,
          "files": [
            {
              "path": "sound.particles",
              "kind": "package",
              "diagnostics": []
            },
            {
              "path": "odd.particles",
              "diagnostics": [
                {
                  "code": "container/checksum",
                  "severity": "error",
                  "message": "a checksum does not match: b (expected 0x01, found 0x02)",
                  "entry": "a",
                  "offset": 24,
                  "expected": "0x01",
                  "found": "0x02",
                  "hint": "the file is damaged; fetch it again, or restore it from a copy",
                  "spec": "container.md#frames"
                },
                {
                  "code": "container/torn",
                  "severity": "warning",
                  "message": "an unfinished save follows the last finished one; it is ignored",
                  "offset": 7,
                  "hint": "do nothing",
                  "spec": "container.md#footer"
                },
                {
                  "code": "document/unknown-key",
                  "severity": "note",
                  "message": "unknown property; preserved on save",
                  "key": "emitters[0].x",
                  "spec": "document.md#json"
                },
                {
                  "code": "container/index",
                  "severity": "error",
                  "message": "the index is malformed",
                  "spec": "container.md#index"
                }
              ]
            }
          ]
        }

        """)
  }

  @Test("a report about nothing")
  func empty() {
    #expect(
      Report().json
        == ["version": .int(1), "errors": .int(0), "warnings": .int(0), "files": .array([])])
  }
}
