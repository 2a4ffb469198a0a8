/// A name as seen by a file system that ignores the case of ASCII letters.
struct FoldedName {
  /// A hash of the name in lower case.
  private(set) var hash: UInt64
  /// Whether the name is ASCII.
  private(set) var isASCII = true
  /// Whether the name is ASCII without capital letters.
  var isPlain = true

  /// Reads eight bytes at a time.
  init(ascii name: UnsafeBufferPointer<UInt8>) {
    hash = UInt64(name.count)
    guard let start = UnsafeRawPointer(name.baseAddress), name.count >= 8 else {
      add(EightBytes(name.reduce(0) { $0 << 8 | UInt64($1) }))
      return
    }
    for offset in stride(from: 0, to: name.count - 8, by: 8) { add(EightBytes(start + offset)) }
    // The last eight may overlap those before.
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
