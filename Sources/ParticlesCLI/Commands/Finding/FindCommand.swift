internal import ParticlesBrowser
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesIndex
internal import ParticlesRender

extension Command {
  /// Finds documents in the index.
  static let find = Command(
    name: "find", group: .documents,
    summary: "Find documents in the index by format, numbers, texts and look.",
    discussion: """
      Prints the paths of the documents in the index that a query describes, in the order of the paths, relative to \
      the current folder if they are in it. 'particles index' makes the index; answers are as of its last run. The \
      status is 0 if a document was found, and 1 if none was.

      A query consists of terms, which all have to hold; 'or', 'not', a hyphen in front of a term, and parentheses \
      combine them. A word alone is searched in file names and names of effects, emitters and images, without regard \
      to case and accents. FIELD:VALUE compares a field, and so do <, <=, > and >= for numbers; 100..500 is a \
      range, 4k is 4000 and 4Ki is 4096. A value with spaces or parentheses is in quotes. Every property of the \
      document that 'edit --list' lists is a field, too: emission.rate>100.

      similar:FILE finds effects that look like the one in the file, by statistics of two seconds of its \
      simulation, the nearest first, and at least ten. A terminal shows how different each looks: 0 is the same, and \
      above 1 little is alike.

      \(QueryField.help)
      """,
    arguments: [
      Argument(.text("query"), "The query."),
      Argument(.folder("folder"), arity: .any, "Only documents in this folder."),
    ],
    options: [.limit, .null, .database, .json],
    examples: [
      Example("particles find smoke", "Find documents with smoke in a name."),
      Example(
        "particles find 'format:spritekit alive>500 blend:add'",
        "Find SpriteKit effects that add light and have many particles."),
      Example("particles find 'similar:fire.sks' --limit 5", "Find what looks like an effect."),
      Example(
        "particles find -0 problem:image/missing | xargs -0 particles validate",
        "Check the documents with missing images."),
      Example("particles find 'not origin:cocos2d (errors>0 or warnings>3)'", "Combine terms."),
    ],
    run: { try FindRun($0).run() })
}

extension QueryField {
  /// The fields, for the help.
  fileprivate static var help: String {
    "Fields: "
      + all.map { "\($0.name) (\($0.summary), as in \($0.example))" }.joined(separator: "; ") + "."
  }
}

extension Option {
  fileprivate static let limit = Option(
    "limit", value: .text("number"), default: "all", "Print at most so many documents.")
  fileprivate static let null = Option(
    "null", short: "0", "End each path with a null byte instead of a line feed, for xargs -0.")
}

/// A run of `find`.
private struct FindRun {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() throws -> ExitStatus {
    let limit = try invocation.integer(.limit, in: 1...1_000_000_000)
    guard !invocation.flag(.null) || !invocation.flag(.json) else {
      throw UsageError("'--null' and '--json' exclude each other")
    }
    let query = try IndexQuery(invocation.argument("query"), .standard)
    let index = try EffectIndex(invocation.indexPath())
    let words = invocation.arguments("folder")
    let folders = try words.map { try folder($0, index) }
    let (matches, total) = try index.find(query, in: folders, limit: limit) { path in
      try index.look(of: path)
    }
    let current = try Files.resolve(".")
    func shown(_ path: String) -> String { PathKey(path).below(current) ?? path }
    let thumbnails = ThumbnailCache(
      BaseDirectories(environment: invocation.environment).cacheHome)
    if invocation.flag(.json) {
      let files = try matches.map { match -> JSONValue in
        var object = try index.description(of: match)
        object["path"] = .string(shown(match.path))
        object["thumbnail"] = thumbnails.file(of: match.path).map(JSONValue.string)
        return .object(object)
      }
      try invocation.print([
        "version": .int(1), "database": .string(index.path), "total": .int(total),
        "files": .array(files),
      ])
    } else {
      // Many paths are written at once.
      let end = invocation.flag(.null) ? "\0" : "\n"
      var text = ""
      // Not for programs, which take paths.
      let showsDistances =
        query.similar != nil && !invocation.flag(.null) && invocation.console.writesToTerminal
      for match in matches {
        let path = shown(match.path)
        if showsDistances {
          let hundredths = match.distance.map { Int(saturating: (100 * $0).rounded()) }
          text += hundredths.map { "\($0 / 100).\($0 / 10 % 10)\($0 % 10)  " } ?? "   -  "
        }
        text += invocation.flag(.null) ? path : path.escapingControls
        text += end
        if text.utf8.count > 1 << 16 {
          try write(text)
          text.removeAll(keepingCapacity: true)
        }
      }
      if !text.isEmpty { try write(text) }
    }
    if total > matches.count {
      invocation.console.inform("\(total.of("document")), of which \(matches.count) are printed")
    }
    return total > 0 ? .done : .answerNo
  }

  private func write(_ text: String) throws { try invocation.console.write(text) }

  /// The absolute path of a folder.
  /// - Throws: ``ParticlesCore/Rule/indexMissing`` if it is not indexed.
  private func folder(_ word: String, _ index: EffectIndex) throws -> String {
    guard try Files.status(word) != nil else {
      throw Diagnostic(.fileNotFound, at: Location(file: word))
    }
    let folder = try Files.resolve(word)
    let folders = try index.folders()
    // A folder around indexed ones has their documents.
    let isKnown =
      try index.covers(folder) || folders.contains { PathKey($0).isInside(folder) }
    guard isKnown else {
      throw Diagnostic(
        .indexMissing, at: Location(file: word), expected: "an indexed folder",
        hint: "index it with 'particles index \(word)'")
    }
    return folder
  }
}
