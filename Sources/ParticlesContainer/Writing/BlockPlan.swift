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

  init(_ contents: FileContents, path: String) {
    self.contents = contents
    isCompressed = Self.hasCompressedExtension(path)
  }

  private static let longestExtension = compressedExtensions.map(\.utf8.count).max() ?? 0

  private static func hasCompressedExtension(_ path: String) -> Bool {
    var path = path
    return path.withUTF8 { bytes in
      // The end of the path tells: nothing is known of longer extensions.
      let end = bytes.suffix(longestExtension + 1)
      guard let point = end.lastIndex(of: UInt8(ascii: ".")), point > 0,
        bytes[point - 1] != UInt8(ascii: "/")
      else { return false }
      let name = String(decoding: bytes[(point + 1)...], as: UTF8.self)
      return compressedExtensions.contains(name.lowercased())
    }
  }
}

/// How contents are cut into blocks: large files into blocks of their own, small ones together, but
/// those that are compressed already apart from the others: whoever wants to read the document
/// should not have to unpack the images.
struct PlannedBlock: Sendable {
  /// The files whose contents it holds, by their place among all that have any.
  var files: Range<Int>
  /// Where it begins in the first of them.
  var offset: Int
  var rawLength: Int

  static func plan(_ files: [StreamFile]) -> [PlannedBlock] {
    var blocks: [PlannedBlock] = []
    var pack = PlannedBlock(files: 0..<0, offset: 0, rawLength: 0)
    func flush(next: Int) {
      if pack.rawLength > 0 { blocks.append(pack) }
      pack = PlannedBlock(files: next..<next, offset: 0, rawLength: 0)
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

  /// The payload, if a package that the contents come from has this very block.
  /// - Parameter shared: the file in which its bytes may stay.
  func storedPayload(of all: [StreamFile], in shared: OpenFile?) throws -> Payload? {
    guard let first = all[files.lowerBound].contents.origin else { return nil }
    let start = first.offset + offset
    var end = first.offset
    for file in all[files] {
      guard let origin = file.contents.origin, origin.store === first.store, origin.offset == end
      else { return nil }
      end += file.contents.size
    }
    return try locating(first.location) {
      try first.store.payload(exactly: start..<start + rawLength, in: shared)
    }
  }
}
