import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The article "Embedding the codec" against the world outside of this package.
@Suite("The article")
struct ConsumerTests {
  /// The Swift listings of the article, the manifest first.
  private func listings() throws -> (manifest: String, code: [String]) {
    let article = Repository.path(
      "Sources/ParticlesContainer/ParticlesContainer.docc/EmbeddingTheCodec.md")
    let blocks = try String(contentsOfFile: article, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    let manifest = blocks.filter { $0.contains("import PackageDescription") }
    #expect(manifest.count == 1)
    return (try #require(manifest.first), blocks.filter { $0 != manifest[0] })
  }

  @Test("shows the functions that the tests run, all of them, and nothing else")
  func source() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("EmbeddingListings.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let head = try #require(source.range(of: "\n\n"))
    #expect(try listings().code.joined(separator: "\n") == source[head.upperBound...])
  }

  @Test(
    "makes an application that imports the codec and nothing else of ours",
    .enabled(if: Sample.isWhole, "only in make test-all; make consumer builds one, too"),
    .needs("swift"))
  func application() throws {
    let scratch = try Scratch()
    let files = FileManager.default
    let sources = scratch.file("Story/Sources/Story")
    try files.createDirectory(atPath: sources, withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: scratch.file("particles"), withDestinationPath: Repository.root)
    let (manifest, code) = try listings()
    try Files.create(scratch.file("Story/Package.swift"), Array(manifest.utf8))
    // What the listings do not show may not need another import either.
    let face = """
      _ = (Limits.standard, Rule.all, Diagnostic.Severity.error, Diagnostic.Location.unknown)
      _ = ContentDigest.size

      """
    let program = code.joined(separator: "\n") + face
    try Files.create("\(sources)/main.swift", Array(program.utf8))
    let swift = try #require(Run.find("swift"))
    let run = try Run(swift, ["build", "--quiet"], in: scratch.file("Story"))
    #expect(run.status == 0 && !run.text.contains("warning:"), "\(run.text)\(run.errors)")
  }
}
