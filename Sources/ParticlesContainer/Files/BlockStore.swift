package import ParticlesCore

/// Something that holds a stream of contents in compressed blocks: an open package, or a spool.
package protocol BlockStore: AnyObject, Sendable {
  /// What the store is called in the locations of diagnostics.
  var name: String? { get }

  /// Fills `buffer` with the bytes of the stream from `offset` on.
  func read(stream offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws

  /// The payload of the block that holds exactly these bytes of the stream, as it is stored; nil if
  /// no block does. Its checksum has been found right.
  /// - Parameter shared: the file in which the bytes may stay; nil if they are wanted in memory.
  func payload(exactly range: Range<Int>, in shared: OpenFile?) throws -> Payload?
}
