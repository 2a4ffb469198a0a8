import ParticlesCore
import ParticlesTestSupport
import Testing

/// The one rule of the house: a module imports only from rows below its own.
@Suite("Imports")
struct ImportTests {
  static let rows = [
    "ParticlesCore": 0,
    "ParticlesContainer": 1, "ParticlesModel": 1, "ParticlesTypes": 1, "ParticlesImages": 1,
    "ParticlesFormats": 2, "ParticlesRender": 2,
    "ParticlesDocuments": 3,
    "ParticlesDesktop": 4,
    "Particles": 4, "ParticlesBrowser": 4,
    "ParticlesCLI": 5,
    "ParticlesTool": 6, "ParticlesBench": 6, "ParticlesFuzz": 6, "ParticlesSaveProbe": 6,
  ]

  /// May import what it likes; nothing but tests imports it.
  static let free = "ParticlesTestSupport"

  /// What comes with the compiler and the system.
  static let system: Set = [
    "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization",
    "Testing",
  ]

  static func targets() throws -> [String] { try Files.list(Repository.path("Sources")) }

  static func isC(_ module: String) -> Bool { module.wholeMatch(of: /C[A-Z]\w+/) != nil }

  @Test("every target has a row")
  func everyTarget() throws {
    for target in try Self.targets() where !Self.isC(target) && target != Self.free {
      #expect(Self.rows[target] != nil, "\(target)")
    }
  }

  @Test("a module imports only from rows below its own")
  func downwards() throws {
    let targets = Set(try Self.targets())
    for file in try SourceFile.all() where file.module != Self.free {
      let row = try #require(Self.rows[file.module], "\(file.path)")
      for module in file.imports where !Self.system.contains(module) {
        if Self.isC(module) {
          #expect(targets.contains(module), "\(file.path) imports \(module)")
        } else {
          let other = try #require(Self.rows[module], "\(file.path) imports \(module)")
          #expect(other < row, "\(file.path) imports \(module)")
        }
      }
    }
  }

  @Test("a C library is imported by exactly one Swift file")
  func oneImporter() throws {
    let files = try SourceFile.all()
    for module in try Self.targets() where Self.isC(module) {
      let importers = files.filter { $0.imports.contains(module) }.map(\.path)
      #expect(importers.count == 1, "\(module) is imported by \(importers)")
    }
  }

  @Test("what comes from C shows in no declaration that others see")
  func noCInPublic() throws {
    // The compiler refuses a type in a public or package signature if its import is internal.
    let system: Set = ["Darwin", "Glibc", "Musl"]
    let settings = String(decoding: try Files.read(Repository.path("Package.swift")), as: UTF8.self)
    #expect(settings.contains(".enableUpcomingFeature(\"InternalImportsByDefault\")"))
    for file in try SourceFile.all() where file.module != Self.free {
      for line in file.code {
        guard let module = line.text.firstMatch(of: /import (\w+)$/)?.output.1 else {
          continue
        }
        guard Self.isC(String(module)) || system.contains(String(module)) else { continue }
        let text = line.text.drop { $0 == " " }
        #expect(
          text.hasPrefix("internal import ") || text.hasPrefix("import "),
          "\(file.path):\(line.number)")
      }
    }
  }

  @Test("the codec needs the core alone, and passes it on")
  func codec() throws {
    let files = try SourceFile.all().filter { $0.module == "ParticlesContainer" }
    let imports = Set(files.flatMap(\.imports)).subtracting(Self.system)
    #expect(imports == ["ParticlesCore"])
    let exports = files.filter { $0.name == "Exports.swift" }.flatMap(\.code).map(\.text)
    #expect(exports.contains("@_exported public import ParticlesCore"))
  }

  @Test("the umbrella re-exports the modules up to the documents, and does nothing else")
  func umbrella() throws {
    let files = try SourceFile.all().filter { $0.module == "Particles" }
    let file = try #require(files.first)
    #expect(files.count == 1)
    for line in file.code where !line.text.isEmpty {
      #expect(line.text.hasPrefix("@_exported public import "), "\(file.path):\(line.number)")
    }
    let targets = try Self.targets()
    let exported = Self.rows.filter { $0.value <= 3 && targets.contains($0.key) }.keys.sorted()
    #expect(file.imports.sorted() == exported)
  }

  @Test("full Foundation is for test support, and for normalising names on Apple's systems")
  func foundation() throws {
    for file in try SourceFile.all() where file.module != Self.free {
      guard file.imports.contains("Foundation") else { continue }
      let code = file.lines.joined(separator: "\n")
      #expect(
        file.name == "UnicodeForms.swift"
          && code.contains("#if canImport(Darwin)\n  internal import Foundation\n"), "\(file.path)")
    }
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
