internal import ParticlesEffects
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesRender
internal import ParticlesSystem

extension Command {
  /// Draws the effects of a folder as a web page.
  static let catalog = Command(
    name: "catalog", group: .pictures,
    summary: "Write a web page that shows all effects of a folder.",
    discussion: """
      The page is one file that needs no network: a grid of pictures, which can be searched, \
      filtered by format, and sorted by name, size, number of particles and number of differences \
      that reading found. The effect on which the pointer rests, or that has the focus of the keyboard, \
      plays: the page simulates it. The parameters and the problems of an effect open below its picture, and \
      each problem is stated once. Files that cannot be read are shown with their error. Folders are \
      searched with their subfolders, with --recursive or without.

      With --still-frames, or if --duration, --fps or --loop is stated, the pictures are animations that are drawn \
      before, and all move. With more than \(EffectCatalog.many) effects, the pictures are smaller, and \
      animations have fewer frames.

      The status is 2 if a file cannot be read. The page is still written.
      """,
    arguments: [
      Argument(
        .file("folder"), arity: .oneOrMore,
        "A folder of documents, a document, or a pattern such as 'effects/**/*.pex'.")
    ],
    options: [
      .output, .pictureSize, .duration, .framesPerSecond, .loop, .background, .stillFrames, .work,
      .images, .project, .force, .json,
    ] + Option.inputs,
    examples: [
      Example("particles catalog effects -o effects.html", "Show all effects of a folder."),
      Example(
        "particles catalog effects -o effects.html --size 240 --background '#000000'",
        "Show larger pictures on black."),
    ],
    run: { invocation in
      let output = try invocation.requiredOutput()
      if output == Invocation.standardStream { try invocation.checkStandardOutput() }
      return try invocation.writeCatalog(to: output)
    })
}

extension Invocation {
  fileprivate func writeCatalog(to output: String) throws -> ExitStatus {
    let folders = arguments("folder")
    let set = documents(folders, recursive: true)
    let status = begin(set)
    guard !set.documents.isEmpty else { return noDocuments(set) }
    var unknown = set.unknown
    var page = CatalogPage(title: Files.lastComponent(of: folders[0]), cards: [])
    let player = try playerOfCatalog()
    page.player = try player?.catalog()
    let (pictures, failures) = try drawCatalog(set, on: &page, &unknown)
    let cards = page.cards
    guard !cards.isEmpty else { return noDocuments(set) }
    page.subtitle =
      "\(cards.count.of("effect"))"
      + (failures > 0 ? ", \(failures) of them cannot be read" : "")
    var size = 0
    if output == Self.standardStream {
      try page.write { try console.write($0) }
    } else {
      try SafeSave.file(output, replacing: flag(.force)) { file in
        try page.write {
          size += $0.count
          try file.write($0)
        }
      }
    }
    if flag(.json) {
      try print([
        "path": .string(output), "effects": .int(cards.count), "failures": .int(failures),
        "simulates": .bool(player != nil),
        "pictures": .array(pictures),
        "unknown": .array(unknown.map { .string($0) }), "size": .int(size),
      ])
    }
    tellOthers(set, unknown: unknown)
    if output != Self.standardStream {
      let what: Phrase =
        "\(cards.count.of("effect")), \(size.bytesText)" + others(set, unknown: unknown.count)
      console.inform("wrote \(output): \(what)")
    }
    return failures > 0 ? .failed : status
  }

  /// The player of the page. Nil for animations.
  private func playerOfCatalog() throws -> PlayerFiles? {
    let isAnimated = [Option.duration, .framesPerSecond, .loop].contains { value($0) != nil }
    return isAnimated ? nil : try playerOfPages()
  }

  private func drawCatalog(
    _ set: DocumentSet, on page: inout CatalogPage, _ unknown: inout [String]
  ) throws -> (pictures: [JSONValue], failures: Int) {
    let asked = try animationPlan()
    var catalog = EffectCatalog()
    catalog.fit(set.documents.count)
    catalog.limits = try pictureLimits()
    if value(.pictureSize) != nil {
      (catalog.plan.width, catalog.plan.height) = (asked.width, asked.height)
    }
    if value(.framesPerSecond) != nil {
      (catalog.plan.framesPerSecond, catalog.mostFrames) = (asked.framesPerSecond, nil)
    }
    catalog.plan.duration = asked.duration
    catalog.plan.loop = asked.loop
    catalog.plan.background = asked.background
    catalog.imageFolders = values(.images)
    catalog.project = try project()
    catalog.plays = page.player != nil
    var (pictures, failures): ([JSONValue], Int) = ([], 0)
    var lines = FailureLines(self)
    let bar = ProgressBar("drawing", total: set.documents.count, console: console)
    try collectingNotes(of: set.documents.count) {
      try catalog.draw(set.documents) { entry in
        bar.advance()
        if entry.isUnknown { return unknown.append(entry.path) }
        if let failure = entry.failure {
          bar.aside { lines.add(failure, of: nil) }
          failures += 1
        }
        if !entry.problems.isEmpty { bar.aside { note(entry.problems) } }
        page.add(entry.card, images: entry.images)
        if let view = entry.view {
          pictures.append(view.adding(to: ["source": .string(entry.path)]))
        }
      }
      bar.finish()
    }
    lines.finish()
    return (pictures, failures)
  }
}
