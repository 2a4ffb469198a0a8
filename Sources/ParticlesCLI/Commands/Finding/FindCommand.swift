internal import ParticlesBrowser
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesIndex
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSystem

extension Command {
  /// Finds documents in the index.
  static let find = Command(
    name: "find", group: .documents,
    summary: "Find documents in the index by format, numbers, texts and look.",
    discussion: """
      Prints the paths of the documents in the index that a query describes, in the order of the paths, relative to \
      the current folder if they are in it. 'particles index' makes the index. Answers are as of its last run. The \
      status is 0 if a document was found, and 1 if none was.

      A query consists of terms, which all have to hold. 'or', 'not', a hyphen in front of a term, and parentheses \
      combine them. A word alone is searched in file names and names of effects, emitters and images, without regard \
      to case and accents. FIELD:VALUE compares a field, and so do <, <=, > and >= for numbers. 100..500 is a range, \
      4k is 4000 and 4Ki is 4096. A value with spaces or parentheses is in quotes. Every property of the document \
      that 'edit --list' lists is a field, too: emission.rate>100.

      similar:FILE finds effects that look like the effect in the file, by statistics of two seconds of its \
      simulation, the nearest first, and at least ten. A terminal shows how different each looks: 0 is no \
      difference, and above 1 little is alike.

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
  fileprivate static var help: String {
    "Fields: "
      + all.map { "\($0.name) (\($0.summary), as in \($0.example))" }.joined(separator: ", ") + "."
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

extension Command {
  /// Makes an index of folders, or brings it up to date.
  static let index = Command(
    name: "index", group: .documents,
    summary: "Index the documents in folders, so that find answers at once.",
    discussion: """
      Reads all documents in the folders and their subfolders and stores formats, properties, particle counts, \
      findings of validate, and the look of the running effect in a database. Later runs read the documents that \
      have changed: their size, time of change or file number differs. Documents that are gone leave the index. A \
      document that was renamed or moved keeps its row.

      Without a folder, all folders that are indexed are brought up to date. A document that cannot be read is \
      in the index with its problem. Documents are found as --recursive of other commands does it.

      The database is a file of SQLite, described in Spec/finding.md. A file that is no index is never changed. \
      Concurrent runs, and a run that is interrupted, leave an index that can be used.
      """,
    arguments: [Argument(.folder("folder"), arity: .any, "A folder to index.")],
    options: [.database, .thumbnails, .forget, .noIgnore, .json],
    examples: [
      Example("particles index effects", "Index a folder, or bring its index up to date."),
      Example("particles index", "Bring all indexed folders up to date."),
      Example(
        "particles index --database studio.sqlite /srv/effects", "Keep the index in another file."),
      Example(
        "particles index --thumbnails effects",
        "Draw the thumbnails, too, for file managers and 'particles browse'."),
      Example("particles index --forget effects", "Remove a folder from the index."),
    ],
    run: { invocation in
      var run = IndexRun(invocation)
      return try run.run()
    })
}

extension Option {
  fileprivate static let thumbnails = Option(
    "thumbnails",
    "Draw missing thumbnails of documents without errors into the cache that desktops share.")
  fileprivate static let forget = Option(
    "forget", "Remove the folders from the index. No document is touched.")
}

/// A run of `index`.
private struct IndexRun {
  private let invocation: Invocation
  private var status = ExitStatus.done

  init(_ invocation: Invocation) { self.invocation = invocation }

  mutating func run() throws -> ExitStatus {
    let words = invocation.arguments("folder")
    let path = try invocation.indexPath()
    if invocation.flag(.forget) { return try forget(words, path) }
    // A folder that is not there needs no new index.
    var folders = try words.compactMap { try folder($0) }
    if words.isEmpty {
      folders = try EffectIndex(path).folders().compactMap {
        try folder(
          $0, hint: "mount its volume, or remove it with 'particles index --forget' and its path")
      }
    }
    guard !folders.isEmpty else {
      invocation.completeJSON()
      return max(status, .answerNo)
    }
    return try update(
      EffectIndex(path, writing: true), Set(folders.map(PathKey.init)).sorted().map(\.path))
  }

  /// The absolute path of a folder. If it cannot be searched, the function prints a report and returns nil.
  private mutating func folder(_ word: String, hint: String? = nil) throws -> String? {
    do {
      guard try Files.status(word) != nil else {
        throw Diagnostic(.fileNotFound, at: Location(file: word), hint: hint)
      }
      guard try DocumentSet.isPlainFolder(word) else {
        throw UsageError(
          "'\(word)' is no folder of documents", hint: "name the folder that it is in")
      }
      return try Files.resolve(word)
    } catch let fault as Diagnostic {
      invocation.reportFailure(fault)
      status = .failed
      return nil
    }
  }

  private func forget(_ words: [String], _ path: String) throws -> ExitStatus {
    guard !words.isEmpty else { throw UsageError("'--forget' needs a folder") }
    let index = try EffectIndex(path)
    var (removed, status) = (0, ExitStatus.done)
    for word in words {
      let folder = (try? Files.resolve(word)) ?? Self.place(ofGone: word)
      if let count = try index.forget(folder) {
        removed += count
        invocation.console.inform("'\(word)' is not indexed any more: \(count.of("document"))")
      } else {
        invocation.reportFailure(
          Diagnostic(
            .indexMissing, at: Location(file: word), found: "a folder that is not indexed",
            hint: "the folders are listed by 'particles index --json'"))
        status = .failed
      }
    }
    try invocation.answer([
      "database": .string(index.path), "removed": .int(removed),
      "folders": .array(try index.folders().map(JSONValue.string)),
    ])
    return status
  }

  /// The absolute path that a folder had.
  private static func place(ofGone folder: String) -> String {
    let parent = Files.folder(of: folder)
    return Files.joined((try? Files.resolve(parent)) ?? parent, Files.lastComponent(of: folder))
  }

  private func update(_ index: EffectIndex, _ folders: [String]) throws -> ExitStatus {
    let found = try IndexedFolders(folders, in: index, filter: invocation.filter)
    let set = found.set
    invocation.note(set.problems)
    var failures = FailureLines(invocation)
    for path in found.unlisted {
      let fault = Diagnostic(.fileUnreadable, at: Location(file: path))
      failures.add(Self.reason(path) ?? fault, of: nil)
    }
    let console = invocation.console
    var bar: ProgressBar?
    var changes = try found.update(
      index, willRead: { bar = ProgressBar("indexing", total: $0, console: console) },
      didRead: { path in
        bar?.advance()
        if console.verbosity == .verbose { bar?.aside { console.detail("read: \(path)") } }
      })
    bar?.finish()
    failures.finish()
    changes.unknown += set.unknown
    let pictures = invocation.flag(.thumbnails) ? try drawThumbnails(index, set.folders) : nil
    return try report(index, set, changes, found.count + set.unknown.count, failures, pictures)
  }

  /// Draws the thumbnails that are missing or of another state of the document.
  /// - Returns: how many were drawn, and how many documents cannot be drawn.
  private func drawThumbnails(_ index: EffectIndex, _ roots: [String]) throws
    -> (drawn: Int, failed: Int)
  {
    guard let folder = BaseDirectories(environment: invocation.environment).cacheHome else {
      throw UsageError("the cache folder is not known: HOME is not set")
    }
    let (cache, size) = (ThumbnailCache(folder), ThumbnailCache.folders[1])
    let paths = try index.find(IndexQuery("errors:0"), in: roots).matches.map(\.path)
    let bar = ProgressBar("drawing", total: paths.count, console: invocation.console)
    var count = (drawn: 0, failed: 0)
    try Parallel.ordered(paths.count, state: {}) { number, _ -> (isDrawn: Bool, Diagnostic?) in
      guard cache.file(of: paths[number], in: size.name) == nil else { return (false, nil) }
      do {
        switch try cache.draw(paths[number], size).keeping {
        case .kept: return (true, nil)
        // It is drawn next time.
        case .outdated: return (false, nil)
        case .refused:
          return (
            false,
            Diagnostic(
              .fileUnwritable, at: Location(file: Files.joined(folder, "thumbnails")),
              hint: "free space, or make the folder writable")
          )
        }
      } catch let fault as Diagnostic {
        return (false, fault)
      }
    } emit: { isDrawn, fault in
      bar.advance()
      if isDrawn { count.drawn += 1 }
      guard let fault else { return }
      count.failed += 1
      // It has no effect on the index. A protected folder is one fault.
      if fault.rule == .fileUnwritable { throw fault }
      bar.aside { invocation.console.report(fault) }
    }
    bar.finish()
    return count
  }

  /// Why a folder cannot be listed.
  private static func reason(_ folder: String) -> Diagnostic? {
    do {
      _ = try Files.list(folder)
      return nil
    } catch {
      return error as? Diagnostic
    }
  }

  private func report(
    _ index: EffectIndex, _ set: DocumentSet, _ changes: IndexChanges, _ seen: Int,
    _ failures: FailureLines, _ pictures: (drawn: Int, failed: Int)?
  ) throws -> ExitStatus {
    let documents = seen - changes.unknown.count
    let faulty = try index.find(IndexQuery("errors>0"), in: set.folders, limit: 0).total
    invocation.tellOthers(set, unknown: changes.unknown)
    var answer: JSONObject = [
      "database": .string(index.path),
      "folders": .array(try index.folders().map(JSONValue.string)),
      "documents": .int(documents), "read": .int(changes.read),
      "unchanged": .int(changes.unchanged), "moved": .int(changes.moved),
      "removed": .int(changes.removed), "faulty": .int(faulty),
      "unknown": .array(changes.unknown.map(JSONValue.string)),
      "ignored": .array(set.ignored.map(JSONValue.string)),
    ]
    answer["thumbnails"] = pictures.map { .int($0.drawn) }
    try invocation.answer(answer)
    let counts = [
      (changes.read, "read"), (changes.unchanged, "unchanged"), (changes.moved, "moved"),
      (changes.removed, "removed"), (faulty, "with errors"),
      (pictures?.drawn ?? 0, "drawn"), (pictures?.failed ?? 0, "without a thumbnail"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map {
      "\($0.0) \(fixed: $0.1)" as Phrase
    }
    invocation.console.inform(
      "\(documents.of("document"))" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
        + invocation.others(set, unknown: changes.unknown.count))
    guard failures.isEmpty else { return .failed }
    return documents > 0 ? status : max(status, invocation.noDocuments(set))
  }
}

extension Option {
  /// The file of an index.
  static let database = Option(
    "database", value: .file("path"), default: "particles/index.sqlite in the cache folder",
    "The file of the index.")
}

extension Invocation {
  /// The path of the index.
  /// - Throws: ``UsageError`` if there is no home folder and no option.
  func indexPath() throws -> String {
    if let path = value(.database) { return path }
    let folders = BaseDirectories(environment: environment)
    guard let path = EffectIndex.standardPath(folders) else {
      throw UsageError(
        "the cache folder is not known: HOME is not set", hint: "name a file with --database")
    }
    return path
  }
}

extension QueryVocabulary {
  /// The words of this tool.
  static let standard = QueryVocabulary(
    keys: { StatedProperties.keys },
    words: { field in
      switch field {
      case "format", "origin": FormatRegistry.standard.formats.map(\.name) + ["particles"]
      case "blend": Emitter.BlendMode.allCases.map(\.rawValue)
      case "shape": Emitter.ShapeKind.allCases.map(\.rawValue)
      case "dimension": ParticleSystem.Dimension.allCases.map(\.rawValue)
      case "problem":
        Rule.all.map(\.code) + Set(Rule.all.map(\.family)).sorted()
          + Diagnostic.Severity.allCases.map(\.rawValue)
      default: nil
      }
    })
}
