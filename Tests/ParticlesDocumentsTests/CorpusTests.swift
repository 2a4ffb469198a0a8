import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesTestSupport
import Testing

/// Real files by real people. They are not part of the project; where they are not at hand, these
/// tests are skipped, which the name of the condition says.
@Suite("Corpus", .enabled(if: Repository.corpus != nil, "no corpus beside the project"))
struct CorpusTests {
  /// The files that a format of ours reads, from the two folders of SceneKit.
  static let files: [String] = ["apple-particles", "scnp"].flatMap { folder in
    let path = Files.joined(Repository.corpus ?? "", folder)
    return ((try? Files.list(path)) ?? []).filter { $0.contains(".") }.map { "\(folder)/\($0)" }
  }

  /// The images of a file stand in a folder named like the repository that it came from.
  static func imageFolders(of file: String) -> [String] {
    let corpus = Repository.corpus ?? ""
    let folder = Files.joined(corpus, Files.folder(of: file))
    let repository = file.components(upTo: 2).joined(separator: "__")
    return ["\(folder)/textures/\(repository)"]
  }

  @Test("there is a corpus to test with")
  func exists() { #expect(Self.files.count > 20) }

  @Test("from import to flat to directory and back: no error, the same digest", arguments: files)
  func forms(file: String) throws {
    let scratch = try Scratch()
    let path = Files.joined(try #require(Repository.corpus), file)
    let opened = try OpenedEffect(path: path, imageFolders: Self.imageFolders(of: file))
    let digest = try opened.package.container.root.treeDigest()

    let (flat, directory, back) = (
      scratch.file("a.particles"), scratch.file("b.particles"), scratch.file("c.particles")
    )
    try opened.package.container.write(to: flat, as: .flat)
    try OpenedEffect(path: flat).package.container.write(to: directory, as: .directory)
    try OpenedEffect(path: directory).package.container.write(to: back, as: .flat)
    for result in [flat, directory, back] {
      #expect(try Container(contentsOf: result).root.treeDigest() == digest)
      let report = try Validator().check(result)
      #expect(report.diagnostics.allSatisfy { $0.severity < .error }, "\(report.diagnostics)")
    }
    #expect(try Files.read(back) == Files.read(flat))

    let source = try Validator(imageFolders: Self.imageFolders(of: file)).check(path)
    #expect(source.diagnostics.allSatisfy { $0.severity < .error }, "\(source.diagnostics)")
    let kept = opened.package.container.root["Source"]?.children?.first
    #expect(try kept?.node.regularFileContents() == Files.read(path), "the source is kept as it is")
  }
}

extension String {
  /// The first parts of a name of the corpus, `owner__repository__file`.
  fileprivate func components(upTo count: Int) -> [Substring] {
    var parts: [Substring] = []
    var rest = Files.lastComponent(of: self)[...]
    while parts.count < count, let range = rest.firstRange(of: "__") {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts
  }
}
