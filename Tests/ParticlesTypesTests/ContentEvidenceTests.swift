import ParticlesTypes
import Testing

/// Types that claim one extension, told apart by the beginning of the file.
@Suite("Contents for and against types")
struct ContentEvidenceTests {
  private static func declaration(
    _ name: String, _ pattern: [UInt8]?, priority: Int = 50, kind: TypeDeclaration.Kind = .exported,
    conformingTo supertypes: [String] = ["public.data"], tags: [String] = ["foo"]
  ) -> TypeDeclaration {
    TypeDeclaration(
      name, kind, source: DeclarationSource(.application, owner: "me"), conformingTo: supertypes,
      tags: [.filenameExtension: tags],
      patterns: pattern.map { [ContentPattern($0, at: 0...0, priority: priority)] } ?? [])
  }

  private static func order(
    _ declarations: [TypeDeclaration], _ head: [UInt8]?, name: String = "x.foo",
    kind: ItemKind? = .file
  ) -> [String] {
    TypeRegistry.standard.adding(declarations, owner: "me")
      .select(fileName: name, kind: kind, head: head).candidates.map(\.type.identifier)
  }

  @Test(
    "a type that the contents match is before one without patterns, and that before one that they contradict"
  )
  func contradiction() {
    let types = [
      Self.declaration("a.contradicted", [9]), Self.declaration("b.unknown", nil),
      Self.declaration("c.matching", [7]),
    ]
    #expect(Self.order(types, [7, 1]) == ["c.matching", "b.unknown", "a.contradicted"])
    #expect(Self.order(types, [9]) == ["a.contradicted", "b.unknown", "c.matching"])
    #expect(Self.order(types, [1]) == ["b.unknown", "a.contradicted", "c.matching"])
    #expect(Self.order(types, []) == ["b.unknown", "a.contradicted", "c.matching"])
    // Without the contents, none is for or against a type.
    #expect(Self.order(types, nil) == ["a.contradicted", "b.unknown", "c.matching"])
    let selection = TypeRegistry.standard.adding(types, owner: "me")
      .select(fileName: "x.foo", kind: .file, head: [7])
    #expect(selection.candidates.map(\.decision) == [.content, .content, nil])
    #expect(selection.type?.identifier == "c.matching" && selection.suffix == "foo")
  }

  @Test("of several patterns, one has to match")
  func several() {
    var type = Self.declaration("a.two", [9])
    type.patterns.append(ContentPattern([7], at: 0...0))
    let other = Self.declaration("b.unknown", nil)
    #expect(Self.order([type, other], [7]) == ["a.two", "b.unknown"])
    #expect(Self.order([type, other], [9]) == ["a.two", "b.unknown"])
    #expect(Self.order([type, other], [8]) == ["b.unknown", "a.two"])
  }

  @Test("the contents count more than who declares a type, and less than the kind of the item")
  func precedence() {
    let mine = Self.declaration("a.mine", [9])
    let imported = Self.declaration("b.imported", [7], kind: .imported)
    let folder = Self.declaration("c.folder", [7], conformingTo: ["public.directory"])
    let none = Self.declaration("d.none", [7], conformingTo: [])
    #expect(Self.order([mine, imported], [7]) == ["b.imported", "a.mine"])
    #expect(Self.order([mine, imported], [1]) == ["a.mine", "b.imported"])
    // A type that is no kind of data comes behind all types of data. A type of folders is excluded.
    #expect(Self.order([mine, folder, none], [7]) == ["a.mine", "d.none"])
    #expect(Self.order([mine, folder, none], [7], kind: nil) == ["c.folder", "d.none", "a.mine"])
    #expect(Self.order([mine, folder, none], [7], kind: .directory) == ["c.folder", "d.none"])
    let selection = TypeRegistry.standard.adding([mine, folder, none], owner: "me")
      .select(fileName: "x.foo", kind: .file, head: [7])
    #expect(selection.excluded.map(\.identifier) == ["c.folder"])
    #expect(selection.candidates.map(\.decision) == [.kind, nil])
  }

  @Test("without a known extension the contents alone decide, by priority; a folder has none")
  func sniffing() {
    let types = [
      Self.declaration("a.low", [7], priority: 40), Self.declaration("b.high", [7], priority: 60),
      Self.declaration("c.other", [9], priority: 90),
    ]
    #expect(Self.order(types, [7], name: "x.bar") == ["b.high", "a.low"])
    #expect(Self.order(types, [7], name: "x") == ["b.high", "a.low"])
    #expect(Self.order(types, [9], name: ".foo") == ["c.other"])
    #expect(Self.order(types, [], name: "x").isEmpty && Self.order(types, nil, name: "x").isEmpty)
    #expect(Self.order(types, [7], name: "x", kind: .directory).isEmpty)
    #expect(Self.order(types, [7], name: "x", kind: nil) == ["b.high", "a.low"])
    let registry = TypeRegistry.standard.adding(types, owner: "me")
    #expect(registry.select(fileName: "x.bar", kind: .directory, head: [7]).type?.isDynamic == true)
    #expect(registry.select(fileName: "x", kind: .directory).type?.identifier == "public.folder")
    #expect(registry.select(fileName: "x").type?.identifier == "public.data")
    #expect(registry.select(fileName: "x.b\0r").type?.identifier == "public.data")
  }

  @Test("extensions are those of names, without regard to case; a space is a part of them")
  func extensions() {
    let types = [Self.declaration("a.foo", nil), Self.declaration("b.tar", nil, tags: ["bar"])]
    for name in ["x.foo", "x.FOO", "x.y.foo", "x..foo", " .foo", "x y.foo", "ä.foo"] {
      #expect(Self.order(types, nil, name: name) == ["a.foo"], "\(name)")
    }
    for name in [
      "x.foo ", "x. foo", "x.foo.", "xfoo", "foo", ".foo", "x.fo", "x.foo/", "x.foo\n", "",
    ] {
      #expect(Self.order(types, nil, name: name).isEmpty, "\(name)")
    }
    #expect(Self.order(types, nil, name: "x.bar.foo") == ["a.foo"])
    #expect(Self.order(types, nil, name: "x.foo.bar") == ["b.tar"])
    #expect(Self.order(types, nil, name: "x.foo.other").isEmpty)
  }

  @Test("the preferred tag, public types and general ones come first; then the identifier decides")
  func otherRules() {
    let first = Self.declaration("z.first", nil, tags: ["foo", "baz"])
    let second = Self.declaration("a.second", nil, tags: ["baz", "foo"])
    #expect(Self.order([first, second], nil) == ["z.first", "a.second"])
    let third = Self.declaration("a.third", nil, tags: ["baz", "other", "foo"])
    #expect(Self.order([third, second], nil) == ["a.second", "a.third"])
    let general = Self.declaration("z.general", nil)
    let special = Self.declaration("a.special", nil, conformingTo: ["z.general"])
    #expect(Self.order([special, general], nil) == ["z.general", "a.special"])
    let open = Self.declaration("public.zoo", nil)
    #expect(Self.order([special, general, open], nil).first == "public.zoo")
    #expect(
      Self.order([Self.declaration("B.x", nil), Self.declaration("a.x", nil)], nil) == [
        "a.x", "B.x",
      ])
  }
}
