/// Builds tar archives header by header, valid or not.
package enum TarForge {
  /// A header with a correct checksum, and contents padded to a block.
  package static func entry(
    _ name: String, type: Character = "0", _ contents: [UInt8] = [], link: String = "",
    size: String? = nil, mode: String = "0000644"
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ offset: Int) {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    put(name, 0)
    put(mode, 100)
    put(size ?? String(contents.count, radix: 8), 124)
    put("        ", 148)
    put(String(type), 156)
    put(link, 157)
    put("ustar\u{0}00", 257)
    put(String(block.reduce(0) { $0 + Int($1) }, radix: 8) + "\u{0}", 148)
    let padding = (512 - contents.count % 512) % 512
    return block + contents + [UInt8](repeating: 0, count: padding)
  }

  /// An extended header with one record.
  package static func record(_ key: String, _ value: String, type: Character = "x") -> [UInt8] {
    var length = key.utf8.count + value.utf8.count + 3
    while "\(length) \(key)=\(value)\n".utf8.count != length {
      length = "\(length) \(key)=\(value)\n".utf8.count
    }
    return entry("x", type: type, Array("\(length) \(key)=\(value)\n".utf8))
  }

  /// The entries followed by the end-of-archive blocks.
  package static func archive(_ entries: [UInt8]...) -> [UInt8] {
    entries.flatMap(\.self) + [UInt8](repeating: 0, count: 1024)
  }
}
