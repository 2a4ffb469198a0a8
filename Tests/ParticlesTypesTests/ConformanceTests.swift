import ParticlesTestSupport
import ParticlesTypes
import Testing

@Suite("Conformance")
struct ConformanceTests {
  static let source = DeclarationSource(.application, owner: "com.example.app")

  static func registry(_ types: [String: [String]]) -> TypeRegistry {
    TypeRegistry(
      types.map { TypeDeclaration($0, source: source, conformingTo: $1) },
      owner: source.owner)
  }

  @Test("is reflexive and transitive; subtypes and supertypes are other types")
  func laws() {
    #expect(UniformType.png.conforms(to: .png) && UniformType.png.conforms(to: .data))
    #expect(!UniformType.data.conforms(to: .png))
    #expect(!UniformType.png.isSubtype(of: .png) && !UniformType.png.isSupertype(of: .png))
    #expect(UniformType.png.isSubtype(of: .item) && UniformType.item.isSupertype(of: .png))
    let types = TypeRegistry.standard.types
    for type in types {
      let supertypes = type.supertypes
      for other in types {
        #expect(type.conforms(to: other) == (type == other || supertypes.contains(other)))
      }
    }
  }

  @Test("identifiers are compared without case and shown as declared")
  func cases() throws {
    let type = try #require(UniformType("PUBLIC.Png"))
    #expect(type == .png && type.identifier == "public.png" && type.conforms(to: .image))
    let bundle = try #require(UniformType("com.apple.iwork.keynote.KEY"))
    #expect(bundle.identifier == "com.apple.iWork.Keynote.key")
    #expect(Set([type, .png]).count == 1)
  }

  @Test("types of different registries compare by identifier")
  func registries() throws {
    let registry = TypeRegistry.standard.adding([
      TypeDeclaration("com.example.drawing", source: Self.source, conformingTo: ["PUBLIC.IMAGE"])
    ])
    let type = try #require(UniformType("com.example.drawing", in: registry))
    #expect(type.conforms(to: .image) && type.conforms(to: .data) && !type.conforms(to: .package))
    #expect(UniformType("com.example.drawing") == nil)
    #expect(type.isSubtype(of: UniformType(importedAs: "public.item", in: .standard)))
    #expect(registry.subtypes(of: .image).contains(type))
  }

  @Test("circles are cut in the same place, however the declarations are ordered")
  func circles() throws {
    let types = [
      "com.example.a": ["com.example.b"], "com.example.b": ["com.example.c"],
      "com.example.c": ["com.example.a", "public.data"], "com.example.self": ["com.example.self"],
    ]
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20 {
      let names = types.keys.shuffled(using: &generator)
      let registry = TypeRegistry(
        names.map { TypeDeclaration($0, source: Self.source, conformingTo: types[$0] ?? []) })
      #expect(
        registry.cycles == [
          ["com.example.a", "com.example.b", "com.example.c"], ["com.example.self"],
        ])
      let a = try #require(UniformType("com.example.a", in: registry))
      let c = try #require(UniformType("com.example.c", in: registry))
      #expect(a.isSubtype(of: c) && !c.conforms(to: a))
      #expect(a.conforms(to: .data) && c.conforms(to: .data))
      #expect(a.supertypes.count == 3 && a.distance(to: .data) == 3)
    }
  }

  @Test("supertypes that nobody declares are kept and told")
  func unknown() throws {
    let registry = Self.registry(["com.example.a": ["com.example.nobody", "public.data"]])
    let type = try #require(UniformType("com.example.a", in: registry))
    let nobody = UniformType(importedAs: "COM.example.nobody", in: registry)
    #expect(type.conforms(to: nobody) && !nobody.isDeclared && !nobody.isDynamic)
    #expect(registry.unknownSupertypes.map(\.supertype) == ["com.example.nobody", "public.data"])
    #expect(UniformType("com.example.nobody", in: registry) == nil)
    #expect(type.supertypes == [nobody, .data])
  }

  @Test("a type that nobody declares conforms to what it is said to")
  func undeclared() {
    let type = UniformType(exportedAs: "com.example.new", conformingTo: .png)
    #expect(!type.isDeclared && !type.isDynamic && type.tags.isEmpty)
    #expect(type.conforms(to: .png) && type.conforms(to: .image) && !type.conforms(to: .text))
    #expect(type.distance(to: .image) == 2 && type.distance(to: .text) == nil)
    #expect(UniformType(importedAs: "public.png", conformingTo: .text).conforms(to: .image))
  }

  @Test("a chain as long as a file can hold takes neither the stack nor for ever")
  func chain() throws {
    let count = 4000
    let registry = TypeRegistry(
      (0..<count).map {
        TypeDeclaration(
          "com.example.t\($0)", source: Self.source, conformingTo: ["com.example.t\($0 + 1)"])
      })
    let first = try #require(UniformType("com.example.t0", in: registry))
    #expect(first.conforms(to: UniformType(importedAs: "com.example.t\(count)", in: registry)))
    #expect(first.supertypes.count == count)
  }

  @Test("of several declarations, that with the most authority counts, and the others are kept")
  func authority() throws {
    func declaration(_ kind: TypeDeclaration.Kind, _ owner: String, _ name: String)
      -> TypeDeclaration
    {
      TypeDeclaration(
        "com.example.a", kind, source: DeclarationSource(.application, owner: owner),
        tags: [.filenameExtension: [name]])
    }
    let all = [
      declaration(.imported, "other", "otherimported"), declaration(.imported, "me", "imported"),
      declaration(.exported, "other", "other"), declaration(.system, "system", "system"),
      declaration(.exported, "me", "mine"),
    ]
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20 {
      let registry = TypeRegistry(all.shuffled(using: &generator), owner: "me")
      let names = registry.declarations(of: "com.example.A").map { $0.tags[.filenameExtension][0] }
      #expect(names == ["system", "mine", "other", "imported", "otherimported"])
      let type = try #require(UniformType("com.example.a", in: registry))
      #expect(type.preferredFilenameExtension == "system")
      // A tag of a declaration that does not count is nobody's.
      #expect(UniformType(filenameExtension: "mine", in: registry)?.isDynamic == true)
    }
  }

  @Test("a dynamic supertype is decoded: a type conforms to the supertypes in it")
  func dynamicSupertype() throws {
    let declaration = TypeDeclaration(
      "com.example.a", source: Self.source,
      conformingTo: ["dyn.ah62d4rv4ge81g6pq", "com.example.unknown"])
    let registry = TypeRegistry.standard.adding([declaration])
    let type = try #require(UniformType("com.example.a", in: registry))
    #expect(type.conforms(to: .data) && type.conforms(to: .item) && !type.conforms(to: .text))
    #expect(type.directSupertypes.map(\.isDynamic) == [true, false])
    #expect(type.distance(to: .data) == 2)
    #expect(registry.unknownSupertypes.map(\.supertype) == ["com.example.unknown"])
  }

  @Test(
    "what is no identifier is told why",
    arguments: [
      "", "a..b", ".a", "a.", "com.example.a_b", "com/example", "com.example:a", "a*", "a b",
    ])
  func syntax(_ identifier: String) { #expect(TypeIdentifier.fault(in: identifier) != nil) }

  @Test(
    "identifiers", arguments: ["public.png", "com.example.a-b", "com.Beispiel.größe", "a", "1.2"])
  func valid(_ identifier: String) { #expect(TypeIdentifier.fault(in: identifier) == nil) }
}
