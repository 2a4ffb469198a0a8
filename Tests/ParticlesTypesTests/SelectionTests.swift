import ParticlesTypes
import Testing

@Suite("The type of a tag")
struct SelectionTests {
  static let registry = TypeRegistry.standard

  static func first(_ name: String, _ kind: ItemKind? = nil, _ head: [UInt8]? = nil) -> String? {
    registry.select(fileName: name, kind: kind, head: head).type?.identifier
  }

  @Test(
    "extensions that one type claims",
    arguments: [
      ("png", "public.png"), ("PNG", "public.png"), ("jpg", "public.jpeg"),
      ("txt", "public.plain-text"),
      ("scn", "com.apple.scenekit.scene"), ("usdz", "com.pixar.universal-scene-description-mobile"),
      ("savedsearch", "com.apple.finder.smart-folder"),
    ])
  func single(_ name: String, _ identifier: String) throws {
    let type = try #require(UniformType(filenameExtension: name))
    #expect(type.identifier == identifier)
  }

  @Test(
    "extensions that several types claim, by what stands on the disk",
    arguments: [
      ("x.key", .file, "com.apple.iWork.Keynote.sffkey"),
      ("x.key", .directory, "com.apple.iWork.Keynote.key"),
      ("x.pages", .file, "com.apple.iWork.Pages.sffpages"),
      ("x.pkg", .directory, "com.apple.installer-package"),
      ("x.pkg", .file, "com.apple.installer-package-archive"),
      ("x.app", .directory, "com.apple.application-bundle"),
      ("x.plist", .file, "com.apple.property-list"), ("x.xml", .file, "public.xml"),
      ("x.mp4", .file, "public.mpeg-4"), ("x.otf", .file, "public.opentype-font"),
      ("x.otc", .file, "public.opentype-collection-font"), ("x.smf", .file, "public.midi-audio"),
      ("x.pkpass", .directory, "com.apple.pkpass"), ("x.pkpass", .file, "com.apple.pkpass-data"),
      ("x.particles", .file, "org.particles-format.particles"),
      ("x.particles", .directory, "org.particles-format.particles-package"),
    ] as [(String, ItemKind, String)])
  func conflicts(_ name: String, _ kind: ItemKind, _ identifier: String) {
    #expect(Self.first(name, kind) == identifier)
  }

  @Test(
    "the longest known end of a name decides",
    arguments: [
      ("a.tar.gz", "org.gnu.gnu-zip-tar-archive", "tar.gz"),
      ("a.b.TAR.GZ", "org.gnu.gnu-zip-tar-archive", "TAR.GZ"),
      ("a.gz", "org.gnu.gnu-zip-archive", "gz"), ("a.tgz", "org.gnu.gnu-zip-tar-archive", "tgz"),
      ("a.tar.bz2", "public.tar-bzip2-archive", "tar.bz2"), ("a.tar.png", "public.png", "png"),
    ])
  func compound(_ name: String, _ identifier: String, _ suffix: String) {
    let selection = Self.registry.select(fileName: name, kind: .file)
    #expect(selection.type?.identifier == identifier && selection.suffix == suffix)
    // Apple's rule holds for bare extensions.
    #expect(UniformType(filenameExtension: "tar.gz") == nil)
  }

  @Test("names without extension, and hidden ones")
  func bare() {
    #expect(Self.first("Makefile", .file) == "public.data")
    #expect(Self.first("folder", .directory) == "public.folder")
    #expect(Self.first(".png", .file) == "public.data")
    #expect(Self.first("a.", .file) == "public.data")
    #expect(Self.first("a.sql", .file) == "dyn.ah62d4rv4ge81g6pq")
    let package = Self.registry.select(fileName: "a.sql", kind: .directory).type
    #expect(package?.isDynamic == true && package?.conforms(to: .directory) == true)
  }

