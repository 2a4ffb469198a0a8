import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Documents in folders")
struct DocumentSetTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for folder in ["in", "in/deep", "in/.hidden", "in/tree", "in/named.particles"] {
      try Files.makeDirectory(scratch.file(folder))
    }
  }

  private func create(_ name: String, _ text: String) throws {
    try Files.create(scratch.file(name), Array(text.utf8))
  }

  private func names(_ paths: [String]) -> [String] {
    paths.map { String($0.dropFirst(scratch.file("in/").count)) }
  }

  private func find(_ formats: FormatRegistry = .standard) -> DocumentSet {
    DocumentSet([scratch.file("in")], isRecursive: true, among: formats)
  }

  @Test("documents are recognised by content, or by extension however damaged they are")
  func recognition() throws {
    try create("in/broken.sks", "junk")
    try create("in/broken.plist", "<plist><dict>")
    try create("in/empty.particles", "")
    try create("in/deep/effect.xml", "<particleEmitterConfig/>")
    // Too long for the first 4 KiB.
    let space = String(repeating: "<!-- -->", count: 1000)
    try create("in/deep/long.data", "<plist>\(space)<dict><key>maxParticles</key></dict></plist>")
    try create("in/deep/page.html", "<html>\(space)</html>")
    try create("in/tree/document.json", "{}")
    try create("in/tree/inside.pex", "<particleEmitterConfig/>")
    try create("in/.hidden/a.pex", "<particleEmitterConfig/>")
    try create("in/notes.txt", "maxParticles")
    try Container().write(to: scratch.file("in/deep/package"), as: .flat)
    try create("in/archive.zip", "PK\u{3}\u{4}")
    try Files.makeLink(scratch.file("in/link.pex"), to: "deep/effect.xml")
    let set = find()
    #expect(
      names(set.documents.map(\.path)) == [
        "broken.sks", "deep/effect.xml", "deep/long.data", "deep/package",
        "empty.particles", "named.particles", "tree",
      ])
    #expect(names(set.unknown) == ["archive.zip", "broken.plist", "deep/page.html", "notes.txt"])
    #expect(set.documents.allSatisfy { $0.isFound })
    #expect(set.documents.map(\.subfolder).filter { !$0.isEmpty } == ["deep", "deep", "deep"])
  }

  @Test("many files, which several threads look into, are in the order of their names")
  func many() throws {
    for number in 100..<200 {
      switch number % 4 {
      case 0: try create("in/\(number).pex", "junk")
      case 1: try create("in/\(number).data", "<particleEmitterConfig/>")
      case 2: try create("in/\(number).txt", "maxParticles")
      default: try Container().write(to: scratch.file("in/\(number)"), as: .flat)
      }
    }
    let set = find()
    let numbers = 100..<200
    #expect(
      names(set.documents.map(\.path)).map { $0.prefix(3) }
        == numbers.filter { $0 % 4 != 2 }.map { "\($0)" } + ["nam"])
    #expect(names(set.unknown) == numbers.filter { $0 % 4 == 2 }.map { "\($0).txt" })
  }

  @Test("formats of an application count; without a search, every path is a document")
  func registry() throws {
    try create("in/a.jet", "jet 1 2")
    try create("in/b", "jet 1 2")
    #expect(find().documents.count == 1)
    let jet = ParticleFormat(
      name: "jet", title: "Jet", extensions: ["jet"], recognise: { bytes, _ in bytes.first == 0x6A }
    ) { _, _ in throw Diagnostic(.unknownFormat) }
    let found = find(FormatRegistry.standard.adding(jet)).documents
    #expect(names(found.map(\.path)) == ["a.jet", "b", "named.particles"])
    let named = DocumentSet([scratch.file("in")], isRecursive: false)
    #expect(named.documents.map(\.isFound) == [false] && named.folders.isEmpty)
  }

  @Test(
    "only a well-formed file is of another kind",
    arguments: [
      ("a.json", "{\"a\": 1}", true), ("a.json", "{\"a\": ", false),
      ("a.plist", "<plist><dict/></plist>", true), ("a.plist", "<plist><dict>", false),
      ("a.pex", "<svg/>", true), ("a.pex", "", false), ("a.sks", "{}", true), ("a.sks", "?", false),
      ("a.pex", "version https://git-lfs.github.com/spec/v1\n", false), ("a.pex", "GIF89a", true),
    ])
  func otherKinds(_ name: String, _ text: String, _ isOther: Bool) throws {
    try create("in/\(name)", text)
    let fault = #expect(throws: Diagnostic.self) {
      try OpenedEffect(path: scratch.file("in/\(name)"))
    }
    #expect(fault?.isOfOtherKind == isOther)
  }
}
