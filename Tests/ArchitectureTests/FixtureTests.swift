import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// `Fixtures/rules/<family>/<name>[-<case>].<extension>` breaks the rule `family/name`.
@Suite("Fixtures of the rules")
struct FixtureTests {
  /// Families of rules that are not about the contents of files.
  static let withoutFiles: Set = ["file", "usage"]

  /// Rules that no file in a repository can break: they need a device or pipe, a request for a missing
  /// entry, a recovery, an encoder with an unreported change, a missing program, or pictures to write or draw.
  static let withoutFixture: Set = [
    "tree/special", "tree/no-entry", "tree/lost", "convert/changed",
    "desktop/database", "desktop/program", "image/output", "image/empty", "index/missing",
  ]

  /// The path of each fixture with the rule that its name begins with, the longest if several do.
  static func fixtures() throws -> [(path: String, code: String?)] {
    let folder = "Fixtures/rules"
    return try Files.list(Repository.path(folder)).flatMap { family in
      try Files.list(Repository.path("\(folder)/\(family)")).map { name in
        let stem = "\(family)/\(name.prefix { $0 != "." })"
        let codes = Rule.all.map(\.code).filter { stem == $0 || stem.hasPrefix("\($0)-") }
        return ("\(folder)/\(family)/\(name)", codes.max { $0.utf8.count < $1.utf8.count })
      }
    }
  }

  @Test("every rule that a file can break is broken by one")
  func everyRule() throws {
    let broken = Set(try Self.fixtures().compactMap(\.code))
    let needed = Rule.all.filter { !Self.withoutFiles.contains($0.family) }.map(\.code)
    let missing = Set(needed).subtracting(broken).subtracting(Self.withoutFixture)
    #expect(missing.isEmpty, "no fixture breaks \(missing.sorted().joined(separator: ", "))")
  }

  @Test("every fixture is named after a rule, in lower case, and is small")
  func everyFixture() throws {
    for (path, code) in try Self.fixtures() {
      #expect(code != nil, "\(path) is named after no rule")
      #expect(!Self.withoutFixture.contains(code ?? ""), "\(path)")
      #expect(path.dropFirst("Fixtures/".count).allSatisfy { $0.isASCII && !$0.isUppercase })
    }
    for path in try SourceFile.files(under: "Fixtures") {
      let size = try Files.status(Repository.path(path))?.size ?? 0
      #expect(size <= 64 << 10, "\(path) has \(size) bytes")
    }
  }
}
