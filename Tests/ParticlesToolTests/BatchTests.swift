import Particles
import ParticlesContainer
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A conversion of several documents in a process that is killed.
@Suite(
  "Faults during a conversion of many documents",
  .enabled(
    if: FaultInjection.obstacle == nil,
    "\(FaultInjection.obstacle ?? ""): killed conversions of many documents are not tested"))
struct BatchTests {
  private static let names = ["a.particles", "b.particles", "c.particles"]
  private static let arguments = ["convert", "-r", "in", "-o", "out", "--force"]

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func package(_ text: String) throws -> Container {
    var package = try #require(EffectTemplate.named("sparks")).package().container
    try package.root.setFileNode(FileNode(regularFileWithContents: Array(text.utf8)), at: "Notes")
    return package
  }

  /// Three documents, and old results of two documents.
  private func stage(_ name: String) throws -> String {
    let folder = scratch.file(name)
    for path in [folder, "\(folder)/in", "\(folder)/out"] { try Files.makeDirectory(path) }
    for name in Self.names { try package("new").write(to: "\(folder)/in/\(name)", as: .flat) }
    for name in Self.names.dropLast() {
      try package("old").write(to: "\(folder)/out/\(name)", as: .flat)
    }
    return folder
  }

  private func injection(_ folder: String) -> FaultInjection {
    FaultInjection(Run.built("particles"), Self.arguments, in: folder, always: nil)
  }

  /// The text in a result, or nil if there is none. A damaged result throws.
  private func text(_ path: String) throws -> String? {
    guard try Files.status(path) != nil else { return nil }
    #expect(try ContainerReader(.file(path)).verify().isEmpty)
    let contents = try Container(contentsOf: path).root["Notes"]?.contents?.bytes() ?? []
    return String(decoding: contents, as: UTF8.self)
  }

  @Test("results are flushed once before they are renamed, and their names once after that")
  func order() throws {
    let calls = try injection(try stage("order")).calls()
    let flushes = calls.indices.filter { calls[$0] == "syncfs" }
    let renames = calls.indices.filter { calls[$0].hasPrefix("rename") }
    #expect(flushes.count == 2 && !calls.contains("fsync"), "\(calls)")
    let (first, last) = (try #require(renames.first), try #require(renames.last))
    #expect(renames.count == 3 && flushes[0] < first && last < flushes[1], "\(calls)")
  }

  @Test("killed at any call, each result is the old one or the new one, and a second run continues")
  func death() throws {
    let points = try injection(try stage("rehearsal")).points()
    #expect(points.count >= 5)
    var mixtures: Set<[String?]> = []
    for first in points {
      for point in first.times {
        let folder = try stage("\(point)")
        guard try injection(folder).run(.death, at: point) != nil else { break }
        let found = try Self.names.map { try text("\(folder)/out/\($0)") }
        #expect(found.dropLast().allSatisfy { $0 == "old" || $0 == "new" }, "\(point)")
        #expect(found.last == .some(nil) || found.last == "new", "\(point)")
        mixtures.insert(found)
        #expect(try Run(Run.built("particles"), Self.arguments, in: folder).status == 0)
        #expect(try Self.names.map { try text("\(folder)/out/\($0)") } == ["new", "new", "new"])
        #expect(try Files.list("\(folder)/out").sorted() == Self.names, "\(point)")
      }
    }
    #expect(mixtures.contains(["old", "old", nil]) && mixtures.contains(["new", "new", "new"]))
  }
}
