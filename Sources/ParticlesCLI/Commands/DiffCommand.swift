internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects

extension Command {
  /// Compares two documents.
  static let diff = Command(
    name: "diff", group: .documents,
    summary: "Compare two documents: properties of the effects, and files.",
    discussion: """
      Compares documents of any format. Properties come first, in the order of the document, with the old value, the \
      new value and the unit. A value that is not stated is its default. Then follow the remaining files of the \
      packages. Each line begins with ~ for a difference, - for what only the first document has, and + for what \
      only the second one has. Previews in a package do not count. Two packages without an effect are compared by \
      their files.

      The status is 0 if there is no difference, 1 if there is one, and 2 if a document cannot be \
      read.
      """,
    arguments: [
      Argument(.file("old"), "A document, or - for standard input."),
      Argument(.file("new"), "The document to compare with it."),
    ],
    options: [.images, .project, .json],
    examples: [
      Example("particles diff old.particles new.particles", "Show which properties differ."),
      Example("particles diff fire.particles fire", "Compare a package with a folder."),
      Example(
        "particles diff fire.plist fire.particles", "Compare a file with its converted form."),
      Example("particles diff --json old.zip new.particles", "Print the differences as JSON."),
    ],
    run: { invocation in
      let paths = [try invocation.argument("old"), try invocation.argument("new")]
      guard paths != [Invocation.standardStream, Invocation.standardStream] else {
        throw UsageError("only one of the two can be standard input")
      }
      let effects = try paths.map { path in
        let opened = try invocation.effect(at: path)
        // The losses of an import are not differences.
        if opened.isPackage || opened.isArchive { invocation.report(opened.diagnostics) }
        return opened
      }
      let comparison = try EffectComparison(from: effects[0], to: effects[1])
      if invocation.flag(.json) {
        let documents = try zip(paths, effects).map { path, effect in
          let digest = try locating(Location(file: path)) {
            try effect.package.container.root.treeDigest()
          }
          return ["path": .string(path), "digest": .string("\(digest)")] as JSONValue
        }
        try invocation.print([
          "version": .int(1), "old": documents[0], "new": documents[1],
          "properties": .array(comparison.properties.map(\.json)),
          "differences": .array(comparison.files.map(\.json)),
        ])
      } else {
        for property in comparison.properties { try invocation.console.print(property.line) }
        for file in comparison.files { try invocation.console.print(file.line) }
      }
      return comparison.isEmpty ? .done : .answerNo
    })
}

extension EffectComparison.Property {
  /// `~ emitters[0].emission.rate: 95 -> 120 1/s`
  fileprivate var line: String {
    let suffix = unit.map { " \($0)" } ?? ""
    switch (old, new) {
    case (nil, let value): return "+ \(key): \(value.valueText)\(suffix)"
    case (let value, nil): return "- \(key): \(value.valueText)\(suffix)"
    default: return "~ \(key): \(old.valueText) -> \(new.valueText)\(suffix)"
    }
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["key": .string(key)]
    object["change"] = .string(old == nil ? "added" : new == nil ? "removed" : "changed")
    object["old"] = old
    object["new"] = new
    object["unit"] = unit.map(JSONValue.string)
    return .object(object)
  }
}

extension Difference {
  var line: String {
    switch change {
    case .added: "+ \(path)"
    case .removed: "- \(path)"
    case .changed(let aspects): "~ \(path): \(aspects.map(\.text).joined(separator: ", "))"
    }
  }

  var json: JSONValue {
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
