internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSystem

extension Command {
  /// Draws running effects.
  static let render = Command(
    name: "render", group: .pictures,
    summary: "Draw running effects as pictures and animations.",
    discussion: """
      Runs an effect of any format that can be read, and writes a picture (PNG), an animation (GIF, APNG, WebP), a \
      video (WebM, MP4), a web page that plays offline (HTML), or a numbered PNG for each frame (--to frames). Equal \
      input, options and version give equal bytes on every machine. Videos are written by the program ffmpeg, and \
      depend on its version.

      Animations of endless effects begin complete and lead back into their first frame. They last as long as \
      particles live. Effects that end are played once, and their last frame is shown for a second more. --loop, \
      --duration and --pause choose otherwise.

      A web page simulates the effect itself, so that it has controls, needs no network, and is small. Size, time, \
      duration and movement follow the settings of its visitor. --still-frames writes a page with the frames of an \
      animation instead.

      With several files, a pattern, or a folder and --recursive, the output is a folder, in which each \
      result has the name and the subfolder of its input. With \
      --beside, each result is written into the folder of its input, and no existing file is replaced: \
      fire.pex becomes fire.gif or, if that exists, "fire 2.gif".

      --to frames -o frames writes frames/fire-00.png and so on. With -o frames/smoke.png, the names begin with \
      smoke. The folder is created.
      """,
    arguments: [.documents()],
    options: [.output, .beside, .picturesTo] + Option.forPictures + [
      .quality, .small, .stillFrames, .from, .images, .project, .force, .json,
    ] + Option.inputs,
    examples: [
      Example("particles render fire.sks -o fire.gif", "Write an animation."),
      Example(
        "particles render fire.particles -o fire.png --at 2 --background transparent",
        "Write a picture of the effect after two seconds."),
      Example(
        "particles render snow.plist -o snow.webp --duration 3",
        "Write a loop of three seconds without a visible seam."),
      Example(
        "particles render magic.particles -o magic.gif --move circle",
        "Move the effect, so that its trail is seen."),
      Example(
        "particles render smoke.particles -o smoke.webm --background transparent",
        "Write a transparent video, by the program ffmpeg."),
      Example("particles render *.pex -o previews --to gif --size 256", "Draw several effects."),
      Example(
        "particles render -r effects -o previews --to png",
        "Draw a picture of each effect in a folder."),
    ],
    run: { try RenderRun($0).run() })
}

extension Option {
  static let picturesTo = Option(
    "to",
    value: .choice(
      "format",
      (AnimationFormat.all + AnimationFormat.videos).map { $0.fileExtensions[0] }
        + [RenderRun.frames]),
    default: "by the extension of the output", "The format of the output.")
  static let stillFrames = Option(
    "still-frames", "Write web pages with drawn frames, not with the simulation.")
  static let small = Option(
    "small", "Make GIF files about half as large, with less exact colours.")
  static let quality = Option(
    "quality", value: .text("number"), default: "lossless for WebP, 75 for videos",
    "The quality of lossy WebP pictures and of videos, 0 to 100.")
}

/// The run of `render`.
private struct RenderRun {
  /// The name of a sequence of pictures for `--to`.
  static let frames = "frames"

