internal import ParticlesContainer
internal import ParticlesCore

extension Command {
  /// Takes entries out of a package.
  static let extract = Command(
    name: "extract", group: .packages,
    summary: "Take entries out of a package.",
    discussion: """
      Without --output, the contents of one file are written to standard output. With it, the \
      entries are written below a folder, which may exist, each at its path; a directory brings all \
      that is in it. Without entries, everything is taken.
      """,
    arguments: [
      Argument(.file("file"), "A package, or - for standard input."),
      Argument(.text("entry"), arity: .any, "The path of an entry."),
    ],
    options: [.output, .force],
    examples: [
      Example("particles extract fire.particles document.json", "Print the document."),
      Example("particles extract fire.particles Images -o pictures", "Take out all images."),
    ],
    run: { invocation in
      let file = try invocation.argument("file")
      let container = try invocation.container(at: file)
      let paths = invocation.arguments("entry").map(trimmingSlashes)
      let chosen = try paths.map { path in
        guard let node = container.root[path], !path.isEmpty else {
          throw Diagnostic(.noEntry, at: Location(file: file, entry: path))
        }
        return (path, node)
      }
      if let folder = invocation.value(.output) {
        var tree = paths.isEmpty ? container.root : .emptyDirectory
        for (path, node) in chosen { try tree.setFileNode(node, at: path) }
        try tree.extract(into: folder, replacing: invocation.flag(.force))
        invocation.console.say(
          "extracted \(Container(root: tree).files.count.of("file")) to \(folder)")
        return .done
      }
      guard chosen.count == 1, let contents = try chosen[0].1.regularFileContents() else {
        throw UsageError(
          "one file at a time goes to standard output", hint: "name a folder with --output")
      }
      try invocation.console.write(contents)
      return .done
    })

  private static func trimmingSlashes(_ path: String) -> String {
    var path = path[...]
    while path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}
