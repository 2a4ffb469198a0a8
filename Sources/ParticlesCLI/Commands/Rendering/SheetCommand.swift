internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesImages
internal import ParticlesRender

extension Command {
  /// Draws the frames of one effect, or many effects, into one picture.
  static let sheet = Command(
    name: "sheet", group: .pictures,
    summary: "Draw the frames of an effect, or many effects, into one PNG.",
    discussion: """
      Of one effect, every frame is drawn into a grid, for programs that play sprite sheets. A JSON \
      file beside the picture, in the form of TexturePacker, states the place and the duration of \
      each frame; without --background, the frames are transparent.

      With --contact, one picture of each effect is drawn, with its name below it. Folders are \
      searched with --recursive.
      """,
    arguments: [
      Argument(.file("file"), arity: .oneOrMore, "A document, - for standard input, or a folder.")
    ],
    options: [.output, .contact, .columns, .padding, .atlas] + Option.forAnimations + [
      .recursive, .from, .images, .force, .json,
    ],
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
        ? try invocation.drawContactSheet(to: output) : try invocation.drawSheet(to: output)
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
  /// Draws the frames of one effect.
  fileprivate func drawSheet(to output: String) throws -> ExitStatus {
    let files = arguments("file")
    guard files.count == 1, !flag(.recursive) else {
      throw UsageError(
        "a sheet has the frames of one effect", hint: "use --contact for several effects")
    }
    var plan = try animationPlan()
    if value(.background) == nil { plan.background = .transparent }
    plan.pause = plan.pause ?? 0
    if value(.pictureSize) == nil { (plan.width, plan.height) = (128, 128) }
    let opened = try effect(at: files[0])
    let animation = try locating(Location(file: files[0])) {
      try EffectAnimation(opened.package, plan: plan)
    }
    var sheet = try SpriteSheet(
      animation.timing, width: plan.width, height: plan.height,
      columns: integer(.columns, in: 1...10_000), padding: integer(.padding, in: 0...64) ?? 0)
    let bar = ProgressBar("drawing", total: animation.timing.count, console: console)
    try animation.draw { frame in
      try sheet.append(frame)
      bar.advance()
    }
    bar.finish()
    note((opened.unreadValues + animation.problems).map { $0.inside(Location(file: files[0])) })
    let bytes = try PNG.encode(sheet.bitmap)
    let form = value(.atlas) ?? "hash"
    guard output != Self.standardStream else {
      try console.write(bytes)
      return .done
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
    return try tell(
      written, "\(animation.timing.count.of("frame"))", sheet.bitmap, size: bytes.count,
      animation.view.json)
  }

  /// Draws a picture of each effect.
  fileprivate func drawContactSheet(to output: String) throws -> ExitStatus {
    var plan = try animationPlan()
    if value(.pictureSize) == nil { (plan.width, plan.height) = (160, 160) }
    let set = DocumentSet(arguments("file"), isRecursive: flag(.recursive))
    guard !set.documents.isEmpty else { return noDocuments() }
    var sheet = try ContactSheet(
      count: set.documents.count, width: plan.width, height: plan.height,
      columns: integer(.columns, in: 1...max(1, set.documents.count)))
    let bar = ProgressBar("drawing", total: set.documents.count, console: console)
    var status = ExitStatus.done
    plan.threads = 1
    let picturePlan = plan
    var rows: [JSONValue] = []
    try Parallel.ordered(set.documents.count, state: {}) { index, _ -> ContactPicture in
      ContactPicture(set.documents[index].path, plan: picturePlan, self)
    } emit: { picture in
      bar.aside { note(picture.problems) }
      if let failure = picture.failure {
        bar.aside { reportFailure(failure) }
        status = .failed
      }
      if let view = picture.view {
        rows.append(view.adding(to: ["source": .string(picture.path)]))
      }
      try sheet.append(
        picture.bitmap ?? Bitmap(width: plan.width, height: plan.height), label: picture.label)
      bar.advance()
    }
    bar.finish()
    for path in set.unknown { console.detail("not a document: \(path)") }
    let bytes = try PNG.encode(sheet.bitmap)
    if output == Self.standardStream {
      try console.write(bytes)
      return status
    }
    try SafeSave.file(output, replacing: flag(.force)) { try $0.write(bytes) }
    return max(
      status,
      try tell(
        [output], set.documents.count.of("effect"), sheet.bitmap, size: bytes.count,
        ["pictures": .array(rows)]))
  }

  private func tell(
    _ paths: [String], _ what: String, _ bitmap: Bitmap, size: Int, _ more: JSONObject
  ) throws -> ExitStatus {
    if flag(.json) {
      var result: JSONObject = [
        "paths": .array(paths.map { .string($0) }), "width": .int(bitmap.width),
        "height": .int(bitmap.height), "size": .int(size),
      ]
      for member in more.members { result[member.key] = member.value }
      try print(.object(result))
    }
    console.inform(
      "wrote \(paths.joined(separator: ", ")): \(what), \(bitmap.width) × \(bitmap.height), "
        + size.bytesText)
    return .done
  }
}

/// One picture of a contact sheet.
private struct ContactPicture: Sendable {
  var path: String
  var label: String
  var bitmap: Bitmap?
  var view: PictureView?
  var problems: [Diagnostic] = []
  var failure: Diagnostic?

  init(_ path: String, plan: EffectAnimation.Plan, _ invocation: Invocation) {
    (self.path, label) = (path, Files.stem(of: path))
    do {
      let opened = try invocation.effect(at: path)
      let animation = try EffectAnimation(opened.package, plan: plan, isStill: true)
      try animation.draw { bitmap = $0 }
      view = animation.view
      problems = (opened.unreadValues + animation.problems).map {
        $0.inside(Location(file: path))
      }
    } catch let diagnostic as Diagnostic {
      failure = diagnostic.inside(Location(file: path))
    } catch {
      failure = Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")
    }
  }
}
