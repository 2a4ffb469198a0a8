package import ParticlesContainer
package import ParticlesCore

/// Reads and writes tar archives.
package enum Tar {
  /// Whether these bytes begin a tar archive, possibly compressed with gzip.
  package static func isArchive(_ bytes: [UInt8]) -> Bool {
    hasSignature(bytes) || isCompressed(bytes) && hasSignature(beginning(of: bytes))
  }

  /// Opens an archive. Contents are read on demand, but gzip is unpacked to memory.
  package static func unpack(_ source: ByteSource, limits: Limits) throws(Failure) -> Container {
    let size = source.size
    var source = source
    if isCompressed(try source.bytes(at: 0, count: min(source.size, 2))) {
      source = try unpacked(source, limits: limits)
    }
    var reader = TarReader(source, size: size, limits: limits)
    return try reader.read()
  }

  /// Writes the contents of a directory. Returns warnings on names that are not portable. A tar archive holds
  /// everything else.
  package static func pack(
    _ root: FileNode,
    _ sink: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> [Diagnostic] {
    try TarWriter(sink).write(root)
    return root.portabilityWarnings()
  }

  /// The size of a header, and the unit to which contents are padded.
  static let blockSize = 512
  private static let signature = Array("ustar".utf8)
  private static let signatureOffset = 257

  /// Returns the size of contents with padding.
  static func padded(_ size: Int) -> Int { (size + blockSize - 1) / blockSize * blockSize }

  private static func hasSignature(_ bytes: [UInt8]) -> Bool {
    bytes.dropFirst(signatureOffset).starts(with: signature)
  }

  /// Whether this is gzip.
  private static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// Returns the decompressed bytes up to the signature. Empty if the stream is damaged or short.
  private static func beginning(of bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    let stream = InflateStream(.automatic, rule: .tar) { buffer throws(Failure) in
      let piece = rest.prefix(min(buffer.count, 32))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    var output = [UInt8](repeating: 0, count: signatureOffset + signature.count)
    let size = output.count
    let count = try? output.withUnsafeMutableBufferPointer { (bytes) throws(Failure) in
      try stream.read(into: UnsafeMutableRawBufferPointer(bytes))
    }
    return count == size ? output : []
  }

  /// Decompresses an archive to memory, because files are read in any order and a compressed stream
  /// cannot be read backwards.
  private static func unpacked(_ source: ByteSource, limits: Limits) throws(Failure) -> ByteSource {
    try locating(Location(file: source.name)) { () throws(Failure) in
      var position = 0
      var output: [UInt8] = []
      // A gzip file may have several members.
      while position < source.size {
        let start = position
        guard isCompressed(try source.bytes(at: start, count: min(2, source.size - start))) else {
          throw Diagnostic(.tar, at: .offset(start), "data follows the compressed archive")
        }
        var taken = start
        let stream = InflateStream(.automatic, rule: .tar) { buffer throws(Failure) in
          let count = min(buffer.count, source.size - taken)
          try source.read(
            at: taken, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
          taken += count
          return count
        }
        while !stream.isAtEnd {
          try stream.readPiece { output += $0 }
          try limits.check(output.count, { $0.fileBytes }, "bytes of a compressed archive")
        }
        position = start + stream.consumed
      }
      return .bytes(output, name: source.name)
    }
  }
}

/// The block before the contents of an entry.
struct TarHeader {
  /// The supported types of entries.
  enum Kind: Equatable {
    case file, hardLink, symbolicLink, directory, special
    /// Extended headers of pax, for the next entry and for all following entries.
    case extended, global
    /// The long names of GNU, for the next entry.
    case longName, longLink
  }

  var kind: Kind
  var name: [UInt8]
  var linkName: [UInt8]
  var mode: Int
  var size: Int

  /// Parses a header block at an offset of the archive.
  init(_ block: [UInt8], at position: Int) throws(Failure) {
    func failure(_ detail: String, expected: String? = nil, found: String? = nil) -> Diagnostic {
      Diagnostic(.tar, at: .offset(position), detail, expected: expected, found: found)
    }
    func number(_ range: Range<Int>, _ what: String) throws(Failure) -> Int {
      guard let number = Self.number(block[range]) else {
        throw failure("the \(what) is not a number")
      }
      return number
    }
    func text(_ range: Range<Int>) -> [UInt8] { Array(block[range].prefix { $0 != 0 }) }

    let checksum = try number(148..<156, "checksum")
    let sum = Self.checksum(of: block)
    guard checksum == sum else {
      throw failure("the checksum of a header", expected: "\(sum)", found: "\(checksum)")
    }
    mode = try number(100..<108, "mode")
    size = try number(124..<136, "size")
    linkName = text(157..<257)
    name = text(0..<100)
    // POSIX stores a prefix of the path here. GNU stores times.
    if block[257..<263].elementsEqual(Array("ustar\0".utf8)) {
      let prefix = text(345..<500)
      if !prefix.isEmpty { name = prefix + [UInt8(ascii: "/")] + name }
    }
    kind = try Self.kind(block[156], name: name, at: position)
  }

  private static func kind(_ code: UInt8, name: [UInt8], at position: Int) throws(Failure) -> Kind {
    switch Character(Unicode.Scalar(code)) {
    case "\0", "0", "7": name.last == UInt8(ascii: "/") ? .directory : .file
    case "1": .hardLink
    case "2": .symbolicLink
    case "3", "4", "6": .special
    case "5": .directory
    case "x": .extended
    case "g": .global
    case "L": .longName
    case "K": .longLink
    default:
      throw Diagnostic(
        .tarUnsupported, at: .offset(position), "an entry of type \(code.hex)",
        expected: "a file, directory or link")
    }
  }

  /// Returns a number in octal digits between spaces, or in binary if the first bit is set.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    guard let first = field.first else { return nil }
    if first & 0x80 != 0 {
      // Negative numbers and numbers above 2^63 are not valid here.
      guard first == 0x80, field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
      return Int(
        exactly: field.suffix(min(8, field.count - 1)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    return digits.isEmpty
      ? 0 : Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 < 0 ? nil : $0 }
  }

  /// Returns the sum of all bytes, with spaces in place of the checksum.
  static func checksum(of block: [UInt8]) -> Int {
    block.enumerated().reduce(0) { $0 + (148..<156 ~= $1.offset ? 0x20 : Int($1.element)) }
  }
}

/// Reads a tar archive from front to back. Contents are read on demand.
struct TarReader {
  /// The maximum size of an extended header in bytes.
  private static let extensionLimit = 1 << 20

  private let source: ByteSource
  private var position = 0
  private var tree: ArchiveTree

  /// The values of extended headers for the next entry.
  private struct Extension {
    var path: [UInt8]?
    var linkPath: [UInt8]?
    var size: Int?
    var isEmpty = true
  }

  /// - Parameter size: the size of the archive before it was unpacked from gzip.
  init(_ source: ByteSource, size: Int, limits: Limits) {
    self.source = source
    tree = ArchiveTree(size: size, limits: limits)
  }

  mutating func read() throws(Failure) -> Container {
    try locating(Location(file: source.name)) { () throws(Failure) in
      var pending = Extension()
      while let (header, start) = try nextHeader() {
        try WorkBudget.checkCancellation()
        switch header.kind {
        case .extended: try readRecords(of: header, into: &pending)
        case .global: try readGlobal(header)
        case .longName:
          pending.path = try payload(of: header).prefixToZero
          pending.isEmpty = false
        case .longLink:
          pending.linkPath = try payload(of: header).prefixToZero
          pending.isEmpty = false
        default:
          try add(header, pending, at: .offset(start))
          pending = Extension()
        }
      }
      guard pending.isEmpty else { throw failure("an extended header is not followed by an entry") }
      let root = try tree.finish()
      return Container(
        root: root, warnings: tree.notes.map { $0.inside(Location(file: source.name)) })
    }
  }

  private func failure(_ detail: String, expected: String? = nil) -> Diagnostic {
    Diagnostic(.tar, at: .offset(position), detail, expected: expected)
  }

  /// The next header and its position, or nil at the end of the archive.
  private mutating func nextHeader() throws(Failure) -> (TarHeader, Int)? {
    let start = position
    let block = try readBytes(Tar.blockSize)
    if block.contains(where: { $0 != 0 }) { return (try TarHeader(block, at: start), start) }
    // Two zero blocks end the archive. Zero padding of the last record may follow.
    _ = try readBytes(Tar.blockSize, expected: "a second empty block")
    position -= Tar.blockSize
    while position < source.size {
      let piece = try readBytes(min(64 << 10, source.size - position))
      guard piece.allSatisfy({ $0 == 0 }) else {
        throw Diagnostic(.tar, at: .offset(start), "data follows the end of the archive")
      }
    }
    return nil
  }

  private mutating func readBytes(
    _ count: Int, expected: String = "another block, or two empty ones at the end"
  ) throws(Failure) -> [UInt8] {
    guard count <= source.size - position else {
      throw failure("the archive is cut short", expected: expected)
    }
    defer { position += count }
    return try source.bytes(at: position, count: count)
  }

  /// Skips the contents of an entry and returns their offset.
  private mutating func skip(_ size: Int) throws(Failure) -> Int {
    guard size <= source.size - position, Tar.padded(size) <= source.size - position else {
      throw failure("the archive is cut short", expected: "\(size) bytes of contents")
    }
    defer { position += Tar.padded(size) }
    return position
  }

  private mutating func payload(of header: TarHeader) throws(Failure) -> [UInt8] {
    guard header.size <= Self.extensionLimit else {
      throw failure("an extended header of \(header.size) bytes")
    }
    return try source.bytes(at: skip(header.size), count: header.size)
  }

  private mutating func add(
    _ header: TarHeader, _ extra: Extension, at location: Location
  ) throws(Failure) {
    let size = extra.size ?? header.size
    let path = try tree.path(extra.path ?? header.name, at: location)
    guard size == 0 || header.kind == .file else {
      throw Diagnostic(.tar, at: .entry(path), "an entry that is not a file has contents")
    }
    switch header.kind {
    case .directory: try tree.add(path, .directory)
    case .symbolicLink:
      let target = extra.linkPath ?? header.linkName
      guard let destination = String(validating: target, as: UTF8.self) else {
        throw Diagnostic(.link, at: .entry(path), expected: "UTF-8")
      }
      try tree.add(path, .symbolicLink(destination))
    case .hardLink:
      let target = try tree.path(
        (extra.linkPath ?? header.linkName), at: .entry(path))
      guard let file = tree.file(at: target) else {
        throw Diagnostic(
          .tar, at: .entry(path), "a hard link to '\(target)', which is not an earlier file")
      }
      try tree.add(path, file.kind, file.contents)
    case .file:
      let start = try skip(size)
      let contents = FileContents(size: size) { [source] offset, buffer throws(Failure) in
        try source.read(at: start + offset, into: buffer)
      }
      try tree.add(path, .file(isExecutable: header.mode & 0o100 != 0), contents)
    default: throw Diagnostic(.special, at: .entry(path))
    }
  }

  private mutating func readRecords(of header: TarHeader, into next: inout Extension)
    throws(Failure)
  {
    next.isEmpty = false
    for (key, value) in try records(of: header) {
      switch key {
      case "path": next.path = value
      case "linkpath": next.linkPath = value
      case "size":
        guard let size = Int(String(decoding: value, as: UTF8.self)), size >= 0 else {
          throw failure("the size in an extended header is not a number")
        }
        next.size = size
      case _ where key.hasPrefix("GNU.sparse."):
        throw Diagnostic(.tarUnsupported, at: .offset(position), "a sparse file")
      default: break
      }
    }
  }

  /// Reads a global header. Comments, times and owners are ignored. Paths and sizes are not supported.
  private mutating func readGlobal(_ header: TarHeader) throws(Failure) {
    for (key, _) in try records(of: header) where ["path", "linkpath", "size"].contains(key) {
      throw Diagnostic(.tarUnsupported, at: .offset(position), "a global header with '\(key)'")
    }
  }

  /// Returns the records of an extended header: length, space, key, equals sign, value, line feed.
  private mutating func records(
    of header: TarHeader
  ) throws(Failure) -> [(key: String, value: [UInt8])] {
    var rest = try payload(of: header)[...]
    var records: [(key: String, value: [UInt8])] = []
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != 0x20 }
      guard digits.count < 8, let length = Int(String(decoding: digits, as: UTF8.self)),
        length > digits.count + 2, length <= rest.count
      else { throw failure("invalid length of a record in an extended header") }
      let record = rest.prefix(length).dropFirst(digits.count + 1)
      guard record.last == 0x0A, let sign = record.firstIndex(of: UInt8(ascii: "=")) else {
        throw failure("invalid record in an extended header")
      }
      records.append(
        (String(decoding: record[..<sign], as: UTF8.self), Array(record[(sign + 1)...].dropLast())))
      rest = rest.dropFirst(length)
    }
    return records
  }
}

extension [UInt8] {
  /// The bytes before the first zero.
  fileprivate var prefixToZero: [UInt8] { Array(prefix { $0 != 0 }) }
}

/// Writes a tree as a tar archive: ustar, with extended headers of pax for names that are long or not
/// ASCII and for large sizes. Equal trees give equal bytes.
struct TarWriter {
  private let sink: (UnsafeRawBufferPointer) throws(Failure) -> Void

  init(_ sink: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void) {
    self.sink = sink
  }

  /// Writes the contents of a directory.
  func write(_ root: FileNode) throws(Failure) {
    try root.forEachDescendant { path, node throws(Failure) in
      try locating(.entry(path)) { () throws(Failure) in try write(node, at: path) }
    }
    try put([UInt8](repeating: 0, count: 2 * Tar.blockSize))
  }

  private func write(_ node: FileNode, at path: String) throws(Failure) {
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
  private static let sizeLimit = Int(clamping: Int64(1) << 33)

  private func fits(_ text: String) -> Bool {
    text.utf8.count <= 100 && text.utf8.allSatisfy { $0 < 0x80 }
  }

  private func put(_ bytes: [UInt8]) throws(Failure) {
    try bytes.withBytes(sink)
  }

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
