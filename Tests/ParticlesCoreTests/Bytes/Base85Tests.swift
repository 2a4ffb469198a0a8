import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Base 85")
struct Base85Tests {
  @Test("all lengths come back, in letters that mean nothing in a page", arguments: 0..<18)
  func lengths(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 251 + 17) }
    let text = bytes.base85
    #expect(text.bytesOfBase85 == bytes)
    #expect(text.utf8.count == count + (count + 3) / 4)
    #expect(!text.contains { "\"&'<>\\`{} \n".contains($0) })
  }

  @Test("the greatest and the least group", arguments: [UInt8(0), 255])
  func ends(_ byte: UInt8) {
    let bytes = [UInt8](repeating: byte, count: 7)
    #expect(bytes.base85.bytesOfBase85 == bytes)
  }
}
