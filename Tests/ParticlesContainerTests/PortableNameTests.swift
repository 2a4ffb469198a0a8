import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Portable names")
struct PortableNameTests {
  @Test(
    "names that other systems change or reject are found",
    arguments: [
      "a:b", "C:", "a*", "a?", "<a", "a>", "a|b", "a\"", "foo.", "foo ", "CON", "con", "NUL.txt",
      "nul .tar.gz", "Com1", "LPT9.x", "COM²", "CONIN$", "a\u{200B}b", "\u{FEFF}a", "a\u{E0041}",
    ])
  func faults(name: String) {
    #expect(PortableName.fault(of: name) != nil)
    #expect(throws: Never.self) { try EntryPath.check(name: name) }
  }

  @Test(
    "other names are not reported",
    arguments: ["a", ".a", "a b", "a.b", "CONS", "COM", "COM10", "console.txt", "größe", "日本"])
  func portable(name: String) { #expect(PortableName.fault(of: name) == nil) }

  @Test("link targets are checked component by component")
  func links() {
    for target in ["C:/x", "a//b", "e\u{301}", "a/CON", "x./y"] {
      #expect(PortableName.fault(ofLink: target) != nil, "\(target)")
    }
    for target in ["a", "../a", "./a/b", "a/", "é"] {
      #expect(PortableName.fault(ofLink: target) == nil, "\(target)")
    }
  }

  @Test("a link leads to a place in the package")
  func linkTargets() {
    let longest = String(repeating: "a", count: EntryPath.pathLimit)
    for target in ["a", "a/b", "..", "../a", "./a", "../../a", "a/", ".", "é", longest] {
      #expect(throws: Never.self) { try EntryPath.check(link: target, from: "x/y/link") }
    }
    for target in [
      "", "/", "/a", "../../..", "a/..", "../a/../b", "a\\b", "a\nb", "\u{85}", longest + "a",
    ] {
      let fault = expectThrows(.link) { try EntryPath.check(link: target, from: "x/y/link") }
      #expect(fault?.location.entry == "x/y/link")
    }
  }

  @Test("each entry is reported, and after twenty the number of the others")
  func warnings() throws {
    var root = FileNode.emptyDirectory
    try root.setFileNode(FileNode(symbolicLinkWithDestination: "a//b"), at: "d/link")
    try root.setFileNode(.emptyDirectory, at: "e:")
    #expect(root.portabilityWarnings().map(\.location.entry) == ["d/link", "e:"])
    #expect(root.portabilityWarnings().allSatisfy { $0.rule == .portable })
    for index in 0..<30 { try root.setFileNode(.emptyDirectory, at: "f\(index).") }
    let warnings = root.portabilityWarnings()
    #expect(warnings.count == 21)
    #expect(warnings.last?.detail == "and 11 more entries")
  }

  @Test("form C and case are those of Unicode 15.0")
  func unicodeVersion() {
    // Unicode 16.0 added U+A7DC, whose lower case is U+019B, and the script Garay.
    #expect(UnicodeForms.folded("\u{A7DC}") == "\u{A7DC}")
    #expect(UnicodeForms.folded("\u{19B}") == "\u{19B}")
    #expect(UnicodeForms.folded("\u{10D50}") != UnicodeForms.folded("\u{10D70}"))
    #expect(UnicodeForms.folded("A\u{A7DC}B") == "a\u{A7DC}b")
    // It also added U+105C9, composed of U+105D2 U+0307.
    #expect(
      Array(UnicodeForms.composed("\u{105D2}\u{307}").unicodeScalars) == ["\u{105D2}", "\u{307}"])
    #expect(Array(UnicodeForms.composed("e\u{301}\u{A7DC}").unicodeScalars) == ["é", "\u{A7DC}"])
  }

  @Test("files of operating systems and version control are removed, whole folders at once")
  func systemFiles() throws {
    var root = FileNode.emptyDirectory
    let file = FileNode(regularFileWithContents: [1])
    let removed = [
      ".DS_Store", ".git", "Images/._a.png", "Images/Thumbs.db", "__MACOSX", "desktop.ini",
    ]
    for path in removed { try root.setFileNode(file, at: path == ".git" ? ".git/config" : path) }
    let kept = [".gitignore", "._", "Images/a.png", "git"]
    for path in kept { try root.setFileNode(file, at: path) }
    #expect(root.removeSystemFiles() == removed)
    var left: [String] = []
    root.forEachDescendant { path, node in if node.isRegularFile { left.append(path) } }
    #expect(Set(left) == Set(kept))
  }
}
