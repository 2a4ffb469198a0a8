import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

/// The Python reader as an oracle: what stands in the frames is changed and their checksums are put
/// right, so that both readers have to judge what they would never see otherwise.
@Suite(
  "The independent reader on mutants", .enabled(if: Run.find("python3") != nil, "no python3"))
struct IndependentReaderMutationTests {
  /// What a hundred lines of Python do not check. They tell what is in a package, and whether it is
  /// a tree; not whether every byte of the file keeps every rule.
  static let unchecked: Set<Rule> = [
    // Anything may take as much as it likes.
    .limit,
    // Only what the root refers to is looked at.
    .coverage, .frame,
    // Numbers may be written longer than need be, or count things that are not there.
    .index,
    // Of a footer, only where the root is; a save that is no sound one is not looked for before it.
    .truncated, .torn,
  ]

  @Test("whatever we accept, it accepts, and finds the same digest")
  func mutants() throws {
    let python = try #require(Run.find("python3"))
    let scratch = try Scratch()
    var random = SeededGenerator(seed: 11)
    let sources = try [
      Self.plain(), Self.generations(), Container(root: SampleTree.small()).encoded(),
    ]
    var mutants: [[UInt8]] = []
    for index in 0..<360 {
      mutants.append(try Self.mutant(of: sources[index % sources.count], &random))
      try Files.create(scratch.file("\(index)"), mutants[index])
    }
    try Files.create(scratch.file("driver.py"), Array(Self.driver.utf8))
    let run = try Run(
      python,
      [scratch.file("driver.py"), Repository.path("Spec/read_particles.py"), "\(mutants.count)"],
      in: scratch.path)
    #expect(run.status == 0, "\(run.errors)")
    let answers = run.text.split(separator: "\n")
    try #require(answers.count == mutants.count)

    var accepted = 0
    for (mutant, answer) in zip(mutants, answers) {
      switch Self.judge(mutant) {
      case .success(let digest):
        accepted += 1
        #expect(answer == "accepted \(digest)")
      case .failure(let diagnostic) where answer.hasPrefix("accepted"):
        let isUnchecked = Self.unchecked.contains(diagnostic.rule)
        #expect(isUnchecked, "\(diagnostic)")
      case .failure: break
      }
    }
    // Both answers must be common, or little was compared.
    #expect(accepted > 60 && accepted < 300, "\(accepted)")
  }

  /// Reads every mutant in one process, which takes a fraction of starting one for each.
  static let driver = """
    import runpy, sys
    reader = runpy.run_path(sys.argv[1])
    for index in range(int(sys.argv[2])):
        try:
            with open(str(index), "rb") as file: generation, tree = reader["read"](file.read())
            print("accepted", reader["digest"](tree))
        except (SystemExit, Exception) as error:
            print("refused", type(error).__name__)
    """

  /// The digest of a package without any fault, or the first fault.
  static func judge(_ bytes: [UInt8]) -> Result<ContentDigest, Diagnostic> {
    do {
      let reader = try ContainerReader(.bytes(bytes))
      let digest = try reader.tree().treeDigest()
      if let finding = try reader.verify().first { return .failure(finding) }
      return .success(digest)
    } catch {
      return .failure(error as? Diagnostic ?? Diagnostic(.fileUnreadable, "\(error)"))
    }
  }

  // MARK: Mutants

  /// Changes some bytes of what is in a frame or two.
  static func mutant(
    of bytes: [UInt8], _ random: inout SeededGenerator
  ) throws -> [UInt8] {
    var mutant = bytes
    var frames: [(position: Int, head: FrameHeader)] = []
    var position = Layout.headerSize
    while position < bytes.count {
      let head = try FrameHeader(Array(bytes[position...].prefix(24)), at: position)
      frames.append((position, head))
      position += head.frameLength
    }
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      // Footers less often: they are refused for nearly anything.
      let kinds = frames.filter {
        $0.head.kind != .done || Int.random(in: 0..<4, using: &random) == 0
      }
      guard let frame = kinds.randomElement(using: &random) else { break }
      let start = frame.position + Layout.frameHeaderSize
      let payload = start..<frame.position + frame.head.frameLength
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: payload, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: mutant[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: mutant[place] &+= 1
        case 2: mutant[place] = UInt8.random(in: 0...255, using: &random)
        default: mutant[place] = mutant[Int.random(in: payload, using: &random)]
        }
      }
      let head = FrameHeader(
        frame.head.kind, rawLength: frame.head.rawLength, payload: Array(mutant[payload]),
        place: frame.head.place)
      mutant.replaceSubrange(frame.position..<start, with: head.bytes)
    }
    return mutant
  }

  // MARK: What they are made of

  /// The small tree with nothing compressed, so that a changed byte changes what is said: on two
  /// pages and in three blocks.
  static func plain() throws -> [UInt8] {
    let reader = try ContainerReader(.bytes(Container(root: try SampleTree.small()).encoded()))
    let entries = try reader.entries()
    let stream = try entries.flatMap { try reader.contents(of: $0).bytes() }
    var forge = PackageForge()
    var root = Root()
    for page in [entries[..<5], entries[5...]] {
      let frame = forge.frame(.tree, TreePage.encode(page))
      root.pages.append(
        .init(firstPath: page.first?.path ?? "", frame: frame, entries: page.count))
    }
    try commit(
      &forge, &root, [stream[..<100], stream[100..<1000], stream[1000...]].map(Array.init))
    return forge.bytes
  }

  /// A file that was changed by appending to the package.
  static func generations() throws -> [UInt8] {
    var forge = PackageForge()
    var root = Root()
    let entries: [Entry] = [
      .file("a", size: 20), .directory("b"), .file("b/c", size: 10, offset: 20),
      .link("d", to: "a"),
    ]
    let page = forge.frame(.tree, TreePage.encode(entries))
    root.pages = [.init(firstPath: "a", frame: page, entries: 4)]
    try commit(&forge, &root, [SampleTree.noise(20, seed: 4), SampleTree.noise(10, seed: 5)])
    var changed = entries
    changed[0] = .file("a", size: 15, offset: 30)
    let footer = forge.bytes.count - Layout.footerSize
    let page2 = forge.frame(.tree, TreePage.encode(changed))
    root.pages = [.init(firstPath: "a", frame: page2, entries: 4)]
    try commit(&forge, &root, [SampleTree.noise(15, seed: 6)], after: footer)
    return forge.bytes
  }

  /// Appends blocks behind those that there are, their table, the root and the footer.
  private static func commit(
    _ forge: inout PackageForge, _ root: inout Root, _ contents: [[UInt8]], after footer: Int = 0
  ) throws {
    var offset = root.tables.reduce(0) { $0 + $1.bytes }
    let start = offset
    var blocks: [Block] = []
    for content in contents {
      let frame = forge.frame(.data, content, place: offset)
      blocks.append(Block(offset: offset, rawLength: content.count, frame: frame))
      offset += content.count
    }
    let table = forge.frame(.blocks, BlockTable.encode(blocks))
    root.tables.append(.init(frame: table, bytes: offset - start))
    forge.commit(root, generation: footer == 0 ? 1 : 2, previous: footer)
  }
}
