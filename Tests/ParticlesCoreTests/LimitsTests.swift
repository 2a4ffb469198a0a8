import Foundation
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

  @Test("no limit for untrusted files is above the default, and most are below")
  func untrusted() throws {
    let strict = Mirror(reflecting: Limits.untrusted).children.map { ($0.label, $0.value as? Int) }
    let standard = Mirror(reflecting: Limits.standard).children.map { $0.value as? Int }
    var lower = 0
    for ((label, value), most) in zip(strict, standard) {
      let (value, most) = (try #require(value), try #require(most))
      #expect(value <= most, "\(label ?? "")")
      if value < most { lower += 1 }
    }
    #expect(lower >= standard.count - 2)
  }

  @Test("the defaults are those that the specification names")
  func defaults() {
    #expect(Limits() == .standard)
    #expect(Limits().entries == 100_000 && Limits().depth == 64)
    #expect(Limits().amplification == 1_100)
    #expect(Limits().entryBytes == 4 << 30 && Limits().totalBytes == 64 << 30)
  }

  @Test("each default is the number in its comment")
  func documented() throws {
    let path = "\(Repository.root)/Sources/ParticlesCore/Limits.swift"
    let source = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    let units = [
      "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "million": 1_000_000,
      "billion": 1_000_000_000,
    ]
    var (comment, stated) = ("", [String: Int]())
    for line in source.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.hasPrefix("///") {
        comment += line.dropFirst(3)
      } else if line.hasPrefix("public var "), let start = comment.firstRange(of: "(default ") {
        let words = comment[start.upperBound...].split { " :;)".contains($0) }
        let digits = try #require(words.first).filter { $0.isNumber || $0 == "." }
        let unit = words.dropFirst().first.flatMap { units[$0.filter(\.isLetter)] } ?? 1
        let number = try #require(Double(digits)) * Double(unit)
        stated[String(line.split(separator: " ")[2])] = Int(number)
        comment = ""
      } else {
        comment = ""
      }
    }
    for (label, value) in Mirror(reflecting: Limits()).children {
      #expect(stated[try #require(label)] == value as? Int, "\(label ?? "")")
    }
  }

  @Test(
    "amplification: 1,100 bytes for each byte, 256 bytes for each entry, and 1 MiB for any input")
  func amplification() throws {
    func check(_ bytes: Int, _ entries: Int, _ size: Int, _ limits: Limits = Limits()) throws {
      try limits.checkAmplification(bytes: bytes, entries: entries, from: size, of: "a package")
    }
    // bytes + 256 entries <= 1,100 size + 1,048,576
    for (bytes, entries, size) in [
      (1_048_576, 0, 0), (0, 4096, 0), (256, 4095, 0), (1_048_576 + 1100, 0, 1),
      (1_048_576 + 110_000_000, 0, 100_000), (1_048_576 + 84_400_000, 100_000, 100_000),
    ] {
      try check(bytes, entries, size)
      expectThrows(.limit) { try check(bytes + 1, entries, size) }
      expectThrows(.limit) { try check(bytes, entries + 1, size) }
    }
    let error = expectThrows(.limit) { try check(1 << 20, 1, 0) }
    #expect(
      error?.message
        == "a limit of the reader is exceeded: unpacked bytes of a package of 0 bytes (amplification) "
        + "(expected at most 1048576, found 1048832)")
    // Sums that are too large to count.
    try check(.max, 1, .max)
    expectThrows(.limit) { try check(.max, 1, 1) }
    expectThrows(.limit) { try check(0, .max, 1) }
    try check(.max, .max, 1, .none)
  }
}
