import ParticlesCore
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
          let changes = route.isChanging ? "; not with `--read-only`" : ""
          let path = route.path.isEmpty ? "(the first page)" : "`\(route.path)`"
          let summary =
            route.summary.hasSuffix(".") ? String(route.summary.dropLast()) : route.summary
          return "| \(route.method.rawValue) | \(path) | \(route.values) | \(summary)\(changes) |"
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
        let (routes, _) = Route.find(String(match.2))
        #expect(routes.contains { $0.method == method }, "\(name) asks for \(match.2)")
        asked += 1
      }
    }
    #expect(asked > 25)
  }

  @Test("both languages have the same texts, and the pages name no other")
  func texts() throws {
    // The parts of the pages that are loaded later have catalogues of their own.
    func isCatalogue(_ name: String) -> Bool { Files.lastComponent(of: name).hasPrefix("strings") }
    let catalogue = try BrowserPages.names.filter(isCatalogue).map {
      String(decoding: try #require(BrowserPages.file($0)), as: UTF8.self)
    }.joined(separator: "\n")
    var keys: [String: [String]] = [:]
    var language: String?
    for line in catalogue.split(separator: "\n") {
      if let match = line.firstMatch(of: /^  (en|de): \{$/) { language = String(match.1) }
      if line == "};" || line == "});" { language = nil }
      if let language, let match = line.firstMatch(of: /^    (\w+): "(.*)",$/) {
        keys[language, default: []].append(String(match.1))
        #expect(!match.2.isEmpty)
      }
    }
    #expect(keys["en"] == keys["de"])
    let known = Set(keys["en"] ?? [])
    #expect(known.count > 90)
    var used: Set<String> = []
    for name in BrowserPages.names where !isCatalogue(name) {
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

  @Test("the record of an address is private, and one that others may read does not count")
  func record() throws {
    let scratch = try Scratch()
    let directories = BaseDirectories(environment: ["XDG_RUNTIME_DIR": scratch.path])
    let record = try BrowserRecord(directories, isReadOnly: false)
    #expect(record.address() == nil)
    #expect(record.take())
    let address = BrowserRecord.Address(port: 40_123, secret: RequestGuard.makeSecret())
    try record.store(address)
    let other = try BrowserRecord(directories, isReadOnly: false)
    #expect(!other.take())
    #expect(other.address() == address)
    #expect(try BrowserRecord(directories, isReadOnly: true).take())
    let path = scratch.file("particles/browser.json")
    #expect(try Files.status(path)?.mode == 0o600)
    #expect(try Files.status(scratch.file("particles"))?.mode == 0o700)
    try OpenFile(updating: path).setMode(0o644)
    #expect(other.address() == nil)
    for text in [
      "", "{}", "{\"port\": 0, \"secret\": \"\(address.secret)\"}",
      "{\"port\": 80, \"secret\": \"x\"}",
    ] {
      try Files.removeAll(path)
      let file = try OpenFile(creating: path, mode: 0o600)
      try file.write(Array(text.utf8))
      #expect(other.address() == nil, "\(text)")
    }
    let page = try ForwardingPage(to: "http://127.0.0.1:1/x/", in: record.folder)
    #expect(try Files.status(page.path)?.mode == 0o600)
    #expect(
      String(decoding: try Files.read(page.path), as: UTF8.self).contains(
        "url=http://127.0.0.1:1/x/"))
    ForwardingPage.removeAll(in: record.folder)
    #expect(try Files.status(page.path) == nil)
  }
}
