import ParticlesPropertyLists
import ParticlesCore
import ParticlesDesktop
import ParticlesSystem
import ParticlesTestSupport
import ParticlesTypes
import Testing

@Suite("What files say of types")
struct TypesFileTests {
  static let folder = "Fixtures/rules/types"

  static func names() throws -> [String] {
    try Files.list(Repository.path(folder)).filter { !$0.hasSuffix(".drawing") }
  }

  static func findings(_ path: String) throws -> [Diagnostic] {
    do {
      return try TypeLinter(TypesFile(contentsOf: path)).findings { template in
        try? Files.status(Files.joined(Files.folder(of: path), template))?.size
      }
    } catch let diagnostic as Diagnostic {
      return [diagnostic]
    }
  }

  /// Findings in a fixture besides the fault in its name.
  static let besides: [String: Set<String>] = [
    "structure-apple-sample.plist": ["types/role"]
  ]

  @Test("each fixture breaks the rule that it is named after, and no other", arguments: try names())
  func fixture(_ name: String) throws {
    let stem = "types/\(name.prefix { $0 != "." })"
    let codes = Rule.all.map(\.code).filter { stem == $0 || stem.hasPrefix("\($0)-") }
    let code = try #require(codes.max { $0.utf8.count < $1.utf8.count })
    let findings = try Self.findings(Repository.path("\(Self.folder)/\(name)"))
    let found = Set(findings.map(\.rule.code))
    #expect(found == Self.besides[name, default: []].union([code]), "\(findings)")
    for finding in findings where finding.rule != .typesStructure || finding.severity != .error {
      guard finding.location.position != nil else {
        if finding.rule != .typesStructure { Issue.record("\(finding) has no place") }
        continue
      }
    }
  }

  @Test("an unknown role is an error, a missing one is a warning")
  func roles() throws {
    func severities(_ name: String) throws -> [Severity] {
      try Self.findings(Repository.path("\(Self.folder)/\(name)")).map(\.severity)
    }
    #expect(try severities("role.json") == [.warning])
    #expect(try severities("role-unknown.json") == [.error])
  }

