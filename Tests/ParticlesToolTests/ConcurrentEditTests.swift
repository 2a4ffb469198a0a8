import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The real program, several times at once on one document.
@Suite("Concurrent edits") struct ConcurrentEditTests {
  private static let writers = 3
  private static let edits = 15

  /// Runs the edits of each writer one after another, all writers at once.
  private func run(
    _ path: String, _ change: @escaping @Sendable (_ writer: Int, _ edit: Int) -> String
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<Self.writers {
        group.addTask {
          for edit in 0..<Self.edits {
            _ = try Run.succeeding(
              Run.built("particles"), ["edit", path, change(writer, edit), "--timeout", "120"])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "edits of different properties are all kept, in each form and mode of saving",
    arguments: [("flat", 0), ("flat", 2 << 20), ("directory", 0)])
  func differentProperties(form: String, padding: Int) async throws {
    let scratch = try Scratch()
    let path = scratch.file("a")
    var package = try #require(EffectTemplate.named("blank")).package()
    if padding > 0 {
      // Noise, which does not become smaller, makes the package so large that it is appended to.
      var generator = SystemRandomNumberGenerator()
      let noise = (0..<padding / 8).flatMap { _ in
        withUnsafeBytes(of: generator.next()) { Array($0) }
      }
      try package.container.root.setFileNode(
        FileNode(regularFileWithContents: noise), at: "Extra/noise")
    }
    try package.container.write(to: path, as: form == "flat" ? .flat : .directory)
    try await run(path) { "extras.w\($0)e\($1)=\($1)" }
    let editor = try EffectEditor(EffectPackage(Container(contentsOf: path)))
    for writer in 0..<Self.writers {
      for edit in 0..<Self.edits {
        #expect(try editor.value("extras.w\(writer)e\(edit)") == .int(edit))
      }
    }
    #expect(try Files.list(scratch.path) == ["a"])
  }

  @Test("edits of one property all succeed, and the last one wins")
  func sameProperty() async throws {
    let scratch = try Scratch()
    let path = scratch.file("a.particles")
    try #require(EffectTemplate.named("blank")).package().container.write(to: path, as: .flat)
    try await run(path) { writer, edit in "seed=\(100 * writer + edit)" }
    let editor = try EffectEditor(EffectPackage(Container(contentsOf: path)))
    let last = (0..<Self.writers).map { JSONValue.int(100 * $0 + Self.edits - 1) }
    #expect(last.contains(try #require(try editor.value("seed"))))
    try await run(path) { _, _ in "seed+=1" }
    let sum = try EffectEditor(EffectPackage(Container(contentsOf: path))).value("seed")
    let start = try #require(try editor.value("seed")?.int)
    #expect(sum == .int(start + Self.writers * Self.edits))
  }
}
