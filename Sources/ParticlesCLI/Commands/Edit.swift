internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesSystem

/// A run of `edit` that changes a document.
struct Edit {
  let invocation: Invocation
  let path: String
  /// The changes: `key=value`.
  let words: [String]
  /// Takes the JSON of the result. Nil prints it.
  private let results: EditResults?
  private let output: String?
  let timeout: Double?

  /// The name of the edit in the list of edits that can be undone.
  var name: String {
    (words + invocation.values(.unset)).first ?? "Image"
  }

  /// The state of the document after one attempt to change it.
  struct Result: Sendable {
    var package: EffectPackage
    var changes: [EffectEditor.Change]
    var pictures: [EffectEditor.EmbeddedImage]
    var findings: [Diagnostic]
    /// Remarks on changes that had no effect.
    var remarks: [String] = []

    /// Whether no change had an effect, although a change was wanted.
    var isIdle: Bool { changes.isEmpty && pictures.isEmpty && !remarks.isEmpty }

    var isSound: Bool { !findings.contains { $0.severity == .error } }

    var status: ExitStatus { isSound ? isIdle ? .answerNo : .done : .failed }
  }

  /// Runs `edit`, on one document or on several.
  static func run(_ invocation: Invocation) throws -> ExitStatus {
    guard let first = invocation.arguments("file").first else {
      throw UsageError("missing argument <file>")
    }
    let words = invocation.arguments("key=value")
    let more = words.prefix { (try? Files.status($0)) != nil }
    guard !more.isEmpty else {
      return try Edit(invocation, first, words).run()
    }
    return try EditBatch(invocation, [first] + more, Array(words.dropFirst(more.count))).run()
  }

  init(
    _ invocation: Invocation, _ path: String, _ words: [String], into results: EditResults? = nil
  ) throws {
    (self.invocation, self.path, self.words, self.results) = (invocation, path, words, results)
    output = invocation.value(.output)
    timeout = try invocation.number(.timeout, in: 0...86_400)
    guard output != nil || invocation.form == nil else {
      throw UsageError("'--form' needs an output", hint: "name a package with --output")
    }
    for option in [Option.timeout, .ifUnchanged, .rewrite]
    where output != nil && (invocation.flag(option) || invocation.value(option) != nil) {
      throw UsageError("'\(option.spelling)' is for saving in place, without --output")
    }
    if let digest = invocation.value(.ifUnchanged) {
      guard digest.utf8.count >= 8, digest.allSatisfy(\.isHexDigit) else {
        throw UsageError(
          "'\(digest)' is not a digest; expected at least 8 hexadecimal digits",
          hint: "'particles digest \(path)' prints it")
      }
    }
  }

  func run() throws -> ExitStatus { try run(document(), writingOthers: true) }

  /// - Parameter isWritingOthers: whether other files with changed values are saved, too.
  func run(_ opened: OpenedEffect, writingOthers isWritingOthers: Bool) throws -> ExitStatus {
    if let output {
      return try isFile(output, of: opened)
        ? write(file: opened, to: output) : write(opened, to: output)
    }
    if case .imported = opened.kind, path != Invocation.standardStream {
      return try edit(file: opened, writingOthers: isWritingOthers)
    }
    guard opened.isPackage, path != Invocation.standardStream else {
      let kind = path == Invocation.standardStream ? "standard input" : "an archive"
      throw UsageError(
        "'\(path)' cannot be saved in place: it is \(kind)",
        hint: "write a package with --output")
    }
    var options = UpdateOptions()
    options.expectedDigest = invocation.value(.ifUnchanged)
    options.isForced = invocation.flag(.force)
    options.isRewriting = invocation.flag(.rewrite)
    options.isSaving = !invocation.flag(.dryRun)
    let outcome = try invocation.update(
      opened, at: path, name, options, timeout: timeout, keepingVersions: true
    ) { (package: inout EffectPackage, first: Result?) -> Result in
      let result = try change(package, after: first?.changes)
      // A document with errors is not saved.
      if result.isSound { package = result.package }
      return result
    }
    let result = outcome.result
    report(result)
    invocation.report(outcome.diagnostics)
    if result.isSound {
      invocation.console.inform(
        outcome.isSaved
          ? "saved \(path)"
          : options.isSaving ? "nothing to change in \(path)" : "nothing was written (--dry-run)")
    }
    try printJSON(
      result, of: path, isSaved: outcome.isSaved, outcome.diagnostics,
      digest: { try outcome.content.container.root.treeDigest() })
    return result.status
  }

