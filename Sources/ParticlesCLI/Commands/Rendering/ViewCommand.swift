internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesRender
internal import ParticlesSystem

extension Command {
  /// Opens effects in the browser.
  static let view = Command(
    name: "view", group: .pictures,
    summary: "Open effects in the web browser.",
    discussion: """
      Writes a web page that plays each effect, in a private folder below your cache folder ($XDG_CACHE_HOME, \
      otherwise ~/.cache), and opens it with xdg-open. The page simulates the effect itself: it can be paused, \
      stepped, slowed down, and follow the law of another engine. It needs no network. With --still-frames, the page \
      shows an animation that is drawn before, with the parameters and the problems. A file that cannot be read has \
      such a page with the error. The last \(ViewedPages.most) pages are kept. The paths of the pages are printed.
      """,
    arguments: [Argument(.file("file"), arity: .oneOrMore, "A document.")],
    options: [
      .stillFrames, .pictureSize, .from, .engine, .images, .project, .work, .keepClosed, .json,
    ],
    examples: [
      Example("particles view fire.pex", "Play an effect."),
      Example("particles view --no-open fire.pex", "Write the page, and print its path."),
    ],
    run: { invocation in
      let pages = try ViewedPages(invocation)
      var rows: [JSONValue] = []
      let status = try invocation.forEach(invocation.arguments("file")) { path in
        let (page, failure) = try pages.write(path)
        rows.append(["source": .string(path), "path": .string(page)])
        if !invocation.flag(.json) { try invocation.console.print(page) }
        if !invocation.flag(.keepClosed) { try invocation.openPage(page) }
        if let failure { throw failure }
        return .done
      }
      try invocation.answer(["files": .array(rows)])
      return status
    })
}

extension Option {
  fileprivate static let keepClosed = Option("no-open", "Write the pages, and open none.")
}

/// The pages that `view` writes.
private struct ViewedPages {
  /// How many are kept.
  static let most = 32

  private let invocation: Invocation
  private let folder: String
  private let player: PlayerFiles?

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    player = try invocation.playerOfPages()
    guard let cache = BaseDirectories(environment: invocation.environment).cacheHome else {
      throw UsageError(
        "cannot find the cache folder: HOME is not set",
        hint: "set HOME, or write a page with 'particles render FILE -o page.html'")
    }
    // Effects that are not published yet stay private.
    folder = Files.joined(cache, "particles/pages")
    try Files.makeDirectories(folder)
  }

  /// Writes the page of a document. If it cannot be drawn, the page shows the error.
  func write(_ path: String) throws -> (page: String, failure: Diagnostic?) {
    guard path != Invocation.standardStream else {
      throw UsageError("standard input cannot be shown", hint: "name a file")
    }
    let absolute = path.hasPrefix("/") ? path : Files.joined(try Files.resolve("."), path)
    let name = SHA256.digest(Array(absolute.utf8)).description.prefix(16)
    let page = Files.joined(folder, "\(name).html")
    removeOldest(but: page)
    do {
      try draw(path, to: page)
      return (page, nil)
    } catch let fault as Diagnostic where fault.rule != .usage {
      let title = Files.lastComponent(of: path)
      var card = PreviewCard(name: title, caption: path)
      card.add(problem: fault.message, at: fault.location.position.map { "\($0)" })
      try SafeSave.file(page, replacing: true) { file in
        try PreviewPage(title: title, card: card).write { try file.write($0) }
      }
      return (page, fault.inside(Location(file: path)))
    }
  }

  private func draw(_ path: String, to page: String) throws {
    let opened = try invocation.effect(at: path)
    defer { invocation.note(opened.unreadValues.map { $0.inside(Location(file: path)) }) }
    if let player {
      let bytes = try locating(Location(file: path)) {
        var playing = try PlayerPage(opened.package, title: RawPath.readable(Files.stem(of: path)))
        playing.profile = invocation.engine
        return try playing.bytes(player)
      }
      try SafeSave.file(page, replacing: true) { try $0.write(bytes) }
      return
    }
    var plan = try invocation.animationPlan()
    if invocation.value(.pictureSize) == nil { (plan.width, plan.height) = (400, 400) }
    plan.framesPerSecond = 24
    let animation = try locating(Location(file: path)) {
      try EffectAnimation(
        opened.package, plan: plan, isStill: false, limits: invocation.pictureLimits())
    }
    var options = AnimationWriter.Options()
    options.quality = .lossy(80)
    options.card = try PreviewCard(opened, at: path)
    for problem in animation.problems { options.card.add(problem: problem.message) }
    let bar = ProgressBar(
      "drawing \(Files.lastComponent(of: path))", total: animation.timing.count,
      console: invocation.console)
    try SafeSave.file(page, replacing: true) { file in
      try animation.write(.html, options) { _ in
        bar.advance()
      } to: {
        try file.write($0)
      }
    }
    bar.finish()
  }

  /// Removes pages until one more can be written.
  private func removeOldest(but page: String) {
    let names = ((try? Files.list(folder)) ?? []).filter { $0.hasSuffix(".html") }
    guard names.count >= Self.most else { return }
    let pages = names.map { Files.joined(folder, $0) }.filter { $0 != page }
      .map { ($0, (try? Files.status($0))??.state.modified ?? 0) }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    for (old, _) in pages.prefix(names.count - Self.most + 1) { try? Files.removeAll(old) }
  }
}

