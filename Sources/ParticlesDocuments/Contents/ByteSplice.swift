internal import ParticlesPlatform

/// The difference of two byte sequences: a range that was replaced.
struct ByteSplice: Sendable, Hashable {
  let start: Int
  let old: [UInt8]
  let new: [UInt8]

  /// - Parameters:
  ///   - byLines: whether the range begins and ends at line breaks.
  ///   - offset: the number of bytes before these.
  init(from old: [UInt8], to new: [UInt8], byLines: Bool = false, startingAt offset: Int = 0) {
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
  var range: Range<Int> { start..<start + old.count }

  /// Returns the new bytes of the old ones.
  func redone(_ bytes: [UInt8]) -> [UInt8]? { Self.replace(bytes, start, old, new) }

  /// Returns the old bytes of the new ones.
  func undone(_ bytes: [UInt8]) -> [UInt8]? { Self.replace(bytes, start, new, old) }

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

  /// How many bytes are compared at once.
  private static let block = 4096

  private static func commonPrefix(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        guard let first = a.baseAddress, let second = b.baseAddress else { return 0 }
        let limit = min(a.count, b.count)
        var count = 0
        while count + block <= limit, memcmp(first + count, second + count, block) == 0 {
          count += block
        }
        while count < limit, a[count] == b[count] { count += 1 }
        return count
      }
    }
  }

  private static func commonSuffix(_ a: [UInt8], _ b: [UInt8], _ limit: Int) -> Int {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        guard let first = a.baseAddress, let second = b.baseAddress else { return 0 }
        var count = 0
        while count + block <= limit,
          memcmp(first + (a.count - count - block), second + (b.count - count - block), block) == 0
        {
          count += block
        }
        while count < limit, a[a.count - 1 - count] == b[b.count - 1 - count] { count += 1 }
        return count
      }
    }
  }
}
