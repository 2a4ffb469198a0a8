internal import ParticlesContainer
internal import ParticlesCore

extension Command {
  /// Prints tree digests.
  static let digest = Command(
    name: "digest", group: .packages,
    summary: "Print the tree digest of packages.",
    discussion: """
      Two packages have the same digest if and only if they contain the same tree of files. \
      Form, compression and program that wrote them do not matter.
      """,
    arguments: [
      Argument(.file("file"), arity: .oneOrMore, "A package, or - for standard input.")
    ],
    options: [.json],
    examples: [
      Example("particles digest fire.particles fire", "Compare a package with a folder.")
    ],
    run: { invocation in
      var rows: [JSONValue] = []
      let status = try invocation.forEach(invocation.arguments("file")) { path in
        let digest = try locating(Location(file: path)) {
          try invocation.container(at: path, scope: .everyFrame).root.treeDigest()
        }
        rows.append(["path": .string(path), "digest": .string(digest.description)])
        if !invocation.flag(.json) { try invocation.console.print("\(digest)  \(path)") }
        return .done
      }
      try invocation.answer(["files": .array(rows)])
      return status
    })
}
