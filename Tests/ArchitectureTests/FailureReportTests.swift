import ParticlesTestSupport
import Testing

/// What `make test` prints last.
@Suite("The report of failures", .needs("python3"))
struct FailureReportTests {
  private func report(_ output: String, ending: String) throws -> Run {
    let script = "cat << 'E'\n\(output)\nE\n\(ending)"
    return try Run(
      try #require(Run.find("python3")), ["-B", "Tests/failures.py", "sh", "-c", script],
      in: Repository.root)
  }

  @Test("issues come again at the end, and tests that had not ended")
  func failures() throws {
    let run = try report(
      """
      ◇ Test run started.
      ◇ Test "a" started.
      ◇ Test "b" started.
      ◇ Test case passing 1 argument n → 1 to "a" started.
      ✘ Test "a" recorded an issue with 1 argument n → 1 at A.swift:5:6: Expectation failed
      ↳ a remark
      ✔ Test "c" passed after 0.1 seconds.
      ✘ Test "a" with 2 test cases failed after 0.2 seconds with 1 issue.
      """, ending: "kill -9 $$")
    #expect(run.status == 137)
    #expect(
      run.text.hasSuffix(
        """

        ✘ Test "a" recorded an issue with 1 argument n → 1 at A.swift:5:6: Expectation failed
        ↳ a remark
        ✘ Test "a" with 2 test cases failed after 0.2 seconds with 1 issue.
        started, but did not end: Test "b"

        """))
    #expect(!run.text.contains("started."))
  }

  @Test("without failures, there is no report")
  func success() throws {
    let run = try report("◇ Test b() started.\n✔ Test b() passed after 0.1 seconds.", ending: "")
    #expect(run.status == 0)
    #expect(run.text == "✔ Test b() passed after 0.1 seconds.\n")
  }
}
