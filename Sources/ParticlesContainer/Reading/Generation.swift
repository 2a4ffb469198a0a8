package import ParticlesCore

/// A generation of a file: its footer and its root.
package struct Generation {
  let footer: Footer
  package let root: Root
  /// A walk through its frames, or through all frames of the file, or nil for the first generation, whose frames are
  /// contiguous.
  private(set) var walk: FrameWalk?

  /// Finds the last generation as `Spec/container.md#footer` defines it.
  ///
  /// Where the file ends with a footer, reads the heads of the frames of a generation that was
  /// appended, and no others. If these do not confirm the footer, and in a file that ends otherwise,
  /// reads the heads of all frames.
  /// - Throws: ``Rule/truncated`` if there is none, ``Rule/frame`` and others of the family `container` if frames
  ///   contradict each other, ``Rule/limit``, and errors of the source.
  init(lastOf source: ByteSource, limits: Limits) throws(Failure) {
    if let last = try Self.atEnd(of: source, limits) {
      self = last
      return
    }
    try self.init(walkingThrough: source, limits: limits)
  }

  /// Finds the last generation by the heads of all frames, and checks the footers of all generations.
  /// - Throws: as ``init(lastOf:limits:)``.
  package init(walkingThrough source: ByteSource, limits: Limits) throws(Failure) {
    let (footer, walk) = try Self.committed(of: source)
    try self.init(footer, of: source, limits, walk)
    try check()
  }

  /// Reads the root of a footer.
  init(
    _ footer: Footer, of source: ByteSource, _ limits: Limits, _ walk: FrameWalk? = nil
  ) throws(Failure) {
    self.footer = footer
    self.walk = walk
    // A footer that was found otherwise than by a walk may refer to anything.
    guard footer.root >= Layout.headerSize,
      footer.root < footer.position - Layout.frameHeaderSize
    else {
      throw Diagnostic(
        .frame, at: .offset(footer.position), "footer", expected: "a root before it",
        found: "root \(footer.root)")
    }
    let reference = FrameReference(position: footer.root, length: footer.position - footer.root)
    root = try source.withPayload(of: reference, .root) { payload throws(Failure) in
      try Root(decoding: payload, at: footer.root, limits: limits)
    }
    try limits.checkAmplification(
      entries: root.pages.reduce(0) { $0 + $1.entries },
      from: root.pages.reduce(0) { $0 + $1.frame.length }, of: "pages")
  }

  /// The generation whose footer ends the file, or nil unless its own frames confirm it.
  private static func atEnd(of source: ByteSource, _ limits: Limits) throws(Failure) -> Generation?
  {
    guard let footer = try intactFooter(at: source.size - Layout.footerSize, of: source) else {
      return nil
    }
    do throws(Failure) {
      let before =
        footer.previous > 0 ? try intactFooter(at: footer.previous, of: source) : nil
      try footer.check(after: before)
      var walk = before.map { FrameWalk(source, after: $0) }
      if let stop = try walk?.run(to: source.size) { throw stop.diagnostic }
      let last = try Generation(footer, of: source, limits, walk)
      try last.check()
      return last
    } catch {
      guard Diagnostic.of(error)?.rule.family == "container" else { throw error }
      return nil
    }
  }

  static func intactFooter(at position: Int, of source: ByteSource) throws(Failure) -> Footer? {
    guard position >= Layout.headerSize, position <= source.size - Layout.footerSize else {
      return nil
    }
    return try source.withBytes(at: position, count: Layout.footerSize) {
      Footer(intact: $0, at: position)
    }
  }

  /// A walk from the front of a file through its last committed generation, and the footer of the generation.
  private static func committed(of source: ByteSource) throws(Failure) -> (
    footer: Footer, FrameWalk
  ) {
    var walk = FrameWalk(source)
    let stop = try walk.run(to: source.size)
    // Everything after the head of a frame that is cut is inside that frame. Otherwise, a later footer was committed
    // before the frames in front were damaged.
    if case .fault(let fault, let position)? = stop,
      try search(from: position, of: source) != nil
    {
      throw fault
    }
    guard let footer = walk.footer else {
      throw Diagnostic(
        .truncated, at: .offset(source.size), expected: "the footer of a finished save",
        found: "the end of the file")
    }
    return (footer, walk)
  }

  /// The last intact footer from a position on, wherever it is, or nil if there is none.
  static func search(from lowest: Int, of source: ByteSource) throws(Failure) -> Footer? {
    let size = Layout.footerSize
    var end = source.size
    while end - lowest >= size {
      // Windows overlap by a footer, so that none is cut in two.
      let start = max(lowest, end - (1 << 20))
      let window = try source.bytes(at: start, count: end - start)
      if let footer = Footer.last(in: window[...], at: start) { return footer }
      if start == lowest { break }
      end = start + size - 1
    }
    return nil
  }

  /// The blocks of the walk up to the footer. Empty if there was no walk.
  package var blocks: ArraySlice<Block> {
    // The walk may have gone on into an unfinished save.
    walk?.blocks.prefix { $0.frame.position < footer.position } ?? []
  }

  /// The blocks of the generation, where it was walked through.
  var ownBlocks: [Block] { blocks.filter { $0.frame.position >= footer.start } }

  /// This generation without the walk, whose frames need memory.
  var withoutWalk: Generation {
    var copy = self
    copy.walk = nil
    return copy
  }

  /// Throws unless the root lists the frames of its own generation, as far as they are known.
  private func check() throws(Failure) {
    if let walk { return try check(against: walk) }
    var end = Layout.headerSize
    for page in root.pages {
      guard page.frame.position == end else {
        throw fault("the pages in their order, without gaps")
      }
      end = page.frame.end
    }
    guard root.tables.count <= 1, root.tables.last?.frame.end ?? end == footer.root else {
      throw Diagnostic(
        .coverage, at: .offset(footer.root), expected: "the root after the pages and a table")
    }
  }

  /// Throws unless the root lists the pages and the table of its own generation, in their order, and
  /// the blocks continue the stream.
  /// - Parameter walk: a walk through the generation, or from the front of the file.
  func check(against walk: FrameWalk) throws(Failure) {
    let frames = footer.start..<footer.position
    func own(_ kind: FrameKind) -> [FrameReference] {
      walk.frames.filter { $0.kind == kind && frames.contains($0.reference.position) }
        .map { $0.reference }
    }
    guard root.pages.map({ $0.frame }).filter({ $0.position >= footer.start }) == own(.tree) else {
      throw fault("the pages of its generation in their order")
    }
    let tables = root.tables.filter { $0.frame.position >= footer.start }
    guard tables.map({ $0.frame }) == own(.blocks) else {
      throw fault("the table of its generation")
    }
    let blocks = walk.blocks.filter { frames.contains($0.frame.position) }
    guard let first = blocks.first, let last = blocks.last else { return }
    let place = root.tables.dropLast(tables.count).reduce(0) { $0 + $1.bytes }
    guard first.offset == place, tables.last?.bytes == last.end - first.offset else {
      throw fault("tables of \(first.offset) and \(last.end - first.offset) bytes")
    }
  }

  private func fault(_ expected: String) -> Diagnostic {
    Diagnostic(.index, at: .offset(footer.root), "frames that the root lists", expected: expected)
  }
}

