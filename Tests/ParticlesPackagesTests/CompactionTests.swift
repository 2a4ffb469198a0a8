import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Whatever was done to a package, replacing gives the bytes of packing its tree.
@Suite("Compaction")
struct CompactionTests {
  private static let names = ["a", "b.json", "c.png", "d", "e", "long-name-one", "long-name-two"]

  private func file(_ random: inout SeededGenerator) -> FileNode {
    let size = [0, 10, 3000, 40_000, 66_000, 600_000].randomElement(using: &random) ?? 0
    let bytes =
      Bool.random(using: &random)
      ? SampleTree.noise(size, seed: random.next()) : [UInt8](repeating: 7, count: size)
    return FileNode(regularFileWithContents: bytes, isExecutable: Bool.random(using: &random))
  }

  private func path(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Self.names.randomElement(using: &random) ?? ""
    }.joined(separator: "/")
  }

  private func edit(_ root: inout FileNode, _ random: inout SeededGenerator) {
    let place = path(&random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: root.removeFileNode(at: place)
    case 1: try? root.setFileNode(.emptyDirectory, at: place)
    case 2:
      // Equal contents in two places: the first is read from the place of the second.
      if let node = root[path(&random)], node.isRegularFile {
        try? root.setFileNode(node, at: place)
      }
    case 3:
      let name = Self.names.randomElement(using: &random) ?? ""
      _ = try? root.renameFileNode(named: name, preferredFilename: place)
    default: try? root.setFileNode(file(&random), at: place)
    }
  }

  @Test("any edits, any saves, then replacing: the same bytes as packing afresh", arguments: 0..<12)
  func property(seed: UInt64) throws {
    let scratch = try Scratch()
    let path = scratch.file("a.particles")
    var random = SeededGenerator(seed: seed)
    var package = Container()
    try package.save(to: path)
    for _ in 0..<6 {
      for _ in 0..<Int.random(in: 1...6, using: &random) { edit(&package.root, &random) }
      let expected = try Container(root: package.root).encoded()
      let mode = SaveMode.allCases.randomElement(using: &random) ?? .append
      let used = try package.save(mode: mode, synchronizing: false)
      let copy = try Container(contentsOf: path)
      #expect(try copy.encoded(PackingOptions(reusesBlocks: true)) == expected)
      if used == .replace { #expect(try Files.read(path) == expected) }
    }
    try package.save(mode: .replace)
    #expect(try Files.read(path) == Container(root: package.root).encoded())
    #expect(try ContainerReader(.file(path)).verify().isEmpty)
  }
}
