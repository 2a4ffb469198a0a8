import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesFormats
import ParticlesTestSupport
import Testing

/// Tar archives with one entry, whose header or extended header is changed field by field.
@Suite("Fields of tar headers")
struct TarHeaderTests {
  /// A header with some bytes changed, and the checksum that fits.
  static func patched(_ entry: [UInt8], _ changes: [(offset: Int, text: String)]) -> [UInt8] {
    var block = entry
    for (offset, text) in changes {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    if changes.contains(where: { 148..<156 ~= $0.offset }) { return block }
    block.replaceSubrange(148..<156, with: Array("        ".utf8))
    let sum = block[..<512].reduce(0) { $0 + Int($1) }
    let digits = String(sum, radix: 8)
    let text = String(repeating: "0", count: 6 - digits.utf8.count) + digits + "\0 "
    block.replaceSubrange(148..<156, with: text.utf8)
    return block
  }

  private func unpacked(_ entries: [UInt8]...) throws -> FileNode {
    try ParticleFormat.tar.unpack(TarForge.archive(entries.flatMap(\.self))).root
  }

  private func paths(_ root: FileNode) -> [String] {
    var paths: [String] = []
    root.forEachDescendant { path, _ in paths.append(path) }
    return paths
  }

  @Test(
    "numbers in octal digits, with spaces and zeros around them",
    arguments: [
      "00000000003\0", "          3 ", "3\0\0\0\0\0\0\0\0\0\0\0", "3 \0 rubbish ", "000000000003",
    ])
  func numbers(text: String) throws {
    let entry = Self.patched(TarForge.entry("a", [1, 2, 3]), [(124, text)])
    #expect(try unpacked(entry)["a"]?.regularFileContents() == [1, 2, 3])
  }

  @Test(
    "a field that is no number is refused",
    arguments: [
      (100, "00006x4\0"), (100, "-000644\0"), (100, "9      \0"), (124, "0000000000x\0"),
      (124, "-0000000003\0"), (124, "00000000008\0"), (148, "00x0000\0"), (148, "000001\0 "),
      (148, "-00000\0 "),
    ])
  func noNumber(offset: Int, text: String) {
    let entry = Self.patched(TarForge.entry("a"), [(offset, text)])
    expectThrows(.tar) { try unpacked(entry) }
  }

  @Test("a header with one other bit is refused", arguments: [0, 99, 110, 130, 156, 157, 300, 511])
  func checksum(offset: Int) {
    var entry = TarForge.entry("a")
    entry[offset] ^= 1
    expectThrows(.tar) { try unpacked(entry) }
  }

  @Test(
    "kinds of entries by type, mode and the slash at the end",
    arguments: [
      ("0", "0000644", "a", "file"), ("0", "0000744", "a", "program"),
      ("0", "0000100", "a", "program"), ("0", "0000655", "a", "file"),
      ("0", "0000611", "a", "file"), ("0", "0000645", "a", "file"),
      ("0", "0104755", "a", "program"),
      ("\0", "0000644", "a", "file"), ("7", "0000744", "a", "program"),
      ("0", "0000644", "a/", "folder"), ("\0", "0000644", "a/", "folder"),
      ("5", "0000755", "a", "folder"), ("5", "0000755", "a/", "folder"),
      ("2", "0000777", "a", "link"), ("3", "0000644", "a", "special"),
      ("4", "0000644", "a", "special"), ("6", "0000644", "a", "special"),
      ("8", "0000644", "a", "unsupported"), ("M", "0000644", "a", "unsupported"),
      ("S", "0000644", "a", "unsupported"), ("V", "0000644", "a", "unsupported"),
    ] as [(Character, String, String, String)])
  func kinds(type: Character, mode: String, name: String, kind: String) throws {
    let entry = TarForge.entry(name, type: type, link: kind == "link" ? "b" : "", mode: mode)
    switch kind {
    case "special": expectThrows(.special) { try unpacked(entry) }
    case "unsupported": expectThrows(.tarUnsupported) { try unpacked(entry) }
    default:
      let node = try #require(try unpacked(entry)["a"])
      #expect(node.isDirectory == (kind == "folder"))
      #expect((node.symbolicLinkDestination == "b") == (kind == "link"))
      #expect(node.isExecutable == (kind == "program"))
    }
  }

  @Test("only files have contents", arguments: ["1", "2", "3", "4", "5", "6"] as [Character])
  func contents(type: Character) {
    let first = TarForge.entry("b")
    let entry = TarForge.entry("a", type: type, [1], link: "b")
    expectThrows(.tar) { try unpacked(first, entry) }
    // A size in an extended header counts, too.
    let empty = TarForge.entry("a", type: type, link: "b")
    expectThrows(.tar) { try unpacked(first, TarForge.record("size", "1"), empty) }
  }

  @Test("a hard link refers to a file before it, and takes its contents and permissions")
  func hardLinks() throws {
    let program = TarForge.entry("a", [1, 2], mode: "0000755")
    let link = TarForge.entry("b", type: "1", link: "a")
    let node = try #require(try unpacked(program, link)["b"])
    #expect(try node.regularFileContents() == [1, 2])
    #expect(node.isExecutable)
    expectThrows(.tar) { try unpacked(link, program) }
    expectThrows(.tar) { try unpacked(TarForge.entry("a", type: "5"), link) }
    expectThrows(.tar) { try unpacked(TarForge.entry("a", type: "2", link: "c"), link) }
    expectThrows(.duplicate) { try unpacked(program, TarForge.entry("a", type: "1", link: "a")) }
    let long = TarForge.record("linkpath", "a")
    #expect(try unpacked(program, long, TarForge.entry("b", type: "1", link: "zz"))["b"] != nil)
  }

  @Test("a prefix of the path is that of POSIX alone: GNU has times there")
  func prefix() throws {
    let entry = TarForge.entry("b")
    let posix = Self.patched(entry, [(345, "a/x")])
    #expect(paths(try unpacked(posix)) == ["a", "a/x", "a/x/b"])
    let gnu = Self.patched(entry, [(257, "ustar  \0"), (345, "13760000000\0")])
    #expect(paths(try unpacked(gnu)) == ["b"])
    expectThrows(.name) { try unpacked(Self.patched(entry, [(345, "..")])) }
    expectThrows(.name) { try unpacked(Self.patched(entry, [(345, "/etc")])) }
  }

  @Test("a name and the target of a link may fill their fields")
  func full() throws {
    let name = String(repeating: "n", count: 100)
    let link = TarForge.entry(name, type: "2", link: name)
    #expect(try unpacked(link)[name]?.symbolicLinkDestination == name)
  }

  @Test("long names and targets of GNU end at the first zero, and are for one entry")
  func longNames() throws {
    let name = String(repeating: "n", count: 150)
    let long = TarForge.entry("././@LongLink", type: "L", Array("\(name)\0rest".utf8))
    let target = TarForge.entry("././@LongLink", type: "K", Array("\(name)t\0".utf8))
    let root = try unpacked(
      long, target, TarForge.entry("short", type: "2", link: "short"), TarForge.entry("b"))
    #expect(paths(root) == ["b", name])
    #expect(root[name]?.symbolicLinkDestination == "\(name)t")
    expectThrows(.tar) { try unpacked(long) }
    expectThrows(.tar) { try unpacked(target) }
    expectThrows(.link) {
      let invalid = TarForge.entry("././@LongLink", type: "K", [0xFF, 0])
      return try unpacked(invalid, TarForge.entry("a", type: "2", link: "b"))
    }
  }

  /// An extended header with this text.
  private func extended(_ text: String, type: Character = "x") -> [UInt8] {
    TarForge.entry("x", type: type, Array(text.utf8))
  }

  @Test("values of an extended header replace those of the next entry, and of no other")
  func records() throws {
    let root = try unpacked(
      extended("9 path=b\n12 comment=\n22 mtime=1234567890.5\n10 size=2\n"),
      TarForge.entry("a", [1, 2], size: "0"), TarForge.entry("c", [3]))
    #expect(paths(root) == ["b", "c"])
    #expect(try root["b"]?.regularFileContents() == [1, 2])
    #expect(try root["c"]?.regularFileContents() == [3])
    // The last of two values counts, and the last of two headers.
    #expect(
      paths(try unpacked(extended("9 path=b\n9 path=d\n"), TarForge.entry("a"))) == ["d"])
    #expect(
      paths(try unpacked(extended("9 path=b\n"), extended("9 path=e\n"), TarForge.entry("a")))
        == ["e"])
    // Values may contain signs and line feeds.
    #expect(
      paths(try unpacked(extended("12 path=b=c\n"), TarForge.entry("a"))) == ["b=c"])
    #expect(paths(try unpacked(extended(""), TarForge.entry("a"))) == ["a"])
  }

  @Test(
    "a damaged extended header is refused",
    arguments: [
      "9 path=b", "8 path=b\n", "11 path=b\n", "9path=b\n", "x path=b\n", "-9 path=b\n", "0 \n",
      "2 \n", "3 \n", "7 pathb\n", "9 path=bb", "99999999 path=b\n", "10 size=-\n", "11 size=-1\n",
      "10 size=x\n", "9 size=\n9", "29 size=99999999999999999999\n",
    ])
  func damagedRecords(text: String) {
    expectThrows(.tar, "\(text)") { try unpacked(extended(text), TarForge.entry("a")) }
  }

  @Test("global headers hold comments, and neither paths nor sizes")
  func global() throws {
    let comment = extended("17 comment=hello\n", type: "g")
    #expect(paths(try unpacked(comment, TarForge.entry("a"))) == ["a"])
    #expect(paths(try unpacked(TarForge.entry("a"), comment)) == ["a"])
    for key in ["path", "linkpath", "size"] {
      expectThrows(.tarUnsupported) {
        try unpacked(TarForge.record(key, "1", type: "g"), TarForge.entry("a"))
      }
    }
  }

  @Test("an extended header has at most one MiB")
  func extensionSize() throws {
    let most = 1 << 20
    func comment(_ count: Int) -> [UInt8] {
      let text = "\(count) comment="
      return Array((text + String(repeating: "c", count: count - text.utf8.count - 1) + "\n").utf8)
    }
    let fits = TarForge.entry("x", type: "x", comment(most))
    #expect(paths(try unpacked(fits, TarForge.entry("a"))) == ["a"])
    let larger = TarForge.entry("x", type: "x", comment(most + 1))
    expectThrows(.tar) { try unpacked(larger, TarForge.entry("a")) }
  }

  @Test("two empty blocks end an archive; zeros may follow them")
  func end() throws {
    let entry = TarForge.entry("a")
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    for padding in [1024, 1536, 10_240, 1024 + 100_000] {
      #expect(try ParticleFormat.tar.unpack(entry + zeros(padding)).root["a"] != nil)
    }
    for padding in [0, 511, 512, 1023] {
      expectThrows(.tar) { try ParticleFormat.tar.unpack(entry + zeros(padding)) }
    }
    for place in [512, 1024, 1535, 70_000] {
      var bytes = zeros(80_000)
      bytes[place] = 1
      expectThrows(.tar) { try ParticleFormat.tar.unpack(entry + bytes) }
    }
  }

  @Test("contents end with a block")
  func blocks() throws {
    for count in [0, 1, 511, 512, 513, 1024] {
      let contents = SampleTree.noise(count, seed: 3)
      let root = try unpacked(TarForge.entry("a", contents), TarForge.entry("b", [7]))
      #expect(try root["a"]?.regularFileContents() == contents)
      #expect(try root["b"]?.regularFileContents() == [7])
    }
    // The last entry reaches beyond the archive: by a block, and by its padding alone.
    for size in ["2001", "2777"] {
      expectThrows(.tar) {
        try ParticleFormat.tar.unpack(
          TarForge.entry("a", size: size) + [UInt8](repeating: 0, count: 1024))
      }
    }
  }
}
