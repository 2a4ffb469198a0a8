import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport

/// Makes packages of several generations, with a fault of a known kind in one generation. If that is not
/// the last generation, readers ignore the contents of its pages and its root.
struct GenerationMutants {
  /// The fault of a package.
  enum Kind: String, CaseIterable {
    case none
    // In a page.
    case name, depth, parent, order, twice, twins, link, kind, number, shared, extent, overlap, huge
    case cut, rest, pageOrder
    // In a root.
    case reference, count, items, firstPath, entries, unlisted, stray, table, bytes, rootRest,
      rootCut
    // In what every reader checks.
    case checksum, payload, blocks, footer

    /// Whether only readers that reach the generation look at the fault.
    var isContents: Bool {
      switch self {
      // A path that is too deep for the limits of a reader is no fault without limits.
      case .depth: false
      case .none, .checksum, .payload, .blocks, .footer: false
      default: true
      }
    }
  }

  /// Where the fault of a package is.
  enum Place: String {
    case earlier = "in an earlier generation"
    /// In pages that later generations may list again.
    case listed = "in pages listed again"
    case last = "in the last generation"
  }

  /// A package with its fault.
  struct Package {
    var bytes: [UInt8]
    var kind: Kind
    var place: Place
  }

  private var random: SeededGenerator
  private var forge = PackageForge()
  private var stream = 0
  private var tables: [Root.Table] = []
  private var footers: [Int] = []
  /// The sound pages of the generation before, which the next one may list again.
  private var pages: [(entries: [Entry], frame: FrameReference)] = []
  /// The fault that the current generation still gets.
  private var fault = Kind.none
  private var place = Place.earlier
  /// Whether a path of the package is longer than limits allow.
  private var isDeep = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The next package.
  mutating func next() -> Package {
    (forge, stream, tables, footers, pages) = (PackageForge(), 0, [], [], [])
    isDeep = false
    let kind = pick(Kind.allCases)
    let count = Int.random(in: 2...4, using: &random)
    // Mostly in a generation that a later one replaces.
    let target = oneIn(4) ? count : Int.random(in: 1..<count, using: &random)
    place = target == count ? .last : .earlier
    for number in 1...count { append(number, number == target ? kind : .none) }
    return Package(bytes: tail(of: forge.bytes), kind: kind, place: place)
  }

  private mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  /// Whether the current generation gets a fault now, which it then has.
  private mutating func takes(_ kinds: Kind...) -> Bool {
    guard kinds.contains(fault) else { return false }
    fault = .none
    return true
  }

  // MARK: Generations

  private mutating func append(_ number: Int, _ kind: Kind) {
    fault = kind
    let contents = oneIn(5) ? [] : bytes(count: pick([1, 7, 60, 400, 3000]))
    if kind == .none, !pages.isEmpty, oneIn(2) {
      // The tree of the generation before. Some pages are written again.
      for index in pages.indices where oneIn(3) {
        pages[index].frame = frame(.tree, encode(pages[index].entries))
      }
    } else {
      pages = []
      emit(tree(size: stream + contents.count))
    }
    let arePagesSound = fault == kind
    emitContents(contents)
    commit(number)
    if !arePagesSound, place != .last {
      if oneIn(4), !isDeep { place = .listed } else { pages = [] }
    }
  }

