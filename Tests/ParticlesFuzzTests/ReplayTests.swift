import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Feeds the fuzzer's findings to their targets again. Targets run in a process of their own, because
/// a broken law ends the process.
@Suite("Replay")
struct ReplayTests {
  static let targets =
    FormatRegistry.standard.formats.filter { $0.canRead && !$0.isArchive }.map(\.name) + [
      "container", "container-structured", "recovery", "saving", "zip", "tar", "document", "png",
      "plist", "tiff", "json", "types",
    ]

  private func replay(_ target: String, _ paths: [String]) throws {
    let run = try Run(Run.built("ParticlesFuzz"), [target] + paths)
    #expect(run.status == 0, "\(target): \(run.errors)")
    #expect(run.text.split(separator: "\n").count == paths.count)
  }

  private func files(under folder: String) throws -> [String] {
    try Files.list(Repository.path(folder)).flatMap { name in
      let path = "\(folder)/\(name)"
      return try Files.status(Repository.path(path))?.kind == .directory
        ? try files(under: path) : [Repository.path(path)]
    }
  }

  @Test("an input that broke a law is now read or refused with a diagnostic", arguments: targets)
  func crashers(target: String) throws {
    let folder = "Fixtures/crashers/\(target)"
    guard try Files.status(Repository.path(folder)) != nil else { return }
    let paths = try files(under: folder)
    if !paths.isEmpty { try replay(target, paths) }
  }

  @Test("no fixture and no initial input breaks a law", arguments: targets)
  func fixtures(target: String) throws {
    let paths = try target == "saving" ? scripts() : files(under: "Fixtures")
    let turn = try #require(Self.targets.firstIndex(of: target))
    try replay(target, Sample.of(paths, 2, ofEach: Files.folder, turn: turn))
  }

  /// The fixtures that differ in their first bytes, of which `saving` makes its steps. Of fixtures
  /// with equal first bytes, only the longest.
  private func scripts() throws -> [String] {
    var longest: [[UInt8]: (path: String, size: Int)] = [:]
    for path in try files(under: "Fixtures") {
      let bytes = try Files.read(path)
      let start = Array(bytes.prefix(16))
      if bytes.count > longest[start]?.size ?? -1 { longest[start] = (path, bytes.count) }
    }
    return longest.values.map(\.path).sorted()
  }

  @Test("each folder of crashers belongs to a target")
  func folders() throws {
    let folder = Repository.path("Fixtures/crashers")
    guard try Files.status(folder) != nil else { return }
    #expect(try Set(Files.list(folder)).isSubset(of: Self.targets))
  }

  @Test("the targets are those that the program has")
  func list() throws {
    let run = try Run(Run.built("ParticlesFuzz"), [])
    #expect(run.status == 64)
    let lines = run.errors.split(separator: "\n").drop { $0 != "targets:" }.dropFirst()
    #expect(lines.map { String($0.prefix { $0 != ":" }.dropFirst(2)) } == Self.targets)
  }
}
