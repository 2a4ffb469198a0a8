import ParticlesContainer

// Writes a package of text files, opens it again, and ends with an error if a file is missing.
let path = CommandLine.arguments[1]
var root = FileNode.emptyDirectory
try root.setFileNode(
  FileNode(regularFileWithContents: Array("Once upon a time\n".utf8)), at: "Chapters/one.txt")
try Container(root: root).write(to: path, as: .flat)

let story = try Container(contentsOf: path)
guard let chapter = try story.root["Chapters/one.txt"]?.regularFileContents() else {
  fatalError("\(path) has no first chapter")
}
print(String(decoding: chapter, as: UTF8.self), terminator: "")
