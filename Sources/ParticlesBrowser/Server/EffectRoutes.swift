internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesPropertyLists
internal import ParticlesRender
internal import ParticlesSystem

/// Pictures, animations and conversions of documents. Each is drawn on a thread of its own within the limits of untrusted
/// files.
extension BrowserServer {
  /// The cache control of answers whose address names the state of the document.
  private static let kept = "private, max-age=86400, immutable"

  func thumbnail(_ request: RouteRequest) async throws -> HTTPAnswer {
    let size = try request.number("size", in: 128...1024, or: 256)
    let bytes = try await browser.thumbnail(of: request.value("item"), size: size)
    let cache = request.query["version"] == nil ? "no-store" : Self.kept
    return HTTPAnswer(bytes, as: "image/png", cache: cache)
  }

  func effect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let path = try await browser.localFile(of: request.value("item"))
    let bytes = try await browser.workbench.run { try OpenedEffect(path: path).package.forPlayer() }
    let cache = request.query["version"] == nil ? "no-store" : Self.kept
    return HTTPAnswer(bytes, as: "application/vnd.particles", cache: cache)
  }

  /// A document as one file. A directory package becomes a flat package.
  func stored(_ request: RouteRequest) async throws -> HTTPAnswer {
    let path = try await browser.localFile(of: request.value("item"))
    let bytes = try await browser.workbench.run {
      try Files.status(path)?.kind == .directory
        ? OpenedEffect(path: path).package.container.encoded() : Files.read(path)
    }
    var answer = HTTPAnswer(bytes, as: "application/octet-stream")
    let name = QueryText.encoded(Files.lastComponent(of: path))
    answer.headers.append(("Content-Disposition", "attachment; filename*=UTF-8''\(name)"))
    return answer
  }

  /// The facts about an effect as values, which pages describe in each language, and the findings of `validate`.
  static func facts(at path: String) throws -> (values: JSONObject, findings: [Diagnostic]) {
    let findings = try Validator().check(path).diagnostics
    guard let opened = try? OpenedEffect(path: path),
      let summary = try? EffectSummary(opened.package)
    else { return ([:], findings) }
    return (EffectDescription(summary, of: opened, at: path, size: nil).values, findings)
  }

  // MARK: Templates

  private var library: EffectTemplateLibrary {
    EffectTemplateLibrary(environment: browser.environment.variables)
  }

  private static func package(of name: String, in library: EffectTemplateLibrary) throws
    -> EffectPackage
  {
    guard let package = try library.package(named: name) else {
      throw Diagnostic(.fileNotFound, at: Location(file: name), "no such template")
    }
    return package
  }

  func templateThumbnail(_ request: RouteRequest) async throws -> HTTPAnswer {
    let (name, library) = (try request.value("name"), library)
    let bytes = try await templateFile("picture \(name)") {
      PNG.encodeFast(try EffectThumbnail(Self.package(of: name, in: library)).bitmap(size: 256))
    }
    return HTTPAnswer(bytes, as: "image/png")
  }

  func templateEffect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let (name, library) = (try request.value("name"), library)
    let bytes = try await templateFile("effect \(name)") {
      try Self.package(of: name, in: library).forPlayer()
    }
    return HTTPAnswer(bytes, as: "application/vnd.particles")
  }

  // MARK: Conversion

  func targets() -> HTTPAnswer {
    let formats = FormatRegistry.standard.formats.filter { $0.canWrite && !$0.isArchive }
    return HTTPAnswer([
      "targets": .array(
        formats.map {
          [
            "name": .string($0.name), "title": .string($0.title),
            "extension": .string($0.extensions.first ?? $0.name),
          ]
        })
    ])
  }

  private static func format(_ name: String) throws -> ParticleFormat {
    guard let format = FormatRegistry.standard[name], format.canWrite else {
      throw Diagnostic(.usage, "no format that can be written is named '\(name)'")
    }
    return format
  }

  private static func exported(
    _ path: String, as format: ParticleFormat
  ) throws -> (opened: OpenedEffect, exported: Exported) {
    let opened = try OpenedEffect(path: path)
    let name = Files.stem(of: path) + "." + (format.extensions.first ?? format.name)
    return (opened, try opened.package.exported(as: format, fileName: name))
  }

  func conversion(_ request: RouteRequest) async throws -> HTTPAnswer {
    let path = try await browser.localFile(of: request.value("item"))
    let format = try Self.format(request.value("target"))
    return HTTPAnswer(
      try await browser.workbench.run {
        try WorkBudget.run(.standard) {
          let (opened, exported) = try Self.exported(path, as: format)
          let measured = try ConversionMeasurement(
            of: opened.package, exported: exported, as: format)
          let lines = LossLine.lines(of: measured.losses)
          var answer: JSONObject = [
            "files": .array(exported.parts.map { .string($0.name) }),
            "losses": .array(
              lines.map { ["level": .string($0.level.rawValue), "text": .string($0.text)] }),
          ]
          if let difference = measured.difference {
            let aspects = EffectDifference.Aspect.allCases.compactMap { aspect in
              difference.aspects[aspect].map { value -> JSONValue in
                ["name": .string(aspect.rawValue), "value": .double(value)]
              }
            }
            answer["difference"] = [
              "whole": .double(difference.whole), "aspects": .array(aspects),
            ]
          }
          return .object(answer)
        }
      })
  }

  func converted(_ request: RouteRequest) async throws -> HTTPAnswer {
    let path = try await browser.localFile(of: request.value("item"))
    let format = try Self.format(request.value("target"))
    let bytes = try await browser.workbench.run {
      try WorkBudget.run(.standard) {
        let (opened, exported) = try Self.exported(path, as: format)
        let (system, images) = try format.effect(in: exported, beside: opened.package.system())
        return try EffectPackage(system, images: images).forPlayer()
      }
    }
    return HTTPAnswer(bytes, as: "application/vnd.particles")
  }

  func convert(_ request: RouteRequest) async throws -> HTTPAnswer {
    var options: JSONObject = [:]
    if let location = try request.object()["location"]?.string {
      let folder = try await browser.item(location)
      guard folder.isFolder, folder.isWritable else {
        throw Diagnostic(.fileReadOnly, at: Location(file: folder.path ?? folder.name))
      }
      options["in"] = .string(try await browser.localFile(of: location))
    }
    let outcome = try await converting(request, options)
    let faults = outcome.reports.flatMap(\.diagnostics).filter { $0.severity == .error }
    if outcome.created.isEmpty, let fault = faults.first { throw fault }
    return Self.rows(of: outcome)
  }

  func compare(_ request: RouteRequest) async throws -> HTTPAnswer {
    let options: JSONObject = ["dry": .bool(true), "measure": .bool(true)]
    return Self.rows(of: try await converting(request, options))
  }

  private func converting(
    _ request: RouteRequest, _ options: JSONObject
  ) async throws -> BrowserActionOutcome {
    let object = try request.object()
    let items = try Self.items(object)
    let name = object["job"]?.string ?? ""
    var options = options
    options["to"] = object["target"] ?? .null
    return try await job(name) { [browser, options] in
      try await browser.run(
        "org.particles-format.convert", on: items, options: .object(options), job: name)
    }
  }

  /// A row for each document of a conversion, with the reason for a failure.
  private static func rows(of outcome: BrowserActionOutcome) -> HTTPAnswer {
    let rows = zip(outcome.details?.array ?? [], outcome.reports).map { row, report -> JSONValue in
      var row = row.object ?? [:]
      row["fault"] = report.diagnostics.first { $0.severity == .error }?.json
      return .object(row)
    }
    let failed = rows.count { $0.object?["status"]?.string == "failed" }
    var answer: JSONObject = [
      "created": .array(outcome.created.map(JSONValue.string)), "failed": .int(failed),
      "total": .int(rows.count), "rows": .array(rows),
    ]
    answer["message"] = outcome.message.map(JSONValue.string)
    return HTTPAnswer(.object(answer))
  }

  // MARK: Export

  func export(_ request: RouteRequest) async throws -> HTTPAnswer {
    let path = try await browser.localFile(of: request.value("item"))
    let wanted = try request.value("format")
    var plan = try Self.plan(request)
    if wanted == "html", hasModule {
      return HTTPAnswer(
        try await browser.workbench.run { [self] in
          try page(of: OpenedEffect(path: path).package, title: Files.stem(of: path))
        }, as: "text/html; charset=utf-8")
    }
    let formats = ["gif": AnimationFormat.gif, "apng": .apng, "webp": .webp, "html": .html]
    let format = formats[wanted]
    guard format != nil || wanted == "sheet" else {
      throw Diagnostic(
        .usage, "'format'", expected: "gif, apng, webp, sheet or html", found: wanted)
    }
    if format == nil {
      plan.pause = 0
      if request.query["background"] == nil { plan.background = .transparent }
    }
    let name = request.query["job"]
    let progress = progress(of: name)
    let bytes = try await job(name) { [browser, plan] in
      try await browser.workbench.run {
        try Self.animation(
          of: OpenedEffect(path: path).package, named: Files.stem(of: path), as: format, plan,
          progress)
      }
    }
    return HTTPAnswer(bytes, as: format?.mimeType ?? "image/png")
  }

  /// The plan of an animation: as `render` makes it, if nothing else is asked for.
  private static func plan(_ request: RouteRequest) throws -> EffectAnimation.Plan {
    var plan = EffectAnimation.Plan()
    let size = try request.number("size", in: 16...1024, or: 320)
    (plan.width, plan.height) = (size, size)
    for option in [PictureOption.framesPerSecond, .duration, .loop, .background] {
      guard let text = request.query[option.name] else { continue }
      try option.set(text, in: &plan)
    }
    return plan
  }

  /// - Parameter format: nil for a sheet.
  static func animation(
    of package: EffectPackage, named name: String, as format: AnimationFormat?,
    _ plan: EffectAnimation.Plan, _ progress: @Sendable (Double) -> Void = { _ in }
  ) throws -> [UInt8] {
    let animation = try EffectAnimation(package, plan: plan)
    func tell(_ count: Int) throws {
      try Task.checkCancellation()
      progress(min(0.99, Double(count) / Double(max(1, animation.timing.count))))
    }
    guard let format else {
      var sheet = try SpriteSheet(animation.timing, width: plan.width, height: plan.height)
      var count = 0
      try animation.draw {
        try sheet.append($0)
        count += 1
        try tell(count)
      }
      return try PNG.encode(sheet.bitmap)
    }
    var bytes: [UInt8] = []
    var options = AnimationWriter.Options()
    if format == .webp || format == .html { options.quality = .lossy(80) }
    options.card = PreviewCard(name: name)
    try animation.write(format, options, progress: tell) { bytes += $0 }
    return bytes
  }
}

