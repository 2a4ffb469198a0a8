public import ParticlesCore

/// What can be saved of a flat package that is damaged or cut short: every entry whose contents lie
/// wholly in blocks that are intact.
public struct Recovery: Sendable {
  /// What was recovered, with contents to be read when asked for.
  public let root: FileNode

  /// First what is wrong with the file, then a diagnostic of ``ParticlesCore/Rule/lost`` for each
  /// entry that was not recovered, with its path as the entry of its location; empty if nothing is
  /// wrong.
  public let diagnostics: [Diagnostic]

  /// Looks through a file, all of which is read. It needs the header and the tree pages; footer, root
  /// and tables may be missing. Then only the first generation is found.
  /// - Throws: ``ParticlesCore/Rule/signature`` and others if not even that is there;
  ///   ``ParticlesCore/Rule/containerVersion``; ``ParticlesCore/Rule/limit``; what reading the source
  ///   throws.
  public init(_ source: ByteSource, limits: Limits = .standard) throws {
    (root, diagnostics) = try locating(Location(file: source.name)) {
      var found: (entries: [Entry], blocks: [Block]) = ([], [])
      var faults: [Diagnostic] = []
      do {
        let reader = try ContainerReader(source, limits: limits)
        found = (try reader.entries(), try reader.blocks())
        faults = try reader.verify(.quick)
      } catch let fault as Diagnostic where fault.rule.family != "file" {
        if fault.rule == .signature || fault.rule == .containerVersion { throw fault }
        faults = [fault]
        found = try Self.walk(source, limits: limits)
      }
      guard !faults.isEmpty else {
        return (try ContainerReader(source, limits: limits).tree(), [])
      }
      return try Self.rescue(found.entries, found.blocks, source, faults, limits)
    }
  }

  /// The entries and blocks of the first generation, as far as frames follow each other.
  private static func walk(
    _ source: ByteSource, limits: Limits
  ) throws -> (entries: [Entry], blocks: [Block]) {
    var walk = FrameWalk(source)
    walk.runAsFarAsPossible()
    let inflate = Inflate()
    var entries: [Entry] = []
    for frame in walk.frames.prefix(while: { $0.kind == .tree }) {
      let position = frame.reference.position
      let page = try Frame(source, frame.reference, .tree, place: position).unpacked(inflate)
      entries += try TreePage.decode(page, at: position, limits: limits)
      try limits.check(entries.count, \.entries, "entries")
    }
    return (entries, walk.blocks)
  }

  private static func rescue(
    _ entries: [Entry], _ blocks: [Block], _ source: ByteSource, _ faults: [Diagnostic],
    _ limits: Limits
  ) throws -> (FileNode, [Diagnostic]) {
    let unpacker = BlockUnpacker()
    let intact = blocks.filter { (try? unpacker.unpack($0, from: source)) != nil }
    let stream = StreamReader(source, blocks: { intact }) { offset in
      entries.first { $0.offset <= offset && offset < $0.offset + $0.size }?.path
    }
    var builder = TreeBuilder()
    var directories: Set<Substring> = [""]
    // What is recovered has to be a tree that can be written: without twins, and no larger than if
    // contents did not overlap.
    var names: Set<String> = []
    var bytes = 0
    var lost: [Diagnostic] = []
    var last = ""
    for entry in entries {
      guard last.isEmpty || EntryPath.precedes(last.utf8, entry.path.utf8),
        directories.contains(EntryPath.parent(of: entry.path)),
        isWhole(entry.offset..<entry.offset + entry.size, in: intact),
        names.insert(UnicodeForms.folded(entry.path)).inserted
      else {
        lost.append(Diagnostic(.unrecovered, at: .entry(entry.path), found: "\(entry.size) bytes"))
        continue
      }
      last = entry.path
      bytes += entry.size
      try limits.check(bytes, \.totalBytes, "bytes of all entries")
      if entry.kind == .directory { directories.insert(entry.path[...]) }
      let origin = FileContents.Origin(stream: stream, offset: entry.offset)
      builder.append(entry, contents: FileContents(size: entry.size, origin: origin))
    }
    let all = (faults + lost).map { $0.inside(Location(file: source.name)) }
    return (builder.finish(), all)
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
