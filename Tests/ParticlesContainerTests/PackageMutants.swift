import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport

/// Makes packages that are sound, or have a fault or two, for readers to judge: from a generator that
/// knows the layout, and by changing payloads of sound packages. All checksums are right, unless a
/// wrong one is the fault.
struct PackageMutants {
  private var random: SeededGenerator
  private let sources: [[UInt8]]
  /// How many faults the current package may still get.
  private var faults = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    sources = try [
      PayloadMutants.plain(), PayloadMutants.generations(),
      Container(root: SampleTree.small()).encoded(),
    ]
  }

  /// The next package.
  mutating func next() throws -> [UInt8] {
    faults = [0, 1, 1, 1, 2].randomElement(using: &random) ?? 1
    if oneIn(3), let source = sources.randomElement(using: &random) {
      return tail(of: try PayloadMutants.mutant(of: source, &random))
    }
    var package = Draft()
    for number in 1...Int.random(in: 1...3, using: &random) { append(number, to: &package) }
    if oneIn(4) {
      // Changes payloads of what the generator made, with new checksums.
      if let mutant = try? PayloadMutants.mutant(of: package.forge.bytes, &random) {
        return tail(of: mutant)
      }
    }
    if oneIn(4), let mutant = try? PayloadMutants.repaired(package.forge.bytes, &random) {
      return tail(of: mutant)
    }
    return tail(of: header(package.forge.bytes))
  }

  // MARK: Decisions

  private mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  /// Whether to plant a fault here.
  private mutating func plants(_ rarity: Int = 12) -> Bool {
    guard faults > 0, oneIn(rarity) else { return false }
    faults -= 1
    return true
  }

  private mutating func number(near value: Int) -> Int {
    let others = [
      value &+ 1, value &- 1, 0, 1, value &+ 24, value &* 2, 16, 40, .max, .max &- 1, 1 << 40,
    ]
    return max(0, others.randomElement(using: &random) ?? value)
  }

  // MARK: A generation

  private struct Page {
    var entries: [Entry]
    var frame: FrameReference?
  }

  private struct Draft {
    var forge = PackageForge()
    var pages: [Page] = []
    var tables: [Root.Table] = []
    var stream = 0
    var footers: [Int] = []
  }

  private mutating func append(_ number: Int, to draft: inout Draft) {
    var contents: [UInt8] = []
    if number == 1 {
      draft.pages = split(entries(&contents, at: draft.stream)).map { Page(entries: $0) }
    } else {
      edit(&draft, &contents)
    }
    emitPages(&draft)
    emitContents(&draft, contents)
    commit(&draft, number)
  }

  private static let names = [
    "a", "b", "c", "d", "Images", "document.json", "ä", "größe", "x y", "long-name-of-a-file.txt",
    "0", "~", "日本", "e", "é",
  ]
  private static let badNames = [
    "A", "..", ".", "", "a\\b", "e\u{301}", "\u{7}", "a\u{202E}b", "Ä", "IMAGES", "\u{85}", "ſ",
    "ß",
    String(repeating: "n", count: 256),
  ]

  /// A tree whose contents are appended to the stream.
  private mutating func entries(_ contents: inout [UInt8], at start: Int) -> [Entry] {
    var entries: [Entry] = []
    var folders = [""]
    for _ in 0..<Int.random(in: 0...9, using: &random) {
      let folder = folders.randomElement(using: &random) ?? ""
      var name = Self.names.randomElement(using: &random) ?? "a"
      if plants(20) { name = Self.badNames.randomElement(using: &random) ?? "A" }
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      guard !entries.contains(where: { $0.path == path }) || plants(20) else { continue }
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        entries.append(.directory(path))
        folders.append(path)
      case 2: entries.append(.link(path, to: link(folder)))
      default: entries.append(file(path, &contents, at: start))
      }
    }
    if plants(20), !entries.isEmpty {
      entries.remove(at: Int.random(in: entries.indices, using: &random))
    }
    if !plants(20) { entries.sort { EntryPath.precedes($0.path.utf8, $1.path.utf8) } }
    return entries
  }

  private mutating func link(_ folder: String) -> String {
    if plants() {
      let bad = ["/a", "a/..", "../../../../a", "", "a\\b", "\u{7}", "a/../b"]
      return bad.randomElement(using: &random) ?? "/a"
    }
    return (folder.isEmpty ? "" : oneIn(2) ? "../" : "") + "./a//b"
  }

  private mutating func file(_ path: String, _ contents: inout [UInt8], at start: Int) -> Entry {
    var size = [0, 1, 5, 40, 300, DeflateForge.count].randomElement(using: &random) ?? 1
    var offset = start + contents.count
    let byte = UInt8.random(in: 0...255, using: &random)
    if size == DeflateForge.count || oneIn(3) {
      contents += [UInt8](repeating: byte, count: size)
    } else {
      for _ in 0..<size { contents.append(UInt8.random(in: 0...255, using: &random)) }
    }
    if size > 0, plants() { offset = number(near: offset) & 1 << 60 - 1 }
    if size > 0, plants() { size = max(1, number(near: size) & 1 << 60 - 1) }
    return Entry(
      path: path, kind: .file(isExecutable: oneIn(4)), size: size, offset: size > 0 ? offset : 0)
  }

  private mutating func split(_ entries: [Entry]) -> [[Entry]] {
    var pages: [[Entry]] = []
    var rest = entries[...]
    while !rest.isEmpty {
      let page = rest.prefix(Int.random(in: 1...5, using: &random))
      pages.append(Array(page))
      rest = rest.dropFirst(page.count)
    }
    return pages
  }

  /// Changes contents, removes entries, adds a file.
  private mutating func edit(_ draft: inout Draft, _ contents: inout [UInt8]) {
    for index in draft.pages.indices where oneIn(2) {
      var page = draft.pages[index]
      guard let place = page.entries.indices.randomElement(using: &random) else { continue }
      switch page.entries[place].kind {
      case .file: page.entries[place] = file(page.entries[place].path, &contents, at: draft.stream)
      case .symbolicLink where page.entries.count > 1: page.entries.remove(at: place)
      default: break
      }
      page.frame = nil
      draft.pages[index] = page
    }
    if oneIn(2) {
      draft.pages.append(
        Page(entries: [file("ﾟz\(draft.footers.count)", &contents, at: draft.stream)]))
    }
  }

  private mutating func emitPages(_ draft: inout Draft) {
    let new = draft.pages.indices.filter { draft.pages[$0].frame == nil }
    for index in plants() ? Array(new.reversed()) : new {
      if plants(20) { frame(&draft.forge, .tree, encode([.directory("stray")])) }
      draft.pages[index].frame = frame(&draft.forge, .tree, encode(draft.pages[index].entries))
    }
    if plants(20) { frame(&draft.forge, .tree, encode([.directory("zz")])) }
  }

  /// A page with any valid number of shared bytes.
  private mutating func encode(_ entries: [Entry]) -> [UInt8] {
    guard oneIn(3) || plants() else { return TreePage.encode(entries) }
    var writer = ByteWriter()
    var (before, end): ([UInt8], Int) = ([], 0)
    for entry in entries {
      let path = Array(entry.path.utf8)
      let most = zip(before, path).prefix { $0 == $1 }.count
      var shared = Int.random(in: 0...most, using: &random)
      if plants() { shared = min(path.count, shared + 1) }
      integer(&writer, shared)
      integer(&writer, path.count - shared)
      writer.write(path[shared...])
      writer.byte(plants(30) ? 4 : entry.kind.code)
      switch entry.kind {
      case .directory: break
      case .file:
        integer(&writer, entry.size)
        if entry.size > 0 {
          writer.signedVarint(entry.offset - end)
          end = entry.offset &+ entry.size
        }
      case .symbolicLink(let target):
        let bytes = plants() ? [0xFF, 0xFE] : Array(target.utf8)
        integer(&writer, bytes.count)
        writer.write(bytes)
      }
      before = path
    }
    return writer.bytes
  }

  /// A number, rarely in a longer form than the shortest.
  private mutating func integer(_ writer: inout ByteWriter, _ value: Int) {
    guard plants(60) else { return writer.varint(value) }
    writer.byte(UInt8(value & 0x7F) | 0x80)
    if value >= 0x80 { writer.varint(value >> 7) } else { writer.byte(0) }
  }

  private mutating func emitContents(_ draft: inout Draft, _ contents: [UInt8]) {
    guard !contents.isEmpty || plants(30) else { return }
    var blocks: [Block] = []
    var rest = contents[...]
    if rest.isEmpty { rest = [7] }
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int.random(in: 1...max(1, rest.count), using: &random)))
      rest = rest.dropFirst(piece.count)
      let place = plants(30) ? number(near: draft.stream) : draft.stream
      let reference = frame(&draft.forge, .data, piece, place: place)
      blocks.append(Block(offset: draft.stream, rawLength: piece.count, frame: reference))
      draft.stream += piece.count
    }
    if plants(30) { return }
    var told = blocks
    if plants(20) { told.removeLast() }
    if plants(20) { told.append(blocks[0]) }
    if !told.isEmpty, plants(20) {
      told[0].rawLength = max(1, number(near: told[0].rawLength) & 0xFFFF)
    }
    let bytes = blocks.reduce(0) { $0 + $1.rawLength }
    let table = frame(&draft.forge, .blocks, BlockTable.encode(told) + (plants(30) ? [0] : []))
    draft.tables.append(.init(frame: table, bytes: plants(20) ? number(near: bytes) : bytes))
  }

  private mutating func commit(_ draft: inout Draft, _ generation: Int) {
    var root = Root()
    for page in draft.pages {
      guard let reference = page.frame, let first = page.entries.first else { continue }
      var listed = Root.Page(firstPath: first.path, frame: reference, entries: page.entries.count)
      if plants(40) { listed.entries = number(near: listed.entries) }
      if plants(40) { listed.frame.length = number(near: listed.frame.length) & 0xFFFF }
      if plants(40) { listed.firstPath += "x" }
      root.pages.append(listed)
    }
    root.tables = draft.tables
    if plants(30), !root.pages.isEmpty { root.pages.removeLast() }
    if plants(30), let page = root.pages.first { root.pages.append(page) }
    if plants(30), !root.tables.isEmpty { root.tables.removeFirst() }
    if plants(30) { root.tables.reverse() }
    if plants(30), let table = root.tables.first { root.tables.append(table) }
    var payload = root.encode()
    if plants(30) { payload.append(0) }
    if plants(40) { payload.removeLast() }
    let position = frame(&draft.forge, .root, payload).position
    if plants(40) { frame(&draft.forge, .root, payload) }
    let end = draft.forge.bytes.count
    var footer = Footer(
      position: end, generation: generation, root: position, previous: draft.footers.last ?? 0)
    if plants(8) { footer.generation = number(near: footer.generation) }
    if plants(10) { footer.root = number(near: footer.root) }
    if plants(8) {
      footer.previous = (draft.footers + [0, number(near: end)]).randomElement(using: &random) ?? 0
    }
    if plants(20) { footer.position += 1 }
    draft.forge.append(footer.encode())
    draft.footers.append(end)
  }

  // MARK: Frames

  /// Appends a frame, compressed or not, rarely with a wrong head.
  @discardableResult
  private mutating func frame(
    _ forge: inout PackageForge, _ kind: FrameKind, _ payload: [UInt8], place: Int? = nil
  ) -> FrameReference {
    var stored = payload
    let isRun = payload.count == DeflateForge.count && payload.allSatisfy { $0 == payload[0] }
    if isRun, oneIn(2) {
      stored = DeflateForge.random(payload[0], &random)
    } else if oneIn(3) {
      let level = Int.random(in: 1...12, using: &random)
      let packed = payload.withUnsafeBytes {
        Deflate(level: level).zlib($0, limit: payload.count - 1)
      }
      stored = packed ?? payload
    }
    var rawLength = payload.count
    if plants(40) { rawLength = max(1, number(near: rawLength) & 0x1F_FFFF) }
    var place = place
    if plants(60) { place = number(near: place ?? forge.bytes.count) }
    if plants(60), !stored.isEmpty {
      // A damaged payload under the old checksum.
      let start = forge.bytes.count
      var broken = forge
      let reference = broken.frame(kind, stored, rawLength: rawLength, place: place)
      var bytes = Array(broken.bytes[start...])
      bytes[bytes.count - 1] ^= 1
      forge.append(bytes)
      return reference
    }
    return forge.frame(kind, stored, rawLength: rawLength, place: place)
  }

  private mutating func header(_ bytes: [UInt8]) -> [UInt8] {
    guard plants(20), let place = [9, 10, 11, 3].randomElement(using: &random) else { return bytes }
    var bytes = bytes
    bytes[place] = UInt8.random(in: 0...3, using: &random)
    var writer = ByteWriter()
    writer.u32(CRC32.checksum(bytes.prefix(12)))
    bytes.replaceSubrange(12..<16, with: writer.bytes)
    return bytes
  }

  // MARK: Tails

  /// The package, often with bytes after it, or cut.
  private mutating func tail(of bytes: [UInt8]) -> [UInt8] {
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return bytes + (0..<Int.random(in: 1...60, using: &random)).map { _ in 0 }
    case 1: return bytes + (0..<Int.random(in: 1...60, using: &random)).map { UInt8($0) }
    case 2: return Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
    case 3:
      return bytes
        + bytes.dropFirst(Layout.headerSize).prefix(Int.random(in: 0...bytes.count, using: &random))
    case 4, 5: return forged(after: bytes)
    case 6:
      // Damage in the middle, and something after the end.
      var bytes = bytes
      bytes[Int.random(in: 16..<max(17, bytes.count), using: &random) % bytes.count] ^= 1
      return bytes + [1]
    default: return bytes
    }
  }

  /// The length of the stream of a package, as far as its frames can be read.
  private static func streamSize(of bytes: [UInt8]) -> Int {
    var (position, size) = (Layout.headerSize, 0)
    while position < bytes.count,
      let head = try? FrameHeader(Array(bytes[position...].prefix(24)), at: position)
    {
      if head.kind == .data { size += head.rawLength }
      position += head.frameLength
    }
    return size
  }

  /// An unfinished save whose contents look like a generation, cut somewhere, and sometimes behind
  /// bytes that are no frame.
  private mutating func forged(after bytes: [UInt8]) -> [UInt8] {
    var forge = PackageForge()
    forge.append(Array(bytes.dropFirst(Layout.headerSize)))
    let reader = try? ContainerReader(.bytes(bytes))
    let stream = Self.streamSize(of: bytes)
    frame(&forge, .tree, TreePage.encode([.file("x", size: 3000)]))
    if oneIn(4) { forge.append([1, 2, 3]) }
    let start = forge.bytes.count + Layout.frameHeaderSize
    var inner = PackageForge()
    inner.append([UInt8](repeating: 0, count: start - inner.bytes.count))
    let page = inner.frame(.tree, TreePage.encode([.directory("forged")]))
    var root = Root()
    root.pages = [.init(firstPath: "forged", frame: page, entries: 1)]
    inner.commit(
      root, generation: (reader?.generation ?? 0) + 1,
      previous: max(0, bytes.count - Layout.footerSize))
    let contents = Array(inner.bytes[start...])
    let padded = contents + [UInt8](repeating: 7, count: 3000 - contents.count)
    forge.frame(.data, padded, place: oneIn(8) ? stream + 1 : stream)
    let end = [start + contents.count, start + contents.count + 9, forge.bytes.count, start + 20]
    return Array(forge.bytes.prefix(end.randomElement(using: &random) ?? start))
  }
}
