import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The rule of the house: a module imports only from rows below its own.
@Suite("Imports")
struct ImportTests {
  static let rows = [
    "ParticlesCore": 0,
    "ParticlesSystem": 1, "ParticlesContainer": 1, "ParticlesModel": 1, "ParticlesImages": 1,
    "ParticlesPropertyLists": 1, "ParticlesDatabase": 1,
    "ParticlesPackages": 2, "ParticlesSimulation": 2, "ParticlesTypes": 2, "ParticlesArchives": 2,
    "ParticlesFormats": 3, "ParticlesRender": 3,
    "ParticlesEffects": 4,
    "ParticlesDocuments": 5, "ParticlesDesktop": 5, "ParticlesIndex": 5,
    "Particles": 6, "ParticlesBrowser": 6, "ParticlesFoundation": 6,
    "ParticlesCLI": 7, "ParticlesC": 7, "ParticlesWeb": 7,
    "ParticlesTool": 8, "ParticlesBench": 8, "ParticlesFuzz": 8, "ParticlesSaveProbe": 8,
    "Examples": 8, "Python": 8,
  ]

  /// May import every module. Only tests import it.
  static let free = "ParticlesTestSupport"

  /// Modules of the compiler and the system.
  static let system = cLibraries.union([
    platform, "Dispatch", "Foundation", "FoundationEssentials", "Synchronization", "Testing",
    "Observation", "Swift", "System",
  ])

  static let cLibraries: Set = ["Darwin", "Glibc", "Musl"]

  /// Re-exports the member of `cLibraries` that exists. It is below all rows, as the C targets are.
  static let platform = "ParticlesPlatform"

  /// Modules that the umbrella does not re-export. All but ParticlesDesktop declare nothing public.
  static let hidden: Set = [
    "ParticlesPropertyLists", "ParticlesDatabase", "ParticlesArchives", "ParticlesDesktop",
    "ParticlesIndex",
  ]

  /// Folders of scripts for packages, and of the package for Python.
  static let noTargets: Set = ["Packaging", "Python"]

  static func targets() throws -> [String] {
    try Files.list(Repository.path("Sources")).filter { !noTargets.contains($0) }
  }

  /// The targets that have a row.
  static func modules() throws -> [String] {
    try targets().filter { !isC($0) && ![free, platform].contains($0) }
  }

  /// All files, without files of targets without a row.
  static func files() throws -> [SourceFile] {
    try SourceFile.all().filter { ![free, platform].contains($0.module) }
  }

  static func isC(_ module: String) -> Bool { module.wholeMatch(of: /CParticles[A-Z]\w+/) != nil }

  @Test("every target has a row")
  func everyTarget() throws {
    for module in try Self.modules() { #expect(Self.rows[module] != nil, "\(module)") }
  }

  @Test("the drawing in CONTRIBUTING shows the libraries in their rows")
  func drawing() throws {
    let page = String(
      decoding: try Files.read(Repository.path("CONTRIBUTING.md")), as: UTF8.self)
    let drawing = try #require(page.firstMatch(of: /\n row\n([^`]+)```/)).output.1
    var row: Int?
    var drawn: [String: Int] = [:]
    for line in drawing.split(separator: "\n") {
      row = line.firstMatch(of: /^ +(\d+)\b/).flatMap { Int($0.output.1) } ?? row
      for name in line.matches(of: /\bParticles\w*/) { drawn[String(name.output)] = row }
    }
    let modules = try Self.modules()
    #expect(drawn == Self.rows.filter { $0.value < 8 && modules.contains($0.key) })
  }

  @Test("a module imports only from rows below its own")
  func downwards() throws {
    let targets = Set(try Self.targets())
    for file in try Self.files() {
      let row = try #require(Self.rows[file.module], "\(file.path)")
      for module in file.imports where !Self.system.contains(module) {
        if Self.isC(module) {
          #expect(targets.contains(module), "\(file.path) imports \(module)")
        } else {
          let other = try #require(Self.rows[module], "\(file.path) imports \(module)")
          // In a pure module, only its file about platforms imports the system, as ``PurityTests`` sees.
          guard module != "ParticlesSystem" || !PurityTests.pure.contains(file.module) else {
            continue
          }
          #expect(other < row, "\(file.path) imports \(module)")
        }
      }
    }
  }

  /// The modules that users and other languages call. What they do with an effect is in ``ParticlesEffects``.
  static let faces = [
    "ParticlesCLI", "ParticlesC", "ParticlesBrowser", "ParticlesWeb", "ParticlesFoundation",
    "ParticlesTool",
  ]

  /// The folders of ParticlesFormats that are no codec of a format.
  static let shared = ["Kit", "Encoding", "Colors"]

  @Test("the faces know formats by their registry, and no codec of one")
  func thinFaces() throws {
    let files = try SourceFile.all()
    let declaration = /^(?:public |package |final |indirect )*(?:struct|class|enum|protocol) (\w+)/
    var codecs: Set<Substring> = []
    for file in files where file.module == "ParticlesFormats" {
      let folders = file.path.split(separator: "/").drop { $0 != "ParticlesFormats" }.dropFirst()
      guard folders.count > 1, !Self.shared.contains(String(folders.first ?? "")) else { continue }
      codecs.formUnion(file.code.compactMap { $0.text.firstMatch(of: declaration)?.output.1 })
    }
    #expect(codecs.count > 100 && codecs.contains("SpriteKitNodes"))
    for file in files where Self.faces.contains(file.module) {
      for line in file.code {
        let words = line.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        for word in words where codecs.contains(word) {
          Issue.record("\(file.path):\(line.number) uses \(word), a codec of a format")
        }
      }
    }
  }

  /// The header of our own interface, which all files of ``interfaceModule`` implement.
  static let (interface, interfaceModule) = ("CParticlesInterface", "ParticlesC")

  /// A library that C of our own includes, and its header.
  static let (included, header) = ("CParticlesDeflate", "<libdeflate.h>")

  @Test("a C library is imported by exactly one Swift file, or included by one of ours in C")
  func oneImporter() throws {
    let files = try SourceFile.all()
    for module in try Self.targets() where Self.isC(module) && module != Self.interface {
      let all = files.filter { $0.imports.contains(module) }
      // A library that the product has may judge in tests, too.
      let own = all.filter { $0.module != Self.free }
      var importers = (own.isEmpty ? all : own).map(\.path)
      if module == Self.included {
        let folder = Repository.path("Sources/CParticlesCompression")
        importers += try Files.list(folder).filter { $0.hasSuffix(".c") }.filter {
          String(decoding: try Files.read("\(folder)/\($0)"), as: UTF8.self).contains(Self.header)
        }
      }
      #expect(importers.count == 1, "\(module) is imported by \(importers)")
    }
  }

  @Test("what comes from C shows in no declaration that others see")
  func noCInPublic() throws {
    // The compiler refuses a type in a public or package signature if its import is internal.
    let settings = String(decoding: try Files.read(Repository.path("Package.swift")), as: UTF8.self)
    #expect(settings.contains(".enableUpcomingFeature(\"InternalImportsByDefault\")"))
    for file in try Self.files() {
      for line in file.code {
        guard line.text.contains("import "),
          let match = line.text.firstMatch(of: /import (\w+)$/)
        else { continue }
        let module = String(match.output.1)
        guard Self.isC(module) || module == Self.platform else { continue }
        if module == Self.interface {
          #expect(file.module == Self.interfaceModule, "\(file.path):\(line.number)")
          continue
        }
        let text = line.text.drop { $0 == " " }
        #expect(
          text.hasPrefix("internal import ") || text.hasPrefix("import "),
          "\(file.path):\(line.number)")
      }
    }
  }

