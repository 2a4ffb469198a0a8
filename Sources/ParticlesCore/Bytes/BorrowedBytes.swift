extension Array where Element == UInt8 {
  /// Calls `body` with the bytes. Unlike `withUnsafeBytes`, it throws errors of a type.
  @inlinable @inline(__always)
  package func withBytes<Result, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    try withUnsafeBufferPointer { (bytes) throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
  }
}

extension ArraySlice where Element == UInt8 {
  /// Calls `body` with the bytes. Unlike `withUnsafeBytes`, it throws errors of a type.
  @inlinable @inline(__always)
  package func withBytes<Result, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    try withUnsafeBufferPointer { (bytes) throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
  }
}
