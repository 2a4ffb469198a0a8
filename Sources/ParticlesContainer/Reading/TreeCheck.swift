internal import ParticlesCore

/// Checks the tree as a whole while its entries go by in order: that every entry stands in a
/// directory, that names differ in more than case, that contents neither overlap nor reach behind
/// the stream. That paths ascend was checked when they were read.
struct TreeCheck {
  /// A directory that the last entry is in, or is.
  private struct OpenDirectory {
    /// The length of its path.
    var length: Int
    /// What the names in it are for a file system that ignores case, as hashes. That two which
    /// differ have the same hash is less likely than that the disk errs.
    var hashes: [UInt64] = []
    /// Whether all names are lower-case ASCII: then they differ in more than case anyhow.
    var isPlain = true
  }

  private var open = [OpenDirectory(length: 0)]
  /// Directories that were left, with their memory, for those to come.
  private var closed: [OpenDirectory] = []
  private var total = 0
  private var end = 0
  private var isInStreamOrder = true
  /// The parts of the stream that are contents; those that follow each other are one.
  private var extents: [Extent] = []

  private struct Extent {
    var start: Int
    var end: Int
  }

  /// Checks an entry; the ones before it have been checked.
  mutating func check(_ entry: borrowing RawEntry) throws {
    let path = entry.path
    while open.count > 1 {
      let length = open[open.count - 1].length
      if entry.shared >= length, length < path.count, path[length] == EntryPath.slash { break }
      try closeLast()
    }
    let last = open.count - 1
    guard open[last].length == max(0, entry.nameStart - 1) else {
      throw Diagnostic(
        .parent, at: .entry(entry.pathText),
        expected: "a directory '\(EntryPath.parent(of: entry.pathText))'")
    }
    add(UnsafeBufferPointer(rebasing: path[entry.nameStart...]), to: last)
    if entry.code == 0 {
      var directory = closed.popLast() ?? OpenDirectory(length: 0)
      directory.length = path.count
      open.append(directory)
    } else if entry.size > 0 {
      add(Extent(start: entry.offset, end: entry.offset + entry.size))
    }
  }

  private mutating func add(_ name: UnsafeBufferPointer<UInt8>, to directory: Int) {
    var folded = FoldedName(ascii: name)
    if !folded.isASCII {
      let text = UnicodeForms.folded(String(decoding: name, as: UTF8.self))
      folded = Array(text.utf8).withUnsafeBufferPointer { FoldedName(ascii: $0) }
      folded.isPlain = false
    }
    open[directory].hashes.append(folded.hash)
    if !folded.isPlain { open[directory].isPlain = false }
  }

  /// Leaves the innermost directory, whose names are all known now.
  private mutating func closeLast() throws {
    var directory = open.removeLast()
    if !directory.isPlain {
      directory.hashes.sort()
      for (a, b) in zip(directory.hashes, directory.hashes.dropFirst()) where a == b {
        throw Diagnostic(.twins)
      }
    }
    directory.hashes.removeAll(keepingCapacity: true)
    directory.isPlain = true
    closed.append(directory)
  }

  private mutating func add(_ extent: Extent) {
    total = total.addingReportingOverflow(extent.end - extent.start).partialValue
    isInStreamOrder = isInStreamOrder && extent.start >= end
    end = max(end, extent.end)
    if let last = extents.indices.last, extents[last].end == extent.start {
      extents[last].end = extent.end
    } else {
      extents.append(extent)
    }
  }

  /// Checks what can only be said when all entries have gone by.
  mutating func finish(streamSize: Int, limits: Limits) throws {
    while !open.isEmpty { try closeLast() }
    guard end <= streamSize else {
      throw Diagnostic(.extent, expected: "an end before \(streamSize)", found: "\(end)")
    }
    try limits.check(total, \.totalBytes, "bytes of all entries")
    if isInStreamOrder { return }
    extents.sort { $0.start < $1.start }
    for (a, b) in zip(extents, extents.dropFirst()) where b.start < a.end {
      throw Diagnostic(.extent, expected: "contents from \(a.end) on", found: "\(b.start)")
    }
  }
}
