/// Bytes as the key of a dictionary, hashed once. An array is hashed at each question, element by element.
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
