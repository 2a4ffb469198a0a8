import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

@testable import ParticlesBrowser

/// The pages and the specification against the tables in code.
@Suite("Pages of the browser")
struct PageTests {
  @Test("Spec/browser.md has the routes of the table")
  func routes() throws {
    try Golden.checkSection(
      "routes", of: "Spec/browser.md",
      is: {
        let rows = Route.all.map { route in
          let changes = route.isChanging ? ". Not with `--read-only`" : ""
          let access =
            switch route.access {
            case .anyone: ". Without the secret"
            case .page: ""
            case .tool: ". For the tool"
            }
          let size = route.mostBytes > 1 << 20 ? ". Up to \(route.mostBytes >> 20) MB" : ""
          let path = route.path.isEmpty ? "(the first page)" : "`\(route.path)`"
          let summary =
            route.summary.hasSuffix(".") ? String(route.summary.dropLast()) : route.summary
          return
            "| \(route.method.rawValue) | \(path) | \(route.values) | \(summary)\(changes)\(access)\(size) |"
        }
        return (["| method | path | values | answer |", "|---|---|---|---|"] + rows).joined(
          separator: "\n")
      }())
  }

  @Test("the pages ask for routes that there are, by their methods")
  func addresses() throws {
    var asked = 0
    for name in BrowserPages.names where name.hasSuffix(".js") && name != "server.js" {
      let text = String(decoding: try #require(BrowserPages.file(name)), as: UTF8.self)
      for match in text.matches(of: /\b(ask|load|address|order|send)\("([a-z-]+)"/) {
        let method: Route.Method = ["order", "send"].contains(match.1) ? .post : .get
        let (routes, _) = Route.find(String(match.2), for: .page)
        #expect(routes.contains { $0.method == method }, "\(name) asks for \(match.2)")
        asked += 1
      }
    }
    #expect(asked > 25)
  }

  /// The texts of both languages by their keys, of all catalogues: the parts of the pages that are loaded later have their own.
  private static func catalogue() throws -> (
    keys: [String: [String]], texts: [String: [String: String]]
  ) {
    var keys: [String: [String]] = [:]
    var texts: [String: [String: String]] = [:]
    for name in BrowserPages.names where isCatalogue(name) {
      var language: String?
      let file = String(decoding: try #require(BrowserPages.file(name)), as: UTF8.self)
      for line in file.split(separator: "\n") {
        if let match = line.firstMatch(of: /^  (en|de): \{$/) { language = String(match.1) }
        if line == "};" || line == "});" { language = nil }
        if let language, let match = line.firstMatch(of: /^    (\w+): "(.*)",$/) {
          keys[language, default: []].append(String(match.1))
          texts[String(match.1), default: [:]][language] = String(match.2)
        }
      }
    }
    return (keys, texts)
  }

  private static func isCatalogue(_ name: String) -> Bool {
    Files.lastComponent(of: name).hasPrefix("strings")
  }

  @Test("both languages have the same texts, and the pages name no other")
  func texts() throws {
    let (keys, texts) = try Self.catalogue()
    #expect(texts.values.allSatisfy { $0.values.allSatisfy { !$0.isEmpty } })
    #expect(keys["en"] == keys["de"])
    let known = Set(keys["en"] ?? [])
    #expect(known.count > 90)
    var used: Set<String> = []
    for name in BrowserPages.names where !Self.isCatalogue(name) {
      let text = String(decoding: try #require(BrowserPages.file(name)), as: UTF8.self)
      for match in text.matches(
        of: /\btext\("(\w+)"|data-(?:text|label|placeholder)="(\w+)"|label: "(\w+)"/)
      {
        let key = String(match.1 ?? match.2 ?? match.3 ?? "")
        used.insert(key)
        #expect(known.contains(key), "\(name): \(key)")
      }
    }
    #expect(used.count > 60)
  }

  /// The key of a name of the program, as `strings.js` makes it.
  private static func key(_ prefix: String, _ name: String) -> String {
    let words = name.replacing("Ö", with: "O").matches(of: /[A-Za-z0-9]+/)
    return prefix + words.map { $0.output.prefix(1).uppercased() + $0.output.dropFirst() }.joined()
  }

  @Test("each fixed name of the program has a text in both languages")
  func names() throws {
    let texts = try Self.catalogue().texts
    var names: [(prefix: String, name: String)] = []
    names += DocumentVersion.Kind.allCases.map { ("version", $0.rawValue) }
    names += EffectDifference.Aspect.allCases.map { ("aspect", $0.rawValue) }
    let formats = FormatRegistry.standard
    names += formats.formats.map { ("type", $0.title) }
    names += [
      "Particles document", "Particles package", "Particles document of Apple's sample",
    ].map { ("type", $0) }
    for template in EffectTemplate.all {
      names += [("template", template.name), ("templateHint", template.name)]
    }
    names += [ParticleSystem.LengthUnit.point, .pixel, .meter].map { ("unit", $0.rawValue) }
    let operations: [BrowserOperation] = [
      .rename("", to: ""), .duplicate([]), .move([], to: ""), .copy([], to: ""), .trash([]),
      .restore([], to: nil), .delete([]), .emptyTrash, .importFiles([], into: "", .copy),
      .createFolder("", in: ""),
    ]
    names += operations.map { ("operation", $0.name) }
    #expect(names.count > 80)
    for (prefix, name) in names {
      let found = texts[Self.key(prefix, name)]
      #expect(found?["en"] != nil && found?["de"] != nil, "\(Self.key(prefix, name))")
    }
    for template in EffectTemplate.all {
      #expect(texts[Self.key("templateHint", template.name)]?["en"] == template.summary)
      #expect(texts[Self.key("template", template.name)]?["en"] == template.name)
    }
  }

  @Test("the pages have words for each fact about an effect")
  func facts() throws {
    let page = String(decoding: try #require(BrowserPages.file("facts.js")), as: UTF8.self)
    let texts = try Self.catalogue().texts
    let labels = page.matches(of: /^  (fact\w+)[:(]/.anchorsMatchLineEndings()).map { String($0.1) }
    #expect(labels.count == 12)
    for label in labels { #expect(texts[label]?["de"] != nil, "\(label)") }
    // An effect of another program, whose origin is known, and one of a template.
    let scratch = try Scratch()
    let fire = scratch.file("fire.particles")
    try Files.create(fire, try #require(EffectTemplate.named("fire")).package().container.encoded())
    var known: Set<String> = []
    for file in [fire, Repository.path("Fixtures/effects/libgdx/torch.p")] {
      known.formUnion(try BrowserServer.facts(at: file).values.members.map(\.key))
    }
    #expect(known.count > 10)
    for key in known {
      #expect(page.contains(try Regex("[{ ]\(key)[ ,})]")), "no words for \(key)")
    }
  }

  /// The keys of a table of `words.js`, in the order of the file.
  private static func words(_ table: String, _ page: String) throws -> [String] {
    let start = try #require(page.firstRange(of: "const \(table) = {")?.upperBound)
    let end = try #require(page[start...].firstRange(of: "\n};")?.lowerBound)
    return page[start..<end].matches(of: /(?:"([^"]+)"|(\w+)): \["[^"]+", "[^"]+"\]/).map {
      String($0.1 ?? $0.2 ?? "")
    }
  }

  @Test("each property that is edited, and each value of a list, has a name in both languages")
  func properties() throws {
    let page = String(decoding: try #require(BrowserPages.file("editor/words.js")), as: UTF8.self)
    let (ends, names) = (try Self.words("properties", page), Set(try Self.words("names", page)))
    #expect(ends.count > 100 && names.count > 100)
    // Properties that the inspector does not show, as `rows.js` states them.
    let table = String(decoding: try #require(BrowserPages.file("editor/rows.js")), as: UTF8.self)
    let line = try #require(table.firstMatch(of: /const hidden = \[(.*)\];/)).1
    let hidden = try line.split(separator: ", ").map {
      try Regex(String($0.dropFirst().dropLast()))
    }
    #expect(hidden.count == 4)
    var (missing, count): (Set<String>, Int) = ([], 0)
    for row in EditorSchema.json.array ?? [] {
      guard let key = row.object?["key"]?.string, key != "emitters",
        !hidden.contains(where: { key.contains($0) })
      else { continue }
      count += 1
      if !ends.contains(where: { key == $0 || key.hasSuffix(".\($0)") }) { missing.insert(key) }
      for value in row.object?["values"]?.array?.compactMap(\.string) ?? []
      where !names.contains(value) { missing.insert("\(key): \(value)") }
    }
    #expect(count > 150)
    #expect(missing.isEmpty, "\(missing.sorted().joined(separator: "\n"))")
  }

  /// The texts of a table of `german.js` by the English ones.
  private static func german(_ table: String) throws -> [String: String] {
    let page = String(decoding: try #require(BrowserPages.file("german.js")), as: UTF8.self)
    let start = try #require(page.firstRange(of: "const \(table) = {")?.upperBound)
    let end = try #require(page[start...].firstRange(of: "\n};")?.lowerBound)
    let lines = page[start..<end].split(separator: "\n")
    var texts: [String: String] = [:]
    for line in lines {
      let match = try #require(
        line.wholeMatch(of: /^  (?:"((?:[^"\\]|\\.)+)"|(\w+)): "((?:[^"\\]|\\.)+)",/), "\(line)")
      let english = (match.1 ?? match.2 ?? "").replacing("\\\"", with: "\"")
      #expect(texts.updateValue(String(match.3), forKey: english) == nil, "\(english)")
    }
    return texts
  }

  @Test("each message and hint of a rule, and each description of a property, has a German text")
  func german() throws {
    let rules = try Self.german("rules")
    let needed = Set(Rule.all.flatMap { [$0.summary, $0.hint].compactMap(\.self) })
    #expect(needed.count > 180)
    #expect(needed.symmetricDifference(rules.keys).sorted() == [])
    // Pages find the end of the summary in a message.
    for rule in Rule.all {
      #expect(!rule.summary.contains(": ") && !rule.summary.contains(" ("), "\(rule.code)")
    }
    let properties = try Self.german("properties")
    let rows = String(decoding: try #require(BrowserPages.file("editor/rows.js")), as: UTF8.self)
    let described =
      Set((EditorSchema.json.array ?? []).compactMap { $0.object?["summary"]?.string })
      .union(rows.matches(of: /summary: "([^"]+)"/).map { String($0.1) })
    #expect(described.count > 150)
    #expect(described.symmetricDifference(properties.keys).sorted() == [])
    // The values of a text are in both languages.
    for table in ["values", "comments"] {
      for (english, german) in try Self.german(table) {
        func places(_ text: String) -> [Substring] { text.matches(of: /\{\d\}/).map(\.output) }
        #expect(places(english).sorted() == places(german).sorted(), "\(english)")
      }
    }
  }

  @Test("no page has code, styles or addresses outside")
  func policy() throws {
    for name in BrowserPages.names {
      let text = String(decoding: try #require(BrowserPages.file(name)), as: UTF8.self)
      #expect(!text.contains("innerHTML") && !text.contains("eval("), "\(name)")
      for match in text.matches(of: /https?:\/\/[^"' )]+/) {
        #expect(match.output == "http://www.w3.org/2000/svg", "\(name): \(match.output)")
      }
    }
  }
}
