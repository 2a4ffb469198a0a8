import ParticlesCore
import ParticlesDesktop
import ParticlesPropertyLists
import ParticlesSystem
import ParticlesTestSupport
import ParticlesTypes
import Testing

/// Property lists that were written by hand in the manner of real applications, in
/// `Fixtures/info-plists`, each with the findings that it should have.
@Suite("Property lists of applications")
struct InfoPlistTests {
  static let folder = Repository.path("Fixtures/info-plists")

  struct Finding: Hashable, Comparable, CustomStringConvertible {
    var severity: String
    var rule: String
    var key: String

    init(_ diagnostic: Diagnostic) {
      severity = "\(diagnostic.severity)"
      rule = diagnostic.rule.code
      guard case .key(let path)? = diagnostic.location.position else {
        key = ""
        return
      }
      key = path
    }

    init(_ row: [Substring]) { (severity, rule, key) = ("\(row[1])", "\(row[2])", "\(row[3])") }

    var description: String { "\(key): \(severity) [\(rule)]" }

    static func < (a: Finding, b: Finding) -> Bool { a.description < b.description }
  }

  /// The expected findings by the path of the file.
  static func expected() throws -> [String: [Finding]] {
    let text = String(decoding: try Files.read("\(folder)/expected.tsv"), as: UTF8.self)
    var expected: [String: [Finding]] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let row = line.split(separator: "\t", omittingEmptySubsequences: false)
      expected["\(row[0])", default: []] += row[1] == "-" ? [] : [Finding(row)]
    }
    return expected
  }

  /// The bundles and single files.
  static func units() throws -> [String] {
    try Files.list(folder).filter { $0 != "expected.tsv" }
  }

  private static func findings(_ unit: String) throws -> [String: [Finding]] {
    do {
      let bundle = try TypesBundle(contentsOf: "\(folder)/\(unit)")
      #expect(bundle.faults.isEmpty)
      var findings: [String: [Finding]] = [:]
      for result in bundle.findings() {
        let path = try #require(result.file.source.path)
        findings[String(path.dropFirst(folder.utf8.count + 1))] = result.findings.map(Finding.init)
      }
      return findings
    } catch let diagnostic as Diagnostic {
      return [unit: [Finding(diagnostic)]]
    }
  }

  @Test("each has the findings in the table, and no others", arguments: try units())
  func findings(_ unit: String) throws {
    let expected = try Self.expected().filter { $0.key == unit || $0.key.hasPrefix("\(unit)/") }
    let found = try Self.findings(unit)
    #expect(!expected.isEmpty)
    #expect(found.mapValues { $0.sorted() } == expected.mapValues { $0.sorted() })
  }

  @Test("the table is of at least forty files, all there")
  func table() throws {
    let expected = try Self.expected()
    #expect(expected.count >= 40)
    for path in expected.keys { #expect(try Files.status("\(Self.folder)/\(path)") != nil) }
  }

  @Test("an extension alone asks for its application, and inside of one is checked with it")
  func alone() throws {
    let inside = "\(Self.folder)/Draw.app/Contents/PlugIns/Preview.appex"
    #expect(try TypesBundle(contentsOf: inside).findings().flatMap(\.findings).isEmpty)
    let scratch = try Scratch()
    let copy = scratch.file("Info.plist")
    try Files.create(copy, Files.read("\(inside)/Contents/Info.plist"))
    let finding = try #require(try TypesBundle(contentsOf: copy).findings()[0].findings.first)
    #expect(finding.severity == .note && finding.hint?.contains("types lint") == true)
    let app = try TypesFile(contentsOf: "\(Self.folder)/Draw.app")
    let known = TypeRegistry.standard.adding([app])
    let complete = try TypesBundle(contentsOf: copy).findings(known: known, isComplete: true)
    #expect(complete.flatMap(\.findings).isEmpty)
  }

  @Test("a part that cannot be read is reported, and the others are checked")
  func damaged() throws {
    let scratch = try Scratch()
    for folder in ["A.app", "A.app/PlugIns", "A.app/PlugIns/B.appex", "A.app/PlugIns/C.appex"] {
      try Files.makeDirectory(scratch.file(folder))
    }
    let bytes = try Files.read("\(Self.folder)/mac-drawing.plist")
    try Files.create(scratch.file("A.app/Info.plist"), bytes)
    try Files.create(scratch.file("A.app/PlugIns/C.appex/Info.plist"), Array("<plist>".utf8))
    let bundle = try TypesBundle(contentsOf: scratch.file("A.app"))
    #expect(bundle.files.count == 1)
    #expect(bundle.faults.map(\.rule) == [.fileNotFound, .xml])
  }

  // MARK: Round trip

  /// The files that are read: all but the old-style one.
  static func readable() throws -> [String] {
    try expected().keys.filter { $0 != "old-openstep.plist" }.sorted()
  }

  @Test("an untouched property list is written with every key and value")
  func lossless() throws {
    for name in try Self.readable() {
      let file = try TypesFile(contentsOf: "\(Self.folder)/\(name)")
      let losses = file.losses(in: .propertyList).filter { $0.severity > .note }
      #expect(losses.isEmpty, "\(name): \(losses)")
      let source = try Files.read("\(Self.folder)/\(name)")
      let read = try PropertyListValue(decoding: source) { _ in }
      let again = try PropertyListValue(decoding: file.propertyListValue.xml)
      #expect(again == read, "\(name)")
    }
  }

  @Test(
    "an independent reader finds the same in what was read and in what was written",
    .needs("python3"))
  func independent() throws {
    let python = try #require(Run.find("python3"))
    let scratch = try Scratch()
    var pairs: [String] = []
    for (index, name) in try Self.readable().enumerated() {
      let source = "\(Self.folder)/\(name)"
      let copy = scratch.file("\(index).plist")
      try Files.create(copy, TypesFile(contentsOf: source).propertyListValue.xml)
      pairs += [source, copy]
    }
    let script = """
      import plistlib, sys
      paths = sys.argv[1:]
      load = lambda path: plistlib.loads(open(path, 'rb').read())
      for source, copy in zip(paths[::2], paths[1::2]):
          if load(source) != load(copy): print(source)
      print('compared', len(paths) // 2)
      """
    let run = try Run.succeeding(python, ["-c", script] + pairs)
    #expect(run.text == "compared \(pairs.count / 2)\n")
    #expect(pairs.count / 2 >= 40)
  }

  @Test("dynamic identifiers are written as extensions, and what a format lacks is reported")
  func exports() throws {
    let file = try TypesFile(contentsOf: "\(Self.folder)/old-text-editor.plist")
    let json = file.json
    #expect(!json.text.contains("dyn."))
    let lost = file.losses(in: .json).map { "\($0.location)" }
    #expect(
      lost == [
        "CFBundleDocumentTypes[0].CFBundleTypeIconFile",
        "CFBundleDocumentTypes[1].CFBundleTypeIconFile",
        "CFBundleDocumentTypes[1].NSPersistentStoreTypeKey",
      ])
    let again = try TypesFile(json: json)
    #expect(again.claims.map(\.value.claim.types) == file.claims.map(\.value.claim.types))
    let list = again.propertyList
    #expect(!list.text.contains("dyn."))
    let claims = list.object?["CFBundleDocumentTypes"]?.array
    let claim = try #require(claims?.first?.object)
    #expect(claim["CFBundleTypeExtensions"] == .array(["txt", "text", "log"]))
    #expect(claim["CFBundleTypeOSTypes"] == .array(["TEXT", "utxt"]))
    #expect(claim["CFBundleTypeMIMETypes"] == .array(["text/plain"]))
    #expect(claim["LSItemContentTypes"] == nil && claim["NSDocumentClass"] == "MyDocument")
  }

  @Test("values that a property list has no key for are reported, one by one")
  func losses() throws {
    let json: JSONValue = [
      "version": .int(1),
      "exports": .array([
        [
          "identifier": "com.example.a", "compoundExtensions": .array(["a.gz"]),
          "magic": .array([["bytes": "00"]]), "globs": .array([["pattern": "a*"]]),
          "template": "a.a", "sharedMIMEType": "application/x-a", "wildcard": .bool(true),
        ]
      ]),
      "claims": .array([["types": .array(["com.example.a", "dyn.age8u"])]]),
      "actions": .array([["identifier": "x", "types": .array(["com.example.a"])]]),
      "choices": .array([["type": "com.example.a", "handler": "b"]]),
    ]
    let file = try TypesFile(json: json)
    #expect(
      file.losses(in: .propertyList).map { "\($0.location)" } == [
        "exports[0].compoundExtensions", "exports[0].sharedMIMEType", "exports[0].magic",
        "exports[0].globs", "exports[0].template", "exports[0].wildcard", "claims[0].types[1]",
        "actions", "choices",
      ])
    #expect(file.losses(in: .propertyList).allSatisfy { $0.rule == .lost })
    #expect(!file.propertyList.text.contains("dyn."))
    #expect(file.losses(in: .json).isEmpty)
    #expect(try TypesFile(json: file.json).json == file.json)
    #expect(file.json.text.contains("\"template\": \"a.a\""))
  }
}
