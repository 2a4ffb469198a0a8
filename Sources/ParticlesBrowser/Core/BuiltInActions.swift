internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesRender
internal import ParticlesTypes

extension BrowserAction {
  /// Throws for two actions of one identifier, for one without a title, and for types that are not declared.
  static func check(_ actions: [BrowserAction], _ types: TypeTable) throws {
    var seen: Set<String> = []
    for action in actions {
      func fault(_ detail: String, _ expected: String) -> Diagnostic {
        Diagnostic(.range, "the action '\(action.identifier)': \(detail)", expected: expected)
      }
      guard seen.insert(action.identifier).inserted else {
        throw fault("its identifier is in use", "another identifier")
      }
      guard !action.title.isEmpty else { throw fault("it has no title", "a title") }
      guard !action.identifier.isEmpty else { throw fault("it has no identifier", "an identifier") }
      for type in action.types where !types.isDeclared(type) {
        throw fault("the type '\(type)' is not declared", "a declared type")
      }
    }
  }

  /// The actions of every browser.
  static let builtIn: [BrowserAction] = [exportGIF, convert, validate, compact]

  /// The types of documents that can be read as effects.
  private static let effects: [String] =
    ["org.particles-format.particles", "org.particles-format.particles-package"]
    + FormatRegistry.standard.formats.filter(\.canRead).flatMap(\.types).map(\.identifier)

  // MARK: Export as GIF

  static let exportGIF: BrowserAction = {
    var action = BrowserAction(
      "org.particles-format.export-gif", title: "Export as GIF", types: effects
    ) { request in
      var outcome = BrowserActionOutcome()
      var names = FreeNames()
      let size = try JSONMembers(request.options).int("size") ?? 256
      guard (16...2048).contains(size) else {
        throw Diagnostic(
          .range, at: .key("size"), expected: "16 to 2048 pixels", found: "\(size)")
      }
      for (index, path) in request.paths.enumerated() {
        try Task.checkCancellation()
        let target = try names.path(beside: path, extension: "gif")
        try locating(Location(file: path)) {
          try writeGIF(of: path, to: target, size: size) { part in
            request.progress((Double(index) + part) / Double(request.paths.count))
          }
        }
        outcome.created.append(target)
      }
      return outcome
    }
    action.options = [("size", "The width and height in pixels; 256 by default.")]
    return action
  }()

  private static func writeGIF(
    of path: String, to target: String, size: Int, _ progress: (Double) -> Void
  ) throws {
    let opened = try OpenedEffect(path: path)
    var plan = EffectAnimation.Plan()
    (plan.width, plan.height) = (size, size)
    let animation = try EffectAnimation(opened.package, plan: plan)
    var options = AnimationWriter.Options()
    options.plays = animation.loop == .once ? 1 : 0
    try SafeSave.file(target, replacing: false) { file in
      let writer = try AnimationWriter(
        .gif, width: size, height: size, timing: animation.timing, options: options
      ) { try file.write($0) }
      var done = 0
      try animation.draw { picture in
        try Task.checkCancellation()
        try writer.append(picture)
        done += 1
        progress(min(0.99, Double(done) / Double(max(1, animation.timing.count))))
      }
      try writer.finish()
    }
  }

  // MARK: Convert

  static let convert: BrowserAction = {
    var action = BrowserAction(
      "org.particles-format.convert", title: "Convert…", types: effects
    ) { request in
      let members = JSONMembers(request.options)
      guard let name = try members.string("to") else {
        throw Diagnostic(.type, at: .key("to"), expected: "the name of a format", found: "nothing")
      }
      let isDry = try members.bool("dry") ?? false
      var conversion = Conversion(to: try target(name))
      conversion.isDry = isDry
      conversion.isMeasuring = try members.bool("measure") ?? false
      conversion.isMeasuringLines = false
      let plan = try ConversionPlan(
        beside: DocumentSet(request.paths, isRecursive: false), in: members.string("in"),
        extension: { conversion.target.pathExtension(for: $0) })
      var outcome = BrowserActionOutcome()
      var rows: [JSONValue] = []
      try conversion.run(plan) { one in
        try Task.checkCancellation()
        outcome.reports.append(one.file)
        if !isDry { outcome.created += one.outputs }
        var row: JSONObject = [
          "source": .string(one.item.input), "target": .string(one.item.output),
          "status": .string(one.status.rawValue), "worst": .string("\(one.worst)"),
          "missingImages": .int(one.missingImages),
          "losses": .array(
            LossLine.lines(of: one.file.diagnostics).map {
              ["level": .string($0.level.rawValue), "text": .string($0.text)]
            }),
        ]
        row["difference"] = one.difference.map { .double($0.whole) }
        rows.append(.object(row))
        request.progress(Double(rows.count) / Double(max(1, request.paths.count)))
      }
      outcome.details = .array(rows)
      return outcome
    }
    action.options = [
      ("to", "The name of the target: a format, 'particles' or 'directory'."),
      ("in", "The path of the folder for the results; beside the documents by default."),
      ("dry", "Whether nothing is written, so that only losses are found."),
      ("measure", "Whether the difference is measured."),
    ]
    return action
  }()

  private static func target(_ name: String) throws -> ConversionTarget {
    switch name {
    case "particles": return .package(.flat)
    case "directory": return .package(.directory)
    case "original": return .original
    default:
      guard let format = FormatRegistry.standard[name], format.canWrite else {
        throw Diagnostic(
          .range, at: .key("to"), expected: "the name of a format that can be written",
          found: "'\(name.excerpt)'")
      }
      return format.isArchive ? .archive(format) : .effect(format)
    }
  }

  // MARK: Validate and compact

  static let validate: BrowserAction = {
    var action = BrowserAction(
      "org.particles-format.validate", title: "Validate", types: effects, changesFiles: false
    ) { request in
      var outcome = BrowserActionOutcome()
      var validator = Validator()
      validator.batch = ValidationBatch()
      let isMending = try JSONMembers(request.options).bool("fix") ?? false
      for (index, path) in request.paths.enumerated() {
        try Task.checkCancellation()
        do {
          if isMending, try !validator.repair(path).isEmpty { outcome.changed.append(path) }
          outcome.reports.append(try validator.check(path))
        } catch let fault as Diagnostic {
          var file = Diagnostic.Report.File(path: path)
          file.diagnostics = [fault]
          outcome.reports.append(file)
        }
        request.progress(Double(index + 1) / Double(request.paths.count))
      }
      let report = Diagnostic.Report(files: outcome.reports)
      outcome.message =
        "\(count(report.count(.error), "error")), \(count(report.count(.warning), "warning"))"
      return outcome
    }
    action.options = [("fix", "Whether repairs that need no guess are made.")]
    return action
  }()

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  static let compact = BrowserAction(
    "org.particles-format.compact", title: "Compact", types: ["org.particles-format.particles"]
  ) { request in
    var outcome = BrowserActionOutcome()
    var (before, after) = (0, 0)
    for (index, path) in request.paths.enumerated() {
      try Task.checkCancellation()
      // A damaged package must not become one that seems to be sound.
      var container = try locating(Location(file: path)) {
        try Container(contentsOf: path, scope: .everyFrame)
      }
      let old = try Files.status(path)?.size ?? 0
      try container.save(mode: .replace)
      let new = try Files.status(path)?.size ?? 0
      before += old
      after += new
      if new != old { outcome.changed.append(path) }
      request.progress(Double(index + 1) / Double(request.paths.count))
    }
    outcome.message = "\(before) bytes before, \(after) now"
    return outcome
  }
}
