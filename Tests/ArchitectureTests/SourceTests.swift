import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Sources")
struct SourceTests {
  @Test("no file is longer than 800 lines")
  func sizes() throws {
    let tests = try SourceFile.files(under: "Tests").filter { $0.hasSuffix(".swift") }
    let paths = try SourceFile.all().map(\.path) + tests
    for path in paths {
      let lines = try Files.read(Repository.path(path)).count { $0 == UInt8(ascii: "\n") }
      #expect(lines <= 800, "\(path)")
    }
  }

  @Test("nothing stops the process but lack of memory")
  func traps() throws {
    for file in try SourceFile.all() {
      for line in file.code {
        let place = "\(file.path):\(line.number)"
        #expect(
          !line.text.contains("fatalError(") || line.text.contains("\"out of memory"), "\(place)")
        for pattern in ["try!", "as!", "preconditionFailure("] {
          #expect(!line.text.contains(pattern), "\(place)")
        }
      }
    }
  }

  /// An optimised program has the length of the path of a file in it for each `withoutActuallyEscaping`, which would
  /// make it depend on the folder of the build.
  @Test("a closure that is lent does not bring the path of its file into a program")
  func paths() throws {
    var uses = 0
    for file in try SourceFile.all() {
      var hasName = false
      for line in file.code {
        let place = "\(file.path):\(line.number)"
        if line.text.contains("#sourceLocation(") {
          // After the function, because its end is the location of thrown errors.
          #expect(!hasName || line.text == "  #sourceLocation()", "\(place)")
          hasName = line.text.contains("\"\(file.name.dropLast(6))\"")
        }
        guard line.text.contains("withoutActuallyEscaping(") else { continue }
        uses += 1
        #expect(hasName, "\(place)")
      }
    }
    #expect(uses > 0)
  }

  /// These files are also compiled as Embedded Swift, for web pages. Key paths that become functions,
  /// as in `map(\.name)`, are possible there.
  @Test("JSON and the model use no key paths and throw errors of stated types")
  func embeddable() throws {
    let files = try SourceFile.all().filter {
      $0.module == "ParticlesModel" || $0.path.hasPrefix("Sources/ParticlesCore/JSON/")
    }
    #expect(files.contains { $0.name == "Property.swift" })
    #expect(files.contains { $0.name == "JSONParser.swift" })
    for file in files {
      for line in file.code {
        let place = "\(file.path):\(line.number)"
        // These are quicker than expressions, and most lines have neither.
        guard
          line.text.utf8.contains(UInt8(ascii: "\\")) || line.text.contains("KeyPath")
            || line.text.contains("throws")
        else { continue }
        #expect(!line.text.contains(/KeyPath|(^|[,\[])\s*\\[A-Z]?\w*\./), "\(place): a key path")
        #expect(!line.text.contains(/\b(re)?throws\b(?!\()/), "\(place): untyped throws")
      }
    }
  }

  @Test("a part of a test that a missing program skips is reported")
  func skippedParts() throws {
    for file in try SourceFile.all(under: "Tests") {
      for line in file.code
      where line.text.contains("Run.find(")
        && line.text.contains(/\b(if|guard) let \w+ = Run\.find\(/)
      {
        Issue.record(
          "\(file.path):\(line.number): use .needs, or Run.optional, which prints a skip")
      }
    }
  }

  static let topLevel: Set = [
    "Package.swift", "Sources", "Tests", "Fixtures", "Spec", "README.md", "CONTRIBUTING.md",
    "CHANGELOG.md", "Makefile", "LICENSE",
  ]

  @Test(
    "the top level of the repository stays small",
    .enabled(
      if: Run.find("git") != nil && (try? Files.status(Repository.path(".git"))) != nil,
      "this is no checkout"))
  func topLevelNames() throws {
    let git = try #require(Run.find("git"))
    let run = try Run(git, ["-c", "safe.directory=*", "ls-files", "-z"], in: Repository.root)
    #expect(run.status == 0, "\(run.errors)")
    let names = Set(run.text.split(separator: "\0").map { String($0.prefix { $0 != "/" }) })
    #expect(names.filter { !$0.hasPrefix(".") }.isSubset(of: Self.topLevel))
  }
}