extension Invocation {
  func openPage(_ page: String) throws {
    #if os(macOS)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let hint = "open the page in a browser: \(page)"
    switch try Program.run(program, [page]) {
    case 0: return
    case let status?:
      throw Diagnostic(
        .fileUnreadable, at: Location(file: page), "\(program) started no browser",
        expected: "status 0", found: "\(status)", hint: hint)
    case nil:
      throw Diagnostic(
        .fileNotFound, at: Location(file: program),
        "the program that opens the browser is not installed (package xdg-utils)", hint: hint)
    }
  }
}

extension Command {
  /// Writes the player for web pages.
  static let web = Command(
    name: "web", group: .pictures,
    summary: "Write the player for web pages, as an npm package.",
    discussion: """
      Writes a folder with the element <particles-effect>, the simulation as WebAssembly, types for TypeScript, a \
      text that explains them, and example.html with an effect: a template, or the effect that --example names. The \
      folder can be served as it is. Nothing has to be built. To put one effect into one file, use 'particles render \
      FILE -o page.html'.
      """,
    arguments: [
      Argument(.folder("folder"), arity: .optional, "The folder; it is created.")
    ],
    options: [.webFolder, .example, .from, .images, .project, .force, .json],
    examples: [
      Example("particles web particlekit", "Write the player."),
      Example(
        "particles web site/particles --example fire.plist",
        "Write the player, with an effect of your own as the example."),
    ],
    run: { invocation in
      let named = [invocation.value(.webFolder)] + invocation.arguments.map(Optional.some)
      let folders = named.compactMap(\.self)
      guard let folder = folders.first, folders.count == 1 else {
        throw UsageError("one folder is needed", hint: "particles web particlekit")
      }
      let example = try invocation.value(.example).map { try invocation.effect(at: $0).package }
      let files = try PlayerFolder(.built).files(example: example ?? EffectTemplate.fire.package())
      // Not the mode of private data: a server reads the folder.
      var created: [String] = []
      try Files.makeDirectories(folder, mode: 0o777, noting: &created)
      let names = files.keys.sorted()
      if !invocation.flag(.force),
        let present = try names.first(where: { try Files.status(Files.joined(folder, $0)) != nil })
      {
        throw Diagnostic(
          .fileExists, at: Location(file: Files.joined(folder, present)),
          hint: "choose another folder, or use --force")
      }
      var size = 0
      for name in names {
        guard let bytes = files[name] else { continue }
        size += bytes.count
        try SafeSave.file(Files.joined(folder, name), replacing: true) { try $0.write(bytes) }
      }
      try invocation.answer([
        "path": .string(folder), "files": .array(names.map(JSONValue.string)), "size": .int(size),
      ])
      invocation.console.inform(
        "wrote \(names.count.of("file")) to \(folder), \(size.bytesText): serve it and open example.html"
      )
      return .done
    })
}

extension Option {
  fileprivate static let webFolder = Option(
    "output", short: "o", value: .folder("folder"), "The folder, in place of the argument.")
  fileprivate static let example = Option(
    "example", value: .file("file"), default: "a template", "The effect of the example page.")
}
