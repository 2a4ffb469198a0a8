internal import ParticlesPlatform

/// Extended attributes, and the time of creation.
extension Files {
  /// The bytes of an extended attribute of a file; nil if there is none, or the file system has none.
  package static func attribute(_ name: String, of path: String) -> [UInt8]? {
    var size = 256
    while size <= 65536 {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
        count = Places.target(path) { path, flags in
          SystemCalls.attribute(
            name, of: path, following: flags == 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
        initialized = max(0, min(count, size))
      }
      if count < 0 { return nil }
      if count <= size { return bytes }
      size = count
    }
    return nil
  }

  /// Sets an extended attribute of a file; removes it if there are no bytes.
  /// - Throws: ``Rule/fileUnwritable`` if the file system or the permissions do not allow it.
  package static func setAttribute(_ name: String, of path: String, to bytes: [UInt8]) throws {
    let code = Places.target(path, else: \.self) { path, flags in
      SystemCalls.setAttribute(name, of: path, following: flags == 0, to: bytes)
    }
    guard code == 0 else { throw SystemError.diagnostic(code, path, writing: true) }
  }

  /// When a file was created, in seconds since 1970; nil if that is not known.
  package static func created(_ path: String) -> Double? {
    SystemCalls.birthTime(path).map { Double($0.seconds) + Double($0.nanoseconds) / 1e9 }
  }
}
