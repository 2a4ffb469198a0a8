import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The sources that the module for web pages is built from have nothing that Embedded Swift lacks, so that a change
/// fails here, and not only in `make web`.
@Suite("Sources of pages")
struct PageSourceTests {
  /// The files of `Sources/ParticlesWeb/sources.txt`.
  private static func files() throws -> [SourceFile] {
    let list = String(
      decoding: try Files.read(Repository.path("Sources/ParticlesWeb/sources.txt")), as: UTF8.self)
    let all = try SourceFile.all()
    var chosen: [String] = []
    for line in list.split(separator: "\n") where !line.hasPrefix("#") {
      let isLeftOut = line.hasPrefix("-")
      let pattern = "Sources/" + (isLeftOut ? line.dropFirst() : line)
      let found = all.map(\.path).filter { matches($0, pattern) }
      #expect(!found.isEmpty, "no file is \(pattern)")
      if isLeftOut { chosen.removeAll(where: found.contains) } else { chosen += found }
    }
    return all.filter { chosen.contains($0.path) }
  }

  /// Whether a path is one of a pattern whose stars stand for names, or for the ends of names.
  private static func matches(_ path: String, _ pattern: String) -> Bool {
    let (names, parts) = (path.split(separator: "/"), pattern.split(separator: "/"))
    return names.count == parts.count
      && zip(names, parts).allSatisfy { name, part in
        part.hasSuffix("*") ? name.hasPrefix(part.dropLast()) : name == part
      }
  }

  @Test("they have nothing that pure modules may not have, but in the files about platforms")
  func restrictions() throws {
    let files = try Self.files().filter { !$0.name.hasPrefix("Platform") }
    #expect(files.count > 60)
    for file in files {
      for (number, text) in file.code {
        for impurity in PurityTests.Impurity.allCases where impurity.occurs(in: text) {
          Issue.record("\(impurity.rawValue): \(file.path):\(number): \(text)")
        }
      }
    }
  }

  @Test("the modules that owe nothing are compiled for pages, whole")
  func whole() throws {
    let script = String(
      decoding: try Files.read(Repository.path("Sources/ParticlesWeb/build.sh")), as: UTF8.self)
    let first = try #require(script.firstMatch(of: #/\npure="([^"]+)"/#)).output.1
    let others = try #require(script.firstMatch(of: #/ whole="\$pure ([^"]+)"/#)).output.1
    let names = (first + " " + others).split(separator: " ").map(String.init)
    #expect(Set(names) == PurityTests.pure)
  }

  @Test("the player in the tool is the folder of the player")
  func player() throws {
    let table = String(
      decoding: try Files.read(Repository.path("Sources/CParticlesPlayer/CParticlesPlayer.c")),
      as: UTF8.self)
    let rows = Set(table.matches(of: #/FILE\("([^"]+)"/#).map { String($0.output.1) })
    let names = Set(try Files.list(Repository.path("Sources/ParticlesWeb/Player")))
    #expect(rows == names.union(["LICENSE", "particles.wasm.gz"]))
  }
}
