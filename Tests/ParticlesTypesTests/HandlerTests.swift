import ParticlesTypes
import Testing

@Suite("Who opens a file")
struct HandlerTests {
  static let source = DeclarationSource(.application, owner: "test")

  static func claim(
    _ handler: String, _ types: String..., rank: HandlerRank = .default,
    role: HandlerRole = .editor,
    version: String? = nil
  ) -> HandlerClaim {
    HandlerClaim(
      by: Handler(handler, version: version), to: types, role: role, rank: rank, source: source)
  }

  static func names(
    _ claims: [HandlerClaim], _ type: UniformType = .png, role: HandlerRole? = nil,
    choices: [HandlerChoice] = [], path: String? = nil
  ) -> [String] {
    HandlerRegistry(claims: claims, choices: choices).handlers(for: type, role: role, path: path)
      .candidates.map(\.handler.identifier)
  }

  // MARK: What the documents about document browsers say of the ranks

  @Test("Owner: the application that created the type opens it")
  func owner() {
    let all = [
      Self.claim("a", "public.png", rank: .alternate), Self.claim("b", "public.png"),
      Self.claim("z", "public.png", rank: .owner),
    ]
    let resolution = HandlerRegistry(claims: all).handlers(for: .png)
    #expect(resolution.chosen?.handler.identifier == "z")
    #expect(resolution.chosen?.decision == .rank)
  }

  @Test("Default: opens the files ordinarily, before those that merely can")
  func byDefault() {
    let all = [Self.claim("a", "public.png", rank: .alternate), Self.claim("b", "public.png")]
    #expect(Self.names(all) == ["b", "a"])
  }

  @Test("Alternate: is offered, and never the default while somebody wants to be")
  func alternate() {
    let all = [
      Self.claim("a", "public.png", rank: .alternate, version: "9"),
      Self.claim("z", "public.png", rank: .default, role: .viewer, version: "1"),
    ]
    #expect(Self.names(all) == ["z", "a"])
    #expect(Self.names([all[0]]) == ["a"], "alone, it is better than nobody")
  }

  @Test("None: is associated with the files by nobody, and says what they are")
  func none() {
    let all = [Self.claim("a", "public.png", rank: .none)]
    let resolution = HandlerRegistry(claims: all).handlers(for: .png)
    #expect(resolution.candidates.isEmpty && resolution.chosen == nil)
    #expect(resolution.declaring.map(\.handler.identifier) == ["a"])
  }

  @Test("the names of ranks and roles are read in any case, and nothing else is")
  func words() {
    for rank in HandlerRank.allCases {
      #expect(HandlerRank(named: rank.rawValue.lowercased()) == rank)
    }
    #expect(HandlerRole(named: "qlgenerator") == .quickLookGenerator)
    #expect(HandlerRole(named: "Reader") == nil && HandlerRank(named: "") == nil)
    #expect(HandlerRank.allCases == HandlerRank.allCases.sorted())
  }

  // MARK: Resolution

  @Test("a claim holds for types that conform; the nearest one comes first, whatever the ranks")
  func distance() {
    let all = [
      Self.claim("text", "public.plain-text", rank: .owner),
      Self.claim("xcode", "public.source-code"),
      Self.claim("swift", "public.swift-source", rank: .alternate),
      Self.claim("image", "public.image"),
    ]
    let resolution = HandlerRegistry(claims: all).handlers(for: .swiftSource)
    #expect(resolution.candidates.map(\.handler.identifier) == ["swift", "xcode", "text"])
    #expect(resolution.candidates.map(\.distance) == [0, 1, 2])
    #expect(resolution.candidates.map(\.decision) == [.distance, .distance, nil])
    #expect(resolution.candidates[2].type == .plainText)
  }

  @Test("whoever asks for any file at all comes last")
  func wildcard() {
    let all = [
      Self.claim("any", "public.data", rank: .owner), Self.claim("content", "public.content"),
      Self.claim("far", "public.text", rank: .alternate),
    ]
    #expect(Self.names(all, .swiftSource) == ["far", "content", "any"])
    #expect(Self.names(all, .data) == ["any"], "for the type itself, it is as good as any")
  }

  @Test(
    "who serves whom",
    arguments: [
      (nil, ["editor", "viewer", "shell"]), (.editor, ["editor"]), (.viewer, ["editor", "viewer"]),
      (.shell, ["shell"]), (.quickLookGenerator, ["preview"]), (HandlerRole.none, []),
    ] as [(HandlerRole?, [String])])
  func roles(_ role: HandlerRole?, _ expected: [String]) {
    let all = [
      Self.claim("viewer", "public.png", role: .viewer),
      Self.claim("shell", "public.png", role: .shell),
      Self.claim("preview", "public.png", role: .quickLookGenerator),
      Self.claim("editor", "public.png"), Self.claim("icon", "public.png", role: .none),
    ]
    #expect(Self.names(all, role: role) == expected)
  }

