import ParticlesCore
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The parts of the inputs that slow tests use.
struct SampleTests {
  @Test func elementsAreAtEvenDistancesWithTheFirstAndTheLast() {
    #expect(Sample.spread(Array(0..<10), 4) == [0, 3, 6, 9])
    #expect(Sample.spread(Array(0..<10), 1) == [0])
    #expect(Sample.spread(Array(0..<3), 3) == [0, 1, 2])
    #expect(Sample.spread(Array(0..<3), 5) == [0, 1, 2])
    #expect(Sample.spread([Int](), 2).isEmpty)
  }

  @Test func noKindIsWithoutAnElement() {
    let words = ["ab", "b", "ac", "ad", "c"]
    #expect(Sample.spread(words, 2, ofEach: \.count) == ["ab", "ad", "b", "c"])
    #expect(Sample.spread(words, 1, ofEach: \.first) == ["ab", "b", "c"])
  }

  /// A format that only files of the corpus have is not left to `make test-all`.
  @Test func theSampleOfLawsHasEachFormatOfTheCorpus() throws {
    func formats(_ paths: [String]) -> Set<String> {
      Set(
        paths.compactMap { path in
          (try? Files.read(path)).flatMap {
            try? FormatRegistry.standard.recognising($0, fileName: Files.lastComponent(of: path))
          }?.name
        })
    }
    for folder in TreeCorpusTests.folders {
      let (sample, whole) = (
        Corpus.sample(folder.name, folder.kind, 3), Corpus.files(folder.name, folder.kind)
      )
      #expect(formats(sample) == formats(whole), "\(folder.name)")
    }
    for (folder, kind) in [("godot", "tscn"), ("plist", "plist"), ("pd-json", "json")] {
      #expect(
        formats(Corpus.sample(folder, kind, 3)) == formats(Corpus.files(folder, kind)),
        "\(folder)")
    }
  }
}
