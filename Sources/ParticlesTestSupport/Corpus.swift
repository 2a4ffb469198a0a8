internal import ParticlesCore

/// Files of other authors that are not part of the repository: the folder `../shared/corpus` beside
/// it. Tests of the corpus report a skip if it is absent.
package enum Corpus {
  package static let isPresent = Repository.corpus != nil

  /// The paths of the files in a folder of the corpus, by extension.
  package static func files(_ name: String, _ kind: String) -> [String] {
    guard let folder = Repository.corpus, let names = try? Files.list("\(folder)/\(name)") else {
      return []
    }
    return names.filter { Files.pathExtension(of: $0) == kind }.map { "\(folder)/\(name)/\($0)" }
  }
}
