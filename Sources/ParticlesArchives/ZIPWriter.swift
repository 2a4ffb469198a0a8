package import ParticlesContainer
package import ParticlesCore

/// Writes a tree as a ZIP archive. Equal trees give equal bytes for one version of the compressor:
/// entries are in canonical order, with a fixed time and fixed permissions.
package struct ZIPWriter {
  /// Longer contents are stored without compression, so that memory is bounded.
  static let packingLimit = 64 << 20

  /// The smallest length or position that is written with 64 bits.
  let longFrom: Int

  private let sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  private let deflate = Deflate(level: 6)
  private var position = 0
  private var directory = ByteWriter()
  private var count = 0

  /// - Parameter longFrom: see ``longFrom``. Tests use smaller values.
  package init(
    longFrom: Int = 0xFFFF_FFFF,
    _ sink: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) {
    self.longFrom = longFrom
    self.sink = sink
  }

  /// Writes the contents of a directory. Returns notes on parts that some programs ignore.
  package mutating func write(_ root: FileNode) throws(Failure) -> [Diagnostic] {
    var fragile = ZIPFragility()
    try root.forEachDescendant { path, node in
      try locating(.entry(path)) { try write(node, at: path) }
      fragile.note(node, at: path)
    }
    try end()
    return fragile.diagnostics
  }

  private mutating func write(_ node: FileNode, at path: String) throws(Failure) {
    let name = Array((node.isDirectory ? path + "/" : path).utf8)
    if let destination = node.symbolicLinkDestination {
      try EntryPath.check(link: destination, from: path)
    }
    let contents =
      node.contents ?? FileContents(Array((node.symbolicLinkDestination ?? "").utf8))
    var checksum: UInt32 = 0
    var packed: [UInt8]?
    if contents.size <= Self.packingLimit {
      let bytes = try contents.bytes()
      checksum = CRC32.checksum(bytes)
      packed = bytes.withUnsafeBytes { deflate.bare($0, limit: bytes.count - 1) }
    } else {
      try contents.forEachPiece { checksum = CRC32.checksum($0, seed: checksum) }
    }
    let header = ZIPHeader(
      name: name, isPacked: packed != nil, checksum: checksum,
      packedSize: packed?.count ?? contents.size, size: contents.size, position: position,
      mode: node.unixMode, isDirectory: node.isDirectory, longFrom: longFrom)
    directory.write(header.central)
    count += 1
    try put(header.local)
    if let packed { return try put(packed) }
    var copied: UInt32 = 0
    try contents.forEachPiece { piece in
      copied = CRC32.checksum(piece, seed: copied)
      try sink(piece)
    }
    guard copied == checksum else { throw Diagnostic(.fileChanged) }
    position += contents.size
  }

  /// Writes the central directory and the end records.
  private mutating func end() throws(Failure) {
    let (start, size) = (position, directory.bytes.count)
    try put(directory.bytes)
    var writer = ByteWriter()
    let isLong = count >= 0xFFFF || start >= longFrom || size >= longFrom
    if isLong {
      writer.write(ZIPSignature.longEnd)
      writer.size(ZIP.longEndLength - 12)
      writer.littleEndian(3 << 8 | 45, 2)
      writer.littleEndian(45, 2)
      writer.size(0)
      writer.size(count)
      writer.size(count)
      writer.size(size)
      writer.size(start)
      writer.write(ZIPSignature.locator)
      writer.u32(0)
      writer.size(position)
      writer.u32(1)
    }
    writer.write(ZIPSignature.end)
    writer.u32(0)
    let shortCount = isLong ? 0xFFFF : UInt64(count)
    writer.littleEndian(shortCount, 2)
    writer.littleEndian(shortCount, 2)
    writer.u32(isLong ? .max : UInt32(size))
    writer.u32(isLong ? .max : UInt32(start))
    writer.littleEndian(0, 2)
    try put(writer.bytes)
  }

  private mutating func put(_ bytes: [UInt8]) throws(Failure) {
    try bytes.withUnsafeBytes(sink)
    position += bytes.count
  }
}

/// Collects the parts of a ZIP archive that some programs ignore.
private struct ZIPFragility {
  private var links: [String] = []
  private var executables: [String] = []

  mutating func note(_ node: FileNode, at path: String) {
    if node.isSymbolicLink { links.append(path) }
    if node.isExecutable { executables.append(path) }
  }

  var diagnostics: [Diagnostic] {
    [
      diagnostic(
        links, "a symbolic link",
        hint: "some programs extract it as a small file; use a tar archive to keep links"),
      diagnostic(
        executables, "the permission to execute",
        hint: "some programs drop it; use a tar archive to keep it"),
    ].compactMap { $0 }
  }

  private func diagnostic(_ paths: [String], _ what: String, hint: String) -> Diagnostic? {
    paths.first.map { first in
      let others = paths.count > 1 ? ", and \(paths.count - 1) more" : ""
      return Diagnostic(.fragile, at: .entry(first), what + others, hint: hint)
    }
  }
}
