import ParticlesBrowser
import ParticlesCore
import ParticlesTestSupport
import Testing

/// Other names for several items at once.
@Suite("Renaming of several items")
struct RenamingTests {
  private func fixture(_ names: String...) async throws -> BrowserFixture {
    try await BrowserFixture(
      Dictionary(names.map { ($0, "was \($0)") }, uniquingKeysWith: { first, _ in first }))
  }

  private func rename(
    _ names: KeyValuePairs<String, String>, in fixture: BrowserFixture
  ) async throws -> BrowserOutcome {
    var pairs: [BrowserOperation.Renaming] = []
    for (old, new) in names { pairs.append(.init(try await fixture.id(old), to: new)) }
    return await fixture.browser.perform(.renameAll(pairs))
  }

  @Test(
    "a chain of names is given from its end, results are in the order given, and all is one undo")
  func chain() async throws {
    let fixture = try await fixture("1.txt", "2.txt", "3.txt", "other.txt")
    let outcome = try await rename(["1.txt": "2", "2.txt": "3.txt", "3.txt": "4.txt"], in: fixture)
    #expect(outcome.isComplete && outcome.undoName == "Rename")
    #expect(outcome.items.map(\.name) == ["2.txt", "3.txt", "4.txt"])
    #expect(try await fixture.names() == ["2.txt", "3.txt", "4.txt", "other.txt"])
    #expect(try fixture.text("2.txt") == "was 1.txt" && fixture.text("4.txt") == "was 3.txt")
    #expect(await fixture.browser.undo().isComplete)
    for name in ["1.txt", "2.txt", "3.txt"] { #expect(try fixture.text(name) == "was \(name)") }
    #expect(await fixture.browser.redo().isComplete)
    #expect(try fixture.text("3.txt") == "was 2.txt")
  }

  @Test("names in use, equal names and wrong ones are refused, also for those that wait for them")
  func refused() async throws {
    let fixture = try await fixture("1.txt", "2.txt", "3.txt", "other.txt")
    let outcome = try await rename(
      ["1.txt": "2.txt", "2.txt": "OTHER.txt", "3.txt": "new.txt"], in: fixture)
    #expect(outcome.results.map(\.status) == [.failed, .failed, .done])
    #expect(outcome.results.prefix(2).map(\.diagnostic?.rule) == [.fileExists, .fileExists])
    #expect(try fixture.text("2.txt") == "was 2.txt" && fixture.text("new.txt") == "was 3.txt")
    let same = try await rename(["1.txt": "x", "2.txt": "X"], in: fixture)
    #expect(same.results.map(\.status) == [.done, .failed])
    let wrong = try await rename(["x.txt": ".x", "2.txt": "2.txt", "new.txt": "a/b"], in: fixture)
    #expect(wrong.results.map(\.status) == [.failed, .skipped, .failed])
    #expect(try await fixture.names() == ["2.txt", "new.txt", "other.txt", "x.txt"])
  }

  @Test("a circle of names is refused, and what leads into it; another case of a name is none")
  func circle() async throws {
    let fixture = try await fixture("1.txt", "2.txt", "3.txt", "a.txt")
    let outcome = try await rename(
      ["1.txt": "2.txt", "2.txt": "1.txt", "a.txt": "A.txt"], in: fixture)
    #expect(outcome.results.map(\.status) == [.failed, .failed, .done])
    #expect(outcome.results[0].diagnostic?.hint == "give one of them a third name first")
    #expect(try fixture.text("1.txt") == "was 1.txt")
    #expect(try await fixture.names() == ["1.txt", "2.txt", "3.txt", "A.txt"])
  }
}
