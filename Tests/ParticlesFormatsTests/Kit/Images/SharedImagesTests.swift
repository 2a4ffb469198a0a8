import ParticlesCore
import ParticlesDocuments
import ParticlesImages
import ParticlesTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Image work that the documents of a batch share.
@Suite struct SharedImagesTests {
  /// Counts how often a result is made.
  private final class Counter {
    var count = 0
    func make(_ work: SharedWork, _ input: [UInt8], _ limits: Limits = .standard) -> Int {
      SharedImages.result(work, of: input, limits: limits, size: { _ in 100 }) {
        count += 1
        return count
      }
    }
  }

  @Test("a result is made once for each kind of work, input and limits")
  func once() {
    let counter = Counter()
    var strict = Limits.standard
    strict.pixels = 10
    SharedImages().share {
      #expect(counter.make(.pack, [1]) == 1)
      #expect(counter.make(.pack, [1]) == 1)
      #expect(counter.make(.unpack, [1]) == 2)
      #expect(counter.make(.pack, [2]) == 3)
      #expect(counter.make(.pack, [1], strict) == 4)
      #expect(counter.make(.pack, [1]) == 1)
    }
    #expect(counter.make(.pack, [1]) == 5)
    SharedImages().share { #expect(counter.make(.pack, [1]) == 6) }
  }

  @Test("results take at most the stated number of bytes")
  func bounded() {
    let counter = Counter()
    SharedImages(maxBytes: 250).share {
      _ = counter.make(.pack, [1])
      _ = counter.make(.pack, [2])
      #expect(counter.make(.pack, [1]) == 1)
      // Empties the cache.
      #expect(counter.make(.pack, [3]) == 3)
      #expect(counter.make(.pack, [1]) == 4)
    }
    SharedImages(maxBytes: 100).share {
      #expect(counter.make(.pack, [1]) == 5)
      #expect(counter.make(.pack, [1]) == 6)
    }
  }

  @Test("a batch lists a folder once; another batch sees new files")
  func listings() throws {
    let scratch = try Scratch()
    let path = scratch.file("fire.plist")
    func found(_ name: String) throws -> String? {
      try ImageFinder(besides: path).image(name)?.name
    }
    let before = try BatchFiles().share { () throws -> [String?] in
      // An image that is missing makes the finder list the folder.
      let missing = try found("a.png")
      try Data([1]).write(to: URL(fileURLWithPath: scratch.file("a.png")))
      return [missing, try found("a.png")]
    }
    #expect(before == [nil, nil])
    let after = try BatchFiles().share { () throws -> [String?] in
      [try found("A.PNG"), try found("a.png"), try found("b.png")]
    }
    #expect(after == ["A.PNG", "a.png", nil])
    #expect(try found("a.png") == "a.png")
  }
}
