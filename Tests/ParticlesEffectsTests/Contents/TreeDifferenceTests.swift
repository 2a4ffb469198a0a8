import ParticlesContainer
import ParticlesCore
import ParticlesTestSupport
import Testing

import ParticlesDocuments
@testable import ParticlesEffects

@Suite("Differences between trees of files")
struct TreeDifferenceTests {
  private func file(_ text: String, isExecutable: Bool = false) -> FileNode {
    FileNode(regularFileWithContents: Array(text.utf8), isExecutable: isExecutable)
  }

  private func tree(_ nodes: [String: FileNode]) throws -> FileNode {
    var tree = FileNode.emptyDirectory
    for (path, node) in nodes.sorted(by: { $0.key < $1.key }) {
      try tree.setFileNode(node, at: path)
    }
    return tree
  }

  @Test("files of equal bytes are no difference, in memory or in a package")
  func equal() throws {
    func made() throws -> FileNode {
      try tree(["a": file("one"), "d/b": file("two"), "run": file("x", isExecutable: true)])
    }
    let packed = try Container(decoding: Container(root: made()).encoded()).root
    let none = TreeDifference(from: .emptyDirectory, to: .emptyDirectory)
    for (old, new) in [(try made(), try made()), (try made(), packed), (packed, try made())] {
      let difference = TreeDifference(from: old, to: new)
      #expect(difference.paths.isEmpty)
      #expect(difference.cost == none.cost)
    }
  }

  @Test("a difference has the changed paths, and turns each tree into the other")
  func apply() throws {
    let large = SampleTree.noise(1 << 20 + 5, seed: 2)
    let old = try tree([
      "a": file("one"), "b": file("two"), "d/c": file("three"), "d/gone": file("four"),
      "f": .emptyDirectory, "large": FileNode(regularFileWithContents: large),
      "link": FileNode(symbolicLinkWithDestination: "a"), "same": file("same"),
    ])
    let new = try tree([
      "a": file("one", isExecutable: true), "b": file("to"), "d/c": file("three!"),
      "f": file("a file"), "large": FileNode(regularFileWithContents: large + [1]),
      "link": FileNode(symbolicLinkWithDestination: "b"), "new/n": file("new"),
      "same": file("same"),
    ])
    let difference = TreeDifference(from: old, to: new)
    #expect(difference.paths == ["a", "b", "d/c", "d/gone", "f", "large", "link", "new"])
    var tree = old
    try difference.apply(&tree, undoing: false)
    #expect(tree == new)
    try difference.apply(&tree, undoing: true)
    #expect(tree == old)
    var other = try self.tree(["b": file("other")])
    expectThrows(.fileChanged) { try difference.apply(&other, undoing: true) }
  }
}
