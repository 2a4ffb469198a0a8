import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The tables and scripts of a release. `make test-release` checks their results.
@Suite("Packaging", .needs("python3"))
struct PackagingTests {
  private func run(_ words: String...) throws -> Run {
    try Run(try #require(Run.find("python3")), ["-B"] + words, in: Repository.root)
  }

  @Test("each library of Package.swift is in the table of licences, and in the README")
  func libraries() throws {
    let run = try run("Sources/Packaging/facts.py", "check")
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }

  @Test("a library without a row, and a row without a library, are found")
  func linked() throws {
    let scratch = try Scratch()
    let archives = scratch.file("archives")
    try Files.create(
      archives, Array("members\textracted\tarchive\n2\t1\t/lib/libz.a\n2\t1\t/lib/libx.a\n".utf8))
    let run = try run("Sources/Packaging/facts.py", "check", archives)
    #expect(run.status == 1)
    #expect(run.text.contains("libx.a is linked, and no row of the table has it\n"))
    #expect(run.text.contains("libpng is in the table, and nothing of it is linked\n"))
    #expect(!run.text.contains("zlib"))
  }

  @Test("the version of a release is that of the tool")
  func version() throws {
    let changelog = String(decoding: try Files.read(Repository.path("CHANGELOG.md")), as: UTF8.self)
    let run = try run("Sources/Packaging/facts.py", "version")
    #expect(run.status == 0)
    #expect(changelog.contains("\n## \(run.text.dropLast()), "))
  }

  @Test("an image is the same bytes, in every environment")
  func image() throws {
    let scratch = try Scratch()
    try Files.create(scratch.file("tool"), Array("#!/bin/sh\n".utf8))
    let python = try #require(Run.find("python3"))
    for (name, zone) in [("a", "UTC"), ("b", "Asia/Tokyo")] {
      _ = try Run.succeeding(
        python,
        [
          "-B", Repository.path("Sources/Packaging/oci.py"), scratch.file("tool"),
          scratch.file(name),
        ],
        environment: ["SOURCE_DATE_EPOCH": "1700000000", "TZ": zone])
    }
    let index = try Files.read(scratch.file("a/index.json"))
    #expect(try index == Files.read(scratch.file("b/index.json")))
    let text = String(decoding: index, as: UTF8.self)
    #expect(text.contains(#""mediaType":"application/vnd.oci.image.manifest.v1+json""#))
    #expect(try Files.list(scratch.file("a/blobs/sha256")).count == 3)
  }
}
