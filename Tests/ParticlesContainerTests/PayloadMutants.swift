import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport

/// Sound packages, and the results when bytes of a payload change under a right checksum.
enum PayloadMutants {
  // MARK: Mutants

  /// Changes some bytes of the payload of a frame or two.
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

  /// Changes some bytes anywhere, and then corrects the checksums of all frames, where they were.
  static func repaired(_ bytes: [UInt8], _ random: inout SeededGenerator) throws -> [UInt8] {
    var frames: [Range<Int>] = []
    var position = Layout.headerSize
    while position < bytes.count {
      let head = try FrameHeader(Array(bytes[position...].prefix(24)), at: position)
      frames.append(position..<position + head.frameLength)
      position += head.frameLength
    }
    var mutant = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let frame = frames.randomElement(using: &random) else { break }
      // Heads and the first fields more often than contents.
      let range = Bool.random(using: &random) ? frame : frame.prefix(48)
      let place = Int.random(in: range.startIndex..<range.endIndex, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: mutant[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: mutant[place] &+= 1
      case 2: mutant[place] &-= 1
      default: mutant[place] = UInt8.random(in: 0...255, using: &random)
      }
    }
    for frame in frames {
      // The length that the head states now, if there are as many bytes.
      let stored = mutant[(frame.lowerBound + 8)..<(frame.lowerBound + 12)].reversed()
        .reduce(0) { $0 << 8 | Int($1) }
      let start = frame.lowerBound + Layout.frameHeaderSize
      let end = start + stored <= mutant.count ? start + stored : frame.upperBound
      let fields = CRC32.checksum(mutant[frame.lowerBound..<frame.lowerBound + 20])
      var writer = ByteWriter()
      writer.u32(
        CRC32.combine(fields, CRC32.checksum(mutant[start..<end]), count: end - start))
      mutant.replaceSubrange(frame.lowerBound + 20..<start, with: writer.bytes)
    }
    return mutant
  }

  // MARK: Sources

  /// The small tree with nothing compressed, so that a changed byte changes the meaning: on two
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

  /// Appends blocks behind the existing blocks, their table, the root and the footer.
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
