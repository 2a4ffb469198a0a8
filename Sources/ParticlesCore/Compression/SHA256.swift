internal import CParticlesMessageDigest

/// The SHA-256 digest (FIPS 180-4) of bytes that come in pieces.
package struct SHA256 {
  private var context = SHA2_CTX()

  package init() { SHA256Init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    SHA256Update(&context, start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  /// The digest of everything so far; ends the computation.
  package mutating func finalize() -> ContentDigest {
    ContentDigest(
      bytes: [UInt8](unsafeUninitializedCapacity: ContentDigest.size) { output, count in
        SHA256Final(output.baseAddress, &context)
        count = ContentDigest.size
      })
  }

  package static func digest(_ bytes: some Collection<UInt8>) -> ContentDigest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }
}

/// A SHA-256 digest.
public struct ContentDigest: Sendable, Hashable, CustomStringConvertible {
  /// How many bytes a digest has.
  public static let size = 32

  /// The bytes.
  public let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// 64 lower-case hexadecimal digits.
  public var description: String { bytes.hexDigits }
}