/// The index of earlier generations, which readers ignore: verification checks it as though each had been the
/// last one.
struct History {
  /// The most faults that are reported, one for each generation.
  private static let mostFaults = 20
  /// How many bytes of pages are decoded for each byte of the file. An honest file of `n` MiB has at most `n`
  /// generations, and pages are a small part of the file.
  private static let pageFactor = 16

  private let source: ByteSource
  private let limits: Limits
  private let walk: FrameWalk
  /// The tables of the last root, which were checked.
  private let tables: [Root.Table]
  private let lastFooter: Footer
  private var pageBytes = 0
  private let mostPageBytes: Int

  /// - Parameters:
  ///   - reader: the last generation. It is sound.
  ///   - walk: a walk from the front of the file to its footer.
  init(_ reader: ContainerReader, _ walk: FrameWalk) {
    source = reader.source
    limits = reader.limits
    tables = reader.root.tables
    lastFooter = reader.footer
    self.walk = walk
    let (most, isTooMuch) = source.size.multipliedReportingOverflow(by: Self.pageFactor)
    mostPageBytes = isTooMuch ? .max : max(limits.indexBytes, most)
  }

  /// Returns the first fault of each earlier generation, at most 20.
  /// - Throws: errors of the source.
  mutating func faults() throws(Failure) -> [Diagnostic] {
    var faults: [Diagnostic] = []
    // The pages of the current generation.
    var own: [FrameReference] = []
    for frame in walk.frames where faults.count < Self.mostFaults {
      let position = frame.reference.position
      if frame.kind == .tree { own.append(frame.reference) }
      guard frame.kind == .done, position < lastFooter.position,
        let footer = try Generation.intactFooter(at: position, of: source)
      else { continue }
      do throws(Failure) {
        try check(footer, own: own)
      } catch {
        guard var fault = Diagnostic.of(error), fault.rule.family != "file" else { throw error }
        let place = "in generation \(footer.generation), which a later save replaced"
        fault.detail = [place, fault.detail].compactMap { $0 }.joined(separator: ": ")
        fault.hint = "compact the package: no reader needs this part of it"
        faults.append(fault)
      }
      own = []
    }
    return faults
  }

  /// Throws unless a reader accepts the generation.
  private mutating func check(_ footer: Footer, own: [FrameReference]) throws(Failure) {
    let generation = try Generation(footer, of: source, limits)
    let root = generation.root
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.index, at: .offset(footer.root), "frames that the root lists", expected: expected)
    }
    guard root.pages.map({ $0.frame }).filter({ $0.position >= footer.start }) == own else {
      throw fault("the pages of its generation in their order")
    }
    guard root.tables.elementsEqual(tables.prefix { $0.frame.position < footer.root }) else {
      throw fault("the tables of all generations in their order")
    }
    for page in root.pages where !isPage(page.frame) {
      throw Diagnostic(
        .index, at: .offset(page.frame.position), "the root refers to no page or table")
    }
    var reader = TreePageReader(limits: limits)
    var check = TreeCheck()
    for page in root.pages {
      try source.withPayload(of: page.frame, .tree) { payload throws(Failure) in
        pageBytes += payload.count
        guard pageBytes <= mostPageBytes else {
          throw Diagnostic(
            .limit, "bytes of the pages of all generations", expected: "at most \(mostPageBytes)",
            found: "\(pageBytes)")
        }
        try reader.forEachEntry(of: payload, page) { entry throws(Failure) in try check.check(entry)
        }
      }
    }
    try check.finish(
      streamSize: root.tables.reduce(0) { $0 + $1.bytes }, fileSize: footer.end, limits: limits)
  }

  private func isPage(_ reference: FrameReference) -> Bool {
    let index = walk.frames.partitioningIndex { $0.reference.position >= reference.position }
    guard index < walk.frames.count else { return false }
    return walk.frames[index].reference == reference && walk.frames[index].kind == .tree
  }
}