  @Test("the C library of the system has one name")
  func oneName() throws {
    // Examples import what an application would.
    for file in try Self.files() where file.module != "Examples" {
      #expect(Self.cLibraries.isDisjoint(with: file.imports), "\(file.path)")
    }
  }

  @Test("the codec needs the core and the system alone, and passes the core on")
  func codec() throws {
    let files = try SourceFile.all().filter { $0.module == "ParticlesContainer" }
    let imports = Set(files.flatMap(\.imports)).subtracting(Self.system)
    #expect(imports == ["ParticlesCore", "ParticlesSystem"])
    let disks = try SourceFile.all().filter { $0.module == "ParticlesPackages" }
    #expect(
      Set(disks.flatMap(\.imports)) == ["ParticlesCore", "ParticlesSystem", "ParticlesContainer"])
    let exports = (files + disks).flatMap(\.code).map(\.text)
    for module in ["ParticlesCore", "ParticlesContainer"] {
      #expect(exports.contains("@_exported public import \(module)"[...]))
    }
  }

  @Test("the umbrella re-exports the modules up to the documents, and does nothing else")
  func umbrella() throws {
    let files = try SourceFile.all().filter { $0.module == "Particles" }
    let file = try #require(files.first)
    #expect(files.count == 1)
    for line in file.code where !line.text.isEmpty {
      #expect(line.text.hasPrefix("@_exported public import "), "\(file.path):\(line.number)")
    }
    let exported = try Self.modules().filter { Self.rows[$0, default: 8] <= 5 }
    #expect(file.imports.sorted() == exported.filter { !Self.hidden.contains($0) }.sorted())
  }

  @Test("full Foundation is for bridges and tests")
  func foundation() throws {
    for file in try Self.files() where file.module != "ParticlesFoundation" {
      #expect(!file.imports.contains("Foundation"), "\(file.path)")
    }
  }

  @Test("nothing uses private interfaces of the system")
  func privateInterfaces() throws {
    for file in try SourceFile.all() {
      #expect(!file.code.contains { $0.text.contains("@_spi") }, "\(file.path)")
    }
  }

  @Test("locks are those that the thread sanitizer sees")
  func locks() throws {
    let direct = try SourceFile.all().filter { file in
      file.lines.contains { $0.contains("Mutex") && $0.firstMatch(of: /\bMutex[<(]/) != nil }
    }
    #expect(direct.map(\.path) == ["Sources/ParticlesCore/Platform.swift"])
  }

  @Test("imports are found in all their spellings")
  func spellings() {
    let lines: [Substring] = [
      "import A", "internal import B", "  public import C", "@_exported public import D",
      "@testable import E", "import struct F.G", "// import H", "let important = 1", "important I",
    ]
    let file = SourceFile(path: "Sources/X/x.swift", module: "X", lines: lines)
    #expect(file.imports == ["A", "B", "C", "D", "E", "F"])
  }
}
