import ParticlesCore
import Testing

@Suite("Base 85")
struct Base85Tests {
  /// Decodes as the pages do: digits by their place among the printable characters that are letters.
  private func decoded(_ text: String) -> [UInt8] {
    let letters = (33...126 as ClosedRange<UInt8>).filter {
      !Array("\"&'<>\\`{}".utf8).contains($0)
    }
    var (bytes, digits) = ([UInt8](), text.utf8.map { UInt64(letters.firstIndex(of: $0) ?? -1) })
    while !digits.isEmpty {
      let group = digits.prefix(5) + Array(repeating: 84, count: max(0, 5 - digits.count))
      let value = group.reduce(0) { $0 * 85 + $1 }
      let count = min(5, digits.count) - 1
      bytes += (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(24 - 8 * $0)) }
      digits.removeFirst(min(5, digits.count))
    }
    return bytes
  }

  @Test("all lengths come back, in letters that mean nothing in a page", arguments: 0..<18)
  func lengths(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 251 + 17) }
    let text = bytes.base85
    #expect(decoded(text) == bytes)
    #expect(text.utf8.count == count + (count + 3) / 4)
    #expect(!text.contains { "\"&'<>\\`{} \n".contains($0) })
  }

  @Test("the greatest and the least group", arguments: [UInt8(0), 255])
  func ends(_ byte: UInt8) {
    let bytes = [UInt8](repeating: byte, count: 7)
    #expect(decoded(bytes.base85) == bytes)
  }
}
