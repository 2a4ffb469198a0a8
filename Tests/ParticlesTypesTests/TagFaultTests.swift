import ParticlesCore
import Testing

@testable import ParticlesTypes

/// Tags that a system does not compare as their author intended, in declarations and in claims.
@Suite("Faults of tags")
struct TagFaultTests {
  private static func findings(
    _ tags: [String: [String]], exported isExported: Bool = true, claimed: [String: [String]]? = nil
  ) throws -> [Diagnostic] {
    func json(_ names: [String]) -> JSONValue { .array(names.map(JSONValue.string)) }
    let specification = JSONObject(
      members: tags.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: json($0.value)) })
    var root: JSONObject = [
      (isExported ? "UTExportedTypeDeclarations" : "UTImportedTypeDeclarations"): .array([
        [
          "UTTypeIdentifier": "com.example.a",
          "UTTypeConformsTo": .array(["public.data", "public.content"]),
          "UTTypeTagSpecification": .object(specification),
        ]
      ])
    ]
    if let claimed {
      var claim: JSONObject = [
        "CFBundleTypeName": "A", "CFBundleTypeRole": "Viewer", "LSHandlerRank": "Alternate",
      ]
      for (key, names) in claimed { claim[key] = json(names) }
      root["CFBundleDocumentTypes"] = .array([.object(claim)])
    }
    return TypeLinter(try TypesFile(propertyList: .object(root))).findings()
  }

  private static let character = "it has a character that extensions do not have"
  private static let space = "it begins or ends with white space"

  /// A name, and its fault as the preferred extension and as a further extension.
  static let extensions: [(name: String, preferred: String?, other: String?)] = [
    ("x", nil, nil), ("X", nil, nil), ("xY", nil, nil), ("x-y_z+1", nil, nil), ("ä", nil, nil),
    ("x y", nil, nil), ("XY", "new files would get an extension in upper case", nil),
    ("ÄÖ", "new files would get an extension in upper case", nil), ("12", nil, nil),
    ("", "it is blank", "it is blank"), (" ", "it is blank", "it is blank"),
    ("\t\n", "it is blank", "it is blank"), (" x", space, space), ("x ", space, space),
    ("x\n", space, space), ("\tx", space, space), ("x\u{A0}", space, space), ("XY ", space, space),
    (".x", "it begins with a full stop", "it begins with a full stop"),
    (".x ", "it begins with a full stop", "it begins with a full stop"),
    (
      "x.y", "only the part after the last full stop is compared",
      "only the part after the last full stop is compared"
    ),
    (
      "x.", "only the part after the last full stop is compared",
      "only the part after the last full stop is compared"
    ),
    ("a/b", character, character), ("a:b", character, character), ("*", character, character),
    ("a?", character, character), ("a,b", character, character), ("a;b", character, character),
    ("a\0", character, character), (" a/b ", character, character),
    ("$(NAME) ", nil, nil), ("${NAME}.x", nil, nil), (".$(NAME)", nil, nil),
  ]

  @Test("extensions of a declaration: the first is the preferred one", arguments: extensions)
  func declared(name: String, preferred: String?, other: String?) throws {
    func faults(_ names: [String]) throws -> [String?] {
      try Self.findings(["public.filename-extension": names])
        .filter { $0.rule == .typesExtension }.map(\.detail)
    }
    #expect(try faults([name]) == (preferred.map { [$0] } ?? []))
    #expect(try faults(["good", name]) == (other.map { [$0] } ?? []))
    let shown = try Self.findings(["public.filename-extension": [name]]).filter {
      $0.rule == .typesExtension
    }
    #expect(shown.allSatisfy { $0.found == "'\(name)'" })
  }

  @Test("extensions of a claim: none is the preferred one", arguments: extensions)
  func claimed(name: String, preferred: String?, other: String?) throws {
    let findings = try Self.findings([:], claimed: ["CFBundleTypeExtensions": [name]])
      .filter { $0.rule == .typesExtension }
    // The star alone means any file. An empty name is none.
    #expect(
      findings.map(\.detail) == (["*", ""].contains(name) ? [] : other.map { [$0] } ?? []),
      "\(findings)")
  }

  @Test(
    "MIME types have two parts of the characters of RFC 6838, and may have parameters",
    arguments: [
      ("image/png", true), ("image/svg+xml", true), ("a/b.c-d_e^f&g$h#i!j", true), ("A/B", true),
      ("text/plain;charset=utf-8", true), ("text/plain; x=\"y z\"", true), ("image", false),
      ("image/", false), ("/png", false), ("/", false), ("", false), ("image/png/x", false),
      ("image /png", false), ("image/png ", false), (" image/png", false), ("image/pñg", false),
      ("image/*", false), ("image/p,g", false), (";image/png", false), ("$(TYPE)", true),
      ("a/" + String(repeating: "b", count: 127), true),
      ("a/" + String(repeating: "b", count: 128), false),
      (String(repeating: "b", count: 127) + "/a", true),
      (String(repeating: "b", count: 128) + "/a", false),
    ])
  func mimeTypes(name: String, isValid: Bool) throws {
    let declared = try Self.findings(["public.mime-type": [name]]).filter { $0.rule == .typesTag }
    #expect(declared.map(\.found) == (isValid ? [] : ["'\(name)'"]))
    let claimed = try Self.findings([:], claimed: ["CFBundleTypeMIMETypes": [name]])
    // An empty name of a claim is none.
    #expect(claimed.filter { $0.rule == .typesTag }.count == (isValid || name.isEmpty ? 0 : 1))
  }

  @Test(
    "OSTypes have four characters",
    arguments: [
      ("TEXT", true), ("a b ", true), ("äöü?", true), ("TEX", false), ("TEXTS", false), ("", false),
      ("$(A)", true),
      ("$(LONGER)", true),
    ])
  func osTypes(name: String, isValid: Bool) throws {
    let declared = try Self.findings(["com.apple.ostype": [name]]).filter { $0.rule == .typesTag }
    #expect(declared.map(\.expected) == (isValid ? [] : ["an OSType of four characters"]))
  }

  @Test("a MIME type that many kinds of files share is a fault of an exported type alone")
  func generic() throws {
    for name in ["application/json", "APPLICATION/ZIP", "text/plain", "application/octet-stream"] {
      let tags = ["public.mime-type": [name], "public.filename-extension": ["x"]]
      #expect(
        try Self.findings(tags).filter { $0.rule == .typesGenericMIME }.map(\.found) == [
          "'\(name)'"
        ])
      #expect(try Self.findings(tags, exported: false).allSatisfy { $0.rule != .typesGenericMIME })
    }
    let own = ["public.mime-type": ["application/x-own"], "public.filename-extension": ["x"]]
    #expect(try Self.findings(own).allSatisfy { $0.rule != .typesGenericMIME })
  }
}
