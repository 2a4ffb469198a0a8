import ParticlesContainer

// For tests that kill it: saves a package in its place with one entry changed.
//
//     ParticlesSaveProbe <package> append|replace|automatic <entry> <contents>

let arguments = CommandLine.arguments
if arguments.count == 5, let mode = SaveMode(rawValue: arguments[2]) {
  var package = try Container(contentsOf: arguments[1])
  let contents = FileNode(regularFileWithContents: Array(arguments[4].utf8))
  try package.root.setFileNode(contents, at: arguments[3])
  try package.save(mode: mode)
} else {
  print("usage: ParticlesSaveProbe <package> append|replace|automatic <entry> <contents>")
}
