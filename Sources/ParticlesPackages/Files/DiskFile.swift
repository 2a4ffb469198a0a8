public import ParticlesCore
public import ParticlesContainer
package import ParticlesSystem

extension ByteSource {
  /// A file, kept open as long as the source is in use. If another file replaces it later, the source still reads the
  /// opened file. Of many such files, few keep a descriptor.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` or ``ParticlesCore/Rule/fileUnreadable``.
  public static func file(_ path: String) throws(Failure) -> ByteSource {
    let file = try OpenFile(readingAtOnce: path)
    let status = try file.status()
    guard status.kind == .file else {
      throw Diagnostic(.fileUnreadable, at: Location(file: path), "not a regular file")
    }
    file.makeParkable()
    return .file(file, size: status.size, state: status.state)
  }

  /// The first `size` bytes of an open file.
  /// - Parameter state: the state that the file had with this size. See ``fileState``.
  package static func file(_ file: OpenFile, size: Int, state: FileState) -> ByteSource {
    ByteSource(size: size, name: file.path, of: DiskFile(file, state))
  }

  /// The file on a disk that the bytes are read from, at equal offsets, or nil if they come from elsewhere.
  package var diskFile: OpenFile? { (file as? DiskFile)?.open }

  /// The state of ``diskFile`` when it had the size of this source. A state that is asked for later may include what
  /// another program has appended meanwhile, and a save that compares with it would replace those bytes.
  package var fileState: FileState? { (file as? DiskFile)?.state }
}

/// An open file that a source reads.
private final class DiskFile: ForeignFile, @unchecked Sendable {
  let open: OpenFile
  let state: FileState

  init(_ open: OpenFile, _ state: FileState) { (self.open, self.state) = (open, state) }

  override func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Failure) {
    try open.read(at: offset, into: buffer)
  }

  override func isGrowing(beyond size: Int) throws(Failure) -> Bool {
    guard open.tryLock() else { return true }
    open.unlock()
    return try open.status().size != size
  }
}
