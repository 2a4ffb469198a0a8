internal import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
public import ParticlesImages
public import ParticlesModel

/// Checks documents: the container, the effect, its images and the other files.
public struct Validator: Sendable {
  /// The limits for reading a document.
  public var limits: Limits

  /// The resources that an effect may use without a warning.
  public var budget: Budget

  /// Folders to search for images that files of other formats name, after their own folder.
  public var imageFolders: [String]

  /// The root of the project of Godot or Defold that files belong to; nil, the default, for the nearest folder above each
  /// file that is one.
  public var project: String?

  /// The formats of files other than packages.
  public var formats: FormatRegistry

  /// The engine that files other than packages are taken to be made for; nil, the default, to find it by
  /// the file.
  public var engine: ParticleSystem.Profile?
  /// The state that the documents of a batch share; nil for single documents.
  package var batch: ValidationBatch?

  /// Creates a validator.
  public init(
    limits: Limits = .standard, budget: Budget = .standard, imageFolders: [String] = [],
    formats: FormatRegistry = .standard, engine: ParticleSystem.Profile? = nil
  ) {
    self.engine = engine
    self.limits = limits
    self.budget = budget
    self.imageFolders = imageFolders
    self.formats = formats
  }

  /// Checks the document at a path: a package of either form, or a file of a format that can be
  /// imported.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file` if the file cannot be read. All
  ///   other findings are in the report.
  public func check(_ path: String) throws -> Diagnostic.Report.File {
    try check(path) { _ in }
  }

  /// The same, and lends the document once it is open, for callers that need more of it than its faults.
  package func check(
    _ path: String, lending lend: (OpenedEffect) -> Void
  ) throws -> Diagnostic.Report.File {
    var report = try check(named: path, bytes: { try? Files.read(path, limits: limits) }) {
      let opened = try sharingImages {
        try OpenedEffect(
          path: path, among: formats, imageFolders: imageFolders, project: project, engine: engine,
          limits: limits)
      }
      lend(opened)
      return opened
    }
    let leftovers = try batch?.leftovers.leftovers(of: path) ?? SafeSave.leftovers(of: path)
    report.diagnostics += leftovers.map {
      Diagnostic(.fileLeftover, at: Location(file: path), found: "'\(Files.lastComponent(of: $0))'")
    }
    return report
  }

  private func sharingImages<Result>(_ body: () throws -> Result) rethrows -> Result {
    try batch?.images.share(body) ?? body()
  }

  /// Checks a document whose bytes are in memory.
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the name of the file, for messages and for recognising its format. No file is read.
  ///   - finder: searches for images that the file names; nil, the default, to read none. Then each
  ///     of them is reported as missing. ``imageFolders`` is not used.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`.
  public func check(
    _ bytes: [UInt8], named name: String, images finder: ImageFinder? = nil
  ) throws -> Diagnostic.Report.File {
    try check(named: name, bytes: { bytes }) {
      try OpenedEffect(
        bytes: bytes, name: name, among: formats, images: finder, engine: engine, limits: limits)
    }
  }

  /// - Parameter bytes: reads the file, for the lines of findings.
  private func check(
    named path: String, bytes: () -> [UInt8]?, opening open: () throws -> OpenedEffect
  ) throws -> Report.File {
    try WorkBudget.run(limits) { try checkWithinBudget(named: path, bytes: bytes, opening: open) }
  }

  private func checkWithinBudget(
    named path: String, bytes: () -> [UInt8]?, opening open: () throws -> OpenedEffect
  ) throws -> Report.File {
    var report = Report.File(path: path)
    var package: EffectPackage?
    do {
      let opened = try open()
      package = opened.package
      report.kind = opened.kindName
      if case .package(.directory) = opened.kind { report.isFolder = true }
      report.diagnostics = opened.diagnostics
      if case .package(.flat) = opened.kind {
        // No reader needs the index of earlier generations.
        report.diagnostics = try opened.package.container.verify(earlier: .warning)
      }
      if !report.diagnostics.contains(where: { $0.severity == .error }) {
        let findings = try check(opened.package)
        // The import has already reported images that are missing or cannot be read.
        let isImported = if case .imported = opened.kind { true } else { false }
        let known: [Rule] = isImported ? [.absentImage, .image, .imageUnchecked] : []
        report.diagnostics += opened.placing(findings.filter { !known.contains($0.rule) })
      }
    } catch let diagnostic as Diagnostic {
      if diagnostic.rule.family == "file" { throw diagnostic.inside(Location(file: path)) }
      report.diagnostics.append(diagnostic)
    }
    report.diagnostics = report.diagnostics.map { $0.inside(Location(file: path)) }
    return report.locatingLines { entry in
      guard let entry else { return bytes() }
      guard let file = package?.container.root[entry]?.contents, file.size <= limits.fileBytes
      else { return nil }
      return try? file.bytes()
    }
  }

  /// Checks the effect in a package, its images and its other files.
  /// - Throws: the error that makes the document unreadable.
  public func check(_ package: EffectPackage) throws -> [Diagnostic] {
    let bytes = try package.document(limits: limits)
    let document = Location.entry(EffectPackage.documentPath)
    return try locating(document) {
      try WorkBudget.spend(work: bytes.count / 8, on: "the checks of the document")
      let json = try JSONParser.parse(bytes, limits: limits)
      let system = try ParticleSystem(json: json, limits: limits)
      var diagnostics = system.diagnostics()
      if system.encoded() != bytes { diagnostics.append(Diagnostic(.canonical)) }
      let images = system.images.enumerated().map { index, image in
        check(image, at: "images[\(index)]", in: package)
      }
      diagnostics += images.flatMap(\.diagnostics)
      diagnostics += checkMeshes(of: system, in: package)
      diagnostics += try checkFiles(of: package, referredBy: json)
      diagnostics += checkBudget(of: system, pixels: images.map(\.pixels))
      diagnostics += try checkThumbnail(of: package)
      return diagnostics.map { $0.inside(document) }
    }
  }

  /// Compares the particle count and the texture memory with the budget.
  private func checkBudget(of system: ParticleSystem, pixels: [Int]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let alive = system.populations().map(\.alive)
    let particles = alive.reduce(0, +)
    if particles > Double(budget.particles) {
      let most = alive.indices.max { alive[$0] < alive[$1] } ?? 0
      let found =
        particles.isFinite
        ? "about \(Int(saturating: min(particles, 1e15)))" : "an unbounded number"
      diagnostics.add(
        .manyParticles, at: .key("emitters[\(most)]"),
        expected: "at most \(budget.particles) in the whole effect", found: found)
    }
    let bytes = pixels.reduce(0) { $0 + 4 * $1 }
    if bytes > budget.textureBytes {
      diagnostics.add(
        .largeTextures, at: .key("images"), expected: "at most \(budget.textureBytes >> 20) MiB",
        found: "\(bytes >> 20) MiB")
    }
    return diagnostics
  }
}