/// The routes of the editor. Pages keep a copy of the document's text, and request changes to a revision.
extension BrowserServer {
  // MARK: Editing

  func openEffect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    _ = try object.text("window")
    return HTTPAnswer(
      .object(try await browser.openEffect(object.text("item"), for: PageBasis(object))))
  }

  func edit(_ request: RouteRequest) async throws -> HTTPAnswer {
    try await browser.edit(EditRequest(request.object()))
  }

  // MARK: Findings

  func findings(_ request: RouteRequest) async throws -> HTTPAnswer {
    let package = try await browser.effectPackage(request.value("item"))
    let findings = try await BackgroundWork().run { try EffectFindings(package).json }
    return HTTPAnswer(["findings": findings])
  }

  // MARK: Images

  func image(_ request: RouteRequest) async throws -> HTTPAnswer {
    let path = try request.value("path")
    let package = try await browser.effectPackage(request.value("item"))
    guard path.hasPrefix("\(EffectPackage.imageDirectory)/"),
      let file = package.container.root[path]?.contents
    else { throw Diagnostic(.fileNotFound, at: .entry(path)) }
    try Limits.untrusted.check(file.size, \.entryBytes, "bytes of an image", at: .entry(path))
    let bytes = try file.bytes()
    let type = ImageFormat(of: bytes)?.mimeType ?? "application/octet-stream"
    let cache = request.query["version"] == nil ? "no-store" : "private, max-age=86400, immutable"
    return HTTPAnswer(bytes, as: type, cache: cache)
  }

  func putImage(_ request: RouteRequest) async throws -> HTTPAnswer {
    try await browser.edit(EditRequest(image: request.body, request.query))
  }

  func softImage(_ request: RouteRequest) async throws -> HTTPAnswer {
    let image = try SoftImage(request.query)
    return HTTPAnswer(try await BackgroundWork().run { try image.png() }, as: "image/png")
  }

  // MARK: Presets

  func presets(_ request: RouteRequest) throws -> HTTPAnswer {
    let presets = try EffectPresets(request.value("kind"), browser.environment.directories)
    return HTTPAnswer(["presets": .array(presets.all())])
  }

  func setPreset(_ request: RouteRequest) throws -> HTTPAnswer {
    let object = try request.object()
    let presets = try EffectPresets(object.text("kind"), browser.environment.directories)
    let name = try object.text("name")
    if let value = object["value"], value != .null {
      try presets.save(value, as: name)
    } else {
      try presets.remove(name)
    }
    tell(["event": "presets", "kind": .string(try object.text("kind"))])
    return HTTPAnswer(["presets": .array(presets.all())])
  }

  // MARK: States

  /// Saves on request, or in one of the ways out of a state.
  func saveEffect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let id = try object.text("item")
    let document = try await browser.editedEffect(id)
    switch object["way"]?.string ?? "save" {
    case "save": try await document.save()
    case "automatic": try await document.autosave()
    case "lossy":
      guard let file = document as? Document<EffectFile> else { return try await saved(id, object) }
      // Only the losses that the page has shown. Later edits may have added more.
      let accepted = object["accepted"]?.array?.compactMap(\.string) ?? []
      try await file.edit("Accept Losses") { $0.acceptedLosses = Set(accepted) }
      try await file.save()
    case "package":
      guard let file = document as? Document<EffectFile> else { return try await saved(id, object) }
      let package = try await file.savePackage()
      try await package.close()
      await browser.endedEffect(id)
      return HTTPAnswer(["path": package.path.map(JSONValue.string) ?? .null])
    case "anyway": try await document.saveAnyway()
    case "recreate": try await document.recreate()
    case "discard":
      try await document.discard()
      // Discarding the changes of a deleted document closes it.
      if await document.states.contains(.closed) {
        await browser.endedEffect(id)
        return HTTPAnswer([:])
      }
    case let way:
      throw Diagnostic(
        .usage, "'way'",
        expected: "save, automatic, lossy, package, anyway, recreate or discard", found: way)
    }
    return try await saved(id, object)
  }

  private func saved(_ id: BrowserItem.ID, _ object: JSONObject) async throws -> HTTPAnswer {
    HTTPAnswer(.object(try await browser.effectState(id, for: PageBasis(object))))
  }

  /// Answers how a file of another format is saved: its format and version, and the losses of the edits.
  func losses(_ request: RouteRequest) async throws -> HTTPAnswer {
    let document = try await browser.editedEffect(request.value("item"))
    guard let file = await document.foreign else {
      return HTTPAnswer(.object(["isInPlace": .bool(true), "losses": .array([])]))
    }
    return HTTPAnswer(
      try await BackgroundWork().run {
        try WorkBudget.run(.standard) {
          let saving = try file.saving()
          func lines(_ losses: [Diagnostic]) -> JSONValue {
            .array(
              LossLine.lines(of: losses).filter { $0.level > .info }.map {
                ["level": .string($0.level.rawValue), "text": .string($0.text)]
              })
          }
          var answer: JSONObject = [
            "format": .string(saving.format), "isInPlace": .bool(saving.isInPlace),
            "losses": lines(saving.losses), "dropped": lines(saving.dropped),
            "images": .array(saving.images.map(JSONValue.string)),
          ]
          answer["accepts"] = .array(saving.dropped.map { .string($0.message) })
          answer["version"] = saving.version.map(JSONValue.string)
          answer["difference"] = try file.measuredLoss().map(JSONValue.double)
          return .object(answer)
        }
      })
  }

  func resolveEffect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let object = try request.object()
    let id = try object.text("item")
    guard let choice = ConflictChoice(rawValue: try object.text("choice")) else {
      throw Diagnostic(
        .usage, "'choice'",
        expected: ConflictChoice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    try await browser.editedEffect(id).resolve(choice)
    return try await saved(id, object)
  }

  /// An effect for the player: the document's effect, a side of its conflict, or a version.
  func editedEffect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let package = try await shownPackage(request)
    let bytes = try await BackgroundWork().run { try package.forPlayer() }
    return HTTPAnswer(bytes, as: "application/vnd.particles")
  }

  private func shownPackage(_ request: RouteRequest) async throws -> EffectPackage {
    let document = try await browser.editedEffect(request.value("item"))
    if request.query["version"] != nil {
      let number = try request.number("version", in: 0...Int.max, or: 0)
      return try await document.effect(of: version(number, of: document))
    }
    guard let side = request.query["side"] else { return try await document.effect }
    guard let sides = await document.sides else {
      throw Diagnostic(.fileNotFound, "there is no conflict")
    }
    switch side {
    case "ours": return sides.ours
    case "theirs": return sides.theirs
    case "merged":
      guard let merged = sides.merged else {
        throw Diagnostic(.fileConflict, "both changes cannot be merged", hint: "keep one side")
      }
      return merged
    default: throw Diagnostic(.usage, "'side'", expected: "ours, theirs or merged", found: side)
    }
  }

  private func version(
    _ number: Int, of document: any EditedEffect
  ) async throws -> DocumentVersion {
    guard let version = try await document.versions().first(where: { $0.number == number }) else {
      throw Diagnostic(.fileVersion, "there is no version \(number)")
    }
    return version
  }

  func versions(_ request: RouteRequest) async throws -> HTTPAnswer {
    let versions = try await browser.editedEffect(request.value("item")).versions()
    return HTTPAnswer([
      "versions": .array(
        versions.reversed().map { version in
          var object: JSONObject = [
            "number": .int(version.number), "kind": .string(version.kind.rawValue),
            "seconds": .double(version.seconds), "size": .int(version.size),
            "program": .string(version.program), "host": .string(version.host),
          ]
          object["comment"] = version.comment.map(JSONValue.string)
          return .object(object)
        })
    ])
  }

  func versionThumbnail(_ request: RouteRequest) async throws -> HTTPAnswer {
    let size = try request.number("size", in: 16...1024, or: 128)
    return try await thumbnail(of: shownPackage(request), size: size)
  }

  func thumbnail(of package: EffectPackage, size: Int) async throws -> HTTPAnswer {
    let bytes = try await BackgroundWork().run {
      try WorkBudget.run(.untrusted) { try PNG.encode(EffectThumbnail(package).bitmap(size: size)) }
    }
    return HTTPAnswer(bytes, as: "image/png", cache: "private, max-age=86400, immutable")
  }

  // MARK: Targets

  private func marks(_ request: RouteRequest) async throws -> @Sendable () throws -> TargetMarks {
    let package = try await browser.effectPackage(request.value("item"))
    let name = try request.value("target")
    guard let format = FormatRegistry.standard[name], format.canWrite else {
      throw Diagnostic(.usage, "no format that can be written is named '\(name)'")
    }
    return { try TargetMarks(package, as: format, name: "effect") }
  }

  func target(_ request: RouteRequest) async throws -> HTTPAnswer {
    let make = try await marks(request)
    let isMeasured = request.query["measures"] == "true"
    return HTTPAnswer(
      try await BackgroundWork().run {
        try WorkBudget.run(.standard) {
          let target = try make()
          var answer: JSONObject = ["marks": .array(target.marks.map(\.json))]
          if isMeasured { answer["difference"] = try target.measured() }
          return .object(answer)
        }
      })
  }

  func targetEffect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let make = try await marks(request)
    let bytes = try await BackgroundWork().run {
      try WorkBudget.run(.standard) { try make().reread() }
    }
    return HTTPAnswer(bytes, as: "application/vnd.particles")
  }

  /// Without WebAssembly: an animation of the present effect.
  func editedAnimation(_ request: RouteRequest) async throws -> HTTPAnswer {
    var plan = EffectAnimation.Plan()
    plan.width = try request.number("size", in: 16...1024, or: 320)
    (plan.height, plan.framesPerSecond) = (plan.width, 24)
    let package = try await browser.effectPackage(request.value("item"))
    let bytes = try await BackgroundWork().run { [plan] in
      try Self.animation(of: package, named: "effect", as: .webp, plan)
    }
    return HTTPAnswer(bytes, as: "image/webp")
  }
}