  /// Writes the result to another path.
  private func write(_ opened: OpenedEffect, to output: String) throws -> ExitStatus {
    let form = invocation.form ?? opened.form ?? .flat
    try invocation.check(placeOfPackage: output, as: form)
    if !opened.isPackage { invocation.report(opened.diagnostics) }
    let result = try change(opened.package, after: nil)
    let isSaved = result.isSound && !invocation.flag(.dryRun)
    if isSaved { try invocation.save(result.package.container, to: output, as: form) }
    report(result)
    if result.isSound {
      invocation.console.inform(isSaved ? "wrote \(output)" : "nothing was written (--dry-run)")
    }
    try printJSON(result, of: output, isSaved: isSaved, [], digest: nil)
    return result.status
  }

  func document() throws -> OpenedEffect {
    do {
      return try invocation.effect(at: path)
    } catch Rule.fileNotFound where path.contains("=") {
      throw UsageError("no document '\(path)'", hint: "name the document before the changes")
    }
  }

  // MARK: Changes

  /// - Parameter first: the changes of the first attempt. Nil at the first attempt.
  func change(
    _ package: EffectPackage, after first: [EffectEditor.Change]?
  ) throws -> Result {
    try locating(Location(file: path)) {
      var editor = try EffectEditor(package)
      let pictures = try invocation.values(.image).map { word in
        let (emitter, picture) = try pictureAndEmitter(in: word)
        return try editor.embed(Files.read(picture), named: picture, shownBy: emitter)
      }
      editor.beyond = invocation.flag(.allowOutOfRange)
      do {
        for word in words { try editor.apply(word) }
      } catch let fault as Diagnostic where fault.rule == .range {
        throw fault.advisingBeyond
      }
      for key in invocation.values(.unset) { try editor.unset(key) }
      if let first { editor.markConflicts(with: first) }
      var findings = try editor.findings().map {
        $0.inside(Location(file: path)).advisingBeyond
      }
      var package = editor.package
      let isSound = !findings.contains { $0.severity == .error }
      if isSound, !editor.changes.isEmpty || !pictures.isEmpty {
        findings.removeAll { $0.rule == .staleThumbnail }
        findings += refreshPreviews(of: &package)
      }
      return Result(
        package: package, changes: editor.changes, pictures: pictures, findings: findings,
        remarks: editor.remarks)
    }
  }

  /// Draws the thumbnail in the package again. If it cannot be drawn, that is no reason not to save.
  private func refreshPreviews(of package: inout EffectPackage) -> [Diagnostic] {
    do {
      try package.refreshPreviews()
      return []
    } catch {
      let reason = (error as? Diagnostic)?.message ?? "\(error)"
      let place = Location(file: path, entry: EffectPackage.thumbnailPath)
      return [Diagnostic(.staleThumbnail, at: place, "it cannot be drawn: \(reason)")]
    }
  }

  /// Splits `Flames=tongue.png`, unless a file has that name.
  private func pictureAndEmitter(in word: String) throws -> (emitter: String?, path: String) {
    guard try Files.status(word) == nil, let sign = word.firstIndex(of: "=") else {
      return (nil, word)
    }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }

  // MARK: Report

  /// Prints the changes. Called after the document was saved.
  func report(_ result: Result) {
    invocation.report(result.findings)
    guard result.isSound else {
      invocation.console.complain("\(path) was not changed")
      return
    }
    for picture in result.pictures { invocation.console.inform("\(picture.line)") }
    for change in result.changes { invocation.console.inform("\(change.line)") }
    for remark in result.remarks {
      // Beside other changes it is no error.
      if result.isIdle {
        invocation.console.complain("\(remark)")
      } else {
        invocation.console.inform("\(remark)")
      }
    }
  }

