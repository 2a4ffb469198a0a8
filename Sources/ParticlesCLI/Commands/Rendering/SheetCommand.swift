internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesImages
internal import ParticlesRender
internal import ParticlesSystem

extension Command {
  /// Draws the frames of one effect, or many effects, into one picture.
  static let sheet = Command(
    name: "sheet", group: .pictures,
    summary: "Draw the frames of an effect, or many effects, into one PNG.",
    discussion: """
      Of one effect, every frame is drawn into a grid, for programs that play sprite sheets. A JSON file beside the \
      picture, in the form of TexturePacker, states the place and the duration of each frame. Without --background, \
      the frames are transparent. If the output is a folder, such as sheets/, a sheet of each effect is written into \
      it.

      With --contact, one picture of each effect is drawn, with its name below it.
      """,
    arguments: [.documents()],
    options: [.output, .contact, .columns, .padding, .atlas] + Option.forPictures + [
      .from, .images, .project, .force, .json,
    ] + Option.inputs,
    examples: [
      Example(
        "particles sheet fire.particles -o fire.png --size 128 --fps 15",
        "Write a sprite sheet and fire.json."),
      Example(
        "particles sheet --contact -r effects -o overview.png --size 160",
        "Draw all effects of a folder."),
    ],
    run: { invocation in
      let output = try invocation.requiredOutput()
      if output == Invocation.standardStream { try invocation.checkStandardOutput() }
      return invocation.flag(.contact)
        ? try invocation.drawContactSheet(to: output) : try invocation.drawSheets(to: output)
    })
}

extension Option {
  fileprivate static let contact = Option(
    "contact", "Draw one picture of each effect, with its name.")
  fileprivate static let columns = Option(
    "columns", value: .text("number"), default: "as many as rows", "Pictures beside each other.")
  fileprivate static let padding = Option(
    "padding", value: .text("pixels"), default: "0", "Space between frames, 0 to 64.")
  fileprivate static let atlas = Option(
    "atlas", value: .choice("form", ["hash", "array", "none"]), default: "hash",
    "The form of the JSON file.")
}

extension Invocation {
  /// Draws the frames of one effect, or a sheet of each effect into a folder.
  fileprivate func drawSheets(to output: String) throws -> ExitStatus {
    let isFolder = try output.hasSuffix("/") || DocumentSet.isPlainFolder(output)
    guard !isFolder else {
      let batch = try BatchOfResults(self, arguments("file"), to: output, extension: "png")
      return try batch.run { input, output in .object(try drawSheet(of: input, to: output)) }
    }
    let set = documents(arguments("file"))
    let status = begin(set)
    guard !set.documents.isEmpty else { return noDocuments(set) }
    guard set.documents.count == 1 else {
      throw UsageError(
        "a sheet has the frames of one effect, but there are \(set.documents.count)",
        hint: "use --contact for one picture of several effects, or -o sheets/ for a sheet of each")
    }
    let input = set.documents[0]
    let row = try explainingFolder(input.path) { try drawSheet(of: input.path, to: output) }
    if flag(.json), output != Self.standardStream { try print(.object(row)) }
    return status
  }

  /// Draws the frames of one effect.
  /// - Returns: the members for `--json`.
  private func drawSheet(of input: String, to output: String) throws -> JSONObject {
    var plan = try animationPlan()
    if value(.background) == nil { plan.background = .transparent }
    plan.pause = plan.pause ?? 0
    if value(.pictureSize) == nil { (plan.width, plan.height) = (128, 128) }
    let opened = try effect(at: input)
    let animation = try locating(Location(file: input)) {
      try EffectAnimation(opened.package, plan: plan, limits: pictureLimits())
    }
    var sheet = try SpriteSheet(
      animation.timing, width: plan.width, height: plan.height,
      columns: integer(.columns, in: 1...10_000), padding: integer(.padding, in: 0...64) ?? 0,
      limits: pictureLimits())
    let bar = ProgressBar("drawing", total: animation.timing.count, console: console)
    try animation.draw { frame in
      try sheet.append(frame)
      bar.advance()
    }
    bar.finish()
    note(
      (opened.unreadValues + opened.placing(animation.problems)).map {
        $0.inside(Location(file: input))
      })
    let bytes = try PNG.encode(sheet.bitmap)
    let form = value(.atlas) ?? "hash"
    guard output != Self.standardStream else {
      try console.write(bytes)
      return [:]
    }
    var written = [output]
    try SafeSave.file(output, replacing: flag(.force)) { try $0.write(bytes) }
    if form != "none" {
      let path = Files.joined(Files.folder(of: output), Files.stem(of: output) + ".json")
      let atlas = sheet.atlas(
        form == "array" ? .array : .hash, image: Files.lastComponent(of: output),
        version: tool.version)
      try SafeSave.file(path, replacing: flag(.force)) { try $0.write(Array(atlas.text.utf8)) }
      written.append(path)
    }
    var row = tell(
      written, animation.timing.count.of("frame"), sheet.bitmap, size: bytes.count)
    for member in animation.view.json.members { row[member.key] = member.value }
    return row
  }

