import ParticlesCore
import ParticlesTestSupport
import Testing

@testable import ParticlesModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct CatalogTests {
  private let catalog = PropertyCatalog()

  @Test func everyObjectIsThereOnce() {
    let titles = catalog.objects.map(\.title)
    #expect(titles.first == "Document")
    #expect(Set(titles).count == titles.count)
    #expect(titles.contains("Value (ramp)"))
    #expect(titles.contains("Grid"))
  }

  @Test func everyPropertyIsSaidWell() {
    for object in catalog.objects {
      #expect(object.about.hasSuffix("."))
      #expect(Set(object.properties.map(\.key)).count == object.properties.count)
      for info in object.properties {
        #expect(info.summary.hasSuffix("."), "\(object.title).\(info.key)")
        #expect(!["extensions", "extras"].contains(info.key))
      }
    }
  }

  /// The random documents that other tests count on leave nothing out.
  @Test func everyPropertyHasRandomValues() {
    var random = RandomDocuments(seed: 1)
    for object in catalog.objects {
      for info in object.properties {
        #expect(random.value(info.type, info, depth: 0) != nil, "\(object.title).\(info.key)")
      }
    }
  }

  /// What the tables say of ranges holds for the defaults.
  @Test func defaultsAreSound() throws {
    for type in ModelTypes.all where !type.object.properties.contains(where: \.isRequired) {
      guard !["Curve", "Gradient", "Mesh"].contains(type.title) else { continue }
      let value = try type.init(json: [:], at: .root)
      var diagnostics: [Diagnostic] = []
      value.check(nil, at: .root, into: &diagnostics)
      #expect(diagnostics.isEmpty, "\(type.title)")
    }
  }

  /// `PARTICLES_RECORD=1` writes the section of the specification again.
  @Test func theSpecificationHasTheTables() throws {
    let path = try #require(repositoryFile("Spec/document.md"))
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    let begin = try #require(text.firstRange(of: "again -->\n")).upperBound
    let end = try #require(text.firstRange(of: "<!-- /properties -->")).lowerBound
    let tables = "\n" + catalog.markdown() + "\n"
    if ProcessInfo.processInfo.environment["PARTICLES_RECORD"] == "1" {
      let recorded = text[..<begin] + tables + text[end...]
      try Data(String(recorded).utf8).write(to: path)
    } else {
      #expect(text[begin..<end] == tables, "run the tests with PARTICLES_RECORD=1")
    }
  }

  /// Every rule of the document has its section.
  @Test func everyAnchorIsASection() throws {
    let path = try #require(repositoryFile("Spec/document.md"))
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    let anchors = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
      .map { $0.dropFirst(3).lowercased().replacing(" ", with: "-") }
    for rule in Rule.all where rule.anchor.hasPrefix("document.md#") {
      #expect(anchors.contains(String(rule.anchor.dropFirst(12))), "\(rule.code)")
      #expect(text.contains("[`\(rule.code)`]"), "\(rule.code)")
    }
  }

  /// The specification speaks of rules that there are, and of every name that may stand in a list.
  @Test func rulesAndNamesOfTheSpecification() throws {
    let path = try #require(repositoryFile("Spec/document.md"))
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    let codes = Set(Rule.all.map(\.code))
    for match in text.matches(of: /\[`(\w+\/[\w-]+)`\]/) {
      #expect(codes.contains(String(match.1)), "\(match.1)")
    }
    let names = try #require(text.firstRange(of: "### Names")).upperBound
    let section = String(text[names...])
    for info in catalog.objects.flatMap(\.properties) where info.type.hasPrefix("\"") {
      for name in info.type.split(separator: "\"") where name != ", " && name != " or null" {
        #expect(section.contains("`\(name)`"), "\(info.key): \(name)")
      }
    }
  }

  private func repositoryFile(_ name: String) -> URL? {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path.count > 1 {
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
        return folder.appending(path: name)
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}