  func printJSON(
    _ result: Result, of path: String, isSaved: Bool, _ diagnostics: [Diagnostic],
    digest: (() throws -> ContentDigest)?
  ) throws {
    guard invocation.flag(.json) else { return }
    var object: JSONObject = [
      "version": .int(1), "path": .string(path), "saved": .bool(isSaved),
      "changes": .array(result.changes.map(\.json)),
      "images": .array(result.pictures.map(\.json)),
      "remarks": .array(result.remarks.map(JSONValue.string)),
      "diagnostics": .array((result.findings + diagnostics).map(\.json)),
    ]
    object["digest"] = try digest.map { .string(try $0().description) }
    guard let results else { return try invocation.print(.object(object)) }
    results.add(.object(object))
  }
}

extension Diagnostic {
  /// This diagnostic with a hint for a refused number out of range.
  fileprivate var advisingBeyond: Diagnostic {
    guard rule == .range, severity == .error, hint == nil else { return self }
    var copy = self
    copy.hint = "\(Option.allowOutOfRange.spelling) saves it with a warning"
    return copy
  }
}

extension OpenedEffect {
  /// The form of a package. Nil for other files.
  fileprivate var form: Container.Form? {
    if case .package(let form) = kind { form } else { nil }
  }
}

extension EffectEditor.Change {
  /// `emitters[0].emission.rate: 95 -> 120`
  var line: String {
    "\(key): \(old.valueText) -> \(new.valueText)"
      + (isConflict ? " (the old value was saved by another program meanwhile)" : "")
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["key": .string(key)]
    object["old"] = old
    object["new"] = new
    if isConflict { object["conflict"] = .bool(true) }
    return .object(object)
  }
}

extension JSONValue? {
  /// The value on one line, shortened to 60 characters.
  var valueText: String {
    guard let line = self?.line else { return "not set" }
    return line.count > 60 ? "\(line.prefix(57))..." : line
  }
}

extension EffectEditor.EmbeddedImage {
  fileprivate var line: String {
    let what = isReplacement ? "replaced" : "embedded"
    let shown = emitter.map { ", shown by emitters[\($0)]" } ?? ""
    return "\(what) \(uri)" + (sprite.map { " (sprites[\($0)]\(shown))" } ?? "")
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["uri": .string(uri), "replaced": .bool(isReplacement)]
    object["sprite"] = sprite.map(JSONValue.int)
    object["emitter"] = emitter.map(JSONValue.int)
    return .object(object)
  }
}

/// Edits of files of other formats, which stay files of their format.
extension Edit {
  /// An edit of a file, as far as it was made.
  private struct FileResult: Sendable {
    var result: Result
    /// The new file, or nil if nothing was changed.
    var file: EditedFile?

    /// Whether the file can be saved: the edit is valid, and the format has room for it.
    var isSound: Bool { result.isSound && file?.dropped.isEmpty ?? true }
  }

  /// Whether an output is a file of the format of an imported document rather than a package.
  /// - Throws: ``UsageError`` if the name of the output does not determine it.
  func isFile(_ output: String, of opened: OpenedEffect) throws -> Bool {
    guard case .imported(let format) = opened.kind, output != Invocation.standardStream,
      invocation.form == nil
    else { return false }
    let kind = Files.pathExtension(of: output)
    guard kind.isEmpty else { return kind != "particles" && format.extensions.contains(kind) }
    let question = "Shall \(output) be a package or a \(format.title)? particles, \(format.name)"
    switch try invocation.console.ask(question) {
    case "particles"?: return false
    case format.name?: return true
    default:
      throw UsageError(
        "'\(output)' has no extension, which names the format",
        hint: "write \(output).particles for a package, or "
          + "\(output).\(format.extensions.first ?? format.name) for a \(format.title)")
    }
  }

