/// What a name is for a file system that takes capital letters of ASCII for small ones.
struct FoldedName {
  /// A hash of the name in small letters.
  private(set) var hash: UInt64
  /// Whether there is nothing but ASCII in it.
  private(set) var isASCII = true
  /// Whether there is nothing but ASCII in it, and no capital letter.
  var isPlain = true

  /// Looks at eight bytes at a time.
  init(ascii name: UnsafeBufferPointer<UInt8>) {
    hash = UInt64(name.count)
    let bytes = UnsafeRawBufferPointer(name)
    var index = 0
    while index + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index += 1
    }
    add(rest)
  }

  private mutating func add(_ word: UInt64) {
    let high: UInt64 = 0x8080_8080_8080_8080
    let low = word & ~high
    // The high bit of each byte: whether it is at least "A"; whether it is behind "Z".
    let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
    let behindZ = low &+ 0x2525_2525_2525_2525
    let capitals = fromA & ~behindZ & ~word & high
    if word & high != 0 { isASCII = false }
    if capitals | word & high != 0 { isPlain = false }
    hash = (hash ^ (word | capitals >> 2)) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
  }
}
