import ParticlesContainer

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

// For tests that kill it: saves a package in its place with one entry changed.
//
//     ParticlesSaveProbe <package> append|replace|automatic <entry> <contents>

let arguments = CommandLine.arguments
guard arguments.count == 5, let mode = SaveMode(rawValue: arguments[2]) else { exit(64) }
do {
  var package = try Container(contentsOf: arguments[1])
  let contents = FileNode(regularFileWithContents: Array(arguments[4].utf8))
  try package.root.setFileNode(contents, at: arguments[3])
  try package.save(mode: mode)
} catch {
  print(error)
  exit(2)
}
