import ParticlesPackages

// Writes a package, opens it again, and ends with an error if a file is missing. Prints a chapter and the digest of the tree.
// With a second path, prints the digest of that package, too. The two digests have to be equal.
let path = CommandLine.arguments[1]
var root = FileNode.emptyDirectory
try root.setFileNode(
  FileNode(regularFileWithContents: Array("Once upon a time\n".utf8)), at: "Chapters/one.txt")
let many = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 / 7 &* $0 / 11) }
try root.setFileNode(FileNode(regularFileWithContents: many), at: "Chapters/größe.bin")
try root.setFileNode(FileNode(symbolicLinkWithDestination: "Chapters/one.txt"), at: "first")
try Container(root: root).write(to: path, as: .flat)

let story = try Container(contentsOf: path)
guard let chapter = try story.root["Chapters/one.txt"]?.regularFileContents(), story.root == root
else { fatalError("\(path) differs from what was written") }
let digest = try story.root.treeDigest()
print(String(decoding: chapter, as: UTF8.self), terminator: "")
print(digest)

for other in CommandLine.arguments.dropFirst(2) {
  guard try Container(contentsOf: other).root.treeDigest() == digest else {
    fatalError("\(other) has other contents")
  }
}
