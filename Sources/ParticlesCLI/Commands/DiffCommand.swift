internal import ParticlesContainer
internal import ParticlesCore

extension Command {
  /// Compares two packages.
  static let diff = Command(
    name: "diff", group: .packages,
    summary: "Compare two packages of any form.",
    discussion: """
      Prints each difference on one line, in the order of paths: - for an entry that only the \
      first package has, + for one that only the second has, and ~ for one that differs, \
      followed by the reason. The status is 0 if both contain the same tree, 1 if they differ, \
      and 2 if one cannot be read.
      """,
    arguments: [
      Argument(.file("old"), "A package or an archive, or - for standard input."),
      Argument(.file("new"), "The package or archive to compare with it."),
    ],
    options: [.json],
    examples: [
      Example("particles diff fire.particles fire", "Compare a package with a folder."),
      Example("particles diff --json old.zip new.particles", "Print the differences as JSON."),
    ],
    run: { invocation in
      let paths = [try invocation.argument("old"), try invocation.argument("new")]
      guard paths != [Invocation.standardStream, Invocation.standardStream] else {
        throw UsageError("only one of the two can be standard input")
      }
      let trees = try paths.map { try invocation.container(at: $0).root }
      let digests = try zip(paths, trees).map { path, tree in
        try locating(Location(file: path)) { try tree.treeDigest() }
      }
      // Trees with equal digests have no differences.
      let differences = digests[0] == digests[1] ? [] : try trees[1].differences(from: trees[0])
      if invocation.flag(.json) {
        try invocation.print([
          "version": .int(1),
          "old": ["path": .string(paths[0]), "digest": .string("\(digests[0])")],
          "new": ["path": .string(paths[1]), "digest": .string("\(digests[1])")],
          "differences": .array(differences.map(\.json)),
        ])
      } else {
        for difference in differences { try invocation.console.print(difference.line) }
      }
      return differences.isEmpty ? .done : .answerNo
    })
}

extension Difference {
  fileprivate var line: String {
    switch change {
    case .added: "+ \(path)"
    case .removed: "- \(path)"
    case .changed(let aspects): "~ \(path): \(aspects.map(\.text).joined(separator: ", "))"
    }
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["path": .string(path)]
    switch change {
    case .added: object["change"] = "added"
    case .removed: object["change"] = "removed"
    case .changed(let aspects):
      object["change"] = "changed"
      for aspect in aspects { object[aspect.name] = aspect.json }
    }
    return .object(object)
  }
}

extension Difference.Aspect {
  fileprivate var text: String {
    switch self {
    case .kind(let old, let new): "\(old) -> \(new)"
    case .contents(let old, let new): "contents (\(old) -> \(new) bytes)"
    case .isExecutable(let isExecutable): isExecutable ? "executable" : "no longer executable"
    case .destination(let old, let new): "target (\(old) -> \(new))"
    }
  }

  fileprivate var name: String {
    switch self {
    case .kind: "kind"
    case .contents: "size"
    case .isExecutable: "executable"
    case .destination: "target"
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .kind(let old, let new): ["old": .string(old.rawValue), "new": .string(new.rawValue)]
    case .contents(let old, let new): ["old": .int(old), "new": .int(new)]
    case .isExecutable(let isExecutable): ["old": .bool(!isExecutable), "new": .bool(isExecutable)]
    case .destination(let old, let new): ["old": .string(old), "new": .string(new)]
    }
  }
}