  private let invocation: Invocation
  private let plan: EffectAnimation.Plan
  /// Nil if results are written beside their inputs.
  private let output: String?
  /// Whether `output` is a folder.
  private let isBatch: Bool
  private let isSequence: Bool
  private let format: AnimationFormat
  /// The player of web pages. Nil for other formats, and for pages with drawn frames.
  private let player: PlayerFiles?

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    plan = try invocation.animationPlan()
    let isBeside = try invocation.writesBeside("file")
    let output = invocation.value(.output)
    guard output != nil || isBeside else {
      throw UsageError(
        "missing option '--output'", hint: "name a file or folder with -o, or use --beside")
    }
    self.output = output
    let name = invocation.value(.picturesTo)
    isSequence = name == Self.frames
    // Frames go into the named folder, unless the output has the name of a picture.
    let isFolder = isSequence && output.map { Files.pathExtension(of: $0) != "png" } == true
    isBatch =
      try isBeside || isFolder
      || ConversionPlan.isBatch(
        invocation.arguments("file"), to: output, isRecursive: invocation.flag(.recursive))
    let isStandard = output == Invocation.standardStream
    guard !isBatch || !isStandard else {
      throw UsageError("several results cannot be written to standard output")
    }
    if isStandard { try invocation.checkStandardOutput() }
    guard !isSequence || !isBeside else {
      throw UsageError("'--beside' writes one file for each input", hint: "name the frames with -o")
    }
    guard !isSequence || !isStandard else {
      throw UsageError("frames are written to files", hint: "name the files with -o")
    }
    format = try Self.format(name, output: isBatch ? nil : output, isSequence: isSequence)
    player = try format == .html ? invocation.playerOfPages() : nil
    guard format != .mp4 || plan.background != .transparent else {
      throw UsageError("MP4 videos are not transparent", hint: "write .webm, or choose a colour")
    }
  }

  private static func format(
    _ name: String?, output: String?, isSequence: Bool
  ) throws -> AnimationFormat {
    if isSequence { return .png }
    if let name, let format = AnimationFormat.recognised(byExtension: name) { return format }
    guard let output else { return .gif }
    let kind = Files.pathExtension(of: output)
    guard let format = AnimationFormat.recognised(byExtension: kind) else {
      let known = (AnimationFormat.all + AnimationFormat.videos)
        .map { ".\($0.fileExtensions[0])" }.joined(separator: ", ")
      throw UsageError(
        kind.isEmpty
          ? "'\(output)' does not tell the format" : "effects cannot be drawn as .\(kind)",
        hint: "use one of \(known), or --to")
    }
    return format
  }

  private var isStill: Bool { !format.isAnimated && !isSequence }

  func run() throws -> ExitStatus {
    let batch = try BatchOfResults(
      invocation, invocation.arguments("file"),
      to: output.map { isBatch && !$0.hasSuffix("/") ? $0 + "/" : $0 },
      extension: format.fileExtensions[0], creatingFolder: isSequence)
    return try batch.run { path, output in try draw(path, to: output) }
  }

  /// - Returns: the row of `--json`.
  private func draw(_ path: String, to output: String) throws -> JSONValue {
    let opened = try invocation.effect(at: path)
    if let player {
      return try writePage(opened, path, player, to: output)
    }
    let animation = try locating(Location(file: path)) {
      try EffectAnimation(
        opened.package, plan: plan, isStill: isStill, limits: invocation.pictureLimits())
    }
    var options = AnimationWriter.Options()
    options.plays = animation.loop == .once ? 1 : 0
    options.isSmall = invocation.flag(.small)
    options.isOpaque = plan.background != .transparent
    options.limits = try invocation.pictureLimits()
    if let quality = try invocation.number(.quality, in: 0...100) {
      options.quality = .lossy(quality)
    }
    if format == .html { options.card = try PreviewCard(opened, at: path) }
    let bar = ProgressBar(
      "drawing \(Files.lastComponent(of: path))", total: animation.timing.count,
      console: invocation.console)
    var size = 0
    if isSequence {
      size = try drawSequence(animation, to: output, bar)
    } else if output == Invocation.standardStream {
      size = try write(animation, options, bar) { try invocation.console.write($0) }
    } else {
      size = try SafeSave.file(output, replacing: invocation.flag(.force)) { file in
        try write(animation, options, bar) { try file.write($0) }
      }
    }
    bar.finish()
    invocation.note(
      (opened.unreadValues + opened.placing(animation.problems)).map {
        $0.inside(Location(file: path))
      })
    if output != Invocation.standardStream { tell(output, animation, size) }
    var row: JSONObject = [
      "source": .string(path), "path": .string(output),
      "format": .string(isSequence ? Self.frames : format.fileExtensions[0]),
      "width": .int(plan.width), "height": .int(plan.height),
      "frames": .int(animation.timing.count),
      "seconds": .double(isStill ? 0 : animation.timing.total), "size": .int(size),
    ]
    if !isStill { describe(animation, in: &row) }
    return animation.view.adding(to: row)
  }

  /// Writes a page that simulates the effect.
  private func writePage(
    _ opened: OpenedEffect, _ path: String, _ player: PlayerFiles, to output: String
  ) throws -> JSONValue {
    let bytes = try locating(Location(file: path)) {
      var page = try PlayerPage(opened.package, title: RawPath.readable(Files.stem(of: path)))
      (page.profile, page.seed) = (plan.profile, plan.seed)
      page.background = plan.background
      return try page.bytes(player)
    }
    if output == Invocation.standardStream {
      try invocation.console.write(bytes)
    } else {
      try SafeSave.file(output, replacing: invocation.flag(.force)) { try $0.write(bytes) }
      invocation.tellResult(
        "wrote \(output): a page that plays the effect, \(bytes.count.bytesText)")
    }
    invocation.note(opened.unreadValues.map { $0.inside(Location(file: path)) })
    return [
      "source": .string(path), "path": .string(output), "format": "html", "simulates": .bool(true),
      "size": .int(bytes.count),
    ]
  }

  /// The choices that were made for an animation.
  private func describe(_ animation: EffectAnimation, in row: inout JSONObject) {
    row["warmup"] = .double(animation.warmup)
    row["loop"] = .string(animation.loop.rawValue)
    row["plays"] = .int(animation.loop == .once ? 1 : 0)
    row["pause"] = .double(animation.pause)
  }

  private func write(
    _ animation: EffectAnimation, _ options: AnimationWriter.Options, _ bar: ProgressBar,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws -> Int {
    var size = 0
    try animation.write(format, options) { _ in
      bar.advance()
    } to: {
      size += $0.count
      try sink($0)
    }
    return size
  }

  private func drawSequence(
    _ animation: EffectAnimation, to output: String, _ bar: ProgressBar
  ) throws -> Int {
    let folder = Files.folder(of: output)
    let names = FrameNames(stem: Files.stem(of: output), count: animation.timing.count)
    var size = 0
    let sequence = try PictureSequence(
      names, width: plan.width, height: plan.height, limits: invocation.pictureLimits()
    ) { name, bytes in
      size += bytes.count
      try SafeSave.file(Files.joined(folder, name), replacing: invocation.flag(.force)) {
        try $0.write(bytes)
      }
    }
    try animation.draw { frame in
      try sequence.append(frame)
      bar.advance()
    }
    try sequence.finish()
    return size
  }

  private func tell(_ output: String, _ animation: EffectAnimation, _ size: Int) {
    let count = animation.timing.count
    let seconds = (animation.timing.total * 100).rounded() / 100
    let what: Phrase =
      "\(plan.width) × \(plan.height)"
      + (isStill
        ? "" : ", \(count.of("frame")) in \(JSONNumber(seconds).text) s" + ending(animation))
      + ", \(size.bytesText)"
    invocation.tellResult("wrote \(output): \(what)")
  }

  /// How an animation ends, for people.
  private func ending(_ animation: EffectAnimation) -> Phrase {
    switch animation.loop {
    case .seamless: ", a seamless loop"
    case .once: ", played once"
    case .forever: ""
    }
  }
}

