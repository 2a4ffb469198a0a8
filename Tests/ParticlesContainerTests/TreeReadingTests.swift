import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@Suite("Reading the tree")
struct TreeReadingTests {
  private func entries(_ bytes: [UInt8]) throws -> [Entry] {
    try ContainerReader(.bytes(bytes)).entries()
  }

  @Test("capitals are found at every place of names of every length", arguments: 1...20)
  func twins(length: Int) throws {
    let small = String(repeating: "m", count: length)
    for place in 0..<length {
      var capital = Array(small.utf8)
      capital[place] -= 0x20
      // Between them stands what differs from both in more than case.
      var other = capital
      other[place] = UInt8(ascii: "_")
      let names = [capital, other, Array(small.utf8)].map { String(decoding: $0, as: UTF8.self) }
      let twins = PackageForge.package(names.map { .file("d/\($0)") }.inDirectory("d"))
      #expect(expectThrows(.twins) { try entries(twins) }?.location.entry == "d/\(small)")
      let apart = PackageForge.package(names.dropFirst().map { .file($0) })
      #expect(try entries(apart).count == 2)
    }
  }

  @Test("only letters have a case")
  func letters() throws {
    // Each pair differs in the bit that tells capitals from small letters.
    let pairs = [("@", "`"), ("[", "{"), ("]", "}"), ("^", "~"), ("A[", "A{"), ("0", "P")]
    for (a, b) in pairs {
      for rest in ["", "rest of it", "rest"] {
        let names = [Entry.file(rest + a), .file(rest + b)]
        #expect(try entries(PackageForge.package(names)).count == 2, "\(a) \(b)")
      }
    }
    expectThrows(.twins) { try entries(PackageForge.package([.file("s"), .file("\u{17F}")])) }
    expectThrows(.twins) { try entries(PackageForge.package([.file("Ä"), .file("ä")])) }
  }

  @Test("a name is judged with the bytes that it has in common with the one before")
  func sharedBytes() throws {
    // The second path of each shares a byte of a character, a letter, or a point with the first.
    let faults: [([UInt8], [UInt8])] = [
      (Array("ä".utf8), [0xC3, 0x28]), ([0x65], [0x65, 0xCC, 0x81]), (Array("..a".utf8), [0x2E]),
      (Array("a/..b".utf8), Array("a/..".utf8)),
    ]
    for (first, second) in faults {
      var writer = ByteWriter()
      for (shared, path) in [(0, first), (1, second)] {
        writer.varint(shared)
        writer.varint(path.count - shared)
        writer.write(path[shared...] + [0])
      }
      expectThrows(.name) {
        try TreePage.decode(writer.bytes, at: 16, limits: .standard)
      }
    }
    let long = String(repeating: "n", count: 255)
    let page = TreePage.encode([.file(long), .file(long + "n")])
    expectThrows(.name) { try TreePage.decode(page, at: 16, limits: .standard) }
    let deep = String(repeating: "d/", count: 2047) + "d"
    expectThrows(.limit) {
      try TreePage.decode(TreePage.encode([.file(deep)]), at: 16, limits: .standard)
    }
    expectThrows(.name) {
      try TreePage.decode(TreePage.encode([.file(deep + "/d")]), at: 16, limits: .standard)
    }
  }

  @Test("every byte at every place of a name is judged alike, whatever stands around it")
  func everyByte() throws {
    for place in 0..<18 {
      for byte in 0...UInt8.max {
        var name = [UInt8](repeating: UInt8(ascii: "m"), count: 18)
        name[place] = byte
        let isSound = (try? EntryPath.check(name, limits: .standard)) != nil
        // In full, at the end of the page or not, and as the difference from its predecessor.
        for (shared, isLast) in [(0, true), (0, false), (place, false)] {
          var writer = ByteWriter()
          if shared > 0 {
            writer.varint(0)
            writer.varint(shared)
            writer.write(name[..<shared] + [0])
          }
          writer.varint(shared)
          writer.varint(name.count - shared)
          writer.write(name[shared...] + [0])
          if !isLast {
            writer.varint(0)
            writer.varint(10)
            writer.write(Array("\u{10FFFD} behind".utf8.prefix(10)) + [0])
          }
          var rule: Rule?
          do {
            _ = try TreePage.decode(writer.bytes, at: 16, limits: .standard)
          } catch let diagnostic as Diagnostic {
            rule = diagnostic.rule
          }
          #expect((rule == .name) == !isSound, "\(byte) at \(place), \(shared) shared")
        }
      }
    }
  }

