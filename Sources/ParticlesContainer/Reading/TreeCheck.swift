internal import ParticlesCore

/// Checks the tree as a whole while its entries go by in order: that pages follow each other, that
/// every entry stands in a directory, that names differ in more than case, that contents neither
/// overlap nor reach behind the stream.
struct TreeCheck {
  /// A directory that the last entry is in, or is.
  private struct OpenDirectory {
    /// The length of its path.
    var length: Int
    /// What the names in it are for a file system that ignores case, as hashes. That two which
    /// differ have the same hash is less likely than that the disk errs.
    var names: Set<Int> = []
  }

  private var open = [OpenDirectory(length: 0)]
  private var last: [UInt8] = []
  private var total = 0
  private var end = 0
  private var isInStreamOrder = true
  private var extents: [Range<Int>] = []

  /// Checks an entry; the ones before it have been checked.
  mutating func check(_ entry: borrowing RawEntry) throws {
    let path = entry.path
    guard last.isEmpty || EntryPath.precedes(last, path) else {
      throw Diagnostic(
        .order, expected: "a path behind '\(String(decoding: last, as: UTF8.self))'",
        found: "'\(entry.pathText)'")
    }
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    try enter(parentLength: slash ?? 0, of: entry)
    let name = path[((slash ?? -1) + 1)...]
    guard open[open.count - 1].names.insert(Self.hash(of: name)).inserted else {
      throw Diagnostic(.twins, at: .entry(entry.pathText))
    }
    if entry.code == Entry.Kind.directory.code { open.append(OpenDirectory(length: path.count)) }
    if entry.size > 0 { add(entry.offset..<entry.offset + entry.size) }
    last = path
  }

  /// Leaves the directories that the entry is not in, and throws unless it is in the innermost left.
  private mutating func enter(parentLength: Int, of entry: borrowing RawEntry) throws {
    let path = entry.path
    while open.count > 1 {
      let length = open[open.count - 1].length
      if path.count > length, path[length] == UInt8(ascii: "/"),
        path[..<length].elementsEqual(last[..<min(length, last.count)])
      {
        break
      }
      open.removeLast()
    }
    guard open[open.count - 1].length == parentLength else {
      throw Diagnostic(
        .parent, at: .entry(entry.pathText),
        expected: "a directory '\(String(decoding: path[..<parentLength], as: UTF8.self))'")
    }
  }

  private static func hash(of name: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    var isPlain = true
    for byte in name where byte >= 0x80 { isPlain = isPlain && byte < 0x80 }
    if isPlain {
      for byte in name { hasher.combine(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
    } else {
      for byte in UnicodeForms.folded(String(decoding: name, as: UTF8.self)).utf8 {
        hasher.combine(byte)
      }
    }
    return hasher.finalize()
  }

  private mutating func add(_ extent: Range<Int>) {
    total = total.addingReportingOverflow(extent.count).partialValue
    isInStreamOrder = isInStreamOrder && extent.lowerBound >= end
    end = max(end, extent.upperBound)
    extents.append(extent)
  }

  /// Checks what can only be said when all entries have gone by.
  mutating func finish(streamSize: Int, limits: Limits) throws {
    guard end <= streamSize else {
      throw Diagnostic(.extent, expected: "an end before \(streamSize)", found: "\(end)")
    }
    try limits.check(total, \.totalBytes, "bytes of all entries")
    if isInStreamOrder { return }
    extents.sort { $0.lowerBound < $1.lowerBound }
    for (a, b) in zip(extents, extents.dropFirst()) where b.lowerBound < a.upperBound {
      throw Diagnostic(
        .extent, expected: "contents from \(a.upperBound) on", found: "\(b.lowerBound)")
    }
  }
}
