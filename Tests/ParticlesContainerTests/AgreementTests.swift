import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Packages that contradict themselves, or seem to. All readers have to find equal trees in them, or
/// to refuse them.
@Suite("Agreement of all readers")
struct AgreementTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// The rule that is broken, or nil if the package is accepted.
    var rule: Rule?
    var testDescription: String { name }

    init(_ name: String, _ rule: Rule?) {
      self.name = name
      self.rule = rule
    }
  }

  static let cases = [
    Case("gen-repeats", .frame), Case("gen-jumps", .frame), Case("prev0", .frame),
    Case("ex1", .frame), Case("done-points-to-old-root", .frame),
    Case("min286", .payload), Case("zlib-disagreement", .payload),
    Case("overlapping-contents", .extent), Case("pages-reversed-positions", .index),
    Case("unreferenced-page-g1", .index), Case("place-after-generation", .frame),
    Case("forged-in-torn", nil), Case("root-behind-footer", .frame),
    Case("two-generations", nil),
  ]

  /// Packages with a fault in a page or root of an earlier generation, which the last root does not reach.
  static let unreachedFaults = [
    Case("unreached-reference", .index), Case("unreached-reference-2", .index),
    Case("unreached-name-3", .name), Case("unreached-tables", .index),
    Case("unreached-extent", .extent), Case("unreached-name", .name),
    Case("unreached-name-2", .name), Case("unreached-parent", .parent),
  ]

  @Test(
    "readers ignore what the last root does not reach, and verification refuses it",
    arguments: unreachedFaults)
  func unreached(_ example: Case) throws {
    let path = Fixture.path("hostile/\(example.name).particles")
    let bytes = try Files.read(path)
    let digest = try #require(Differential.judge(bytes).digest)
    #expect(try ContainerReader(.file(path)).tree().treeDigest() == digest)
    #expect(try Container(decoding: bytes).root.treeDigest() == digest)
    #expect(try Differential.unpack(bytes, to: scratch.file("out")).digest == digest)
    for (name, judged) in Differential.commands(bytes, in: scratch.file("unpacked")) {
      #expect(judged.digest == digest, "\(name)")
    }
    let recovery = try Recovery(.bytes(bytes))
    #expect(try recovery.root.treeDigest() == digest && recovery.diagnostics.isEmpty)

    for depth in [ContainerReader.Depth.quick, .full] {
      let reader = try ContainerReader(.bytes(bytes))
      let faults = try reader.verify(depth)
      #expect(faults.first?.rule == example.rule && faults.allSatisfy { $0.severity == .error })
      #expect(faults.first?.detail?.hasPrefix("in generation ") == true)
      #expect(try reader.verify(depth, earlier: nil).isEmpty)
      #expect(try reader.verify(depth, earlier: .warning).allSatisfy { $0.severity == .warning })
    }
    // A package without the earlier generations is sound.
    let packed = try Container(decoding: bytes).encoded()
    #expect(Differential.verify(packed) == nil && Differential.judge(packed).digest == digest)

    if let python = Run.optional("python3") {
      let reader = try ForeignReader(python: python)
      let answer = try reader.judge(bytes)
      #expect(answer.digest == digest.description && !answer.isVerified)
      let command = [Repository.path("Spec/read_particles.py"), "--strict", path]
      #expect(try reader.finish() == 0 && Run(python, command).status != 0)
    }
    if let node = Run.optional("node") {
      let reader = try ForeignReader(node: node)
      #expect(try reader.judge(bytes).digest == digest.description)
      #expect(try reader.finish() == 0)
    }
  }

  @Test("a page reader refuses a damaged frame that nothing refers to, as unpack does")
  func pages() throws {
    guard let node = Run.optional("node") else { return }
    let reader = try ForeignReader(node: node)
    for example in Self.onlyByWalk {
      let bytes = try Files.read(Fixture.path("hostile/\(example.name).particles"))
      #expect(try reader.judge(bytes).digest == nil, "\(example.name)")
    }
    for example in Self.cases {
      let bytes = try Files.read(Fixture.path("hostile/\(example.name).particles"))
      let digest = Differential.judge(bytes).digest
      #expect(try reader.judge(bytes).digest == digest?.description, "\(example.name)")
    }
    #expect(try reader.finish() == 0)
  }

  @Test("a fault of the only generation is reported at the end of a pipe, with its rule")
  func only() throws {
    for (rule, entries) in IndependentReaderTests.trees {
      let bytes = PackageForge.package(entries, stream: [1, 2, 3, 4])
      for tail: [UInt8] in [[], [1, 2, 3]] {
        let piped = try Differential.unpack(bytes + tail, to: scratch.file("out"))
        // Contents after the end of the stream are a contradiction between root and pages.
        #expect(piped.fault?.rule == rule || rule == .extent && piped.fault?.rule == .index)
      }
    }
    #expect(try Files.list(scratch.path).isEmpty)
  }

  @Test(
    "a pipe keeps what a later generation needs, in memory and on disk"
  )
  func piped() throws {
    for size in [300, 600_000] {
      let first = SampleTree.noise(size, seed: 1)
      var forge = PackageForge()
      var root = Root()
      // The first third and the last third are files, in another order than in the stream.
      let third = size / 3
      let old: [Entry] = [
        .file("a", size: third, offset: 2 * third), .file("b", size: third), .link("c", to: "a"),
      ]
      root.pages = [
        .init(firstPath: "a", frame: forge.frame(.tree, TreePage.encode(old)), entries: 3)
      ]
      var blocks: [Block] = []
      for start in stride(from: 0, to: size, by: 100_000) {
        let piece = Array(first[start..<min(size, start + 100_000)])
        let frame = forge.frame(.data, piece, place: start)
        blocks.append(Block(offset: start, rawLength: piece.count, frame: frame))
      }
      root.tables = [.init(frame: forge.frame(.blocks, BlockTable.encode(blocks)), bytes: size)]
      forge.commit(root)
      // The middle, and parts of both files. The old paths have nothing.
      let new: [Entry] = [
        .directory("d"), .file("d/m", size: third + 20, offset: third - 10),
        .file("d/n", size: 10, offset: 5), .file("e", size: 7, offset: size - 7),
      ]
      let footer = forge.bytes.count - Layout.footerSize
      root.pages = [
        .init(firstPath: "d", frame: forge.frame(.tree, TreePage.encode(new)), entries: 4)
      ]
      forge.commit(root, generation: 2, previous: footer)
      let digest = try #require(Differential.judge(forge.bytes).digest)
      for tail: [UInt8] in [[], [1, 2, 3]] {
        let piped = try Differential.unpack(forge.bytes + tail, to: scratch.file("out"))
        #expect(piped.digest == digest && piped.warnings.count == (tail.isEmpty ? 0 : 1))
      }
      #expect(try Files.list(scratch.file("out")) == ["d", "e"])
    }
  }

  @Test("verification of many generations that list the same pages ends at a limit")
  func history() throws {
    var forge = PackageForge()
    var root = Root()
    let entries = (0..<4000).map { Entry.directory("\($0 + 10_000)") }
    root.pages = [
      .init(
        firstPath: "10000", frame: forge.frame(.tree, TreePage.encode(entries)), entries: 4000)
    ]
    var previous = 0
    for number in 1...2000 {
      forge.commit(root, generation: number, previous: previous)
      previous = forge.bytes.count - Layout.footerSize
    }
    var limits = Limits.standard
    limits.indexBytes = 1 << 20
    let findings = try ContainerReader(.bytes(forge.bytes), limits: limits).verify()
    #expect(findings.count == 20 && findings.allSatisfy { $0.rule == .limit })
    #expect(try ContainerReader(.bytes(forge.bytes)).verify(earlier: nil).isEmpty)
  }

  /// Packages whose last generation is sound, unlike something before it.
  static let onlyByWalk = [
    Case("walk-a-damaged-frame", .frame), Case("walk-generation-of-the-footer", .frame),
    Case("walk-no-footer-of-a-finished-save", .frame), Case("walk-number-of-tables", .index),
    Case("walk-payload-0", .payload), Case("walk-payload-1", .payload),
    Case("walk-payload-2", .payload), Case("walk-payload-3", .payload),
    Case("walk-previous-footer-of-the-one", .frame), Case("walk-root-of-the-footer", .frame),
    Case("walk-the-table", .index),
  ]

  @Test(
    "what writes or certifies refuses a package that is sound in its last generation only",
    arguments: onlyByWalk)
  func walk(_ example: Case) throws {
    let bytes = try Files.read(Fixture.path("hostile/\(example.name).particles"))
    let rule = try #require(example.rule)
    let source = ByteSource.bytes(bytes)
    // The short way, for lists and single entries.
    _ = try ContainerReader(source).entries()
    expectThrows(rule) { try ContainerReader(source, scope: .everyFrame).entries() }
    expectThrows(rule) { try Container(decoding: bytes, scope: .everyFrame) }
    expectThrows(rule) {
      try ContainerReader(source, scope: .everyFrame).unpack(toDirectory: scratch.file("out"))
    }
    #expect(try Files.list(scratch.path).isEmpty)
    if example.rule == .payload {
      // Payloads that nothing refers to do not keep a user from editing the package.
      let package = try Container(decoding: bytes)
      expectThrows(rule) { try package.checkEveryFrame() }
    } else {
      expectThrows(rule) { try Container(decoding: bytes) }
    }
    #expect(Differential.judge(bytes).digest == nil)
    guard let python = Run.optional("python3") else { return }
    let path = Fixture.path("hostile/\(example.name).particles")
    #expect(try Run(python, [Repository.path("Spec/read_particles.py"), path]).status != 0)
  }

  @Test("file, pipe and Python take the same packages", arguments: cases)
  func readers(_ example: Case) throws {
    let path = Fixture.path("hostile/\(example.name).particles")
    let bytes = try Files.read(path)
    let judged = Differential.judge(bytes)
    let piped = try Differential.unpack(bytes, to: scratch.file("out"))
    if let rule = example.rule {
      #expect(judged.fault?.rule == rule)
      #expect(piped.fault != nil)
      expectThrows(rule) { try Differential.full(bytes) }
    } else {
      #expect(judged.digest != nil && judged.digest == piped.digest)
    }
    guard let python = Run.optional("python3") else { return }
    let run = try Run(python, [Repository.path("Spec/read_particles.py"), path])
    #expect((run.status == 0) == (example.rule == nil), "\(run.text)\(run.errors)")
    if let digest = judged.digest { #expect(run.text.hasSuffix("digest \(digest)\n")) }
  }

  @Test("junk after the footer is an unfinished save, from a file and from a pipe")
  func junk() throws {
    let tree = try SampleTree.small()
    let bytes = try Container(root: tree).encoded()
    let next = try appended().dropFirst(bytes.count)
    let page = Array(next.prefix(40))
    var damagedFooter = Array(next)
    damagedFooter[damagedFooter.count - 1] ^= 1
    for tail in [
      [1, 2, 3, 4], [UInt8](repeating: 0, count: 5000), page, Array(next.dropLast(1)),
      damagedFooter,
    ] {
      let file = try ContainerReader(.bytes(bytes + tail))
      #expect(file.warnings.map(\.rule) == [.torn] && file.generation == 1)
      let piped = try Differential.unpack(bytes + tail, to: scratch.file("out"))
      #expect(try piped.digest == tree.treeDigest())
      #expect(piped.warnings.map(\.rule) == [.torn])
      #expect(piped.warnings.first?.location.position == .offset(bytes.count))
    }
    let all = try appended()
    let piped = try Differential.unpack(all, to: scratch.file("out"))
    #expect(try piped.digest == Container(decoding: all).root.treeDigest())
    let old = try tree.treeDigest()
    #expect(piped.digest != old)
  }

  /// The small tree with one file added by appending.
  private func appended() throws -> [UInt8] {
    let path = scratch.file("appended.particles")
    defer { try? Files.removeAll(path) }
    try Container(root: SampleTree.small()).write(to: path, as: .flat)
    var package = try Container(contentsOf: path)
    try package.root.setFileNode(
      FileNode(regularFileWithContents: SampleTree.noise(3000, seed: 8)), at: "new")
    try package.save(mode: .append)
    return try Files.read(path)
  }

  @Test("a damaged frame does not bring back an older generation in silence")
  func damagedHead() throws {
    let first = try Container(root: SampleTree.small()).encoded().count
    let bytes = try appended()
    // The head of the first frame of the second generation. The footer after it is intact.
    var damaged = bytes
    damaged[first] ^= 1
    expectThrows(.frame) { try ContainerReader(.bytes(damaged)) }
    // The fault does not change before an unfinished third generation.
    expectThrows(.frame) { try ContainerReader(.bytes(damaged + [1, 2, 3])) }
    let recovery = try Recovery(.bytes(damaged + [1, 2, 3]))
    #expect(
      recovery.root["new"] != nil || recovery.diagnostics.contains { $0.rule == .unrecovered })
  }

  @Test("frames inside the contents of an unfinished save never count, wherever the file ends")
  func forged() throws {
    let bytes = try Container(root: SampleTree.small()).encoded()
    let digest = try SampleTree.small().treeDigest()
    // The position that the contents get: behind the page and the head of the block.
    var forge = PackageForge()
    forge.append(Array(bytes.dropFirst(Layout.headerSize)))
    let footer = forge.bytes.count - Layout.footerSize
    let page = forge.frame(.tree, TreePage.encode([.file("x", size: 4000)]))
    let stream = try ContainerReader(.bytes(bytes)).entries().reduce(0) { $0 + $1.size }
    let block = forge.bytes.count + Layout.frameHeaderSize
    var inner = PackageForge()
    inner.append([UInt8](repeating: 0, count: block - inner.bytes.count))
    let evil = inner.frame(.tree, TreePage.encode([.directory("evil")]))
    var root = Root()
    root.pages = [.init(firstPath: "evil", frame: evil, entries: 1)]
    inner.commit(root, generation: 2, previous: footer)
    let contents = Array(inner.bytes[block...])
    let padded = contents + [UInt8](repeating: 7, count: 4000 - contents.count)
    forge.frame(.data, padded, place: stream)
    _ = page
    for end in [block + contents.count, block + contents.count + 5, forge.bytes.count - 1] {
      let torn = Array(forge.bytes[..<end])
      #expect(Differential.judge(torn).digest == digest, "\(Differential.judge(torn))")
      let recovery = try Recovery(.bytes(torn))
      #expect(recovery.root["evil"] == nil)
    }
  }

  @Test("an append that is going on is no unfinished save")
  func appending() throws {
    let path = scratch.file("a.particles")
    let bytes = try Container(root: SampleTree.small()).encoded()
    try Files.create(path, bytes + [1, 2, 3])
    let writer = try OpenFile(updating: path)
    #expect(try writer.lock())
    #expect(try Container(contentsOf: path).warnings.isEmpty)
    writer.unlock()
    #expect(try Container(contentsOf: path).warnings.map(\.rule) == [.torn])
  }

  @Test("recovery writes no more than reading would")
  func recoveryIsBounded() throws {
    let path = Fixture.path("hostile/overlapping-contents.particles")
    let recovery = try Recovery(.file(path))
    var bytes = 0
    recovery.root.forEachDescendant { _, node in bytes += node.contents?.size ?? 0 }
    #expect(bytes == 5 << 20)
    let lost = recovery.diagnostics.filter { $0.rule == .unrecovered }
    #expect(lost.count == 1999)
    #expect(lost.first?.detail?.hasPrefix("its contents overlap those of '") == true)
  }
}
