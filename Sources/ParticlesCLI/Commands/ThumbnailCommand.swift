internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesImages
internal import ParticlesSystem

extension Command {
  /// Draws a thumbnail of a document.
  static let thumbnail = Command(
    name: "thumbnail", group: .pictures,
    summary: "Write a thumbnail of a document as a PNG.",
    discussion: """
      The picture is a frame of the running effect, at the moment when most particles are visible. If no particles \
      ever show, it has the images of the emitters instead. A thumbnail in a package that --embed wrote is used if \
      it is large enough and the effect has not changed since. Then only this thumbnail and the document are read.

      --embed draws the thumbnail into a package, as QuickLook/Thumbnail.png, and saves the package in place as \
      'edit' does. --preview adds a moving picture, QuickLook/Preview.webp. Previews are not part of the effect: \
      'diff' and conversions to other formats ignore them. 'edit' draws them again. 'validate' reports previews that \
      show an earlier state of the effect. A thumbnail by another program is replaced with --force only.

      Of several documents, --output names the folder for the pictures, which gets equal subfolders. --beside writes \
      each picture into the folder of its document.
      """,
    arguments: [
      .documents("in"),
      Argument(
        .file("out"), arity: .optional,
        "The PNG to write, or - for standard output. Not with --embed, --output or --beside."),
    ],
    options: [
      .output, .beside, .size, .embed, .preview, .from, .engine, .images, .project, .force,
      .inPlace, .json,
      .allowNone,
    ] + Option.inputs,
    examples: [
      Example(
        "particles thumbnail fire.particles fire.png", "Write a thumbnail of 256 by 256 pixels."),
      Example(
        "particles thumbnail -s 128 fire.particles fire.png --force",
        "Replace it by one of 128 by 128 pixels."),
      Example(
        "particles thumbnail --embed fire.particles", "Put a thumbnail into a package."),
      Example(
        "particles thumbnail -r effects -o thumbnails",
        "Draw a thumbnail of each effect in a folder."),
    ],
    run: { invocation in
      guard !invocation.flag(.embed) else { return try embedAll(invocation) }
      guard !invocation.flag(.preview) else { throw UsageError("'--preview' needs '--embed'") }
      // The first argument takes all words. Without an option that names results, the last word does.
      let words = invocation.arguments("in")
      let output = invocation.value(.output)
      let size = try invocation.integer(.size, in: 1...1024) ?? 256
      guard try !invocation.writesBeside("in"), output == nil else {
        return try drawAll(words, to: output, size, invocation)
      }
      guard words.count > 1 else { throw UsageError("missing argument <out>") }
      guard words.count == 2, !invocation.flag(.recursive), !DocumentSet.isPattern(words[0]) else {
        throw UsageError(
          "several thumbnails need a folder", hint: "name it with --output, or use --beside")
      }
      let row = try invocation.explainingFolder(words[0]) {
        try draw(words[0], to: words[1], size, invocation)
      }
      if invocation.flag(.json) { try invocation.print(.object(row)) }
      return .done
    })

  /// Writes a thumbnail for each document.
  private static func drawAll(
    _ words: [String], to output: String?, _ size: Int, _ invocation: Invocation
  ) throws -> ExitStatus {
    guard !invocation.flag(.inPlace) else {
      throw UsageError("'--in-place' writes one thumbnail", hint: "name it after the document")
    }
    var output = output
    if let folder = output, !folder.hasSuffix("/"),
      try ConversionPlan.isBatch(words, to: folder, isRecursive: invocation.flag(.recursive))
    {
      output = folder + "/"
    }
    let batch = try BatchOfResults(invocation, words, to: output, extension: "png")
    return try batch.run { input, output in
      .object(try draw(input, to: output, size, invocation))
    }
  }

  /// Writes the thumbnail of a document.
  /// - Returns: the members for `--json`.
  private static func draw(
    _ input: String, to output: String, _ size: Int, _ invocation: Invocation
  ) throws -> JSONObject {
    try checkName(output, invocation)
    if output == Invocation.standardStream { try invocation.checkStandardOutput() }
    // --force must not replace the document by its own picture.
    if input != Invocation.standardStream, let state = try Files.status(input)?.state,
      try Files.status(output)?.state == state
    {
      throw UsageError("'\(output)' is the input", hint: "choose another name for the picture")
    }
    let (opened, picture) = try WorkBudget.run(.standard) {
      let opened = try invocation.effectOfEngine(at: input)
      return try locating(Location(file: input)) {
        (opened, try EffectThumbnail(opened.package).picture(size: size))
      }
    }
    let bytes = try PNG.encode(picture.bitmap)
    if output == Invocation.standardStream {
      try invocation.console.write(bytes)
    } else if invocation.flag(.inPlace), let file = try existingFile(output) {
      try bytes.withUnsafeBytes { try file.write($0, at: 0) }
      try file.truncate(to: bytes.count)
    } else {
      try SafeSave.file(output, replacing: invocation.flag(.force)) { try $0.write(bytes) }
    }
    invocation.note(
      (opened.unreadValues + opened.placing(picture.problems)).map {
        $0.inside(Location(file: input))
      })
    if output != Invocation.standardStream {
      let what: Phrase = "\(size) × \(size), \(bytes.count.bytesText)"
      invocation.tellResult("wrote \(output): \(what)")
    }
    var row: JSONObject = [
      "source": .string(input), "path": .string(output), "width": .int(size),
      "height": .int(size), "size": .int(bytes.count),
    ]
    for member in picture.view?.json.members ?? [] { row[member.key] = member.value }
    return row
  }

