package import ParticlesContainer
package import ParticlesCore

extension Command {
  /// Lists the entries of a package.
  static let list = Command(
    name: "list", group: .packages,
    summary: "List the entries of a package.",
    discussion: """
      Prints one path on each line, in the order of the package; directories end in a slash. \
      With --long, each line begins with the kind (d directory, - file, x executable file, l \
      symbolic link) and the size in bytes.
      """,
    arguments: [Argument(.file("file"), "A package, or - for standard input.")],
    options: [.long, .json],
    examples: [
      Example("particles list fire.particles", "List the paths."),
      Example("particles list --long fire.particles", "List kinds and sizes, too."),
    ],
    run: { invocation in
      let path = try invocation.argument("file")
      if !invocation.flag(.json), !invocation.flag(.long),
        let reader = try invocation.flatPackage(at: path)
      {
        // Paths come from the index, so that listing a large package is fast.
        try reader.list { try invocation.console.write($0) }
        return .done
      }
      let container = try invocation.container(at: path, scope: .lastGeneration)
      if try invocation.answer(["entries": .array(container.entries.map(\.json))]) {
        return .done
      }
      if invocation.flag(.long) {
        var table = Table(.left, .right, .left)
        for entry in container.entries {
          let arrow = entry.node.symbolicLinkDestination.map { " -> \($0)" } ?? ""
          table.add(
            entry.node.kindLetter, entry.node.contents.map { "\($0.size)" } ?? "",
            entry.path + arrow)
        }
        try invocation.console.write(table.text)
      } else {
        let lines = container.entries.map {
          $0.path.escapingControls + ($0.node.isDirectory ? "/" : "") + "\n"
        }
        try invocation.console.write(lines.joined())
      }
      return .done
    })
}

extension ContainerReader {
  /// Passes on the paths, one on each line, in pieces that fit into a pipe. Paths in a valid index have
  /// no control characters. An error in the tree may be thrown after some paths were passed on.
  fileprivate func list(_ write: ([UInt8]) throws -> Void) throws {
    let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 60 << 10)
    defer { piece.deallocate() }
    var count = 0
    try forEachEntry { entry in
      let path = entry.path
      if count + path.count + 2 > piece.count {
        try write(Array(piece[..<count]))
        count = 0
      }
      count = piece[count...].update(fromContentsOf: path)
      if entry.code == Entry.Kind.directory.code {
        piece[count] = UInt8(ascii: "/")
        count += 1
      }
      piece[count] = UInt8(ascii: "\n")
      count += 1
    }
    try write(Array(piece[..<count]))
  }
}

extension Option {
  fileprivate static let long = Option("long", short: "l", "Show kinds and sizes.")
}

/// An entry in a list of a package.
package struct ListedEntry: Sendable {
  package var path: String
  package var node: FileNode

  /// The entry as JSON.
  package var json: JSONValue {
    var object: JSONObject = ["path": .string(path), "kind": .string(node.kind.rawValue)]
    object["size"] = (node.contents?.size).map(JSONValue.int)
    object["executable"] = node.isExecutable ? .bool(true) : nil
    object["target"] = node.symbolicLinkDestination.map(JSONValue.string)
    return .object(object)
  }
}

extension Container {
  /// All entries in the order of the package.
  package var entries: [ListedEntry] {
    var entries: [ListedEntry] = []
    root.forEachDescendant { entries.append(ListedEntry(path: $0, node: $1)) }
    return entries
  }

  /// The entries that are regular files.
  package var files: [ListedEntry] { entries.filter(\.node.isRegularFile) }
}

extension FileNode {
  fileprivate var kindLetter: String {
    if isDirectory { return "d" }
    if isSymbolicLink { return "l" }
    return isExecutable ? "x" : "-"
  }
}
