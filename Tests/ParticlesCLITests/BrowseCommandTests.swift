import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser
@testable import ParticlesCLI

/// The end of a browser, without pages and signals.
@Suite("particles browse")
struct BrowseCommandTests {
  private let scratch: Scratch
  private let docs: String

  init() throws {
    scratch = try Scratch()
    docs = "\(try Files.resolve(scratch.path))/docs"
    try Files.makeDirectory(docs)
    try Files.create("\(docs)/a.txt", Array("one".utf8))
  }

  /// Edits a text, and ends.
  /// - Parameters:
  ///   - paths: what is shown at the beginning.
  ///   - isLost: whether the folder is removed before the edit.
  private func run(showing paths: [String], isLost: Bool) -> Outcome {
    let path = "\(docs)/a.txt"
    let command = Command(
      name: "end", group: .documents, summary: "End at once.", options: [.keepUnopened],
      run: { [docs] invocation in
        let browser = try invocation.browser([docs], BrowserConfiguration())
        let server = try BrowserServer(browser, player: PlayerFiles.built)
        try BlockingWait.run {
          let item = try #require(try await browser.item(atPath: path))
          let document = try await browser.open(item.id, in: "w")
          if isLost { try Files.removeAll(docs) }
          _ = try await browser.setText("two", of: item.id, from: document.revision)
        }
        server.end(.unseen)
        return try invocation.run(server, showing: paths) { _ in .done }
      })
    let tool = Tool(
      name: "particles", version: "1", date: "January 31, 2030", summary: "End.",
      commands: [command])
    return tool.run("end", "--no-open", environment: scratch.desktop())
  }

  @Test("documents are saved at the end")
  func saved() throws {
    let saved = run(showing: [docs], isLost: false)
    #expect(saved == Outcome(status: .done, output: "", error: ""))
    #expect(try Files.read("\(docs)/a.txt") == Array("two".utf8))
  }

  @Test("documents that cannot be saved at the end are reported")
  func lost() {
    let lost = run(showing: [], isLost: true)
    #expect(lost.status == .failed)
    #expect(lost.error.contains("\(docs)/a.txt: error: no such file or folder"), "\(lost.error)")
    #expect(lost.error.contains("'particles recovery' lists them"))
  }

  @Test("what cannot be shown is reported, and the rest is shown")
  func missing() throws {
    let none = run(showing: [docs, "\(docs)/none.txt"], isLost: false)
    #expect(none.status == .failed && none.error.contains("none.txt: error: "), "\(none.error)")
    #expect(try Files.read("\(docs)/a.txt") == Array("two".utf8))
  }
}
