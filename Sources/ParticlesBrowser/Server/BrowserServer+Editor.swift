internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesRender

/// The routes of the editor. Pages keep a copy of the document's text, and order changes of a revision of it.
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
    let findings = try await Workbench().run { try EffectFindings(package).json }
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
    return HTTPAnswer(try await Workbench().run { try image.png() }, as: "image/png")
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
      // Those that the page has shown: later edits may have added others.
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
      // One that was deleted is closed then.
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
      try await Workbench().run {
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

  /// An effect for the player: that of the document, a side of its conflict, or a version.
  func editedEffect(_ request: RouteRequest) async throws -> HTTPAnswer {
    let package = try await shownPackage(request)
    let bytes = try await Workbench().run { try package.forPlayer() }
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
    let bytes = try await Workbench().run {
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
      try await Workbench().run {
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
    let bytes = try await Workbench().run { try WorkBudget.run(.standard) { try make().reread() } }
    return HTTPAnswer(bytes, as: "application/vnd.particles")
  }

  /// Without WebAssembly: an animation of the effect as it is now.
  func editedAnimation(_ request: RouteRequest) async throws -> HTTPAnswer {
    var plan = EffectAnimation.Plan()
    plan.width = try request.number("size", in: 16...1024, or: 320)
    (plan.height, plan.framesPerSecond) = (plan.width, 24)
    let package = try await browser.effectPackage(request.value("item"))
    let bytes = try await Workbench().run { [plan] in
      try Self.animation(of: package, named: "effect", as: .webp, plan)
    }
    return HTTPAnswer(bytes, as: "image/webp")
  }
}
