/// A reusable buffer of one thread. It grows on demand. Reuse saves the system from clearing new
/// pages.
package final class WorkBuffer {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  package init() {}

  deinit { memory.deallocate() }

  /// The first `count` bytes. Their contents are unspecified after the buffer has grown.
  package subscript(count: Int) -> UnsafeMutableRawBufferPointer {
    if count > memory.count {
      memory.deallocate()
      memory = .allocate(byteCount: count, alignment: 64)
    }
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }
}

/// A pool of buffers that several threads fill and one thread empties.
package final class BytePool: Sendable {
  private let size: Int
  private let free = Lock<[[UInt8]]>([])

  /// - Parameter size: the size of new buffers, if no larger one is requested.
  package init(size: Int) { self.size = size }

  /// Returns a buffer of at least `count` bytes with unspecified contents.
  package func borrow(_ count: Int) -> [UInt8] {
    if let bytes = free.withLock({ $0.popLast() }), bytes.count >= count { return bytes }
    return [UInt8](repeating: 0, count: max(size, count))
  }

  package func giveBack(_ bytes: [UInt8]) { free.withLock { $0.append(bytes) } }
}
