internal import ParticlesCore
internal import ParticlesSystem

/// Real effects to test with: the project's own in `Fixtures/effects`, and the corpus, the folder `../shared/corpus`
/// beside the repository. The corpus holds work of other people and is not distributed. Without it, suites run over the
/// project's effects alone. A test that needs the corpus is disabled by `isPresent`, and the reason is printed.
package enum Corpus {
  package static let isPresent = Repository.corpus != nil

  /// The paths of effects in the project and in the corpus.
  /// - Parameters:
  ///   - name: A folder in both places: `plist`, `pd-json`, `pex`, `scnp`, `sks`, `apple-particles`.
  ///   - kind: The extension of the files, without the dot.
  package static func files(_ name: String, _ kind: String) -> [String] {
    own(name, kind) + published(name, kind)
  }

  /// The paths of the project's own effects, which import without any finding.
  package static func own(_ name: String, _ kind: String) -> [String] {
    list("\(Repository.path("Fixtures/effects"))/\(name)", kind)
  }

  /// The paths of files in the corpus. Empty where it is absent.
  package static func published(_ name: String, _ kind: String) -> [String] {
    Repository.corpus.map { list("\($0)/\(name)", kind) } ?? []
  }

  /// The project's own effects, and of the corpus a fixed part, at even distances.
  /// - Parameter count: How many files of the corpus, unless all are wanted.
  package static func sample(_ name: String, _ kind: String, _ count: Int = 4) -> [String] {
    own(name, kind) + Sample.of(published(name, kind), count)
  }

  private static func list(_ folder: String, _ kind: String) -> [String] {
    let names = (try? Files.list(folder)) ?? []
    return names.filter { Files.pathExtension(of: $0) == kind }.map { "\(folder)/\($0)" }
  }
}
