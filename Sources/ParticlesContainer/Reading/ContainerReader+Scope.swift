internal import ParticlesCore

extension ContainerReader {
  /// How much of a file has to be sound for its package to open, as `Spec/container.md#acceptance` states.
  /// Everything that is read is always checked.
  public enum Scope: Sendable, Hashable {
    /// The last generation, as far as it is read: for lists and single entries.
    case lastGeneration
    /// The heads of all frames and the footers of all generations, and the block tables, which must
    /// agree with the heads.
    case allGenerations
    /// The same, and the payloads of frames that the last generation does not need; its own are checked
    /// when they are read. For what copies a package. What the pages and roots of earlier generations
    /// contain is checked by ``ContainerReader/verify(_:work:)`` alone.
    case everyFrame
  }

  /// Throws unless the index agrees with a walk through all frames.
  /// - Returns: the blocks that the tables list.
  static func check(
    _ generation: Generation, against walk: FrameWalk, _ source: ByteSource, _ limits: Limits
  ) throws -> [Block] {
    let (footer, root) = (generation.footer, generation.root)
    try generation.check(against: walk)
    let told = try blocks(root, source, limits)
    // The walk may have gone on into an unfinished save.
    let found = walk.blocks.prefix { $0.frame.position < footer.position }
    for (told, found) in zip(told, found) where told != found {
      throw Diagnostic(
        .index, at: .offset(found.frame.position), "not the block that the table lists",
        expected: "\(told.rawLength) bytes in \(told.frame.length)",
        found: "\(found.rawLength) in \(found.frame.length)")
    }
    guard told.count == found.count else {
      throw Diagnostic(
        .index, at: .offset(footer.root), "number of blocks in the tables",
        expected: "\(found.count)", found: "\(told.count)")
    }
    func isFrame(_ reference: FrameReference, _ kind: FrameKind) -> Bool {
      let index = walk.frames.partitioningIndex { $0.reference.position >= reference.position }
      guard index < walk.frames.count else { return false }
      return walk.frames[index].reference == reference && walk.frames[index].kind == kind
    }
    let references =
      root.pages.map { ($0.frame, FrameKind.tree) } + root.tables.map { ($0.frame, .blocks) }
    for (reference, kind) in references where !isFrame(reference, kind) {
      throw Diagnostic(
        .index, at: .offset(reference.position), "the root refers to no page or table")
    }
    return told
  }

  /// Returns the frames of a walk that belong to the index of earlier generations only.
  static func superseded(_ generation: Generation, in walk: FrameWalk) -> [FrameReference] {
    let used = Set(generation.root.pages.map(\.frame.position))
    let footer = generation.footer
    return walk.frames.compactMap { frame in
      let position = frame.reference.position
      guard position < footer.root else { return nil }
      switch frame.kind {
      case .tree: return used.contains(position) ? nil : frame.reference
      case .root: return frame.reference
      // Tables are all read, and the walk has checked the footers. Blocks are found by their contents.
      case .blocks, .done, .data: return nil
      }
    }
  }

  /// Throws unless frames that nothing of the last generation needs are sound.
  /// - Parameter extents: the parts of the stream that are contents, in ascending order.
  func checkSuperseded(besides extents: [TreeCheck.Extent]) throws {
    guard let index = superseded else { return }
    let unpacker = BlockUnpacker()
    for frame in index { _ = try unpacker.unpack(try unpacker.read(frame, from: source)) }
    var next = 0
    // The blocks of a package that came from a pipe may be in another place.
    let (all, place) = try stream.blocks() ?? (blocks: blocks(), source: source)
    for block in all {
      while next < extents.count, extents[next].end <= block.offset { next += 1 }
      if next < extents.count, extents[next].start < block.end { continue }
      _ = try unpacker.unpack(block, from: place)
    }
  }
}

extension Container {
  /// Checks every frame of the flat package that this was opened from: for programs that read a part of it
  /// and write another file. Does nothing for other packages.
  /// - Throws: the first fault; the errors of ``ContainerReader/verify(_:work:)``.
  package func checkEveryFrame() throws {
    let findings = try reader?.verify(.full, earlier: nil)
    if let fault = findings?.first(where: { $0.severity == .error }) { throw fault }
  }
}