  @Test("paths ascend from page to page, and the first of a page stands there in full")
  func pages() throws {
    func package(_ pages: [[Entry]], encoding: ([Entry]) -> [UInt8] = TreePage.encode) -> [UInt8] {
      var forge = PackageForge()
      var root = Root()
      for page in pages {
        let frame = forge.frame(.tree, encoding(page))
        root.pages.append(.init(firstPath: page[0].path, frame: frame, entries: page.count))
      }
      forge.commit(root)
      return forge.bytes
    }
    let scratch = try Scratch()
    func unpack(_ bytes: [UInt8]) throws {
      var rest = bytes[...]
      try Container.unpack(name: "pipe", toDirectory: scratch.file("out"), replacing: true) {
        count in
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
    }
    let sound = package([[.directory("a"), .file("a/x")], [.file("a/y"), .file("b")]])
    #expect(try entries(sound).map(\.path) == ["a", "a/x", "a/y", "b"])
    try unpack(sound)
    for second in [Entry.file("a/x"), .file("a/b")] {
      let bytes = package([[.directory("a"), .file("a/x")], [second, .file("b")]])
      #expect(expectThrows(.order) { try entries(bytes) }?.location.position != nil)
      #expect(expectThrows(.order) { try unpack(bytes) }?.location.position != nil)
    }
    // The second page states that its first path shares a byte with its predecessor.
    var number = 0
    let sharing = package([[.file("ab")], [.file("ac")]]) { page in
      number += 1
      return number == 1 ? TreePage.encode(page) : [1, 1, UInt8(ascii: "c"), 1, 0]
    }
    expectThrows(.index) { try entries(sharing) }
    expectThrows(.index) { try unpack(sharing) }
  }

  @Test("an open package is unpacked as it would be by its tree", arguments: [false, true])
  func unpacking(large: Bool) throws {
    let scratch = try Scratch()
    let tree = try large ? SampleTree.large() : SampleTree.small()
    let reader = try ContainerReader(.bytes(Container(root: tree).encoded()))
    let count = try reader.unpack(toDirectory: scratch.file("out"))
    let unpacked = try FileNode(readingDirectory: scratch.file("out"))
    #expect(try unpacked.treeDigest() == tree.treeDigest())
    #expect(try count == reader.entries().count(where: \.isFile))
    expectThrows(.fileExists) { try reader.unpack(toDirectory: scratch.file("out")) }
    try reader.unpack(toDirectory: scratch.file("out"), replacing: true, synchronizing: false)
  }

  @Test("nothing is left of a package that is not sound")
  func unsoundUnpacking() throws {
    let scratch = try Scratch()
    let twins = PackageForge.package(
      [.file("A", size: 1), .file("a", size: 1, offset: 1)], stream: [1, 2])
    expectThrows(.twins) {
      try ContainerReader(.bytes(twins)).unpack(toDirectory: scratch.file("out"))
    }
    var damaged = try Container(root: SampleTree.large()).encoded()
    damaged[damaged.count / 2] ^= 1
    expectThrows(.checksum) {
      try ContainerReader(.bytes(damaged)).unpack(toDirectory: scratch.file("out"))
    }
    #expect(try Files.list(scratch.path) == [])
  }

  @Test("a container verifies what it was opened from")
  func verification() throws {
    var bytes = try Container(root: SampleTree.large()).encoded()
    #expect(try Container(decoding: bytes).verify().isEmpty)
    #expect(try Container(root: SampleTree.small()).verify().isEmpty)
    bytes[bytes.count / 2] ^= 1
    #expect(try Container(decoding: bytes).verify(.quick).map(\.rule) == [.checksum])
    let scratch = try Scratch()
    try Files.create(scratch.file("a.particles"), bytes)
    #expect(
      try Container(contentsOf: scratch.file("a.particles")).verify().map(\.rule) == [.checksum])
  }
}

extension [Entry] {
  fileprivate func inDirectory(_ path: String) -> [Entry] { [.directory(path)] + self }
}
