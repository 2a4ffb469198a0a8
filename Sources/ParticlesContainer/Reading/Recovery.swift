public import ParticlesCore

extension Container {
  /// What can be saved of a flat package that is damaged or cut short: every entry whose contents
  /// lie wholly in blocks that are intact.
  public struct Recovery: Sendable {
    /// What was recovered, with contents to be read when asked for.
    public let root: FileNode

    /// First what is wrong with the file; then a diagnostic of ``ParticlesCore/Rule/unrecovered``
    /// for each entry that was not recovered, with its path as the entry of its location, and for
    /// each damaged page of the tree, with its position alone: what stood there, nobody knows.
    /// Empty if nothing is wrong.
    public let diagnostics: [Diagnostic]

    /// Looks through a file, all of which is read.
    ///
    /// Of the generations whose root is intact, the last is recovered; ``ParticlesCore/Rule/torn``
    /// tells of what follows it. Without any, as in a file that was cut, it is the first, as far as
    /// frames follow each other. A directory that stood on a damaged page is made anew for what is
    /// in it.
    /// - Throws: ``ParticlesCore/Rule/signature``, ``ParticlesCore/Rule/containerVersion`` or
    ///   ``ParticlesCore/Rule/limit``; what reading the source throws, but for diagnostics: what
    ///   the disk does not give back is lost.
    public init(_ source: ByteSource, limits: Limits = .standard) throws {
      (root, diagnostics) = try locating(Location(file: source.name)) {
        var faults: [Diagnostic] = []
        let reader = try Self.lastGeneration(of: source, limits, &faults)
        if let reader {
          do {
            faults += try reader.verify(.full)
          } catch let fault as Diagnostic {
            faults.append(fault)
          }
          if faults.isEmpty { return (try reader.tree(), []) }
        }
        var remains = Remains(limits)
        if let reader { try remains.take(reader) } else { try remains.walk(source) }
        return try Self.rescue(remains, source, faults, limits)
      }
    }

    /// What `body` gives, or nil if what it takes is damaged or cannot be read.
    static func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
      do {
        return try body()
      } catch let fault as Diagnostic where fault.rule != .limit {
        return nil
      }
    }

    /// The last generation whose root is intact, whatever the header says; nil if there is none.
    private static func lastGeneration(
      of source: ByteSource, _ limits: Limits, _ faults: inout [Diagnostic]
    ) throws -> ContainerReader? {
      do {
        return try ContainerReader(source, limits: limits)
      } catch let fault as Diagnostic {
        if [.signature, .containerVersion, .limit].contains(fault.rule) { throw fault }
        faults.append(fault)
      }
      var next = try attempt { try ContainerReader.lastFooter(source) }
      while let footer = next {
        let reader = try attempt { try ContainerReader(source, limits: limits, footer: footer) }
        if let reader { return reader }
        let position = footer.previous
        next = try attempt {
          let bytes = try source.bytes(at: position, count: Layout.footerSize)
          return try Footer(decoding: bytes, at: position)
        }
      }
      return nil
    }

    private static func rescue(
      _ remains: Remains, _ source: ByteSource, _ faults: [Diagnostic], _ limits: Limits
    ) throws -> (FileNode, [Diagnostic]) {
      let unpacker = BlockUnpacker()
      let intact = try remains.blocks.filter { block in
        try attempt { try unpacker.unpack(block, from: source) } != nil
      }
      let stream = StreamReader(source, blocks: { intact }) { [entries = remains.entries] in
        entries.filter { $0.size > 0 }.map { ($0.offset, $0.path) }
      }
      var tree = RescuedTree(makesDirectories: !remains.lostPages.isEmpty)
      var bytes = 0
      var lost: [Diagnostic] = []
      for entry in remains.entries {
        let origin = FileContents.Origin(stream: stream, offset: entry.offset)
        guard isWhole(entry.offset..<entry.offset + entry.size, in: intact),
          tree.take(entry, FileContents(size: entry.size, origin: origin))
        else {
          lost.append(
            Diagnostic(.unrecovered, at: .entry(entry.path), found: "\(entry.size) bytes"))
          continue
        }
        // No larger than if contents did not overlap.
        bytes += entry.size
        try limits.check(bytes, \.totalBytes, "bytes of all entries")
      }
      let all = (faults + remains.lostPages + lost).map { $0.inside(Location(file: source.name)) }
      return (tree.finish(), all)
    }

    /// Whether the blocks hold every byte of a range.
    private static func isWhole(_ range: Range<Int>, in blocks: [Block]) -> Bool {
      var position = range.lowerBound
      var index = blocks.partitioningIndex { $0.end > position }
      while position < range.upperBound {
        guard index < blocks.count, blocks[index].offset <= position else { return false }
        position = blocks[index].end
        index += 1
      }
      return true
    }
  }
}
