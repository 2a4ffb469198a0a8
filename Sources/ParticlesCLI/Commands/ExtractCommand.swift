internal import ParticlesContainer
internal import ParticlesCore

extension Command {
  /// Extracts entries of a package.
  static let extract = Command(
    name: "extract", group: .packages,
    summary: "Extract files from a package.",
    discussion: """
      Without --output, writes the contents of one file to standard output. With it, writes the \
      entries below a folder, which may exist, each at its path in the package; a directory \
      includes its contents. Without entries, extracts all of them.
      """,
    arguments: [
      Argument(.file("file"), "A package, or - for standard input."),
      Argument(.lookup("entry", .entries), arity: .any, "The path of an entry."),
    ],
    options: [.output, .force, .json],
    examples: [
      Example("particles extract fire.particles document.json", "Print the document."),
      Example("particles extract fire.particles Images -o pictures", "Extract all images."),
    ],
    run: { invocation in
      let file = try invocation.argument("file")
      let paths = invocation.arguments("entry").map { path in
        path.split(separator: "/").joined(separator: "/")
      }
      let output = invocation.value(.output).flatMap { $0 == Invocation.standardStream ? nil : $0 }
      if output == nil { try invocation.checkStandardOutput() }
      if paths.count == 1, output == nil,
        let reader = try invocation.flatPackage(at: file)
      {
        // One file is found in the index without reading the rest of the package.
        guard let entry = try reader.entry(paths[0]) else { throw noEntry(paths[0], in: file) }
        guard entry.isFile else { throw oneFile }
        try invocation.console.write(reader.contents(of: entry))
        return .done
      }
      // All entries are what 'unpack' writes.
      let container = try invocation.container(
        at: file, scope: paths.isEmpty ? .everyFrame : .allGenerations)
      let chosen = try paths.map { path in
        guard let node = container.root[path], !path.isEmpty else {
          throw noEntry(path, in: file)
        }
        return (path, node)
      }
      if let folder = output {
        var tree = paths.isEmpty ? container.root : .emptyDirectory
        for (path, node) in chosen { try tree.setFileNode(node, at: path) }
        try tree.extract(into: folder, replacing: invocation.flag(.force))
        let files = Container(root: tree).files.count
        try invocation.printWritten(
          ["source": .string(file), "path": .string(folder)], files: files)
        invocation.console.inform("extracted \(files.of("file")) to \(folder)")
        return .done
      }
      guard chosen.count == 1, let contents = chosen[0].1.contents else { throw oneFile }
      try invocation.console.write(contents)
      return .done
    })

  private static func noEntry(_ path: String, in file: String) -> Diagnostic {
    Diagnostic(.noEntry, at: Location(file: file, entry: path))
  }

  private static var oneFile: UsageError {
    UsageError(
      "only one file can be written to standard output", hint: "name a folder with --output")
  }
}
