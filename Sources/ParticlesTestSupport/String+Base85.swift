extension String {
  /// The bytes of a text in base 85, decoded as the pages do: by the place of a letter among the printable characters
  /// that mean nothing in a page.
  public var bytesOfBase85: [UInt8] {
    let letters = (33...126 as ClosedRange<UInt8>).filter { !"\"&'<>\\`{}".utf8.contains($0) }
    var (bytes, digits) = ([UInt8](), utf8.map { UInt64(letters.firstIndex(of: $0) ?? 0) }[...])
    while !digits.isEmpty {
      let count = Swift.min(5, digits.count)
      let group = digits.prefix(5) + Array(repeating: 84, count: 5 - count)
      let value = group.reduce(0) { $0 * 85 + $1 }
      bytes += (0..<(count - 1)).map { UInt8(truncatingIfNeeded: value >> UInt64(24 - 8 * $0)) }
      digits = digits.dropFirst(count)
    }
    return bytes
  }
}
