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
    guard let start = UnsafeRawPointer(name.baseAddress), name.count >= 8 else {
      add(EightBytes(name.reduce(0) { $0 << 8 | UInt64($1) }))
      return
    }
    for offset in stride(from: 0, to: name.count - 8, by: 8) { add(EightBytes(start + offset)) }
    // The last eight may have some in common with those before.
    add(EightBytes(start + name.count - 8))
  }

  private mutating func add(_ bytes: EightBytes) {
    let capitals = bytes.capitals
    if !bytes.isASCII { isASCII = false }
    if !bytes.isASCII || capitals != 0 { isPlain = false }
    hash = (hash ^ (bytes.word | capitals >> 2)) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
  }
}