/// The options of the commands that draw running effects.
extension Option {
  /// The option of the command line for an option of pictures.
  fileprivate init(_ option: PictureOption) {
    self.init(
      option.name, short: option.short,
      value: option.choices.isEmpty
        ? .text(option.placeholder) : .choice(option.placeholder, option.choices),
      default: option.initial, option.summary)
  }

  static let pictureSize = Option(PictureOption.size)
  static let duration = Option(PictureOption.duration)
  static let framesPerSecond = Option(PictureOption.framesPerSecond)
  static let loop = Option(PictureOption.loop)
  static let background = Option(PictureOption.background)
  static let engine = Option(
    "engine", value: .choice("engine") { ParticleSystem.EngineLaw.all.map(\.profile.rawValue) },
    default: "that of the effect",
    "The engine whose law is followed, and by which a file is read that several engines read.")
  static let work = Option(
    "work", value: .text("factor"), default: "1",
    "How much work and memory an effect may take: 1 to 1,000 times the usual. Messages name the limits, such as "
      + "'work' and 'memory', which count emitters, frames and pixels.")

  /// The options for pictures and animations.
  static let forPictures = PictureOption.all.map { Option($0) } + [engine, work]
}

extension Invocation {
  /// The plan that the options describe.
  func animationPlan() throws -> EffectAnimation.Plan {
    var plan = EffectAnimation.Plan()
    for option in PictureOption.all { try read(option, into: &plan) }
    plan.profile = engine
    return plan
  }

  /// Reads an option into a plan, if it is given.
  func read(_ option: PictureOption, into plan: inout EffectAnimation.Plan) throws {
    guard let text = value(Option(option)) else { return }
    do {
      try option.set(text, in: &plan)
    } catch let fault as Diagnostic where fault.rule == .usage {
      guard option.mayNameFile else {
        throw UsageError(
          "'--\(option.name)' needs \("\(fixed: fault.expected ?? "")" as Phrase), not '\(text)'",
          hint: fault.hint.map { "\($0)" })
      }
      try read(option, inFile: text, into: &plan)
    }
  }

  /// Reads an option into a plan from the file that its text names.
  private func read(
    _ option: PictureOption, inFile name: String, into plan: inout EffectAnimation.Plan
  ) throws {
    do {
      let file = try OpenFile(reading: name)
      let text = String(decoding: try file.readToEnd(limits: .standard), as: UTF8.self)
      // A line feed tells one line of a file from a text of the command line.
      try locating(Location(file: name)) { try option.set(text + "\n", in: &plan) }
    } catch Rule.fileNotFound {
      throw UsageError(
        "'\(name)' is neither a path nor a file",
        hint: "use line, circle, points such as '0,0 100,0', or a file of lines 'seconds x y'")
    }
  }

  /// The limits of pictures and runs, multiplied by `--work`.
  func pictureLimits() throws -> Limits {
    Limits.standard.times(try integer(.work, in: 1...1_000) ?? 1)
  }
}

extension PictureView {
  /// Moment, camera, background and speed, with the names of the options that set them.
  var json: JSONObject {
    var object: JSONObject = ["start": .double(start), "camera": camera.json]
    object["background"] = .string(background?.hexadecimal ?? "transparent")
    if let speed { object["speed"] = .double(speed) }
    return object
  }

  /// This, added to the members of a row.
  func adding(to row: JSONObject) -> JSONValue {
    var row = row
    for member in json.members { row[member.key] = member.value }
    return .object(row)
  }
}
