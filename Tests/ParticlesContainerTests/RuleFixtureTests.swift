import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// For each rule of the container and the tree, packages with exactly that fault. They stand in
/// `Fixtures/rules/<family>/<rule>[-<case>].particles`, so that other readers can be tried on them.
@Suite("Rules of the container")
struct RuleFixtureTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var rule: Rule
    var name: String
    var make: @Sendable () throws -> [UInt8]

    var file: String {
      "Fixtures/rules/\(rule.code)\(name.isEmpty ? "" : "-\(name)").particles"
    }
    var testDescription: String { file }

    init(_ rule: Rule, _ name: String = "", _ make: @escaping @Sendable () throws -> [UInt8]) {
      self.rule = rule
      self.name = name
      self.make = make
    }
  }

  static let sound = [Entry.file("a", size: 1), .directory("b"), .file("b/c", size: 1, offset: 1)]

  static func raw(_ fields: [UInt8]...) -> [UInt8] { fields.flatMap(\.self) }

  static let faults: [Fault] = [
    Fault(.signature) { Array("{ \"json\": true }\n".utf8) },
    Fault(.signature, "text-transfer") {
      // What a transfer in text mode makes of a package: CR LF becomes LF.
      var bytes = PackageForge.package(sound, stream: [1, 2])
      bytes.remove(at: 5)
      return bytes
    },
    Fault(.containerVersion) {
      var forge = PackageForge(version: 2)
      forge.commit(Root())
      return forge.bytes
    },
    Fault(.truncated) { PackageForge.package(sound, stream: [1, 2]).dropLast(30) },
    Fault(.checksum, "header") {
      var bytes = PackageForge.package(sound, stream: [1, 2])
      bytes[13] ^= 1
      return bytes
    },
    Fault(.checksum, "block") {
      var bytes = PackageForge.package(sound, stream: [1, 2])
      let data = bytes.firstRange(of: Array("DATA".utf8))?.lowerBound ?? 0
      bytes[data + 24] ^= 1
      return bytes
    },
    Fault(.frame, "raw-length") {
      // One byte that claims to unpack to a mebibyte.
      var forge = PackageForge()
      let page = forge.frame(.tree, [0], rawLength: 1 << 20)
      var root = Root()
      root.pages = [.init(firstPath: "a", frame: page, entries: 1)]
      forge.commit(root)
      return forge.bytes
    },
    Fault(.frame, "place") {
      var forge = PackageForge()
      let page = forge.frame(.tree, TreePage.encode([.directory("a")]), place: 99)
      var root = Root()
      root.pages = [.init(firstPath: "a", frame: page, entries: 1)]
      forge.commit(root)
      return forge.bytes
    },
    Fault(.payload) {
      var forge = PackageForge()
      let page = forge.frame(.tree, [0x78, 0x9C, 0xFF, 0xFF], rawLength: 40)
      var root = Root()
      root.pages = [.init(firstPath: "a", frame: page, entries: 1)]
      forge.commit(root)
      return forge.bytes
    },
    Fault(.index, "kind") {
      PackageForge.package(page: raw([0, 1], Array("a".utf8), [7]), [.directory("a")])
    },
    Fault(.index, "long-varint") {
      PackageForge.package(page: raw([0x80, 0, 1], Array("a".utf8), [0]), [.directory("a")])
    },
    Fault(.index, "other-page") {
      PackageForge.package(page: TreePage.encode([.directory("b")]), [.directory("a")])
    },
    Fault(.index, "table") {
      // A table of which the root says that it holds three bytes, not two.
      var forge = PackageForge()
      var root = Root()
      let block = Block(offset: 0, rawLength: 2, frame: forge.frame(.data, [1, 2], place: 0))
      let table = forge.frame(.blocks, BlockTable.encode([block]))
      root.tables = [.init(frame: table, bytes: 3)]
      forge.commit(root)
      return forge.bytes
    },
    Fault(.index, "page-order") {
      // The second page of the tree is before the first in the file.
      pages(["b", "a"], listed: [1, 0])
    },
    Fault(.index, "page-not-listed") { pages(["a", "b"], listed: [0], stream: [1]) },
    Fault(.index, "table-not-listed") {
      // Two generations with blocks, of which the root lists the last.
      var forge = PackageForge()
      var root = Root()
      for generation in 1...2 {
        let footer = forge.footer
        let page = forge.frame(
          .tree, TreePage.encode([.file("a", size: 1, offset: generation - 1)]))
        let data = forge.frame(.data, [7], place: generation - 1)
        let block = Block(offset: 0, rawLength: 1, frame: data)
        root.pages = [.init(firstPath: "a", frame: page, entries: 1)]
        root.tables = [.init(frame: forge.frame(.blocks, BlockTable.encode([block])), bytes: 1)]
        forge.commit(root, generation: generation, previous: footer)
      }
      return forge.bytes
    },
    Fault(.frame, "footer-generation") { footers(generation: 1, previous: nil) },
    Fault(.frame, "footer-previous") { footers(generation: 2, previous: 0) },
    Fault(.payload, "length-symbol-286") {
      var forge = PackageForge()
      var root = Root()
      let page = forge.frame(.tree, TreePage.encode([.file("a", size: DeflateForge.count)]))
      root.pages = [.init(firstPath: "a", frame: page, entries: 1)]
      let data = forge.frame(
        .data, DeflateForge.fixed(0x41, length: 286), rawLength: DeflateForge.count, place: 0)
      let block = Block(offset: 0, rawLength: DeflateForge.count, frame: data)
      let table = forge.frame(.blocks, BlockTable.encode([block]))
      root.tables = [.init(frame: table, bytes: DeflateForge.count)]
      forge.commit(root)
      return forge.bytes
    },
    Fault(.coverage) {
      // A stray page between table and root.
      var forge = PackageForge()
      var root = Root()
      let block = Block(offset: 0, rawLength: 2, frame: forge.frame(.data, [1, 2], place: 0))
      let table = forge.frame(.blocks, BlockTable.encode([block]))
      root.tables = [.init(frame: table, bytes: 2)]
      forge.frame(.tree, TreePage.encode([.directory("a")]))
      forge.commit(root)
      return forge.bytes
    },
    Fault(.torn) { PackageForge.package(sound, stream: [1, 2]) + [0x54, 0x52, 0x45, 0x45, 0, 0] },
    Fault(.name, "dot-dot") { PackageForge.package([.file("../a")]) },
    Fault(.name, "absolute") { PackageForge.package([.file("/a")]) },
    Fault(.name, "control") { PackageForge.package([.file("a\u{1B}[2J")]) },
    Fault(.name, "decomposed") { PackageForge.package([.file("e\u{301}")]) },
    Fault(.name, "not-utf8") { PackageForge.package(page: [0, 1, 0xFF, 0], [.directory("a")]) },
    Fault(.order) { PackageForge.package([.file("b"), .file("a")]) },
    Fault(.order, "twice") { PackageForge.package([.file("a"), .file("a")]) },
    Fault(.twins) { PackageForge.package([.file("A.png"), .file("a.png")]) },
    Fault(.parent, "missing") { PackageForge.package([.file("a/b")]) },
    Fault(.parent, "file") { PackageForge.package([.file("a"), .file("a/b")]) },
    Fault(.link, "absolute") { PackageForge.package([.link("a", to: "/etc/passwd")]) },
    Fault(.link, "climbing") { PackageForge.package([.link("a", to: "../c")]) },
    // Together, these two would lead to what stands beside the package.
    Fault(.link, "climbing-behind-a-name") {
      PackageForge.package([
        .link("out", to: "p/q/up/../x"), .directory("p"), .directory("p/q"),
        .link("p/q/up", to: "../.."),
      ])
    },
    Fault(.link, "not-utf8") {
      PackageForge.package(page: [0, 1, 0x61, 3, 1, 0xFF], [.directory("a")])
    },
    Fault(.extent, "overlap") {
      PackageForge.package(
        [.file("a", size: 2), .file("b", size: 2, offset: 1)], stream: [1, 2, 3])
    },
    Fault(.extent, "outside") { PackageForge.package([.file("a", size: 5)], stream: [1, 2]) },
    Fault(.limit, "entries") {
      var forge = PackageForge()
      let page = forge.frame(.tree, TreePage.encode([.directory("a")]))
      var root = Root()
      root.pages = [.init(firstPath: "a", frame: page, entries: 1_000_000)]
      forge.commit(root)
      return forge.bytes
    },
    Fault(.limit, "size") { PackageForge.package([.file("a", size: 1 << 50)], stream: [1]) },
    Fault(.limit, "amplification") { crowd(folders: 20, entries: 1000) },
    Fault(.limit, "depth") {
      let paths = (1...65).map { Array(repeating: "d", count: $0).joined(separator: "/") }
      return PackageForge.package(paths.map { .directory($0) })
    },
  ]

  /// A package of folders, of which a few bytes list very many.
  static func crowd(folders: Int, entries: Int) -> [UInt8] {
    func number(_ value: Int) -> String { String(String(1_000_000 + value).dropFirst()) }
    let names = (0..<folders).flatMap { folder in
      ["d\(number(folder))"] + (0..<entries).map { "d\(number(folder))/c\(number($0))" }
    }
    let page = TreePage.encode(names.map { .directory($0) })
    let packed = page.withUnsafeBytes { Deflate(level: 12).zlib($0, limit: page.count - 1) } ?? page
    var forge = PackageForge()
    var root = Root()
    let frame = forge.frame(.tree, packed, rawLength: page.count)
    root.pages = [.init(firstPath: names[0], frame: frame, entries: names.count)]
    forge.commit(root)
    return forge.bytes
  }

  /// A package with a folder on each page, of which the root lists some.
  private static func pages(_ names: [String], listed: [Int], stream: [UInt8] = []) -> [UInt8] {
    var forge = PackageForge()
    var root = Root()
    let frames = names.map { forge.frame(.tree, TreePage.encode([.directory($0)])) }
    root.pages = listed.map { .init(firstPath: names[$0], frame: frames[$0], entries: 1) }
    if !stream.isEmpty {
      let data = forge.frame(.data, stream, place: 0)
      let block = Block(offset: 0, rawLength: stream.count, frame: data)
      let table = forge.frame(.blocks, BlockTable.encode([block]))
      root.tables = [.init(frame: table, bytes: stream.count)]
    }
    forge.commit(root)
    return forge.bytes
  }

  /// Two generations. The second footer states these numbers.
  private static func footers(generation: Int, previous: Int?) -> [UInt8] {
    var forge = PackageForge()
    var root = Root()
    for number in 1...2 {
      let footer = forge.footer
      let name = "\(number)"
      let page = forge.frame(.tree, TreePage.encode([.directory(name)]))
      root.pages = [.init(firstPath: name, frame: page, entries: 1)]
      if number == 1 {
        forge.commit(root)
      } else {
        forge.commit(root, generation: generation, previous: previous ?? footer)
      }
    }
    return forge.bytes
  }

  @Test("a package with one fault is reported for that fault and no other", arguments: faults)
  func fault(_ fault: Fault) throws {
    let bytes = try fault.make()
    if Repository.isRecording {
      try SafeSave.file(Repository.path(fault.file), replacing: true) { try $0.write(bytes) }
    }
    #expect(try Files.read(Repository.path(fault.file)) == bytes, "PARTICLES_RECORD=1 writes it")
    #expect(Self.findings(bytes).map(\.rule) == [fault.rule])
  }

  static func findings(_ bytes: [UInt8]) -> [Diagnostic] {
    do {
      return try ContainerReader(.bytes(bytes)).verify()
    } catch {
      return [error as? Diagnostic].compactMap(\.self)
    }
  }

  @Test("the packages without fault, from which the others are made, are sound")
  func sound() {
    #expect(Self.findings(PackageForge.package(Self.sound, stream: [1, 2])).isEmpty)
  }

  @Test("what only a directory can hold")
  func special() throws {
    let scratch = try Scratch()
    try Files.makeDirectory(scratch.file("d"))
    try Files.create(scratch.file("d/back\\slash"), [])
    expectThrows(.name) { try Container(contentsOf: scratch.file("d")) }
    if let mkfifo = Run.optional("mkfifo") {
      try Files.makeDirectory(scratch.file("p"))
      _ = try Run.succeeding(mkfifo, [scratch.file("p/pipe")])
      expectThrows(.special) { try Container(contentsOf: scratch.file("p")) }
    }
    expectThrows(.fileNotFound) { try Container(contentsOf: scratch.file("none")) }
  }

  @Test("a save that was appended is read, and the one before it if the new one is damaged")
  func generations() throws {
    var forge = PackageForge()
    var root = Root()
    let page = forge.frame(
      .tree, TreePage.encode([.file("a", size: 2), .file("b", size: 1, offset: 2)]))
    let block = Block(offset: 0, rawLength: 3, frame: forge.frame(.data, [1, 2, 3], place: 0))
    root.tables = [.init(frame: forge.frame(.blocks, BlockTable.encode([block])), bytes: 3)]
    root.pages = [.init(firstPath: "a", frame: page, entries: 2)]
    forge.commit(root)
    let first = forge.bytes

    let page2 = forge.frame(
      .tree, TreePage.encode([.file("a", size: 2, offset: 3), .file("b", size: 1, offset: 2)]))
    let block2 = Block(offset: 3, rawLength: 2, frame: forge.frame(.data, [7, 8], place: 3))
    root.tables.append(.init(frame: forge.frame(.blocks, BlockTable.encode([block2])), bytes: 2))
    root.pages = [.init(firstPath: "a", frame: page2, entries: 2)]
    forge.commit(root, generation: 2, previous: first.count - Layout.footerSize)

    let reader = try ContainerReader(.bytes(forge.bytes))
    #expect(reader.generation == 2)
    #expect(try reader.verify().isEmpty)
    #expect(try reader.tree()["a"]?.regularFileContents() == [7, 8])
    #expect(try reader.tree()["b"]?.regularFileContents() == [3])
    for length in first.count..<forge.bytes.count {
      let torn = try ContainerReader(.bytes(Array(forge.bytes[..<length])))
      #expect(torn.generation == 1)
      #expect(try torn.tree()["a"]?.regularFileContents() == [1, 2])
      #expect(torn.warnings.map(\.rule) == (length == first.count ? [] : [.torn]))
    }
  }
}

extension PackageForge {
  /// The position of the footer that ends the package, or 0 if there is none.
  fileprivate var footer: Int {
    let position = bytes.count - Layout.footerSize
    return position > 0 && bytes[position...].starts(with: Array("DONE".utf8)) ? position : 0
  }
}