  @Test("an exported type is its owner's; then the newer version; then the identifier")
  func ties() {
    let types = TypeRegistry.standard.adding([
      TypeDeclaration(
        "org.example.foo", source: DeclarationSource(.application, owner: "org.example.z"),
        conformingTo: ["public.data"])
    ])
    let all = [
      Self.claim("a", "org.example.foo", version: "2.9"),
      Self.claim("b", "org.example.foo", version: "2.10"),
      Self.claim("ORG.example.z", "org.example.foo", version: "1"),
      Self.claim("c", "org.example.foo", version: "2.9.0"),
    ]
    let resolution = HandlerRegistry(types: types, claims: all).handlers(
      for: UniformType(importedAs: "org.example.foo", in: types))
    #expect(resolution.candidates.map(\.handler.identifier) == ["ORG.example.z", "b", "a", "c"])
    #expect(resolution.candidates.map(\.decision) == [.export, .version, .identifier, nil])
  }

  @Test("a viewer that exports the type precedes an editor that only claims to be its Owner")
  func exporter() {
    let types = TypeRegistry.standard.adding([
      TypeDeclaration(
        "org.example.foo", source: DeclarationSource(.application, owner: "org.example.viewer"),
        conformingTo: ["public.data"])
    ])
    let all = [
      Self.claim("org.example.editor", "org.example.foo", rank: .owner),
      Self.claim("org.example.viewer", "org.example.foo", rank: .owner, role: .viewer),
    ]
    let registry = HandlerRegistry(types: types, claims: all)
    let type = UniformType(importedAs: "org.example.foo", in: types)
    let names = registry.handlers(for: type).candidates.map(\.handler.identifier)
    #expect(names == ["org.example.viewer", "org.example.editor"])
    #expect(registry.handlers(for: type).chosen?.decision == .export)
    // To edit, only the editor serves.
    let editors = registry.handlers(for: type, role: .editor).candidates.map(\.handler.identifier)
    #expect(editors == ["org.example.editor"])
  }

  @Test("a claim with the role None is listed as describing the type, in every rank")
  func roleNone() {
    for rank in HandlerRank.allCases {
      let all = [
        Self.claim("icons", "public.png", rank: rank, role: .none), Self.claim("b", "public.png"),
      ]
      let resolution = HandlerRegistry(claims: all).handlers(for: .png)
      #expect(resolution.candidates.map(\.handler.identifier) == ["b"])
      #expect(resolution.declaring.map(\.handler.identifier) == ["icons"])
    }
  }

  @Test("of several claims of a program the best one counts")
  func once() {
    let all = [
      Self.claim("a", "public.image", "public.data", rank: .owner),
      Self.claim("a", "public.png", rank: .alternate),
    ]
    #expect(Self.names(all) == ["a"])
    #expect(HandlerRegistry(claims: all).handlers(for: .png).chosen?.distance == 0)
  }

  @Test("an extension that is claimed without a type stands for the type that has it")
  func legacy() throws {
    let dynamic = try #require(
      UniformType(tag: "png", tagClass: .filenameExtension, conformingTo: .package))
    let all = [Self.claim("old", dynamic.identifier), Self.claim("new", "public.image")]
    #expect(Self.names(all) == ["old", "new"])
    #expect(Self.names(all, .jpeg) == ["new"])
    let sql = try #require(UniformType("dyn.ah62d4rv4ge81g6pq"))
    #expect(Self.names([Self.claim("db", sql.identifier)], sql) == ["db"])
  }

  // MARK: Choices

  @Test("what a person chose for a type wins, for the nearest type and for the last time")
  func choices() {
    let all = [
      Self.claim("a", "public.png", rank: .owner), Self.claim("b", "public.image"),
      Self.claim("c", "public.png"),
    ]
    let image = HandlerChoice(.type("PUBLIC.image"), handler: "B")
    #expect(Self.names(all, choices: [image]) == ["b", "a", "c"])
    let png = HandlerChoice(.type("public.png"), handler: "c")
    #expect(Self.names(all, choices: [png, image]) == ["c", "a", "b"])
    #expect(
      Self.names(all, choices: [png, HandlerChoice(.type("public.png"), handler: "a")]).first == "a"
    )
    #expect(
      HandlerRegistry(claims: all, choices: [image]).handlers(for: .png).chosen?.decision
        == .typeChoice)
  }

  @Test("what was chosen for a file wins over what was chosen for its type, and for no other file")
  func file() {
    let all = [
      Self.claim("a", "public.png", rank: .owner), Self.claim("b", "public.png"),
      Self.claim("c", "public.png"),
    ]
    let choices = [
      HandlerChoice(.file("/x.png"), handler: "c"),
      HandlerChoice(.type("public.png"), handler: "b"),
    ]
    #expect(Self.names(all, choices: choices, path: "/x.png") == ["c", "b", "a"])
    #expect(Self.names(all, choices: choices, path: "/y.png") == ["b", "a", "c"])
  }

  @Test("a program that does not claim the type may be chosen; one that is not there may not")
  func strangers() {
    let all = [Self.claim("a", "public.png", rank: .owner), Self.claim("hex", "public.text")]
    let hex = HandlerChoice(.type("public.png"), handler: "hex")
    #expect(Self.names(all, choices: [hex]) == ["hex", "a"])
    #expect(
      Self.names(all, choices: [hex, HandlerChoice(.type("public.png"), handler: "gone")]) == [
        "hex", "a",
      ])
    #expect(Self.names(all, .jpeg, choices: [hex]) == [])
  }
}
