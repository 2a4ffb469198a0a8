import ParticlesTypes
import Testing

@Suite("Files for desktops and for Apple's systems")
struct WritingTests {
  static let source = DeclarationSource(.document, owner: "com.example.draw")

  @Test("our types for the shared MIME database")
  func shared() {
    let info = SharedMIMEInfo([.particles, .particlesPackage])
    #expect(
      info.text == #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info" \#
        xmlns:uti="urn:x-particles-format:types">
          <mime-type type="application/vnd.particles">
            <comment>Particles document</comment>
            <icon name="application-vnd.particles"/>
            <glob pattern="*.particles"/>
            <magic priority="80">
              <match type="string" value="\211PTCL\015\012\032\012" offset="0"/>
            </magic>
            <uti:identifier>org.particles-format.particles</uti:identifier>
          </mime-type>
        </mime-info>

        """#)
  }

  @Test(
    "supertypes that have a name, aliases, patterns of all kinds, and text that XML would mistake")
  func everything() throws {
    let declaration = TypeDeclaration(
      "com.example.drawing", source: Self.source,
      conformingTo: ["public.svg-image", "public.composite-content", "public.json"],
      tags: [
        .filenameExtension: ["Drawing"], .compoundExtension: ["drawing.gz"],
        .mimeType: ["image/vnd.drawing", "image/x-drawing"],
      ], title: "Drawings & <more>",
      patterns: [
        ContentPattern(
          [0x61, 0x00], at: 2...9, mask: [0xFF, 0x0F], also: [ContentPattern([0x22], at: 1...1)])
      ], globs: [FileNamePattern("draw-*", weight: 40, isCaseSensitive: true)])
    let registry = TypeRegistry.standard.adding([declaration])
    let type = try #require(UniformType("com.example.drawing", in: registry))
    let text = SharedMIMEInfo([type]).text
    for line in [
      #"<mime-type type="image/vnd.drawing">"#, "<comment>Drawings &amp; &lt;more&gt;</comment>",
      #"<sub-class-of type="image/svg+xml"/>"#, #"<sub-class-of type="application/json"/>"#,
      #"<alias type="image/x-drawing"/>"#, #"<glob pattern="*.drawing"/>"#,
      #"<glob pattern="*.drawing.gz"/>"#,
      #"<glob pattern="draw-*" weight="40" case-sensitive="true"/>"#,
      #"<match type="string" value="a\000" offset="2:9" mask="0xff0f">"#,
      #"<match type="string" value="\042" offset="1"/>"#, "</match>",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    #expect(!text.contains("octet-stream"))
  }

  @Test("a type without MIME type is called after its identifier")
  func unnamed() {
    let type = UniformType(exportedAs: "com.Example.Drawing")
    #expect(SharedMIMEInfo.name(of: type) == "application/x-com.example.drawing")
  }

  @Test("a desktop entry opens what the program claims, and no directories")
  func entry() {
    let entry = DesktopEntry(
      .particles, types: .standard, command: "particles-browser %F", program: "particles-browser")
    #expect(
      entry.text == """
        [Desktop Entry]
        Type=Application
        Name=Particles
        Exec=particles-browser %F
        TryExec=particles-browser
        Terminal=false
        MimeType=application/vnd.particles;application/x-com.example.apple-samplecode.particles.particles;

        """)
    let other = DesktopEntry(
      name: "Line\nbreak", comment: #"a\b"#, command: "a", icon: "particles", mimeTypes: ["a/b"])
    #expect(
      other.text == #"""
        [Desktop Entry]
        Type=Application
        Name=Line\nbreak
        Comment=a\\b
        Exec=a
        Icon=particles
        Terminal=false
        MimeType=a/b;

        """#)
  }

  @Test("what is claimed with the rank None, or for previews only, is not offered")
  func ranks() {
    let handler = Handler("com.example.draw")
    let file = TypesFile(
      handler: handler, source: Self.source, declarations: [],
      claims: [
        HandlerClaim(by: handler, to: ["public.png"], rank: .none, source: Self.source),
        HandlerClaim(
          by: handler, to: ["public.jpeg"], role: .quickLookGenerator, source: Self.source),
        HandlerClaim(by: handler, to: ["public.tiff", "public.folder"], source: Self.source),
      ])
    #expect(DesktopEntry(file, types: .standard, command: "x").mimeTypes == ["image/tiff"])
  }

  @Test("a desktop entry that was written is read")
  func reading() throws {
    let entry = DesktopEntry(.particles, types: .standard, command: "x %F")
    let file = TypesFile(desktopEntry: entry.text, identifier: "x.desktop")
    let claim = try #require(file.claims.first?.value.claim)
    #expect(claim.types.first == "org.particles-format.particles" && claim.role == .viewer)
    #expect(file.handler == Handler("x.desktop", name: "Particles"))
    #expect(TypesFile(desktopEntry: "", identifier: "x").faults.count == 1)
  }
}

@Suite("Files of groups of keys")
struct KeyFileTests {
  @Test("comments, lines without meaning and keys before the first group are passed over")
  func lenient() {
    let file = KeyFile("a=0\n# b\n[One]\n a = 1 ;2;; 3\nnonsense\n[Two]\r\na=x\n[One]\nb=2\n")
    #expect(file.groups == ["One", "Two"])
    #expect(file["a", in: "One"] == "1 ;2;; 3" && file["a", in: "Two"] == "x")
    #expect(file.list("a", in: "One") == ["1", "2", "3"])
    #expect(file.keys(of: "One") == ["a", "b"] && file["a", in: "Three"] == nil)
  }
}
