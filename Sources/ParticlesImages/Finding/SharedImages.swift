package import ParticlesCore

/// Image work that the documents of a batch share: listings of folders, and decoded and compressed
/// images. Many effects show the same few images, and an exported effect is read again at once.
package final class SharedImages: Sendable {
  /// A kind of work. Its results depend on the input and the limits only.
  package enum Work: Hashable, Sendable {
    /// Conversion of an image for a package.
    case convert
    /// Decoding of an image that is embedded as text.
    case unpack
    /// Encoding of an image as text.
    case pack
  }

  private struct Key: Hashable {
    var work: Work
    var input: HashedBytes
    var limits: Limits
  }

  private struct Results {
    var values: [Key: any Sendable] = [:]
    var bytes = 0
  }

  @TaskLocal private static var current: SharedImages?

  private let maxBytes: Int
  private let results = Lock(Results())
  private let listings = Listings(isShared: true)

  /// Creates an empty cache.
  /// - Parameter maxBytes: the bytes of inputs and results after which the cache is emptied; 64 MiB
  ///   by default.
  package init(maxBytes: Int = 64 << 20) { self.maxBytes = maxBytes }

  /// Runs `body` with this cache.
  package func share<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// The listings of the current batch, or new ones outside of a batch.
  static func listings() -> Listings { current?.listings ?? Listings() }

  /// Returns a stored result, or makes and stores it. Outside of a batch nothing is stored. Errors
  /// are not stored.
  /// - Parameter size: the number of bytes of a result.
  package static func result<Value: Sendable>(
    _ work: Work, of input: [UInt8], limits: Limits, size: (Value) -> Int, make: () throws -> Value
  ) rethrows -> Value {
    guard let current else { return try make() }
    let key = Key(work: work, input: HashedBytes(input), limits: limits)
    if let known = current.results.withLock({ $0.values[key] }) as? Value { return known }
    let value = try make()
    let bytes = input.count + size(value)
    current.results.withLock { results in
      if results.bytes + bytes > current.maxBytes { results = Results() }
      guard bytes <= current.maxBytes, results.values.updateValue(value, forKey: key) == nil else {
        return
      }
      results.bytes += bytes
    }
    return value
  }
}

/// Bytes as the key of a dictionary. They are hashed once; arrays are hashed for each question, and element by element.
package struct HashedBytes: Hashable, Sendable {
  private let bytes: [UInt8]
  private let digest: Int

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    digest = hasher.finalize()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
