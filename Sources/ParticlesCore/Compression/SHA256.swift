internal import CParticlesDigest

/// Computes a SHA-256 digest (FIPS 180-4) piece by piece.
package struct SHA256 {
  private var state: MessageDigest

  /// Begins a digest of no bytes.
  /// - Parameter usesInstructions: whether to use the processor's own instructions for SHA-256, if any. The digest is
  ///   equal without them, which tests compare.
  package init(usesInstructions: Bool = true) {
    state = MessageDigest(CPARTICLES_SHA256, isPlain: !usesInstructions)
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) { state.update(bytes) }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  /// Ends the computation and returns the digest.
  package mutating func finalize() -> ContentDigest {
    ContentDigest(bytes: state.finish(ContentDigest.size))
  }

  package static func digest(_ bytes: some Collection<UInt8>) -> ContentDigest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }

  /// Returns the authentication code of some bytes: HMAC with SHA-256 (RFC 2104).
  /// - Parameter key: at most 64 bytes.
  package static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let block = 64
    precondition(key.count <= block)
    let padded = key + Array(repeating: 0, count: block - key.count)
    let inner = digest(padded.map { $0 ^ 0x36 } + bytes).bytes
    return digest(padded.map { $0 ^ 0x5C } + inner).bytes
  }
}

/// A SHA-256 digest.
public struct ContentDigest: Sendable, Hashable, CustomStringConvertible {
  /// The number of bytes of a digest.
  public static let size = 32

  /// The bytes.
  public let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// 64 lower-case hexadecimal digits.
  public var description: String { bytes.hexDigits }
}

/// The MD5 digest (RFC 1321), which names files of the desktop's cache of thumbnails. It protects nothing.
package enum MD5 {
  /// Returns the digest of some bytes in 32 lower-case hexadecimal digits.
  package static func hexDigits(_ bytes: [UInt8]) -> String {
    var state = MessageDigest(CPARTICLES_MD5)
    bytes.withUnsafeBytes { state.update($0) }
    return state.finish(16).hexDigits
  }
}

/// A digest that is computed by C.
private struct MessageDigest {
  private var digest = cparticles_digest()

  init(_ kind: cparticles_digest_kind, isPlain: Bool = false) {
    cparticles_digest_begin(&digest, kind, isPlain)
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    cparticles_digest_add(&digest, start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  mutating func finish(_ size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { output, count in
      if let start = output.baseAddress { cparticles_digest_end(&digest, start) }
      count = size
    }
  }
}
