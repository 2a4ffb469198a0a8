import Foundation
import Particles
import ParticlesSystem
import ParticlesTestSupport
import Testing

extension ParticleFormat {
  static let jet = ParticleFormat(
    name: "jet", title: "Jet of particles", extensions: ["jet"],
    recognise: { bytes, _ in bytes.starts(with: "jet ".utf8) },
    capabilities: Capabilities(exact: [.rate, .life], approximated: []),
    decode: { bytes, context in
      let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap {
        Double($0)
      }
      guard numbers.count == 2 else { throw Diagnostic(.unknownFormat, expected: "two numbers") }
      var emitter = Emitter(name: "jet")
      emitter.emission.rate = .constant(numbers[0])
      emitter.lifetime = .constant(numbers[1])
      return Imported(
        system: ParticleSystem(name: "jet", emitters: [emitter]), sourceName: context.fileName,
        source: bytes)
    },
    encode: { system, context in
      guard let emitter = system.emitters.first else { throw Diagnostic(.lost, "no emitters") }
      let text = "jet \(emitter.emission.rate.sample(0.5)) \(emitter.lifetime.sample(0.5))"
      return Exported(
        parts: [.init(name: context.fileName, bytes: Array(text.utf8), emitters: [0])])
    })
}

/// The examples of README and the articles are compiled and run here. The lines must be equal.
@Suite("README")
struct ReadmeTests {
  @Test("the commands work as they stand, in order, in an empty folder", .needs("sh"))
  func tool() throws {
    let shell = try #require(Run.find("sh"))
    let scratch = try Scratch()
    let blocks = try blocks(of: "sh")
    #expect(blocks.count >= 4)
    for line in blocks.joined().split(separator: "\n") {
      let script = "particles() { '\(Run.built("particles"))' \"$@\"; }\n" + line
      let run = try Run(shell, ["-c", script], in: scratch.path)
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
    for name in ["fire.gif", "fire.scnp", "effects.html", "report.html", "out/fire.sks"] {
      #expect(try Files.status(scratch.file(name)) != nil, "\(name)")
    }
    #expect(try Files.read(scratch.file("back.p")) == Files.read(scratch.file("fire.p")))
    let digests = try ["fire.particles", "fire"].map {
      try Container(contentsOf: scratch.file($0)).root.treeDigest()
    }
    #expect(digests[0] == digests[1])
  }

  @Test("it begins with a picture, and with a file of the reader's own; packages come later")
  func order() throws {
    let lines = try text(of: Repository.path("README.md")).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 91)
    #expect(lines.prefix(6).contains { $0.hasPrefix("![") })
    let headings = lines.filter { $0.hasPrefix("## ") }
    let packages = try #require(headings.firstIndex(of: "## Packages"))
    #expect(packages > 2 && headings.firstIndex(of: "## Formats") ?? 9 < packages)
  }

  @Test("the newest section of the changelog is the version of the tool")
  func version() throws {
    let changelog = String(decoding: try Files.read(Repository.path("CHANGELOG.md")), as: UTF8.self)
    let newest = changelog.split(separator: "\n").first { $0.hasPrefix("## ") } ?? ""
    let version = newest.dropFirst(3).prefix { $0 != "," }
    let run = try Run(Run.built("particles"), ["--version"])
    #expect(run.status == 0 && run.text == "particles \(version)\n", "\(newest)")
  }

  @Test("a group of the changelog has at most ten lines")
  func groups() throws {
    let changelog = try text(of: Repository.path("CHANGELOG.md"))
    let groups = changelog.components(separatedBy: "\n#").dropFirst()
    #expect(groups.count > 5)
    for group in groups {
      let lines = group.split(separator: "\n").dropFirst()
      #expect(lines.count <= 10, "\(group.prefix(40))")
    }
  }

  static let pages =
    ["README.md"]
    + [
      "OpenAndEdit", "Convert", "Validate", "WriteAFormat", "ComingFromUIDocument",
      "MovingFromSceneKit",
    ].map {
      "Sources/Particles/Particles.docc/\($0).md"
    }

  @Test("the examples of the library are compiled here", arguments: pages)
  func librarySource(page: String) throws {
    let code = try [#filePath, Repository.path("Tests/ParticlesToolTests/ArticleListings.swift")]
      .map { try lines(of: text(of: $0)) }
    let blocks = try blocks(of: "swift", in: page)
    #expect(!blocks.isEmpty)
    for block in blocks {
      let wanted = lines(of: block)
      #expect(
        code.contains { $0.firstRange(of: wanted) != nil }, "no test compiles this:\n\(block)")
    }
  }

  private func lines(of code: String) -> [Substring] {
    code.split(separator: "\n").map { $0.drop { $0 == " " } }
  }

  @Test("the examples of the library work")
  func library() async {
    // In a process of its own, since they name files in the current folder.
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      #expect(FileManager.default.changeCurrentDirectoryPath(scratch.path))
      try #require(EffectTemplate.named("fire")).package().container.write(
        to: "fire.particles", as: .flat)
      try Self.editFiles()
      try Self.editEffect()
      let package = EffectPackage(try Container(contentsOf: "fire.particles"))
      #expect(try package.system().emitters[0].emission.rate == 240)
      #expect(package.container.root["notes.txt"] != nil)
      try await Self.editDocument()
      #expect(try Container(contentsOf: "fire.particles").root == package.container.root)
      try Files.create("fire.jet", Array("jet 120 2".utf8))
      try Self.convert()
      let text = Array("jet 60.0 3.0".utf8)
      let opened = try OpenedEffect(bytes: text, name: "b.jet", as: .jet)
      let written = try opened.package.exported(as: .jet, fileName: "b.jet")
      #expect(written.parts.map(\.bytes) == [text])
      #expect(written.losses.isEmpty)
    }
  }

  private static func editFiles() throws {
    var package = try Container(contentsOf: "fire.particles")
    let notes = FileNode(regularFileWithContents: Array("burns upwards\n".utf8))
    try package.root.setFileNode(notes, at: "notes.txt")
    try package.save()
    print(try package.root.treeDigest())
  }

  private static func editEffect() throws {
    var package = EffectPackage(try Container(contentsOf: "fire.particles"))
    var system = try package.system()
    system.emitters[0].emission.rate = 240
    try package.setSystem(system)
    try package.container.save()
  }

  private static func editDocument() async throws {
    let document = Document<EffectPackage>(path: "fire.particles")
    try await document.open()
    try await document.edit("Brighten") { package in
      var system = try package.system()
      system.emitters[0].emission.rate = 300
      try package.setSystem(system)
    }
    try await document.undo()
    try await document.close()
  }

  private static func convert() throws {
    let jet = try OpenedEffect(path: "fire.jet", among: FormatRegistry.standard.adding(.jet))
    let exported = try jet.package.exported(as: .sceneKit, fileName: "fire.scnp")
    for loss in exported.losses { print(loss) }
  }

  /// The code blocks of README, or another page, in a language.
  private func blocks(of language: String, in page: String = "README.md") throws -> [String] {
    try text(of: Repository.path(page)).components(separatedBy: "```\(language)\n")
      .dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  private func text(of path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }
}