  @Test("the property list of Apple's sample: an empty import, no role, empty lists of icons")
  func sample() throws {
    let path = Repository.path("\(Self.folder)/structure-apple-sample.plist")
    let findings = try Self.findings(path)
    let lines = findings.map { "\($0)" }
    #expect(
      lines == [
        "UTExportedTypeDeclarations[0].UTTypeIconFiles: note: an entry is of the wrong kind "
          + "(found an empty list, which has no effect) [types/structure]",
        "UTImportedTypeDeclarations[0]: error: an entry is of the wrong kind "
          + "(expected an entry, found an empty object) [types/structure]",
        "CFBundleDocumentTypes[0].CFBundleTypeIconFiles: note: an entry is of the wrong kind "
          + "(found an empty list, which has no effect) [types/structure]",
        "CFBundleDocumentTypes[0]: warning: the role is missing or unknown "
          + "(expected CFBundleTypeRole, found no role; Editor is assumed) [types/role]",
      ])
    let file = try TypesFile(contentsOf: path)
    let type = "com.example.apple-samplecode.particles.particles"
    #expect(file.declarations.map(\.value.identifier) == [type])
    #expect(file.declarations[0].value.tags[.filenameExtension] == ["particles"])
    #expect(file.claims[0].value.claim.rank == .owner)
  }

  @Test("the action of Apple's sample is for a type that nobody declares")
  func action() throws {
    let path = Repository.path("\(Self.folder)/undeclared-action.json")
    let finding = try #require(try Self.findings(path).first)
    #expect(finding.location == .key("actions[0].types[0]"))
    #expect(finding.found == "'com.example.particles'" && finding.severity == .error)
    #expect(finding.detail == "for an action")
  }

  @Test("a binary property list says the same as one in XML")
  func binary() throws {
    let path = Repository.path("\(Self.folder)/structure-apple-sample.plist")
    let tree = try PropertyListValue(decoding: Files.read(path))
    let binary = tree.binary
    #expect(binary.starts(with: Array("bplist00".utf8)))
    let file = try TypesFile(binary, path: "Info.plist")
    let other = try TypesFile(Files.read(path), path: "Info.plist")
    #expect(file.json == other.json && file.faults == other.faults)
    #expect(TypeLinter(file).findings() == TypeLinter(other).findings())
  }

  @Test(
    "an extension that cannot be one is reported with the reason",
    arguments: [
      (" ", "it is blank"), (".x", "it begins with a full stop"),
      ("a/b", "it has a character that extensions do not have"),
      (" x", "it begins or ends with white space"),
    ])
  func extensions(name: String, reason: String) throws {
    let file = try TypesFile(propertyList: [
      "UTExportedTypeDeclarations": .array([
        [
          "UTTypeIdentifier": "com.example.a", "UTTypeConformsTo": "public.data",
          "UTTypeTagSpecification": ["public.filename-extension": .string(name)],
        ]
      ])
    ])
    let faults = TypeLinter(file).findings().filter { $0.rule == .typesExtension }
    #expect(faults.map(\.detail) == [reason])
  }

  @Test("a tag may be one string or an array of them")
  func spellings() throws {
    func file(_ tags: JSONValue) throws -> TypesFile {
      try TypesFile(propertyList: [
        "UTExportedTypeDeclarations": .array([
          [
            "UTTypeIdentifier": "com.example.a", "UTTypeConformsTo": "public.data",
            "UTTypeTagSpecification": ["public.filename-extension": tags],
          ]
        ])
      ])
    }
    #expect(try file("a").declarations[0].value == file(.array(["a"])).declarations[0].value)
  }

  @Test("the property list of a bundle is found in both places")
  func bundle() throws {
    let scratch = try Scratch()
    let bytes = try Files.read(Repository.path("\(Self.folder)/editor.plist"))
    try Files.makeDirectory(scratch.file("A.app"))
    try Files.create(scratch.file("A.app/Info.plist"), bytes)
    try Files.makeDirectory(scratch.file("B.appex"))
    try Files.makeDirectory(scratch.file("B.appex/Contents"))
    try Files.create(scratch.file("B.appex/Contents/Info.plist"), bytes)
    for name in ["A.app", "B.appex"] {
      #expect(
        try TypesFile(contentsOf: scratch.file(name)).handler.identifier == "com.example.draw")
    }
    try Files.makeDirectory(scratch.file("C.app"))
    expectThrows(.fileNotFound) { try TypesFile(contentsOf: scratch.file("C.app")) }
  }

  @Test("a file that names too many types is refused")
  func limit() throws {
    let many = (0..<101).map { JSONValue.string("com.example.t\($0)") }
    let json: JSONValue = [
      "version": .int(1), "claims": .array([["types": .array(many)]]),
    ]
    var limits = Limits()
    limits.types = 100
    expectThrows(.limit) { try TypesFile(json: json, limits: limits) }
    limits.types = 101
    _ = try TypesFile(json: json, limits: limits)
  }

  @Test("old keys become dynamic types, stars nothing")
  func legacy() throws {
    let file = try TypesFile(propertyList: [
      "CFBundleIdentifier": "com.example.old",
      "CFBundleDocumentTypes": .array([
        [
          "CFBundleTypeExtensions": .array(["SQL", "*"]),
          "CFBundleTypeOSTypes": .array(["****", "styl"]),
          "CFBundleTypeMIMETypes": "application/x-foo",
        ],
        ["CFBundleTypeExtensions": .array(["dvdmedia"]), "LSTypeIsPackage": .int(1)],
      ]),
    ])
    #expect(
      file.claims.map(\.value.claim.types) == [
        [
          "dyn.ah62d4rv4ge81g6pq", "dyn.ah62d4rv4gq80c6durvy0g2pyrf106p52fzxg852",
          "dyn.ah62d4rv4gk81g7d3ru",
        ], ["dyn.ah62d4qmuhk2x43d0qv00n3dmqe"],
      ])
  }

  @Test("what was read is written as both forms, and read again")
  func writing() throws {
    for name in try Self.names() where name.hasSuffix(".json") {
      guard let file = try? TypesFile(contentsOf: Repository.path("\(Self.folder)/\(name)")) else {
        continue
      }
      let again = try TypesFile(json: file.json)
      #expect(again.json == file.json, "\(name)")
      #expect(
        again.claims.map(\.value.claim)
          == file.claims.map(\.value.claim).map { claim in
            var claim = claim
            claim.source.path = nil
            return claim
          })
      let list = try TypesFile(propertyList: PropertyListValue(file.propertyList).json)
      #expect(
        list.declarations.map(\.value.identifier) == file.declarations.map(\.value.identifier))
      let xml = try TypesFile(PropertyListValue(file.propertyList).xml, path: "Info.plist")
      #expect(xml.json == list.json)
    }
  }

  @Test("what we say of our own types is clean in both forms")
  func ours() throws {
    let ours = TypesFile.particles
    for file in [
      try TypesFile(json: ours.json), try TypesFile(propertyList: ours.propertyList),
    ] {
      let findings = TypeLinter(file).findings().filter { $0.severity > .note }
      #expect(findings.isEmpty, "\(findings)")
    }
  }
}
