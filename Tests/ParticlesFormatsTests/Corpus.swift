import ParticlesCore
import ParticlesTestSupport
import Testing

/// Files that others made, which are not part of the repository: the folder `../shared/corpus`
/// beside it. Tests over them do nothing where it is absent, and say so.
enum Corpus {
  /// The folder, or nil if it is absent.
  static let folder: String? = {
    let path = Repository.root + "/../shared/corpus"
    let isThere = (try? Files.status(path))?.kind == .directory
    if !isThere { print("no corpus at ../shared/corpus: tests over it are skipped") }
    return isThere ? path : nil
  }()

  static let isPresent = folder != nil

  /// The paths of the files in a folder of the corpus, by extension.
  static func files(_ name: String, _ kind: String) -> [String] {
    guard let folder, let names = try? Files.list("\(folder)/\(name)") else { return [] }
    return names.filter { Files.pathExtension(of: $0) == kind }.map { "\(folder)/\(name)/\($0)" }
  }
}
