import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Finds symbols without a topic, which DocC lists alphabetically without a warning.
@Suite("Topics of the documentation")
struct TopicTests {
  @Test("each public type is in a topic, by the modules that the umbrella re-exports")
  func types() throws {
    let files = try SourceFile.all()
    let modules = files.filter { $0.module == "Particles" }.flatMap(\.imports)
    let types = Self.types(in: files.filter { modules.contains($0.module) })
    #expect(types.count > 150)
    let topics = try (modules + ["Particles"]).reduce(into: Set<String>()) { topics, module in
      for page in try Self.pages(of: module) {
        topics.formUnion(Self.topics(on: page.text, modules: modules))
      }
    }
    #expect(types.subtracting(topics).sorted() == [])
  }

  @Test("each article is in a topic of its module")
  func articles() throws {
    for module in ["Particles", "ParticlesContainer"] {
      let pages = try Self.pages(of: module)
      let landing = try #require(pages.first { $0.name == "\(module).md" })
      let articles = pages.filter { !$0.text.hasPrefix("# ``") }
      #expect(!articles.isEmpty)
      for article in articles {
        #expect(landing.text.contains("- <doc:\(article.name.dropLast(3))>"), "\(article.name)")
      }
    }
  }

  // MARK: Sources

  /// The public types, as `Outer/Inner`.
  private static func types(in files: [SourceFile]) -> Set<String> {
    let declaration =
      /( *)(public |)(?:\w+ )*?(struct|enum|class|actor|protocol|typealias|extension) ([\w.]+)/
    var types: Set<String> = []
    var inExtensions: [(extended: String, name: String)] = []
    for file in files {
      // The declarations around a line: those above it that are indented less.
      var around: [(indentation: Int, name: String, isExtension: Bool)] = []
      for (_, text) in file.code {
        guard let match = text.prefixMatch(of: declaration)?.output else { continue }
        around.removeAll { $0.indentation >= match.1.count }
        let name = String(match.4).replacing(".", with: "/")
        around.append((match.1.count, name, match.3 == "extension"))
        guard match.3 != "extension", !match.2.isEmpty else { continue }
        if around[0].isExtension {
          let inner = around.dropFirst().map(\.name).joined(separator: "/")
          inExtensions.append((around[0].name, inner))
        } else {
          types.insert(around.map(\.name).joined(separator: "/"))
        }
      }
    }
    // The extended type may itself be declared in an extension and named without its parent.
    while true {
      let found = inExtensions.compactMap { item in
        types.first { "/\($0)".hasSuffix("/\(item.extended)") }.map { "\($0)/\(item.name)" }
      }
      guard !types.isSuperset(of: found) else { return types }
      types.formUnion(found)
    }
  }

  // MARK: Catalogues

  /// The pages in the catalogue of a module.
  private static func pages(of module: String) throws -> [(name: String, text: String)] {
    try SourceFile.files(under: "Sources/\(module)/\(module).docc").map { path in
      let text = String(decoding: try Files.read(Repository.path(path)), as: UTF8.self)
      return (Files.lastComponent(of: path), text)
    }
  }

  /// The symbols in the topics of a page, without their modules.
  private static func topics(on page: String, modules: [String]) -> [String] {
    func symbol(_ link: Substring) -> String {
      let names = link.split(separator: "/").map(String.init)
      return (names.first.map(modules.contains) ?? false ? Array(names.dropFirst()) : names)
        .joined(separator: "/")
    }
    let parts = page.split(separator: "\n## Topics\n", maxSplits: 1)
    guard parts.count == 2 else { return [] }
    let subject = page.prefixMatch(of: /# ``(.+)``/).map { symbol($0.output.1) } ?? ""
    return parts[1].matches(of: /- ``(.+)``/).flatMap { match in
      let name = symbol(match.output.1)
      return subject.isEmpty || subject == "Particles" ? [name] : [name, "\(subject)/\(name)"]
    }
  }
}