  @Test("contents speak for a type or against it, and for themselves where a name says nothing")
  func contents() {
    let binary = Array("bplist00 and more".utf8)
    #expect(Self.first("x.plist", .file, binary) == "com.apple.binary-property-list")
    #expect(Self.first("x.plist", .file, Array("<?xml".utf8)) == "com.apple.property-list")
    let ours: [UInt8] = [0x89, 0x50, 0x54, 0x43, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A, 1]
    #expect(Self.first("x.particles", .file, ours) == "org.particles-format.particles")
    let archive = binary + Array("X$versionY$archiver".utf8)
    #expect(Self.first("x.particles", .file, binary) == "org.particles-format.particles")
    #expect(
      Self.first("x.particles", .file, archive)
        == "com.example.apple-samplecode.particles.particles")
    #expect(Self.first("x", .file, ours) == "org.particles-format.particles")
    // A known extension is believed, as desktops do.
    #expect(Self.first("x.png", .file, [0xFF, 0xD8, 0xFF, 0xE0]) == "public.png")
    #expect(Self.first("x", .file, [0xFF, 0xD8, 0xFF, 0xE0]) == "public.jpeg")
  }

  @Test("the list says why each stands where it does")
  func reasons() {
    let list = Self.registry.select(fileName: "x.key")
    #expect(list.candidates.map(\.type.identifier).first == "com.apple.iWork.Keynote.key")
    #expect(list.candidates.map(\.decision) == [.identifier, nil])
    let xml = Self.registry.select(fileName: "x.xml", kind: .file)
    #expect(xml.candidates.map(\.decision) == [.isPublic, nil])
    let plist = Self.registry.select(fileName: "x.plist", kind: .file)
    #expect(plist.candidates.first?.decision == .generality && plist.candidates.count == 4)
    let mine = Self.registry.select(fileName: "x.particles", kind: .file)
    #expect(mine.candidates.map(\.decision) == [.trust, nil])
    #expect(mine.excluded == [.particlesPackage])
    let latm = Self.registry.select(tag: "audio/mp4a-latm", tagClass: .mimeType)
    #expect(latm.type?.identifier == "public.mp4a-latm")
    #expect(latm.candidates.first?.decision == .preferredTag)
  }

  @Test("the name of a type in a shared MIME database is a MIME type, and no other tag")
  func sharedNames() {
    let types = TypeRegistry.standard
    let mime = types.select(tag: "image/x-icns", tagClass: .mimeType)
    #expect(mime.candidates.map(\.type.identifier) == ["com.apple.icns"])
    #expect(types.select(tag: "image/x-icns", tagClass: .filenameExtension).candidates.isEmpty)
  }

  @Test("a pattern with a class of an archive comes before one of any archive")
  func archives() {
    let specific = TypeDeclaration(
      "com.example.foo", source: DeclarationSource(.application, owner: "me"),
      conformingTo: ["public.data"], patterns: [.keyedArchive(of: "Foo", priority: 60)])
    let types = TypeRegistry.standard.adding([specific], owner: "somebody")
    func type(_ name: String) -> String? {
      let head = Array("bplist00\0\0$archiver\0\(name)".utf8)
      return types.select(fileName: "x", kind: .file, head: head).type?.identifier
    }
    #expect(type("Foo") == "com.example.foo")
    #expect(type("Bar") == "com.apple.binary-property-list")
  }

  @Test("an extension that others claim, too, stays with the application that exports it")
  func ownership() throws {
    func declaration(_ name: String, _ kind: TypeDeclaration.Kind, _ owner: String)
      -> TypeDeclaration
    {
      TypeDeclaration(
        name, kind, source: DeclarationSource(.application, owner: owner),
        conformingTo: ["public.data"], tags: [.filenameExtension: ["foo"]])
    }
    let all = [
      declaration("a.thief", .exported, "thief"), declaration("com.example.foo", .exported, "me"),
      declaration("a.guest", .imported, "guest"), declaration("a.friend", .imported, "me"),
    ]
    let mine = TypeRegistry.standard.adding(all, owner: "me")
    #expect(
      UniformType.types(
        tag: "foo", tagClass: .filenameExtension, conformingTo: .data, in: mine
      ).map(\.identifier) == ["com.example.foo", "a.thief", "a.friend", "a.guest"])
    let others = TypeRegistry.standard.adding(all, owner: "somebody")
    #expect(UniformType(filenameExtension: "foo", in: others)?.identifier == "a.thief")
  }

  @Test("a supertype narrows; one that nobody fulfils makes a dynamic type")
  func narrowing() throws {
    #expect(
      UniformType(filenameExtension: "key", conformingTo: .package)?.identifier
        == "com.apple.iWork.Keynote.key")
    #expect(UniformType(filenameExtension: "key")?.identifier == "com.apple.iWork.Keynote.sffkey")
    let odd = try #require(UniformType(filenameExtension: "png", conformingTo: .package))
    #expect(
      odd.isDynamic && odd.conforms(to: .package) && odd.identifier.hasPrefix("dyn.ah62d4qmuhk2x4"))
    #expect(UniformType(mimeType: "TEXT/plain") == .plainText)
    #expect(
      UniformType(mimeType: "image/x-foo", conformingTo: .image)?.identifier
        == "dyn.ah62d4uv4gq80w5pbq7ww88brq3108")
  }
}

@Suite("Patterns of contents")
struct ContentPatternTests {
  @Test("bytes are looked for at all places that are named, and nowhere else")
  func offsets() {
    let pattern = ContentPattern([1, 2], at: 1...3)
    #expect(pattern.matches([0, 1, 2]) && pattern.matches([0, 0, 0, 1, 2]))
    #expect(
      !pattern.matches([1, 2]) && !pattern.matches([0, 0, 0, 0, 1, 2]) && !pattern.matches([]))
    #expect(pattern.reach == 5)
  }

  @Test("a mask says which bits count; what has to match besides has to")
  func parts() {
    let pattern = ContentPattern(
      [0x40], mask: [0xF0], also: [ContentPattern([7], at: 4...4), ContentPattern([8], at: 1...1)])
    #expect(pattern.matches([0x4F, 0, 0, 0, 7]) && pattern.matches([0x41, 8]))
    #expect(!pattern.matches([0x4F, 0]) && !pattern.matches([0x5F, 8]) && pattern.reach == 5)
    #expect(!ContentPattern([], at: 0...0).matches([1]))
    #expect(!ContentPattern([1], at: -5...Int.max - 1).matches([1]))
  }
}
