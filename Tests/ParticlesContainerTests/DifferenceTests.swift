import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

@Suite("Differences")
struct DifferenceTests {
  private func tree(_ nodes: [String: FileNode]) throws -> FileNode {
    var root = FileNode.emptyDirectory
    for (path, node) in nodes { try root.setFileNode(node, at: path) }
    return root
  }

  private func file(_ text: String, isExecutable: Bool = false) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8), isExecutable: isExecutable)
  }

  @Test("every kind of difference, in the order of paths")
  func all() throws {
    let old = try tree([
      "a": file("1"), "b/c": file("same"), "b/gone": file(""), "d": file("x"), "e": file("x"),
      "f": FileNode(symbolicLinkWithDestination: "a"), "g/h": file("1"), "i": file("12"),
    ])
    let new = try tree([
      "a": file("2"), "b/c": file("same"), "b-new": file(""), "d": file("x", isExecutable: true),
      "e": .emptyDirectory, "f": FileNode(symbolicLinkWithDestination: "d"), "g": file("1"),
      "i": file("3", isExecutable: true), "z/y": file(""),
    ])
    let differences = try new.differences(from: old)
    #expect(
      differences == [
        Difference(path: "a", change: .changed([.contents(from: 1, to: 1)])),
        Difference(path: "b/gone", change: .removed),
        Difference(path: "b-new", change: .added),
        Difference(path: "d", change: .changed([.isExecutable(true)])),
        Difference(path: "e", change: .changed([.kind(from: .file, to: .directory)])),
        Difference(path: "f", change: .changed([.destination(from: "a", to: "d")])),
        Difference(path: "g", change: .changed([.kind(from: .directory, to: .file)])),
        Difference(path: "g/h", change: .removed),
        Difference(
          path: "i", change: .changed([.contents(from: 2, to: 1), .isExecutable(true)])),
        Difference(path: "z", change: .added),
        Difference(path: "z/y", change: .added),
      ])
    let back = try old.differences(from: new)
    #expect(back.map(\.path) == differences.map(\.path))
    #expect(try new.differences(from: new).isEmpty)
  }

  @Test("no difference exactly where the digests are the same")
  func digests() throws {
    let large = try SampleTree.large()
    let packed = try Container(decoding: Container(root: large).encoded()).root
    #expect(try packed.differences(from: large).isEmpty)
    var other = packed
    var noise = SampleTree.noise(1_200_000, seed: 2)
    noise[1_100_000] ^= 1
    try other.setFileNode(FileNode(regularFileWithContents: noise), at: "Cache/noise.bin")
    let size = noise.count
    #expect(
      try other.differences(from: packed) == [
        Difference(path: "Cache/noise.bin", change: .changed([.contents(from: size, to: size)]))
      ])
  }
}