  /// Draws a picture of each effect.
  fileprivate func drawContactSheet(to output: String) throws -> ExitStatus {
    var plan = try animationPlan()
    if value(.pictureSize) == nil { (plan.width, plan.height) = (160, 160) }
    let set = documents(arguments("file"))
    var status = begin(set)
    guard !set.documents.isEmpty else { return noDocuments(set) }
    var sheet = try ContactSheet(
      count: set.documents.count, width: plan.width, height: plan.height,
      columns: integer(.columns, in: 1...max(1, set.documents.count)), limits: pictureLimits())
    let bar = ProgressBar("drawing", total: set.documents.count, console: console)
    var (failures, unknown) = (FailureLines(self), set.unknown)
    let images = BatchFiles()
    plan.threads = 1
    let picturePlan = plan
    var rows: [JSONValue] = []
    var drawn = 0
    try collectingNotes(of: set.documents.count) {
      try Parallel.ordered(set.documents.count, state: {}) { index, _ -> ContactPicture in
        images.share { ContactPicture(set.documents[index], plan: picturePlan, self) }
      } emit: { picture in
        bar.advance()
        bar.aside { note(picture.problems) }
        if picture.isUnknown { return unknown.append(picture.path) }
        if let failure = picture.failure {
          bar.aside { failures.add(failure, of: picture.named) }
          status = .failed
        } else {
          drawn += 1
        }
        if let view = picture.view {
          rows.append(view.adding(to: ["source": .string(picture.path)]))
        }
        try sheet.append(
          picture.bitmap ?? Bitmap(width: plan.width, height: plan.height), label: picture.label)
      }
      bar.finish()
    }
    failures.finish()
    tellOthers(set, unknown: unknown)
    guard drawn > 0 else {
      completeJSON()
      return status > .done ? status : noDocuments(set)
    }
    let bytes = try PNG.encode(sheet.bitmap)
    if output == Self.standardStream {
      try console.write(bytes)
      return status
    }
    try SafeSave.file(output, replacing: flag(.force)) { try $0.write(bytes) }
    let effects: Phrase = "\(drawn.of("effect"))" + others(set, unknown: unknown.count)
    var row = tell([output], effects, sheet.bitmap, size: bytes.count)
    row["pictures"] = .array(rows)
    if flag(.json) { try print(.object(row)) }
    return status
  }

  /// - Returns: the members for `--json`.
  private func tell(
    _ paths: [String], _ what: Phrase, _ bitmap: Bitmap, size: Int
  ) -> JSONObject {
    let all: Phrase = "\(what), \(bitmap.width) × \(bitmap.height), \(size.bytesText)"
    tellResult("wrote \(paths.joined(separator: ", ")): \(all)")
    return [
      "paths": .array(paths.map { .string($0) }), "width": .int(bitmap.width),
      "height": .int(bitmap.height), "size": .int(size),
    ]
  }
}

/// One picture of a contact sheet.
private struct ContactPicture: Sendable {
  var path: String
  /// The path, if it was named rather than found.
  var named: String?
  var label: String
  var bitmap: Bitmap?
  var view: PictureView?
  var problems: [Diagnostic] = []
  var failure: Diagnostic?
  /// Whether the file is no document.
  var isUnknown = false

  init(_ document: DocumentSet.Document, plan: EffectAnimation.Plan, _ invocation: Invocation) {
    path = document.path
    named = document.isFound ? nil : path
    label = RawPath.readable(Files.stem(of: path))
    do {
      let opened = try invocation.effect(at: path)
      let animation = try EffectAnimation(
        opened.package, plan: plan, isStill: true, limits: invocation.pictureLimits())
      try animation.draw { bitmap = $0 }
      view = animation.view
      let place = Location(file: path)
      problems = (opened.unreadValues + opened.placing(animation.problems)).map { $0.inside(place) }
    } catch let diagnostic as Diagnostic {
      isUnknown = document.isUnknown(because: diagnostic)
      failure = diagnostic.inside(Location(file: path))
    } catch {
      failure = Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")
    }
  }
}
