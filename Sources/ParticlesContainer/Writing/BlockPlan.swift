internal import ParticlesCore

/// How contents are cut into blocks: large files into blocks of their own, small ones together.
struct PlannedBlock: Sendable {
  /// The files whose contents it holds, by their place among all that have any.
  var files: Range<Int>
  /// Where it begins in the first of them.
  var offset: Int
  var rawLength: Int

  static func plan(_ contents: [FileContents]) -> [PlannedBlock] {
    var blocks: [PlannedBlock] = []
    var pack = PlannedBlock(files: 0..<0, offset: 0, rawLength: 0)
    func flush(next: Int) {
      if pack.rawLength > 0 { blocks.append(pack) }
      pack = PlannedBlock(files: next..<next, offset: 0, rawLength: 0)
    }
    for (index, file) in contents.enumerated() {
      if file.size >= Layout.packSize {
        flush(next: index + 1)
        for offset in stride(from: 0, to: file.size, by: Layout.blockSize) {
          let length = min(Layout.blockSize, file.size - offset)
          blocks.append(
            PlannedBlock(files: index..<index + 1, offset: offset, rawLength: length))
        }
      } else {
        if pack.rawLength + file.size > Layout.packSize { flush(next: index) }
        pack.files = pack.files.lowerBound..<index + 1
        pack.rawLength += file.size
      }
    }
    flush(next: contents.count)
    return blocks
  }

  /// Fills `buffer`, which has the length of the block, with its bytes.
  func read(from contents: [FileContents], into buffer: UnsafeMutableRawBufferPointer) throws {
    guard files.count > 1 else {
      return try contents[files.lowerBound].read(at: offset, into: buffer)
    }
    var position = 0
    for file in contents[files] {
      let end = position + file.size
      try file.read(at: 0, into: UnsafeMutableRawBufferPointer(rebasing: buffer[position..<end]))
      position = end
    }
  }

  /// The payload, if a package that the contents come from has this very block.
  func storedPayload(of contents: [FileContents]) throws -> Payload? {
    guard let first = contents[files.lowerBound].origin else { return nil }
    let start = first.offset + offset
    var end = start - offset
    for file in contents[files] {
      guard let origin = file.origin, origin.store === first.store, origin.offset == end else {
        return nil
      }
      end += file.size
    }
    let stored = try locating(first.location) {
      try first.store.payload(exactly: start..<start + rawLength)
    }
    return stored.map { Payload(stored: $0, rawLength: rawLength) }
  }
}
