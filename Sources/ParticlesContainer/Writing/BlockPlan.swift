internal import ParticlesCore

/// The contents of a file of the stream.
package struct StreamFile: Sendable {
  var contents: FileContents
  /// Whether the extension is that of a compressed format, such as an image.
  var isCompressed: Bool

  /// The extensions of compressed formats (`Spec/container.md#duties-of-writers`).
  package static let compressedExtensions: Set = [
    "7z", "avif", "bz2", "gif", "gz", "heic", "jpeg", "jpg", "m4a", "mp3", "mp4", "ogg",
    "png", "tgz", "webm", "webp", "xz", "zip", "zst",
  ]

  init(_ contents: FileContents, path: [UInt8]) {
    self.contents = contents
    isCompressed = Self.hasCompressedExtension(path)
  }

  /// The most letters that fit into a number of 64 bits; no known extension is longer.
  private static let mostLetters = 9

  /// Returns an extension in lower case as one number, seven bits a letter; nil if it is longer than
  /// ``mostLetters`` or not ASCII.
  private static func number(of name: some Collection<UInt8>) -> UInt64? {
    guard name.count <= mostLetters, name.allSatisfy({ $0 < 0x80 }) else { return nil }
    return name.reduce(0) { $0 << 7 | UInt64($1 | 0x20) }
  }

  private static let compressedNumbers = Set(
    compressedExtensions.compactMap { number(of: $0.utf8) })

  private static func hasCompressedExtension(_ path: [UInt8]) -> Bool {
    // No known extension is longer than this suffix.
    guard let point = path.suffix(mostLetters + 1).lastIndex(of: UInt8(ascii: ".")), point > 0,
      path[point - 1] != EntryPath.slash
    else { return false }
    guard let number = number(of: path[(point + 1)...]) else { return false }
    return compressedNumbers.contains(number)
  }
}

/// A block as planned: large files get blocks of their own, small ones share blocks. Compressed files
/// do not share with others, so that reading the document does not unpack images.
struct PlannedBlock: Sendable {
  /// The files whose contents it holds, as indices of the files that are not empty.
  var files: Range<Int>
  /// The offset in the first of them.
  var offset = 0
  var rawLength = 0

  static func plan(_ files: [StreamFile]) -> [PlannedBlock] {
    var blocks: [PlannedBlock] = []
    var pack = PlannedBlock(files: 0..<0)
    func flush(next: Int) {
      if pack.rawLength > 0 { blocks.append(pack) }
      pack = PlannedBlock(files: next..<next)
    }
    var packsCompressed = false
    for (index, file) in files.enumerated() {
      let size = file.contents.size
      if size >= Layout.packSize {
        flush(next: index + 1)
        for offset in stride(from: 0, to: size, by: Layout.blockSize) {
          let length = min(Layout.blockSize, size - offset)
          blocks.append(
            PlannedBlock(files: index..<index + 1, offset: offset, rawLength: length))
        }
      } else {
        if pack.rawLength + size > Layout.packSize || file.isCompressed != packsCompressed {
          flush(next: index)
        }
        packsCompressed = file.isCompressed
        pack.files = pack.files.lowerBound..<index + 1
        pack.rawLength += size
      }
    }
    flush(next: files.count)
    return blocks
  }

  /// Fills `buffer`, which has the length of the block.
  func read(from all: [StreamFile], into buffer: UnsafeMutableRawBufferPointer) throws {
    guard files.count > 1 else {
      return try all[files.lowerBound].contents.read(at: offset, into: buffer)
    }
    var position = 0
    for file in all[files] {
      let end = position + file.contents.size
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[position..<end])
      try file.contents.read(at: 0, into: piece)
      position = end
    }
  }

  /// Returns the block of the source package that has exactly these contents, and the bytes that hold it; nil
  /// if there is none.
  func stored(
    of all: [StreamFile]
  ) throws -> (stream: StreamReader, block: Block, source: ByteSource)? {
    guard let first = all[files.lowerBound].contents.origin else { return nil }
    var end = first.offset
    for index in files {
      guard all[index].contents.isStored(in: first.stream, at: end) else { return nil }
      end += all[index].contents.size
    }
    return try locating(first.location) {
      let start = first.offset + offset
      let found = try first.stream.block(exactly: start..<start + rawLength)
      return found.map { (first.stream, $0.block, $0.source) }
    }
  }
}
