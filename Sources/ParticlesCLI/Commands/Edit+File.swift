internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages

/// Edits of files of other formats, which stay files of their format.
extension Edit {
  /// An edit of a file, as far as it was made.
  private struct FileResult: Sendable {
    var result: Result
    /// The new file; nil if nothing was changed.
    var file: EditedFile?

    /// Whether the file can be saved: the edit is valid, and the format has room for it.
    var isSound: Bool { result.isSound && file?.dropped.isEmpty ?? true }
  }

  /// Whether an output is a file of the format of an imported document rather than a package.
  /// - Throws: ``UsageError`` if the name of the output does not tell.
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
    // Where only another file has changed, this one stays as it is.
    let hasOthers =
      options.isSaving && outcome.result.isSound && outcome.result.file?.others.isEmpty == false
    return try finish(
      outcome.result, outcome.isSaved || hasOthers,
      outcome.isSaved ? "saved" : "nothing was changed in", path,
      isUnchanged: options.isSaving && !outcome.isSaved && !hasOthers, outcome.diagnostics)
  }

  /// Saves files that the edited one refers to.
  private func write(others: [String: [UInt8]], _ options: UpdateOptions) throws {
    for (other, bytes) in try paths(of: others) {
      try write(bytes, toOther: other, options, ", which other scenes may share")
    }
  }

  /// The paths of other files, by the names that the edited one has for them.
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

  /// Saves a file that the edited one refers to. Its version is kept, as that of the edited one is.
  func write(
    _ bytes: [UInt8], toOther path: String, _ options: UpdateOptions, _ remark: String
  ) throws {
    let outcome = try invocation.update(
      PathStorage(path), name, options, timeout: timeout, keepingVersions: true
    ) { (tree: inout FileTree, _: Bool?) -> Bool in
      tree.root = FileNode(regularFileWithContents: bytes, isExecutable: tree.root.isExecutable)
      return true
    }
    invocation.report(outcome.diagnostics)
    invocation.console.inform("saved \(path)\(remark)")
  }

  /// The other files that the edit of a document changes, with their new contents; nil if the edit cannot be saved.
  func others(of opened: OpenedEffect) throws -> [(path: String, bytes: [UInt8])]? {
    guard case .imported = opened.kind else {
      return try change(opened.package, after: nil).isSound ? [] : nil
    }
    let changed = try changed(opened, after: nil, path)
    return changed.isSound ? try paths(of: changed.file?.others ?? [:]) : nil
  }

  /// The value of `--shared`.
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

  /// Prints what was changed, and what the format changes in it.
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
          ? "\(verb) \(path)"
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
