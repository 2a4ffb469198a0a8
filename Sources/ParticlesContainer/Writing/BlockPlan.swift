internal import ParticlesCore

/// Contents on their way into the stream.
package struct StreamFile: Sendable {
  var contents: FileContents
  /// Whether the name says that they are compressed already, as those of images are.
  var isCompressed: Bool

  /// The extensions of formats that are compressed. `Spec/container.md#duties-of-writers` has them.
  package static let compressedExtensions: Set = [
    "7z", "avif", "bz2", "gif", "gz", "heic", "jpeg", "jpg", "m4a", "mp3", "mp4", "ogg",
    "particles", "png", "tgz", "webm", "webp", "xz", "zip", "zst",
  ]

  init(_ contents: FileContents, path: [UInt8]) {
    self.contents = contents
    isCompressed = Self.hasCompressedExtension(path)
  }

  /// As many as fit into a number, and none that we know is longer.
  private static let mostLetters = 9

  /// An extension in small letters as one number, seven bits each; nil if it is longer than any that
  /// we know, or not ASCII. Control characters are in no path.
  private static func number(of name: some Collection<UInt8>) -> UInt64? {
    guard name.count <= mostLetters, name.allSatisfy({ $0 < 0x80 }) else { return nil }
    return name.reduce(0) { $0 << 7 | UInt64($1 | 0x20) }
  }

  private static let compressedNumbers = Set(
    compressedExtensions.compactMap { number(of: $0.utf8) })

  private static func hasCompressedExtension(_ path: [UInt8]) -> Bool {
    // The end of the path tells: nothing is known of longer extensions.
    guard let point = path.suffix(mostLetters + 1).lastIndex(of: UInt8(ascii: ".")), point > 0,
      path[point - 1] != EntryPath.slash
    else { return false }
    guard let number = number(of: path[(point + 1)...]) else { return false }
    return compressedNumbers.contains(number)
  }
}

/// How contents are cut into blocks: large files into blocks of their own, small ones together, but
/// those that are compressed already apart from the others: whoever wants to read the document
/// should not have to unpack the images.
struct PlannedBlock: Sendable {
  /// The files whose contents it holds, by their place among all that have any.
  var files: Range<Int>
  /// Where it begins in the first of them.
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

  /// Fills `buffer`, which has the length of the block, with its bytes.
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

  /// The very same block, if a package that the contents come from has it.
  func stored(of all: [StreamFile]) throws -> (stream: StreamReader, block: Block)? {
    guard let first = all[files.lowerBound].contents.origin else { return nil }
    var end = first.offset
    for index in files {
      guard all[index].contents.stand(in: first.stream, at: end) else { return nil }
      end += all[index].contents.size
    }
    return try locating(first.location) {
      let start = first.offset + offset
      let block = try first.stream.block(exactly: start..<start + rawLength)
      return block.map { (first.stream, $0) }
    }
  }
}
