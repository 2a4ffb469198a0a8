public import ParticlesCore

extension Container {
  /// The recoverable part of a flat package that is damaged or cut short: every entry whose contents
  /// are completely in intact blocks.
  public struct Recovery: Sendable {
    /// The tree that was recovered; contents are read on access.
    public let root: FileNode

    /// The faults of the file; then a diagnostic of ``ParticlesCore/Rule/unrecovered`` for each
    /// damaged page of the tree, with its position, because its entries are unknown, and for each
    /// entry that was not recovered, with its path as the entry of its location. Empty if the file
    /// is sound.
    public let diagnostics: [Diagnostic]

    /// Reads all of a file and recovers its tree.
    ///
    /// Recovers the last generation whose root is intact. Without any, as in a file that was cut,
    /// recovers the first generation as far as frames follow each other. A directory whose entry was
    /// on a damaged page is created for its recovered children.
    /// - Throws: ``ParticlesCore/Rule/signature``, ``ParticlesCore/Rule/containerVersion`` or
    ///   ``ParticlesCore/Rule/limit``; errors of the source that are not diagnostics. Parts that the
    ///   disk cannot read are treated as damaged.
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

    /// Returns the result of `body`; nil if what it reads is damaged or cannot be read.
    static func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
      do {
        return try body()
      } catch let fault as Diagnostic where fault.rule != .limit {
        return nil
      }
    }

    /// Returns the last generation whose root is intact, even if the header is damaged; nil if none.
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
        // The same bound as for a sound tree.
        bytes += entry.size
        try limits.check(bytes, \.totalBytes, "bytes of all entries")
      }
      let all = (faults + remains.lostPages + lost).map { $0.inside(Location(file: source.name)) }
      return (tree.finish(), all)
    }

    /// Whether the blocks contain every byte of a range.
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
