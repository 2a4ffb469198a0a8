internal import ParticlesCore

/// Checks the tree as a whole while its entries go by in order: that every entry stands in a
/// directory, that names differ in more than case, that contents neither overlap nor reach behind
/// the stream. That paths ascend on a page was checked when it was read.
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
  private var extents: [Range<Int>] = []

  /// Checks an entry; the ones before it have been checked.
  /// - Parameter shared: how many bytes its path has in common with the one before.
  mutating func check(_ entry: borrowing RawEntry, shared: Int) throws {
    let count = entry.path.count
    try entry.path.withUnsafeBufferPointer { path in
      while open.count > 1 {
        let length = open[open.count - 1].length
        if shared >= length, length < count, path[length] == slash { break }
        try closeLast()
      }
      var nameStart = count
      while nameStart > 0, path[nameStart - 1] != slash { nameStart -= 1 }
      let last = open.count - 1
      guard open[last].length == max(0, nameStart - 1) else {
        throw Diagnostic(
          .parent, at: .entry(entry.pathText),
          expected: "a directory '\(EntryPath.parent(of: entry.pathText))'")
      }
      add(UnsafeBufferPointer(rebasing: path[nameStart...]), to: last)
    }
    if entry.code == 0 {
      var directory = closed.popLast() ?? OpenDirectory(length: 0)
      directory.length = count
      open.append(directory)
    } else if entry.size > 0 {
      add(entry.offset..<entry.offset + entry.size)
    }
  }

  private var slash: UInt8 { UInt8(ascii: "/") }

  private mutating func add(_ name: UnsafeBufferPointer<UInt8>, to directory: Int) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var isPlain = true
    var isASCII = true
    for byte in name {
      let isUpper = byte >= 0x41 && byte <= 0x5A
      isPlain = isPlain && byte < 0x80 && !isUpper
      isASCII = isASCII && byte < 0x80
      hash = (hash ^ UInt64(isUpper ? byte | 0x20 : byte)) &* 0x100_0000_01B3
    }
    if !isASCII {
      hash = 0xCBF2_9CE4_8422_2325
      for byte in UnicodeForms.folded(String(decoding: name, as: UTF8.self)).utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    open[directory].hashes.append(hash)
    if !isPlain { open[directory].isPlain = false }
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

  private mutating func add(_ extent: Range<Int>) {
    total = total.addingReportingOverflow(extent.count).partialValue
    isInStreamOrder = isInStreamOrder && extent.lowerBound >= end
    end = max(end, extent.upperBound)
    extents.append(extent)
  }

  /// Checks what can only be said when all entries have gone by.
  mutating func finish(streamSize: Int, limits: Limits) throws {
    while !open.isEmpty { try closeLast() }
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
