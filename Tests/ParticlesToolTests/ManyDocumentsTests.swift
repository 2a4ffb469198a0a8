import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Many documents in one process, with few descriptors.
@Suite(
  "Many documents",
  .enabled(
    if: (try? Files.status("/proc/self/fd"))?.map(\.kind) == .directory,
    "descriptors are counted on Linux only"))
struct ManyDocumentsTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    "2,000 documents are open with 64 descriptors and 16 threads, and follow what happens to them")
  func many() throws {
    // With fewer documents, most files keep no descriptor either.
    let count = Sample.isWhole ? 2000 : 200
    let run = try Run(
      Run.built("ParticlesSaveProbe"),
      ["many", scratch.file("documents"), scratch.file("data"), "\(count)", "100"])
    #expect(run.status == 0, "\(run.text) \(run.errors)")
    let lines = run.text.split(separator: "\n")
    let numbers = try #require(lines.first).split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 2)
    #expect(numbers[0] <= 64 && numbers[1] <= 16, "\(numbers)")
    #expect(lines.last == "done")
    // Nothing is left of a program that has ended.
    #expect(try Files.list(scratch.file("data/particles/programs")).count <= 1)
  }

  @Test("a process without descriptors gets errors, and goes on when it has some")
  func exhausted() throws {
    let run = try Run(
      Run.built("ParticlesSaveProbe"),
      ["exhaust", scratch.file("documents"), scratch.file("data"), "30", "64"])
    #expect(run.status == 0, "\(run.text) \(run.errors)")
    #expect(run.text.contains("too many files open"))
    #expect(run.text.contains("30 of 30 failed"))
    #expect(run.text.hasSuffix("done\n"))
    #expect(try Files.read(scratch.file("documents/0")) == Array("01".utf8))
  }
}
