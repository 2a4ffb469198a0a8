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
    #expect(Limits().entryBytes == 4 << 30 && Limits().totalBytes == 64 << 30)
  }
}
