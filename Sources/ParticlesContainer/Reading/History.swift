internal import ParticlesCore

/// The index of earlier generations, which readers ignore: verification checks it as though each had been the
/// last one.
struct History {
  /// The most faults that are reported, one for each generation.
  private static let mostFaults = 20
  /// How many bytes of pages are decoded for each byte of the file: an honest file of `n` MiB has at most `n`
  /// generations, and pages are a small part of it.
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
  ///   - reader: the last generation, which is sound.
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
  mutating func faults() throws -> [Diagnostic] {
    var faults: [Diagnostic] = []
    // The pages of the current generation.
    var own: [FrameReference] = []
    for frame in walk.frames where faults.count < Self.mostFaults {
      let position = frame.reference.position
      if frame.kind == .tree { own.append(frame.reference) }
      guard frame.kind == .done, position < lastFooter.position,
        let footer = try Generation.intactFooter(at: position, of: source)
      else { continue }
      do {
        try check(footer, own: own)
      } catch var fault as Diagnostic where fault.rule.family != "file" {
        let place = "in generation \(footer.generation), which a later save replaced"
        fault.detail = [place, fault.detail].compactMap(\.self).joined(separator: ": ")
        fault.hint = "compact the package: no reader needs this part of it"
        faults.append(fault)
      }
      own = []
    }
    return faults
  }

  /// Throws unless a generation is one that a reader accepts.
  private mutating func check(_ footer: Footer, own: [FrameReference]) throws {
    let generation = try Generation(footer, of: source, limits)
    let root = generation.root
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.index, at: .offset(footer.root), "frames that the root lists", expected: expected)
    }
    guard root.pages.map(\.frame).filter({ $0.position >= footer.start }) == own else {
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
      try source.withPayload(of: page.frame, .tree) { payload in
        pageBytes += payload.count
        guard pageBytes <= mostPageBytes else {
          throw Diagnostic(
            .limit, "bytes of the pages of all generations", expected: "at most \(mostPageBytes)",
            found: "\(pageBytes)")
        }
        try reader.forEachEntry(of: payload, page) { entry in try check.check(entry) }
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
