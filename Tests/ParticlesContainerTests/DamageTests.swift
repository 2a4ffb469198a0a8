import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Damaged packages")
struct DamageTests {
  /// Opens and reads everything. Returns the tree, or the error.
  private func outcome(_ bytes: [UInt8]) -> Result<FileNode, any Error> {
    Result {
      let package = try Container(decoding: bytes)
      guard package.warnings.isEmpty else { throw package.warnings[0] }
      try package.root.forEachDescendant { _, node in _ = try node.regularFileContents() }
      return package.root
    }
  }

  @Test("a cut at any byte is a clear error")
  func truncation() throws {
    let bytes = try Container(root: try SampleTree.small()).encoded()
    for length in 0..<bytes.count {
      guard case .failure(let error) = outcome(Array(bytes[..<length])) else {
        Issue.record("a package cut after \(length) bytes was opened")
        return
      }
      let diagnostic = try #require(error as? Diagnostic)
      #expect([.signature, .truncated].contains(diagnostic.rule), "\(length): \(diagnostic)")
    }
  }

  @Test("any byte changed in any of several ways is a clear error, and verification sees it")
  func flips() throws {
    let bytes = try Container(root: try SampleTree.small()).encoded()
    let changes: [(UInt8) -> UInt8] = [
      { $0 ^ 1 }, { $0 ^ 0x80 }, { ~$0 }, { $0 &+ 1 }, { _ in 0 }, { _ in 0xFF },
    ]
    for offset in bytes.indices {
      for change in changes where change(bytes[offset]) != bytes[offset] {
        var damaged = bytes
        damaged[offset] = change(damaged[offset])
        guard case .failure(let error) = outcome(damaged) else {
          Issue.record("byte \(offset) changed to \(damaged[offset]) went unnoticed")
          return
        }
        #expect(error is Diagnostic, "\(offset): \(error)")
        if let reader = try? ContainerReader(.bytes(damaged)) {
          #expect(try !reader.verify(.quick).isEmpty, "\(offset)")
        }
      }
    }
  }

  @Test("runs of bytes overwritten, removed, repeated or swapped never crash nor give a wrong tree")
  func mutations() throws {
    let tree = try SampleTree.small()
    let bytes = try Container(root: tree).encoded()
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3000 {
      var mutant = bytes
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = Int.random(in: start..<min(bytes.count, start + 64), using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: for index in start...end { mutant[index] = UInt8.random(in: 0...255, using: &random) }
      case 1: mutant.removeSubrange(start...end)
      case 2: mutant.insert(contentsOf: bytes[start...end], at: start)
      default:
        let other = Int.random(in: 0..<bytes.count - (end - start), using: &random)
        mutant.replaceSubrange(other...other + end - start, with: bytes[start...end])
      }
      switch outcome(mutant) {
      case .success(let opened): #expect(try opened.matchesContents(of: tree))
      case .failure(let error): #expect(error is Diagnostic)
      }
    }
  }

  @Test("an unfinished save is ignored, and said to be")
  func torn() throws {
    let tree = try SampleTree.small()
    let bytes = try Container(root: tree).encoded()
    for extra in [[0], [UInt8](repeating: 0, count: 5000), Array(bytes.dropFirst(16).prefix(300))] {
      let package = try Container(decoding: bytes + extra)
      #expect(package.warnings.map(\.rule) == [.torn])
      #expect(try package.root.matchesContents(of: tree))
      let reader = try ContainerReader(.bytes(bytes + extra))
      #expect(try reader.verify().map(\.rule) == [.torn])
    }
  }

  @Test("the checksum that a frame carries is that of other bytes")
  func errorsNameThePlace() throws {
    var bytes = try Container(root: try SampleTree.small()).encoded()
    let data = try #require(bytes.firstRange(of: Array("DATA".utf8)))
    bytes[data.lowerBound + 30] ^= 1
    let error = try #require(throws: Diagnostic.self) {
      try Container(decoding: bytes).root["Images/spark.png"]?.regularFileContents()
    }
    #expect(error.rule == .checksum)
    #expect(error.location.entry == "Images/spark.png")
    #expect(error.location.position == .offset(data.lowerBound))
    #expect(error.expected != nil && error.found != nil && error.hint != nil)
  }
}
