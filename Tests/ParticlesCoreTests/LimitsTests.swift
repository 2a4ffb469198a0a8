import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Limits")
struct LimitsTests {
  @Test("the limit itself is allowed; one more is reported with all there is to know")
  func check() {
    var limits = Limits()
    limits.depth = 5
    for value in [Int.min, 0, 4, 5] {
      #expect(throws: Never.self) { try limits.check(value, \.depth, "levels") }
    }
    let error = expectThrows(.limit) {
      try limits.check(6, \.depth, "levels", at: .entry("a/b"))
    }
    #expect(error?.location == .entry("a/b"))
    #expect(
      error?.message == "a limit of the reader is exceeded: levels (expected at most 5, found 6)")
    #expect(error?.hint != nil)
    expectThrows(.limit) { try limits.check(.max, \.depth, "levels") }
  }

  @Test("the place is worked out only where it is needed")
  func lazyLocation() throws {
    var asked = 0
    func place() -> Location {
      asked += 1
      return .offset(0)
    }
    try Limits.standard.check(1, \.entries, "entries", at: place())
    #expect(asked == 0)
  }

  @Test("the defaults are those that the specification names")
  func defaults() {
    #expect(Limits() == .standard)
    #expect(Limits().entries == 100_000 && Limits().depth == 64)
    #expect(Limits().amplification == 1_100)
    #expect(Limits().entryBytes == 4 << 30 && Limits().totalBytes == 64 << 30)
  }

  @Test("amplification: 1,100 bytes for each byte, 1 KiB for each entry, and 16 MiB for any file")
  func amplification() throws {
    let limits = Limits()
    try limits.checkAmplification(bytes: 16 << 20, entries: 0, from: 1)
    try limits.checkAmplification(bytes: 0, entries: 16 << 10, from: 1)
    try limits.checkAmplification(bytes: 110_000_000, entries: 0, from: 100_000)
    expectThrows(.limit) {
      try limits.checkAmplification(bytes: 110_000_001, entries: 0, from: 100_000)
    }
    let error = expectThrows(.limit) {
      try limits.checkAmplification(bytes: 16 << 20, entries: 1, from: 1)
    }
    #expect(
      error?.message
        == "a limit of the reader is exceeded: unpacked bytes for a file of 1 bytes (amplification) "
        + "(expected at most 16777216, found 16778240)")
    expectThrows(.limit) {
      try limits.checkAmplification(bytes: .max, entries: 1, from: .max)
    }
    try Limits.none.checkAmplification(bytes: .max - 1024, entries: 1, from: 1)
  }
}
