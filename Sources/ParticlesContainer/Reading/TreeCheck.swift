package import ParticlesCore

/// Checks the tree as a whole, entry by entry: every entry is in a directory, names differ in more than case, contents
/// neither overlap nor end after the stream. The order of paths was checked when they were read.
package struct TreeCheck {
  package init() {}

  /// A directory that the last entry is, or is in.
  private struct OpenDirectory {
    /// The length of its path in bytes.
    var length: Int
    /// Hashes of the folded names in it. A collision of 64-bit hashes is less likely than an error of
    /// the disk.
    var hashes: [UInt64] = []
    /// Whether all names are lower-case ASCII: then they differ in more than case.
    var isPlain = true
  }

  /// The innermost open directory, and the directories around it.
  private var current = OpenDirectory(length: 0)
  private var outer: [OpenDirectory] = []
  /// Closed directories, whose memory is reused.
  private var closed: [OpenDirectory] = []
  private var total = 0
  private var end = 0
  private var isInStreamOrder = true
  /// The parts of the stream that are contents. Adjacent parts are merged.
  private(set) var extents: [Extent] = []

  /// A part of the stream.
  struct Extent {
    var start: Int
    var end: Int
  }

  package mutating func check(_ entry: borrowing RawEntry) throws(Failure) {
    let path = entry.path
    while !outer.isEmpty {
      let length = current.length
      if entry.shared >= length, length < path.count, path[length] == EntryPath.slash { break }
      try closeCurrent()
      current = outer.removeLast()
    }
    guard current.length == max(0, entry.nameStart - 1) else {
      throw Diagnostic(
        .parent, at: .entry(entry.pathText),
        expected: "a directory '\(EntryPath.parent(of: entry.pathText))'")
    }
    add(UnsafeBufferPointer(rebasing: path[entry.nameStart...]))
    if entry.code == 0 {
      outer.append(current)
      current = closed.popLast() ?? OpenDirectory(length: 0)
      current.length = path.count
    } else if entry.size > 0 {
      add(Extent(start: entry.offset, end: entry.offset + entry.size))
    }
  }

  private mutating func add(_ name: UnsafeBufferPointer<UInt8>) {
    var folded = FoldedName(ascii: name)
    if !folded.isASCII {
      let text = UnicodeForms.folded(String(decoding: name, as: UTF8.self))
      folded = Array(text.utf8).withUnsafeBufferPointer { FoldedName(ascii: $0) }
      folded.isPlain = false
    }
    current.hashes.append(folded.hash)
    if !folded.isPlain { current.isPlain = false }
  }

  /// Closes the innermost directory, whose names are complete.
  private mutating func closeCurrent() throws(Failure) {
    if !current.isPlain {
      current.hashes.sort()
      for (a, b) in zip(current.hashes, current.hashes.dropFirst()) where a == b {
        throw Diagnostic(.twins)
      }
    }
    current.hashes.removeAll(keepingCapacity: true)
    current.isPlain = true
    closed.append(current)
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

  /// Makes the checks that need all entries, and sorts the extents.
  /// - Parameters:
  ///   - streamSize: the length of the stream of contents.
  ///   - fileSize: the size of the file, or nil if it is not known yet.
  package mutating func finish(streamSize: Int, fileSize: Int?, limits: Limits) throws(Failure) {
    try closeCurrent()
    while let directory = outer.popLast() {
      current = directory
      try closeCurrent()
    }
    guard end <= streamSize else {
      throw Diagnostic(.extent, expected: "an end before \(streamSize)", found: "\(end)")
    }
    try limits.check(total, { $0.totalBytes }, "bytes of all entries")
    if let fileSize {
      try limits.checkAmplification(bytes: total, from: fileSize, of: "a package")
    }
    if isInStreamOrder { return }
    extents.sort { $0.start < $1.start }
    for (a, b) in zip(extents, extents.dropFirst()) where b.start < a.end {
      throw Diagnostic(.extent, expected: "contents from \(a.end) on", found: "\(b.start)")
    }
  }
}

/// A name as seen by a file system that ignores the case of ASCII letters.
struct FoldedName {
  /// A hash of the name in lower case.
  private(set) var hash: UInt64
  private(set) var isASCII = true
  /// Whether the name is ASCII without capital letters.
  var isPlain = true

  /// Reads eight bytes at a time.
  init(ascii name: UnsafeBufferPointer<UInt8>) {
    hash = UInt64(name.count)
    guard let start = UnsafeRawPointer(name.baseAddress), name.count >= 8 else {
      add(PackedText(name.reduce(0) { $0 << 8 | UInt64($1) }))
      return
    }
    for offset in stride(from: 0, to: name.count - 8, by: 8) { add(PackedText(start + offset)) }
    // The last eight may overlap those before.
    add(PackedText(start + name.count - 8))
  }

  private mutating func add(_ bytes: PackedText) {
    let capitals = bytes.capitals
    if !bytes.isASCII { isASCII = false }
    if !bytes.isASCII || capitals != 0 { isPlain = false }
    hash = (hash ^ (bytes.word | capitals >> 2)) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
  }
}