  /// Changes a file in place: the values that are edited, and nothing else.
  /// - Parameter isWritingOthers: whether other files with changed values are saved, too.
  func edit(file opened: OpenedEffect, writingOthers isWritingOthers: Bool) throws -> ExitStatus {
    for option in [Option.ifUnchanged, .rewrite]
    where invocation.flag(option) || invocation.value(option) != nil {
      throw UsageError(
        "'\(option.spelling)' is for packages, and '\(path)' is a \(opened.kindName)")
    }
    var options = UpdateOptions()
    options.isForced = invocation.flag(.force)
    options.isSaving = !invocation.flag(.dryRun)
    let outcome = try invocation.update(
      PathStorage(path), name, options, timeout: timeout, keepingVersions: true
    ) { [options] (tree: inout FileTree, first: FileResult?) -> FileResult in
      let changed = try changed(present(opened, tree), after: first?.result.changes, path)
      if changed.isSound, let file = changed.file {
        if options.isSaving {
          try write(file.images, beside: path)
          if isWritingOthers { try write(others: file.others, options) }
        }
        tree.root = FileNode(
          regularFileWithContents: file.bytes, isExecutable: tree.root.isExecutable)
      }
      return changed
    }
    invocation.report(outcome.diagnostics)
    // If only another file has changed, this file stays unchanged.
    let hasOthers =
      options.isSaving && outcome.result.isSound && outcome.result.file?.others.isEmpty == false
    return try finish(
      outcome.result, outcome.isSaved || hasOthers,
      outcome.isSaved ? "saved" : "nothing was changed in", path,
      isUnchanged: options.isSaving && !outcome.isSaved && !hasOthers, outcome.diagnostics)
  }

  /// Saves files that the edited document refers to.
  private func write(others: [String: [UInt8]], _ options: UpdateOptions) throws {
    for (other, bytes) in try paths(of: others) {
      try write(bytes, toOther: other, options, ", which other scenes may share")
    }
  }

  /// The paths of other files, by their names in the edited document.
  private func paths(of others: [String: [UInt8]]) throws -> [(path: String, bytes: [UInt8])] {
    let finder = try invocation.imageFinder(besides: path)
    return try others.sorted { $0.key < $1.key }.map { reference, bytes in
      guard let other = try finder.path(of: reference) else {
        throw Diagnostic(
          .fileUnwritable, "\(reference.excerpt) is not found",
          hint: "name the folder of its project with --project")
      }
      return (other, bytes)
    }
  }

  /// Saves a file that the edited document refers to. A version is kept, as for the document.
  func write(
    _ bytes: [UInt8], toOther path: String, _ options: UpdateOptions, _ remark: Phrase
  ) throws {
    let outcome = try invocation.update(
      PathStorage(path), name, options, timeout: timeout, keepingVersions: true
    ) { (tree: inout FileTree, _: Bool?) -> Bool in
      tree.root = FileNode(regularFileWithContents: bytes, isExecutable: tree.root.isExecutable)
      return true
    }
    invocation.report(outcome.diagnostics)
    invocation.console.inform("saved \(path)" + remark)
  }

  /// The referenced files that an edit changes, with their new contents. Nil if the edit cannot be saved.
  func others(of opened: OpenedEffect) throws -> [(path: String, bytes: [UInt8])]? {
    guard case .imported = opened.kind else {
      return try change(opened.package, after: nil).isSound ? [] : nil
    }
    let changed = try changed(opened, after: nil, path)
    return changed.isSound ? try paths(of: changed.file?.others ?? [:]) : nil
  }

  private var sharedValues: EncodingContext.SharedValues? {
    invocation.value(.shared).flatMap(EncodingContext.SharedValues.init)
  }

  /// Writes the edited file to another path.
  func write(file opened: OpenedEffect, to output: String) throws -> ExitStatus {
    if sharedValues == .edit {
      throw UsageError(
        "'--shared edit' changes files of the project, and '--output' leaves them as they are",
        hint: "leave out --output, or write --shared copy")
    }
    let changed = try changed(opened, after: nil, output, isComplete: true)
    let isSaving = changed.isSound && !invocation.flag(.dryRun)
    if isSaving, let file = changed.file {
      if !invocation.flag(.force), try Files.status(output) != nil {
        throw Diagnostic(.fileExists, at: Location(file: output))
      }
      let isElsewhere = Files.folder(of: output) != Files.folder(of: path)
      try write(isElsewhere ? file.allImages : file.images, beside: output)
      try SafeSave.file(output, replacing: invocation.flag(.force)) { open in
        try file.bytes.withUnsafeBytes { try open.write($0) }
      }
    }
    return try finish(changed, isSaving, "wrote", output, isUnchanged: false, [])
  }

