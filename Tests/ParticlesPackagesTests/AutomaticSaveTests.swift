import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Automatic saves append until more than a third of the contents in the file is dead.
@Suite("Automatic saves")
struct AutomaticSaveTests {
  private let scratch: Scratch
  private var path: String { scratch.file("a.particles") }

  init() throws { scratch = try Scratch() }

  /// A package of 3 MB on disk, with a part in `folder/old`.
  private func package(old: Int) throws -> Container {
    var package = Container()
    for (name, count) in [("kept", 3_000_000 - old), ("folder/old", old)] {
      let bytes = SampleTree.noise(count, seed: UInt64(count))
      try package.root.setFileNode(FileNode(regularFileWithContents: bytes), at: name)
    }
    try package.save(to: path, as: .flat)
    return package
  }

  /// The file, and the directory that holds it.
  @Test("after a removal, the share of dead bytes decides", arguments: ["folder/old", "folder"])
  func removal(removed: String) throws {
    for (old, mode) in [(900_000, SaveMode.append), (1_200_000, .replace)] {
      var package = try package(old: old)
      #expect(package.root.removeFileNode(at: removed) != nil)
      #expect(try package.save() == mode, "\(old) of 3,000,000 bytes are dead")
      try Files.removeAll(path)
    }
  }

  @Test("a replaced file leaves its old contents dead")
  func replacement() throws {
    for (old, mode) in [(1_400_000, SaveMode.append), (1_600_000, .replace)] {
      var package = try package(old: old)
      let bytes = SampleTree.noise(old, seed: 9)
      try package.root.setFileNode(FileNode(regularFileWithContents: bytes), at: "folder/old")
      #expect(try package.save() == mode, "\(old) of \(3_000_000 + old) bytes are dead")
      try Files.removeAll(path)
    }
  }
}
