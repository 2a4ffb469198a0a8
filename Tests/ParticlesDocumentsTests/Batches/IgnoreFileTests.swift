import ParticlesCore
import ParticlesDocuments
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// `.gitignore` and `.ignore`, read as git and ripgrep do.
@Suite("Ignore files") struct IgnoreFileTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Files.makeDirectory(root)
  }

  private var root: String { scratch.file("in") }

  private func create(_ name: String, _ text: String = "") throws {
    let path = Files.joined(root, name)
    try Files.makeDirectories(Files.folder(of: path))
    try Files.create(path, Array(text.utf8))
  }

  private func find(_ filter: DocumentSet.Filter = DocumentSet.Filter()) -> DocumentSet {
    DocumentSet([root], isRecursive: true, filter: filter)
  }

  private func names(_ set: DocumentSet) -> [String] {
    (set.documents.map(\.path) + set.unknown).map { String($0.dropFirst(root.count + 1)) }.sorted()
  }

  /// Names with each kind of character that patterns treat in a special way, and folders that occur at several
  /// depths. Files have an extension of effects, so that they need not be read.
  private static let tree = [
    "a.pex", "b.pex", "build/x.pex", "build/sub/y.pex", "src/build/z.pex", "src/a.pex",
    "deep/one/two/a.pex", "#x.pex", "!x.pex", "sp .pex", "foo[1].pex", "back\\slash.pex", "é.pex",
  ]

  private static let parts = [
    "*", "?.pex", "a.pex", "b*", "*.pex", "build", "[ab].pex", "[!a]*", "[a-c].pex", "**", "src",
    "deep", "one", "two", "foo[[]1]*", "foo\\[1\\].pex", "\\#x.pex", "#x.pex", "\\!x.pex", "!x.pex",
    "sp\\ .pex", "sp .pex", "[[:alpha:]].pex", "é*", "back\\\\*", "[a", "x\\", "*u*l*", "[]a].pex",
  ]

  /// A line of an ignore file.
  private static func pattern(_ random: inout SeededGenerator) -> String {
    let count = [1, 1, 1, 2, 2, 3].randomElement(using: &random) ?? 1
    var text = (0..<count).compactMap { _ in parts.randomElement(using: &random) }
      .joined(separator: "/")
    if Int.random(in: 0..<4, using: &random) == 0 { text = "/" + text }
    if Int.random(in: 0..<4, using: &random) == 0 { text += "/" }
    if Int.random(in: 0..<4, using: &random) == 0 { text = "!" + text }
    if Int.random(in: 0..<8, using: &random) == 0 { text += "  " }
    return text
  }

  /// 40 folders with equal files, each with an ignore file of its own, some with a nested one.
  private func generate() throws {
    var random = SeededGenerator(seed: 30)
    for number in 0..<40 {
      for name in Self.tree { try create("d\(number)/\(name)") }
      let lines = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.pattern(&random) }
      let end = number % 3 == 0 ? "\r\n" : "\n"
      try create("d\(number)/.gitignore", "# a comment\n\n" + lines.map { $0 + end }.joined())
      if number % 4 == 0 {
        try create("d\(number)/src/.gitignore", Self.pattern(&random) + "\n")
      }
    }
  }

  private var files: [String] {
    (0..<40).flatMap { number in Self.tree.map { "d\(number)/\($0)" } }
  }

  @Test("git ignores the same files", .needs("git")) func git() throws {
    let git = try #require(Run.optional("git"))
    try generate()
    let empty = ["HOME": scratch.path, "XDG_CONFIG_HOME": scratch.path, "GIT_CONFIG_NOSYSTEM": "1"]
    _ = try Run.succeeding(git, ["init", "-q"], in: root, environment: empty)
    let input = files.joined(separator: "\0") + "\0"
    let run = try Run(
      git, ["check-ignore", "--no-index", "--stdin", "-z"], input: Array(input.utf8), in: root,
      environment: empty)
    #expect(run.status == 0, "\(run.errors)")
    let ignored = Set(run.text.split(separator: "\0").map(String.init))
    #expect(ignored.count > 50 && ignored.count < files.count - 50)
    let found = names(find())
    let expected = files.filter { !ignored.contains($0) }.sorted()
    for name in Set(found).symmetricDifference(expected).sorted() {
      let folder = name.prefix { $0 != "/" }
      let rules = try Files.read(Files.joined(root, "\(folder)/.gitignore"))
      Issue.record("\(name) of \(String(decoding: rules, as: UTF8.self))")
    }
  }

  @Test("ripgrep ignores the same files", .needs("rg")) func ripgrep() throws {
    let program = try #require(Run.optional("rg"))
    try generate()
    let run = try Run.succeeding(
      program, ["--files", "--no-require-git", "--no-ignore-global", "-0"], in: root)
    // It lists hidden files, too, that a pattern includes again. Effects are not hidden.
    let found = run.text.split(separator: "\0").map(String.init)
      .filter { Files.lastComponent(of: $0) != ".gitignore" }
    #expect(found.sorted() == names(find()))
  }

  @Test("without another program: anchors, folders, negation, escapes, spaces and nested files")
  func rules() throws {
    for name in Self.tree { try create(name) }
    try create(
      ".gitignore", "\u{FEFF}/a.pex\nbuild/\n!build\n*one\n\\#x.pex\nsp\\ .pex  \nb.pe[a-z]\r\n")
    try create("src/.gitignore", "/build\n")
    try create("build/.gitignore", "*\n!sub/\n!y.pex\n")
    #expect(
      names(find())
        == ["!x.pex", "back\\slash.pex", "build/sub/y.pex", "foo[1].pex", "src/a.pex", "é.pex"])
    let all = DocumentSet.Filter(readsIgnoreFiles: false)
    #expect(names(find(all)) == Self.tree.sorted())
    #expect(find(all).ignored.isEmpty && find().ignored.count == 7)
  }

  @Test(".ignore wins over .gitignore; the files around a folder count up to the repository")
  func precedence() throws {
    for folder in ["", "sub/", "sub/inner/"] {
      for name in ["a.pex", "b.pex", "c.pex"] { try create(folder + name) }
    }
    try create(".gitignore", "a.pex\nb.pex\n")
    try create("sub/.ignore", "!a.pex\nc.pex\n")
    #expect(
      names(find()) == ["c.pex", "sub/a.pex", "sub/inner/a.pex"])
    let sub = DocumentSet([Files.joined(root, "sub")], isRecursive: true)
    // Without a repository, the .gitignore around a searched folder does not count.
    #expect(sub.documents.count == 4)
    try create(".git/info/exclude", "inner/\n")
    #expect(
      DocumentSet([Files.joined(root, "sub")], isRecursive: true).documents.map(\.path)
        == [Files.joined(root, "sub/a.pex")])
    try create("sub/inner/.git/HEAD")
    #expect(
      DocumentSet([Files.joined(root, "sub/inner")], isRecursive: true).documents.count == 2)
    // A path that is named is never left out.
    #expect(DocumentSet([Files.joined(root, "b.pex")], isRecursive: true).documents.count == 1)
  }

  @Test("an ignore file that cannot be read is a warning") func unreadable() throws {
    try create("a.pex")
    try Files.makeLink(Files.joined(root, ".ignore"), to: ".ignore")
    let set = find()
    #expect(set.problems.map(\.severity) == [.warning] && set.documents.count == 1)
  }

  @Test("patterns and names of any length are matched in bounded time") func hostile() throws {
    let name = String(repeating: "a", count: 200)
    try create("\(name).pex")
    try create(
      ".ignore",
      String(repeating: String(repeating: "*a", count: 100) + "b\n", count: 20)
        + String(repeating: "**/", count: 2_000) + "x\n")
    #expect(find().documents.count == 1)
  }
}
