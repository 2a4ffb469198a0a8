internal import ParticlesCore

/// A file of the file system and its state when it was listed. Trees share it, so that all of them
/// follow it when a save moves or replaces it.
final class FoundFile: Sendable {
  private enum Place: Sendable {
    /// In a folder, in the state in which it was found. Files of a folder share the path of that.
    case folder(String, name: String)
    /// A copy at an offset of a temporary file.
    case spool(OpenFile, offset: Int)
  }

  private let size: Int
  private let found: Lock<(place: Place, state: FileState)>
  private let digest = Lock<ContentDigest?>(nil)
  /// The file itself, kept without a descriptor; it outlives its name.
  private let kept = Lock<OpenFile?>(nil)
  /// Whether the kept file had the remembered contents after it had lost its name.
  private let isVerified = Lock(false)

  init(folder: String, name: String, size: Int, state: FileState) {
    self.size = size
    found = Lock((.folder(folder, name: name), state))
  }

  /// The state in which the file was found.
  var state: FileState { found.withLock { $0.state } }

  /// Fills `buffer` with the bytes from `offset` on.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    let (place, state) = found.withLock(\.self)
    switch place {
    case .spool(let file, let start): try file.read(at: start + offset, into: buffer)
    case .folder(let folder, let name):
      let path = Files.joined(folder, name)
      let kept = kept.withLock(\.self)
      if let kept, try Files.status(path, followingLinks: false)?.state.identity != kept.identity {
        // Another program has deleted or replaced it.
        return try read(kept, at: offset, into: buffer)
      }
      let file = try OpenFile(readingAtOnce: path)
      let changed = Diagnostic(.fileChanged, at: Location(file: file.path))
      guard try file.status().kind == .file else { throw changed }
      try file.read(at: offset, into: buffer)
      // Compared after reading: an unchanged state now means an unchanged state during reading.
      guard try file.status().state == state else { throw changed }
    }
  }

  /// Reads from a kept file without a name, whose state cannot be compared.
  private func read(
    _ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws {
    if !isVerified.withLock(\.self) {
      var hash = SHA256()
      try withUnsafeTemporaryAllocation(byteCount: Layout.blockSize, alignment: 16) { block in
        for position in stride(from: 0, to: size, by: block.count) {
          let count = min(size - position, block.count)
          let piece = UnsafeMutableRawBufferPointer(rebasing: block[..<count])
          try file.read(at: position, into: piece)
          hash.update(UnsafeRawBufferPointer(piece))
        }
      }
      guard digest.withLock(\.self) == hash.finalize() else {
        throw Diagnostic(.fileChanged, at: Location(file: file.path))
      }
      isVerified.withLock { $0 = true }
    }
    try file.read(at: offset, into: buffer)
  }

  /// Keeps the file, so that its contents can be read after another program has deleted or replaced it.
  private func keepFile() {
    let (place, state) = found.withLock(\.self)
    guard case .folder(let folder, let name) = place, kept.withLock(\.self) == nil,
      let file = try? OpenFile(readingAtOnce: Files.joined(folder, name)),
      let status = try? file.status(), status.kind == .file, status.state == state
    else { return }
    file.makeParkable()
    file.park()
    // A descriptor for each file would be too many.
    if file.isParked { kept.withLock { $0 = file } }
  }

  /// Reads from another file from now on, which has the same bytes.
  func move(to other: FoundFile) {
    let new = other.found.withLock(\.self)
    if !new.state.isSameFile(as: state) { kept.withLock { $0 = nil } }
    isVerified.withLock { $0 = false }
    found.withLock { $0 = new }
  }

  /// Remembers the contents, and keeps the file.
  func remember() throws {
    defer { keepFile() }
    guard digest.withLock({ $0 }) == nil else { return }
    let sum = try sum()
    digest.withLock { $0 = sum }
  }

  /// If another file has the remembered contents, reads from it from now on.
  /// - Returns: whether it has.
  func adoptIfEqual(_ other: FoundFile) throws -> Bool {
    guard size == other.size, let digest = digest.withLock({ $0 }), try other.sum() == digest else {
      return false
    }
    move(to: other)
    return true
  }

  private func sum() throws -> ContentDigest {
    var hash = SHA256()
    try FileContents(size: size, of: self).forEachPiece { hash.update($0) }
    return hash.finalize()
  }

  /// Copies the bytes to the end of a temporary file, and reads from there from now on.
  func keep(in spool: OpenFile) throws {
    let start = try spool.status().size
    if case .spool = found.withLock({ $0.place }) { return }
    var offset = 0
    while offset < size {
      let count = min(size - offset, Layout.blockSize)
      let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        initialized = count
      }
      try bytes.withUnsafeBytes { try spool.write($0, at: start + offset) }
      offset += count
    }
    found.withLock { $0.place = .spool(spool, offset: start) }
  }
}
