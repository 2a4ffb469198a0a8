/// The difference of two byte sequences: a range that was replaced.
package struct ByteSplice: Sendable, Hashable {
  package let start: Int
  package let old: [UInt8]
  package let new: [UInt8]

  /// - Parameters:
  ///   - byLines: whether the range begins and ends at line breaks.
  ///   - offset: the number of bytes before these.
  package init(
    from old: [UInt8], to new: [UInt8], byLines: Bool = false, startingAt offset: Int = 0
  ) {
    var start = Self.commonPrefix(old, new)
    let limit = min(old.count, new.count) - start
    var end = Self.commonSuffix(old, new, limit)
    if byLines {
      func isLineStart(_ bytes: [UInt8], _ index: Int) -> Bool {
        index == 0 || bytes[index - 1] == UInt8(ascii: "\n")
      }
      while !isLineStart(old, start) { start -= 1 }
      while end > 0, !isLineStart(old, old.count - end) || !isLineStart(new, new.count - end) {
        end -= 1
      }
    }
    self.start = offset + start
    self.old = Array(old[start..<(old.count - end)])
    self.new = Array(new[start..<(new.count - end)])
  }

  /// The range in the old bytes.
  package var range: Range<Int> { start..<start + old.count }

  /// Returns the new bytes of the old ones.
  package func redone(_ bytes: [UInt8]) -> [UInt8]? { Self.replace(bytes, start, old, new) }

  /// Returns the old bytes of the new ones.
  package func undone(_ bytes: [UInt8]) -> [UInt8]? { Self.replace(bytes, start, new, old) }

  private static func replace(
    _ bytes: [UInt8], _ start: Int, _ old: [UInt8], _ new: [UInt8]
  ) -> [UInt8]? {
    guard start + old.count <= bytes.count else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count - old.count + new.count)
    result += bytes[..<start]
    result += new
    result += bytes[(start + old.count)...]
    return result
  }

  /// The number of equal bytes at the beginning.
  private static func commonPrefix(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        let limit = min(a.count, b.count)
        var count = 0
        while count + 8 <= limit, word(a, count) == word(b, count) { count += 8 }
        while count < limit, a[count] == b[count] { count += 1 }
        return count
      }
    }
  }

  /// The number of equal bytes at the end, at most `limit`.
  private static func commonSuffix(_ a: [UInt8], _ b: [UInt8], _ limit: Int) -> Int {
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        var count = 0
        while count + 8 <= limit, word(a, a.count - count - 8) == word(b, b.count - count - 8) {
          count += 8
        }
        while count < limit, a[a.count - 1 - count] == b[b.count - 1 - count] { count += 1 }
        return count
      }
    }
  }

  /// Eight bytes at an offset, to be compared at once.
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
