import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesSystem
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

  /// The sections of the file of a language: texts by their keys.
  private static func sections(_ language: String) throws -> [String: [String: String]] {
    let file = try #require(BrowserPages.file("\(language).json"))
    let object = try #require(try JSONValue(parsing: file).object)
    return Dictionary(
      uniqueKeysWithValues: object.members.map { section -> (String, [String: String]) in
        let rows = (section.value.object?.members).map(Array.init) ?? []
        let texts = rows.map { ($0.key, $0.value.string ?? "") }
        return (section.key, Dictionary(texts) { _, _ in "a key occurs twice" })
      })
  }

  /// The places of values in a text.
  private static func places(_ text: String) -> [String] {
    text.matches(of: /\{\d\}/).map { String($0.output) }.sorted()
  }

  @Test("every language has the texts of the pages, with equal values", arguments: ["de"])
  func languages(_ language: String) throws {
    let (english, other) = (try Self.sections("en"), try Self.sections(language))
    #expect(Set(other.keys) == Set(Texts.Section.allCases.map(\.rawValue)))
    for (section, texts) in english {
      let translated = try #require(other[section])
      #expect(Set(texts.keys).symmetricDifference(translated.keys).sorted() == [], "\(section)")
      for (key, text) in texts {
        #expect(!text.isEmpty && translated[key]?.isEmpty == false, "\(key)")
        #expect(Self.places(text) == Self.places(translated[key] ?? ""), "\(key)")
      }
    }
    for section in ["tool", "words", "comments"] {
      for (key, text) in other[section] ?? [:] {
        #expect(Self.places(key) == Self.places(text), "\(key)")
      }
    }
  }

  @Test("a text is found without parsing its file", arguments: ["en", "de"])
  func lines(_ language: String) throws {
    for (name, texts) in try Self.sections(language) {
      let section = try #require(Texts.Section(rawValue: name))
      for (key, text) in texts {
        #expect(Texts.text(key, of: section, in: language) == text, "\(name): \(key)")
      }
      #expect(Texts.text("no such key", of: section, in: language) == nil)
    }
    #expect(Texts.text("undo", of: .pages, in: "xx") == nil)
  }

  @Test("texts that are made in code are found with their numbers and names as values")
  func made() {
    let cases = [
      "at least 2": "mindestens 2", "-1.5 to 1e3": "-1.5 bis 1e3",
      "more than 0, at most 1": "mehr als 0, höchstens 1", "no 'a-b'": "kein 'a-b'",
      "a region inside the image (64 × 32)": "ein Ausschnitt im Bild (64 × 32)",
      "at least one, because the type is points": "mindestens eins, weil die Form points ist",
      "empty (0 bytes)": "leer (0 Byte)", "a number": "eine Zahl",
    ]
    for (english, german) in cases {
      #expect(Texts.made(english, of: .words, in: "de") == german, "\(english)")
    }
    for other in ["", "a", "at least", "above all that is", "(", "'"] {
      #expect(Texts.made(other, of: .words, in: "de") == nil, "\(other)")
    }
  }

  @Test("pages name only texts that there are, and every text is named")
  func texts() throws {
    let english = try Self.sections("en")
    let known = Set((english["pages"] ?? [:]).keys).union((english["editor"] ?? [:]).keys)
    #expect(known.count > 700)
    var words: Set<Substring> = []
    for name in BrowserPages.names where name.hasSuffix(".js") || name.hasSuffix(".html") {
      let text = String(decoding: try #require(BrowserPages.file(name)), as: UTF8.self)
      for match in text.matches(
        of: /\btext\("(\w+)"|data-(?:text|label|placeholder)="(\w+)"|label: "(\w+)"/)
      {
        let key = String(match.1 ?? match.2 ?? match.3 ?? "")
        #expect(known.contains(key), "\(name): \(key)")
      }
      words.formUnion(text.matches(of: /\w+/).map(\.output))
    }
    // Code makes these of two parts, as do the tests of names below.
    let made = [
      "kind", "level", "corner_", "new_", "presets_", "section_", "soft_", "editLoop", "keyCap",
      "editKeep", "copiedMany", "addressCopiedMany", "type", "operation", "template", "unit",
      "version", "aspect",
    ]
    let unused = known.filter { key in
      !words.contains(key[...]) && !made.contains { key.hasPrefix($0) }
    }
    #expect(unused.sorted() == [])
  }

  @Test("a page gets the texts of a part in its language, and hints by their English texts")
  func parts() throws {
    let pages = try Texts.json(.pages, in: "de")
    #expect(pages.object?["pages"]?.object?["undo"]?.string == "Rückgängig")
    let editor = try Texts.json(.editor, in: "de").object
    #expect(editor?["labels"]?.object?["emission.rate"]?.string == "Rate")
    #expect(editor?["pages"]?.object?["emitters"]?.string == "Emitter")
    #expect(editor?["descriptions"]?.object?["emission.rate"]?.string == "Partikel je Sekunde.")
    let messages = try Texts.json(.messages, in: "de").object
    #expect(messages?["rules"]?.object?["file/exists"]?.string == "ist schon vorhanden")
    #expect(messages?["words"]?.object?["rename it"]?.string == "umbenennen")
    #expect(try Texts.json(.editor, in: "en").object?["descriptions"]?.object?.isEmpty == true)
    #expect(throws: Diagnostic.self) { try Texts.json(.pages, in: "../de") }
  }

  @Test("each fixed name of the program has a text")
  func names() throws {
    let texts = try #require(try Self.sections("en")["pages"])
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
      #expect(texts[Texts.key(prefix, name)] != nil, "\(Texts.key(prefix, name))")
    }
    #expect(Texts.key("type", "LÖVE, o\u{308}l, ệ-É²") == "typeLOVEOlEE")
    for template in EffectTemplate.all {
      #expect(texts[Texts.key("templateHint", template.name)] == template.summary)
      #expect(texts[Texts.key("template", template.name)] == template.name)
    }
  }

  @Test("the pages have words for each fact about an effect")
  func facts() throws {
    let page = String(decoding: try #require(BrowserPages.file("document-facts.js")), as: UTF8.self)
    let texts = try #require(try Self.sections("en")["pages"])
    let labels = page.matches(of: /^  (fact\w+)[:(]/.anchorsMatchLineEndings()).map { String($0.1) }
    #expect(labels.count == 12)
    for label in labels { #expect(texts[label] != nil, "\(label)") }
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

  @Test("each property that is edited, and each value of a list, has a name")
  func properties() throws {
    let labels = try #require(try Self.sections("de")["labels"])
    let names = try #require(try Self.sections("en")["values"])
    // Properties that the inspector does not show, as `rows.js` states them.
    let table = String(decoding: try #require(BrowserPages.file("editor/rows.js")), as: UTF8.self)
    let line = try #require(table.firstMatch(of: /const hidden = \[(.*)\];/)).1
    let hidden = try line.split(separator: ", ").map {
      try Regex(String($0.dropFirst().dropLast()))
    }
    #expect(hidden.count == 4)
    var (missing, known, values): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    // Curves of a trail have one row each in the pages.
    let whole = table.matches(of: /key: "emitters\[\]\.([\w.]+)", type/).map { String($0.1) }
    known.formUnion(whole)
    for row in EditorSchema.json.array ?? [] {
      let key = try #require(row.object?["key"]?.string)
      let short = Texts.shortKey(key)
      known.insert(short)
      values.formUnion(row.object?["values"]?.array?.compactMap(\.string) ?? [])
      guard key != "emitters", !hidden.contains(where: { key.contains($0) }) else { continue }
      if labels[short] == nil { missing.insert(key) }
      for value in row.object?["values"]?.array?.compactMap(\.string) ?? []
      where names[value] == nil { missing.insert("\(key): \(value)") }
    }
    #expect(known.count > 200 && values.count > 90)
    #expect(missing.isEmpty, "\(missing.sorted().joined(separator: "\n"))")
    #expect(Set(labels.keys).subtracting(known).sorted() == [])
    // Tests of pages in node have no program.
    let stated = try #require(try Texts.json(.editor, in: "en").object?["labels"]?.object)
    #expect(stated.members.count > 70)
    try Golden.check(JSONValue.object(stated).text, against: "Tests/Browser/editor-labels.json")
  }

  @Test("each rule, hint and description has a text in every language", arguments: ["de"])
  func messages(_ language: String) throws {
    let texts = try Self.sections(language)
    func keys(_ section: String) -> Set<String> { Set((texts[section] ?? [:]).keys) }
    #expect(keys("rules").symmetricDifference(Rule.all.map(\.code)).sorted() == [])
    let hinted = Rule.all.filter { $0.hint != nil }.map(\.code)
    #expect(keys("hints").symmetricDifference(hinted).sorted() == [])
    // Pages find the end of the summary in a message.
    for rule in Rule.all {
      #expect(!rule.summary.contains(": ") && !rule.summary.contains(" ("), "\(rule.code)")
    }
    let table = String(decoding: try #require(BrowserPages.file("editor/rows.js")), as: UTF8.self)
    let whole = table.matches(of: /key: "(emitters\[\]\.[\w.]+)", type/).map { String($0.1) }
    let described =
      (whole + (EditorSchema.json.array ?? []).compactMap { $0.object?["key"]?.string })
      .map(Texts.shortKey)
    #expect(described.count > 200)
    #expect(keys("descriptions").symmetricDifference(described).sorted() == [])
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
