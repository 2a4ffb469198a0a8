import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Effects of SceneKit, from the corpus (where it is present) and from the project.
@Suite("Corpus")
struct CorpusTests {
  /// The paths of files that one of the formats reads, from the two folders of SceneKit.
  static let files =
    Corpus.sample("apple-particles", "particles") + Corpus.sample("scnp", "scnp", 8)

  /// The images of a file are in a folder named after the repository that it came from.
  static func imageFolders(of file: String) -> [String] {
    let repository = file.components(upTo: 2).joined(separator: "__")
    return ["\(Files.folder(of: file))/textures/\(repository)"]
  }

  @Test("from import to flat to directory and back: no error, the same digest", arguments: files)
  func forms(file: String) throws {
    let scratch = try Scratch()
    let opened = try OpenedEffect(path: file, imageFolders: Self.imageFolders(of: file))
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

    let source = try Validator(imageFolders: Self.imageFolders(of: file)).check(file)
    #expect(source.diagnostics.allSatisfy { $0.severity < .error }, "\(source.diagnostics)")
    let kept = opened.package.container.root["Source"]?.children?.first
    #expect(try kept?.node.regularFileContents() == Files.read(file), "the source is kept as it is")
  }
}

extension String {
  /// The first parts of the file's name in the corpus, `owner__repository__file`.
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
