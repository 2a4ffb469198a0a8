internal import ParticlesContainer
internal import ParticlesCore

/// Writes a tree as a tar archive: ustar, with extended headers of pax for names that are long or not
/// ASCII and for large sizes. Equal trees give equal bytes.
struct TarWriter {
  private let sink: (UnsafeRawBufferPointer) throws -> Void

  init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.sink = sink }

  /// Writes the contents of a directory.
  func write(_ root: FileNode) throws {
    try root.forEachDescendant { path, node in
      try locating(.entry(path)) { try write(node, at: path) }
    }
    try put([UInt8](repeating: 0, count: 2 * Tar.blockSize))
  }

  private func write(_ node: FileNode, at path: String) throws {
    let name = node.isDirectory ? path + "/" : path
    let target = node.symbolicLinkDestination ?? ""
    if node.isSymbolicLink { try EntryPath.check(link: target, from: path) }
    let size = node.contents?.size ?? 0

    var records: [UInt8] = []
    if !fits(name) { records += record("path", name) }
    if !fits(target) { records += record("linkpath", target) }
    if size >= Self.sizeLimit { records += record("size", "\(size)") }
    if !records.isEmpty {
      try put(header("././@PaxHeader", size: records.count, mode: 0o644, type: "x"))
      try put(records + padding(behind: records.count))
    }
    let type: Character = node.isDirectory ? "5" : node.isSymbolicLink ? "2" : "0"
    try put(
      header(
        fits(name) ? name : "PaxHeader", size: size < Self.sizeLimit ? size : 0,
        mode: node.unixMode & 0o7777, type: type, target: fits(target) ? target : ""))
    if let contents = node.contents {
      try contents.forEachPiece(sink)
      try put(padding(behind: size))
    }
  }

  /// The smallest size that does not fit eleven octal digits.
  private static let sizeLimit = 1 << 33

  private func fits(_ text: String) -> Bool {
    text.utf8.count <= 100 && text.utf8.allSatisfy { $0 < 0x80 }
  }

  private func put(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes(sink) }

  private func padding(behind size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: Tar.padded(size) - size)
  }

  /// Returns a record of an extended header. Its length includes the digits of the length.
  private func record(_ key: String, _ value: String) -> [UInt8] {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count
    while "\(length)".utf8.count + rest.utf8.count != length {
      length = "\(length)".utf8.count + rest.utf8.count
    }
    return Array("\(length)\(rest)".utf8)
  }

  /// Returns a header block without owner and time.
  private func header(
    _ name: String, size: Int, mode: UInt32, type: Character, target: String = ""
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: Tar.blockSize)
    func put(_ text: String, at offset: Int) {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    func put(_ number: Int, digits: Int, at offset: Int) {
      let text = String(number, radix: 8)
      put(String(repeating: "0", count: max(0, digits - text.count)) + text, at: offset)
    }
    put(name, at: 0)
    put(Int(mode), digits: 7, at: 100)
    put(0, digits: 7, at: 108)
    put(0, digits: 7, at: 116)
    put(size, digits: 11, at: 124)
    put(0, digits: 11, at: 136)
    put(String(type), at: 156)
    put(target, at: 157)
    put("ustar\u{0}00", at: 257)
    put(0, digits: 7, at: 329)
    put(0, digits: 7, at: 337)
    put(TarHeader.checksum(of: block), digits: 6, at: 148)
    block[155] = 0x20
    return block
  }
}