  /// Draws the previews into packages.
  private static func embedAll(_ invocation: Invocation) throws -> ExitStatus {
    guard !invocation.flag(.inPlace), invocation.value(.output) == nil, !invocation.flag(.beside)
    else {
      throw UsageError("'--embed' writes into the package and no other file")
    }
    guard invocation.engine == nil else {
      throw UsageError(
        "'--embed' shows a package as its own engine does", hint: "leave out '--engine'")
    }
    let words = invocation.arguments("in")
    guard !words.contains(where: { Files.pathExtension(of: $0) == "png" }) else {
      throw UsageError("'--embed' writes into the package and no other file")
    }
    guard
      try ConversionPlan.isBatch(words, to: nil, isRecursive: invocation.flag(.recursive))
    else {
      let row = try embed(words[0], invocation)
      if invocation.flag(.json) { try invocation.print(.object(row)) }
      return .done
    }
    let set = invocation.documents(words)
    var (rows, unknown) = ([JSONValue](), set.unknown)
    let status = try invocation.forEach(set, unknown: &unknown) { path in
      rows.append(.object(try embed(path, invocation)))
      return .done
    }
    if invocation.flag(.json) { try invocation.print(["files": .array(rows)]) }
    invocation.tellOthers(set, unknown: unknown)
    guard !rows.isEmpty || status > .done else { return invocation.noDocuments(set) }
    return status
  }

  /// Draws the previews into a package.
  /// - Returns: the members for `--json`.
  private static func embed(_ path: String, _ invocation: Invocation) throws -> JSONObject {
    let size =
      try invocation.integer(.size, in: 1...1024) ?? EffectPackage.thumbnailSize
    let opened = try invocation.effect(at: path)
    guard opened.isPackage, path != Invocation.standardStream else {
      throw UsageError(
        "'\(path)' is not a package", hint: "convert it with 'particles convert' first")
    }
    var options = UpdateOptions()
    options.isForced = invocation.flag(.force)
    let outcome = try invocation.update(opened, at: path, "Thumbnail", options) {
      (package: inout EffectPackage, _: Void?) in
      guard !package.hasForeignThumbnail() || invocation.flag(.force) else {
        throw Diagnostic(
          .fileExists, at: Location(file: path, entry: EffectPackage.thumbnailPath),
          "another program made it", hint: "replace it with --force")
      }
      try locating(Location(file: path)) {
        try package.embedPreviews(size: size, animation: invocation.flag(.preview))
      }
    }
    invocation.note(outcome.diagnostics)
    invocation.console.inform(
      outcome.isSaved ? "saved \(path)" : "nothing to change in \(path)")
    return [
      "source": .string(path), "path": .string(path), "width": .int(size), "height": .int(size),
      "size": .int(try Files.status(path)?.size ?? 0),
    ]
  }

  /// Refuses a name that promises another format. Desktops choose names at random.
  private static func checkName(_ output: String, _ invocation: Invocation) throws {
    let name = Files.pathExtension(of: output)
    guard !name.isEmpty, name != "png", output != Invocation.standardStream,
      !invocation.flag(.inPlace)
    else { return }
    throw UsageError(
      "thumbnails are written as PNG, not as .\(name)", hint: "use the extension .png")
  }

  /// Opens an existing output for writing. Returns nil if there is no file.
  private static func existingFile(_ output: String) throws -> OpenFile? {
    guard let status = try Files.status(output) else { return nil }
    guard status.kind == .file else {
      throw Diagnostic(.fileUnwritable, at: Location(file: output), expected: "a file")
    }
    return try OpenFile(updating: output)
  }
}

extension Option {
  fileprivate static let size = Option(
    "size", short: "s", value: .text("pixels"),
    default: "256, or \(EffectPackage.thumbnailSize) with --embed", "Width and height, 1 to 1024.")
  fileprivate static let embed = Option("embed", "Write the thumbnail into the package.")
  fileprivate static let preview = Option(
    "preview", "With --embed: also write a moving preview: a whole cycle.")
  fileprivate static let inPlace = Option(
    "in-place",
    "Write into the existing file instead of replacing it, for desktops that keep it open.")
}
