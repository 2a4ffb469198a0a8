internal import ParticlesContainer
package import ParticlesCore
package import ParticlesEffects
internal import ParticlesImages
internal import ParticlesModel
package import ParticlesRender
internal import ParticlesSystem

/// A folder of effects as one web page that needs no network, see ``ParticlesRender/CatalogPage``: for each
/// effect a moving picture, or a still one and the effect itself, its format, its parameters, and its problems.
package struct EffectCatalog: Sendable {
  /// How the effects are drawn. Default: 160 × 160 pixels at 15 frames per second, or fewer if a cycle has more than
  /// ``mostFrames``.
  package var plan: EffectAnimation.Plan
  /// The quality of the pictures, 0 to 100. Default: 70.
  package var quality = 70.0
  /// Folders to search for images that files name, after their own.
  package var imageFolders: [String] = []
  package var project: String?

  /// Whether the page plays the effects. Their pictures are then still. Default: false.
  package var plays = false

  /// The limits for drawing each effect. Default: the standard limits.
  package var limits = Limits.standard

  package init() {
    plan = EffectAnimation.Plan()
    (plan.width, plan.height, plan.framesPerSecond) = (160, 160, 15)
  }

  /// The number of effects above which pictures are smaller and have fewer frames, so that a browser shows
  /// the page.
  package static let many = 200

  /// Takes settings for a number of effects: with more than 200, pictures of 128 × 128 pixels with at most
  /// 15 frames, a quarter of the bytes. To be called before other settings are made.
  package mutating func fit(_ count: Int) {
    guard count > Self.many else { return }
    (plan.width, plan.height, plan.framesPerSecond, quality) = (128, 128, 10, 60)
    mostFrames = 15
  }

  /// The most frames of a whole cycle, unless ``plan`` has a duration. Nil keeps its frame rate.
  package var mostFrames: Int? = MovingPreview.mostFrames

  /// An effect of a catalogue, or a file that cannot be read.
  package struct Entry: Sendable {
    package var path: String
    package var card: PreviewCard
    /// Moment, frame and background of the picture, or nil if there is none.
    package var view: PictureView?
    /// Why the file cannot be read, or nil if it was drawn.
    package var failure: Diagnostic?
    /// Warnings about the picture: values that could not be read, particles beyond the limits.
    package var problems: [Diagnostic] = []
    /// The images of the effect by their paths, for a page that plays it.
    package var images: [(path: String, bytes: [UInt8])] = []
    /// Whether the file was found in a folder and is no effect.
    package var isUnknown = false
  }

  /// Draws effects on all processors.
  /// - Parameters:
  ///   - documents: the files, in the order of the page.
  ///   - body: receives the entries in this order.
  /// - Throws: errors of `body`, or `CancellationError` if the current task is cancelled.
  package func draw(_ documents: [DocumentSet.Document], _ body: (Entry) throws -> Void) throws {
    var plan = plan
    plan.threads = 1
    let catalogue = (self, plan)
    let images = BatchFiles()
    try Parallel.ordered(documents.count, state: {}) { index, _ in
      let (settings, plan) = catalogue
      return images.share { settings.entry(documents[index], plan) }
    } emit: { entry in
      try Task.checkCancellation()
      try body(entry)
    }
  }

  private func addPlayed(
    _ package: EffectPackage, _ view: PictureView, to entry: inout Entry
  ) throws {
    let system = try package.system(limits: limits)
    let played = try package.played(system)
    entry.card.played = PreviewCard.PlayedEffect(
      document: Deflate(level: 9).gzip(try played.document(limits: limits)), start: view.start,
      camera: view.camera.json, background: view.background?.hexadecimal ?? "transparent")
    // Several references can have one file.
    let paths = Set(system.images.map(\.uri)).sorted()
    entry.images = try paths.compactMap { path in
      try played.container.root[path]?.contents.map { (path, try $0.bytes()) }
    }
  }

  private func entry(_ document: DocumentSet.Document, _ plan: EffectAnimation.Plan) -> Entry {
    let path = document.path
    var card = PreviewCard(name: RawPath.readable(Files.lastComponent(of: path)))
    do {
      let opened = try OpenedEffect(path: path, imageFolders: imageFolders, project: project)
      card = try PreviewCard(opened, at: path)
      let preview = try MovingPreview(
        opened.package, plan: plan, isStill: plays, quality: quality, mostFrames: mostFrames,
        limits: limits)
      card.media = .picture(
        bytes: preview.bytes, mimeType: AnimationFormat.webp.mimeType, width: plan.width,
        height: plan.height)
      card.add(preview.problems)
      card.caption = path
      let place = Location(file: path)
      let problems = (opened.unreadValues + opened.placing(preview.problems)).map {
        $0.inside(place)
      }
      var entry = Entry(path: path, card: card, view: preview.view, problems: problems)
      // An effect that never moves is shown at a different speed, so it is not played.
      if plays, preview.view.speed == nil {
        try addPlayed(opened.package, preview.view, to: &entry)
      }
      return entry
    } catch {
      let diagnostic =
        (error as? Diagnostic) ?? Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")
      card.caption = path
      card.problems.insert(.init(diagnostic.message), at: 0)
      card.format = nil
      return Entry(
        path: path, card: card, failure: diagnostic.inside(Location(file: path)),
        isUnknown: document.isUnknown(because: diagnostic))
    }
  }
}

extension PreviewCard {
  /// The name, the format and the facts of an effect, without a picture.
  package init(_ opened: OpenedEffect, at path: String) throws {
    let summary = try EffectSummary(opened.package)
    let status = try? Files.status(path)
    let size = status?.kind == .file ? status?.size : nil
    let description = EffectDescription(summary, of: opened, at: path, size: size)
    self.init(
      name: summary.system.asset.name ?? RawPath.readable(Files.lastComponent(of: path)),
      format: opened.kindName)
    parameters = description.facts
      .filter { !["file", "kind", "digest"].contains($0.label) }
      .map { Parameter(name: $0.label, value: $0.value) }
    bytes = size ?? summary.contentBytes
    particles =
      summary.peak < 1e9 ? Int(saturating: max(summary.peak, 0).rounded(.up)) : 1_000_000_000
    add(opened.diagnostics.filter { $0.severity > .note })
  }

  /// Adds problems with their places.
  mutating func add(_ problems: [Diagnostic]) {
    for problem in problems {
      add(problem: problem.message, at: problem.location.position.map { "\($0)" })
    }
  }
}