  /// The document in a file that another program may have changed after it was opened.
  private func present(_ opened: OpenedEffect, _ tree: FileTree) throws -> OpenedEffect {
    guard case .imported(let format) = opened.kind,
      let bytes = try tree.root.regularFileContents()
    else { return opened }
    let source = try opened.package.originalFormat()?.path
    let known = try source.flatMap { opened.package.container.root[$0]?.contents }?.bytes()
    if known == bytes { return opened }
    return try OpenedEffect(
      bytes: bytes, name: path, as: format,
      images: invocation.imageFinder(besides: path))
  }

  /// - Parameters:
  ///   - isComplete: whether the file is made even if nothing was changed.
  ///   - output: the path of the result.
  private func changed(
    _ opened: OpenedEffect, after first: [EffectEditor.Change]?, _ output: String,
    isComplete: Bool = false
  ) throws -> FileResult {
    let result = try change(opened.package, after: first)
    let isChanged = !result.changes.isEmpty || !result.pictures.isEmpty
    guard result.isSound, isChanged || isComplete else { return FileResult(result: result) }
    let file = try locating(Location(file: path)) {
      try EditedFile(
        result.package, changes: result.changes, editedFrom: opened,
        fileName: Files.lastComponent(of: output), shared: sharedValues)
    }
    return FileResult(result: result, file: file)
  }

  /// Writes images into the folder of a file, unless they are there.
  private func write(_ images: [String: [UInt8]], beside file: String) throws {
    for (name, bytes) in images.sorted(by: { $0.key < $1.key }) {
      let path = file.contains("/") ? Files.joined(Files.folder(of: file), name) : name
      if try Files.status(path) != nil {
        if (try? Files.read(path)) == bytes { continue }
        guard invocation.flag(.force) else {
          throw Diagnostic(
            .fileExists, at: Location(file: path),
            hint: "give the picture another name, or replace the file with --force")
        }
      }
      try SafeSave.file(path, replacing: invocation.flag(.force)) { open in
        try bytes.withUnsafeBytes { try open.write($0) }
      }
      invocation.console.inform("wrote \(path)")
    }
  }

  // MARK: Report

  /// Prints the changes by the edit, and the changes that the format makes to them.
  private func finish(
    _ changed: FileResult, _ isSaved: Bool, _ verb: String, _ path: String, isUnchanged: Bool,
    _ diagnostics: [Diagnostic]
  ) throws -> ExitStatus {
    let losses = (changed.file?.losses ?? []).filter { $0.lossLevel > .info }
    var status = changed.result.status
    if !changed.isSound {
      status = .failed
      if changed.result.isSound {
        tell(changed.file?.dropped ?? [])
        invocation.console.complain(
          "\(path) was not changed: its format cannot hold the edit",
          hint: "write a package with --output, which holds every edit")
      } else {
        report(changed.result)
      }
    } else if isUnchanged, changed.file != nil {
      status = .failed
      invocation.console.complain(
        "\(path) was not changed: its format stores nothing of the edit",
        hint: changed.file?.roundsRate == true
          ? "the rate follows from a whole number of particles, which stays; change it by more"
          : "write a package with --output, which holds every edit")
    } else {
      report(changed.result)
      for change in changed.file?.capacities ?? [] {
        invocation.console.inform("\(change.line) (the rate follows from it)")
      }
      tell(losses)
      invocation.console.inform(
        isSaved
          ? "\(fixed: verb) \(path)"
          : isUnchanged ? "nothing to change in \(path)" : "nothing was written (--dry-run)")
    }
    var result = changed.result
    result.changes += changed.file?.capacities ?? []
    try printJSON(result, of: path, isSaved: isSaved, losses + diagnostics, digest: nil)
    return status
  }

  private func tell(_ losses: [Diagnostic]) {
    for line in LossLine.lines(of: losses) { invocation.console.inform("  \(line.text)") }
  }
}