  private mutating func bytes(count: Int) -> [UInt8] {
    let byte = UInt8.random(in: 0...255, using: &random)
    if oneIn(3) { return [UInt8](repeating: byte, count: count) }
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// A tree whose files have any parts of the stream, in any order.
  private mutating func tree(size: Int) -> [Entry] {
    let names = ["a", "b", "c.png", "Images", "ß", "日", "document.json", "x y", "z-", "z."]
    var entries: [Entry] = []
    var folders = [""]
    var ranges = parts(of: size)
    for name in names.shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random)) {
      let folder = pick(folders)
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        entries.append(.directory(path))
        folders.append(path)
      case 1: entries.append(.link(path, to: oneIn(2) ? "a" : "./b//c"))
      default:
        let range = oneIn(6) ? nil : ranges.popLast()
        entries.append(
          Entry(
            path: path, kind: .file(isExecutable: oneIn(5)), size: range?.count ?? 0,
            offset: range?.lowerBound ?? 0))
      }
    }
    entries.sort { EntryPath.precedes($0.path.utf8, $1.path.utf8) }
    return entries
  }

  /// Parts of the stream that do not overlap.
  private mutating func parts(of size: Int) -> [Range<Int>] {
    guard size > 0 else { return [] }
    var cuts: Set = [0, size]
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      cuts.insert(Int.random(in: 0...size, using: &random))
    }
    let sorted = cuts.sorted()
    var parts = zip(sorted, sorted.dropFirst()).map { $0..<$1 }
    if oneIn(2) { parts.shuffle(using: &random) } else { parts.reverse() }
    if oneIn(3) { parts.removeLast(parts.count / 3) }
    return parts
  }

  // MARK: Pages

  /// Writes pages of a tree with the fault, as far as it is one of pages.
  private mutating func emit(_ sound: [Entry]) {
    var entries = sound
    plant(&entries)
    var rest = entries[...]
    var groups: [[Entry]] = []
    while !rest.isEmpty {
      groups.append(Array(rest.prefix(Int.random(in: 1...5, using: &random))))
      rest = rest.dropFirst(groups[groups.count - 1].count)
    }
    if groups.count > 1, takes(.pageOrder) { groups.reverse() }
    for group in groups {
      if takes(.stray) { frame(.tree, TreePage.encode([.directory("stray")])) }
      pages.append((group, frame(.tree, encode(group))))
    }
  }

  /// Gives the entries of a tree a fault.
  private mutating func plant(_ entries: inout [Entry]) {
    let any = Int.random(in: entries.indices, using: &random)
    func sort() { entries.sort { EntryPath.precedes($0.path.utf8, $1.path.utf8) } }
    if takes(.name) {
      let names = [
        "..", ".", "a\\b", "e\u{301}", "\u{7}", "a\u{202E}b", "a//b", "/a", "a/",
        String(repeating: "n", count: 256),
      ]
      entries[any].path = pick(names)
      sort()
    } else if takes(.depth) {
      // Where the last root reaches it, as deep as a written path may be: these tests read without limits.
      isDeep = place != .last
      let path = [String](repeating: "d", count: place == .last ? 64 : 70)
      entries += path.indices.map { .directory(path[...$0].joined(separator: "/")) }
      sort()
    } else if takes(.parent) {
      entries.append(.file("nowhere/x"))
      if let file = entries.first(where: { $0.isFile }), oneIn(2) {
        entries.append(.file("\(file.path)/x"))
      }
      sort()
    } else if entries.count > 1, takes(.order) {
      entries.swapAt(0, entries.count - 1)
    } else if takes(.twice) {
      entries.insert(entries[any], at: any)
    } else if takes(.twins) {
      entries += [.file("q"), .file("Q")]
      sort()
    } else if takes(.link) {
      let targets = ["/a", "a/..", "../../../../a", "", "a\\b", "\u{7}", "a/../b"]
      entries.append(.link("~link", to: pick(targets)))
      sort()
    } else if takes(.extent) {
      entries.append(.file("~far", size: 5, offset: pick([1 << 40, 1 << 61, 100_000])))
      sort()
    } else if takes(.huge) {
      entries.append(.file("~huge", size: 5 << 30, offset: 0))
      sort()
    } else if let file = entries.first(where: { $0.size > 0 }), takes(.overlap) {
      entries.append(.file("~over", size: 1, offset: file.offset))
      sort()
    }
  }

  private mutating func encode(_ entries: [Entry]) -> [UInt8] {
    var writer = ByteWriter()
    var (before, end): ([UInt8], Int) = ([], 0)
    for entry in entries {
      let path = Array(entry.path.utf8)
      var shared = zip(before, path).prefix { $0 == $1 }.count
      if oneIn(4) { shared = Int.random(in: 0...shared, using: &random) }
      let stated = takes(.shared) ? path.count + before.count + 1 : shared
      if takes(.number) {
        writer.write([UInt8(shared & 0x7F) | 0x80, 0])
      } else {
        writer.varint(stated)
      }
      writer.varint(path.count - shared)
      writer.write(path[shared...])
      writer.byte(takes(.kind) ? UInt8.random(in: 4...255, using: &random) : entry.kind.code)
      switch entry.kind {
      case .directory: break
      case .file:
        writer.varint(entry.size)
        if entry.size > 0 {
          writer.signedVarint(entry.offset - end)
          end = entry.offset + entry.size
        }
      case .symbolicLink(let target):
        writer.varint(target.utf8.count)
        writer.write(Array(target.utf8))
      }
      before = path
    }
    if takes(.rest) { writer.write(bytes(count: 1)) }
    let all = writer.bytes
    return all.count > 1 && takes(.cut) ? Array(all.dropLast()) : all
  }

  // MARK: Contents

  private mutating func emitContents(_ contents: [UInt8]) {
    var blocks: [Block] = []
    var rest = contents[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(Int.random(in: 1...rest.count, using: &random)))
      rest = rest.dropFirst(piece.count)
      let reference = frame(.data, piece, place: stream)
      blocks.append(Block(offset: stream, rawLength: piece.count, frame: reference))
      stream += piece.count
    }
    guard !blocks.isEmpty else { return }
    var told = blocks
    if takes(.blocks) {
      if oneIn(2) { told[0].rawLength += 1 } else { told.append(told[0]) }
    }
    tables.append(
      .init(frame: frame(.blocks, BlockTable.encode(told)), bytes: contents.count))
  }

  // MARK: Roots and footers

  private mutating func commit(_ number: Int) {
    var root = Root()
    for page in pages {
      root.pages.append(
        .init(
          firstPath: page.entries[0].path, frame: page.frame, entries: page.entries.count))
    }
    root.tables = tables
    if !root.pages.isEmpty {
      let any = Int.random(in: root.pages.indices, using: &random)
      if takes(.reference) {
        root.pages[any].frame.position += pick([1, 24, -1, 1000, 1 << 40])
      } else if takes(.count) {
        root.pages[any].frame.length += pick([1, -1, 24, 1 << 30])
      } else if takes(.firstPath) {
        root.pages[any].firstPath += "x"
      } else if takes(.entries) {
        root.pages[any].entries = pick([0, root.pages[any].entries + 1, 1 << 21])
      } else if takes(.unlisted) {
        root.pages.remove(at: any)
      }
    }
    if !root.tables.isEmpty {
      if takes(.table) {
        if oneIn(2) { root.tables.removeLast() } else { root.tables.append(root.tables[0]) }
      } else if takes(.bytes) {
        root.tables[0].bytes += pick([1, -1, 1 << 40])
      }
    }
    var payload = root.encode()
    if takes(.items) { payload[0] = pick([0, 100, 0x7F]) }
    if takes(.rootRest) { payload.append(0) }
    if takes(.rootCut) { payload.removeLast() }
    let position = frame(.root, payload).position
    let end = forge.bytes.count
    var footer = Footer(
      position: end, generation: number, root: position, previous: footers.last ?? 0)
    if takes(.footer) {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: footer.generation += 1
      case 1: footer.root += 1
      default: footer.previous += 1
      }
    }
    forge.append(footer.encode())
    footers.append(end)
  }

  // MARK: Frames

  @discardableResult
  private mutating func frame(
    _ kind: FrameKind, _ payload: [UInt8], place: Int? = nil
  ) -> FrameReference {
    var stored = payload
    if oneIn(3), payload.count > 1 {
      let limit = payload.count - 1
      stored = payload.withUnsafeBytes { Deflate(level: 6).zlib($0, limit: limit) } ?? payload
    }
    if fault == .checksum || fault == .payload, oneIn(3) {
      let isPayload = fault == .payload
      fault = .none
      guard isPayload else {
        var broken = forge
        let reference = broken.frame(kind, stored, rawLength: payload.count, place: place)
        var bytes = Array(broken.bytes[reference.position...])
        bytes[bytes.count - 1] ^= 1
        forge.append(bytes)
        return reference
      }
      // Bytes that are no zlib stream.
      return forge.frame(kind, stored, rawLength: payload.count + 1, place: place)
    }
    return forge.frame(kind, stored, rawLength: payload.count, place: place)
  }

  /// The package, sometimes with an unfinished save after it.
  private mutating func tail(of bytes: [UInt8]) -> [UInt8] {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return bytes + self.bytes(count: pick([1, 23, 24, 200]))
    case 1:
      var next = PackageForge()
      next.append(Array(bytes.dropFirst(Layout.headerSize)))
      next.frame(.tree, TreePage.encode([.file("x", size: 100)]))
      next.frame(.data, self.bytes(count: 100), place: stream)
      return Array(next.bytes.dropLast(Int.random(in: 0...130, using: &random)))
    default: return bytes
    }
  }
}
