internal import ParticlesContainer
internal import ParticlesCore

extension FileContents {
  /// Creates contents that can only be read as a whole, such as a stream with a digest. Of several pieces, the first one
  /// reads them; they are in memory until the last one was read.
  /// - Parameters:
  ///   - size: the number of bytes.
  ///   - read: returns all of them. It is called by one thread at a time.
  init(size: Int, whole read: @escaping @Sendable () throws -> [UInt8]) {
    let kept = Lock<[UInt8]?>(nil)
    self.init(size: size) { offset, buffer in
      let bytes = try kept.withLock { kept in
        let bytes = try kept ?? read()
        let isLast = offset + buffer.count == size
        kept = isLast ? nil : bytes
        return bytes
      }
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
  }
}
