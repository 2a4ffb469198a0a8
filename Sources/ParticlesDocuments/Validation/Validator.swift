internal import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesEffects
public import ParticlesFormats
public import ParticlesModel
internal import ParticlesSystem

/// Checks documents: the container, the effect, its images and further files.
public struct Validator: Sendable {
  /// The limits for reading a document.
  public var limits: Limits

  /// The resources that an effect may use without a warning.
  public var budget: Budget

  /// Folders to search for images that files of other formats name, after their own folder.
  public var imageFolders: [String]

  /// The root of the project of Godot or Defold that files belong to. Nil, the default, for the nearest project
  /// folder above each file.
  public var project: String?

  /// The formats of files other than packages.
  public var formats: FormatRegistry

  /// The assumed engine of files other than packages. Nil, the default, to find it by the file.
  public var engine: ParticleSystem.Profile?
  /// The state that the documents of a batch share, or nil for single documents.
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

  /// Checks a document, and passes it to `lend` once it is open, for callers that need more than its faults.
  package func check(
    _ path: String, lending lend: (OpenedEffect) -> Void
  ) throws -> Diagnostic.Report.File {
    var report = try checks.check(named: path, bytes: { try? Files.read(path, limits: limits) }) {
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
  ///   - finder: searches for images that the file names. Nil, the default, reads none and reports each image as
  ///     missing. ``imageFolders`` is not used.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`.
  public func check(
    _ bytes: [UInt8], named name: String, images finder: ImageFinder? = nil
  ) throws -> Diagnostic.Report.File {
    try checks.check(named: name, bytes: { bytes }) {
      try OpenedEffect(
        bytes: bytes, name: name, among: formats, images: finder, engine: engine, limits: limits)
    }
  }

  /// The checks of the contents.
  private var checks: EffectCheck { EffectCheck(limits: limits, budget: budget) }

  /// Checks the effect in a package, its images and its other files.
  /// - Throws: the error that makes the document unreadable.
  public func check(_ package: EffectPackage) throws -> [Diagnostic] { try checks.check(package) }

  /// The resources that an effect may use without a warning.
  public typealias Budget = EffectBudget
}

extension Validator {
  /// Makes the repairs that need no guess, and saves the document in its place and form:
  ///
  /// - sorts the keys of curves and gradients by time,
  /// - exchanges the ends of ranges whose first end is greater,
  /// - moves numbers that are out of range to the nearest allowed number, or, where there is none, resets the
  ///   property,
  /// - corrects the stated type, size and digest of images,
  /// - removes duplicates of files that Apple's file wrappers made,
  /// - writes the document in canonical form,
  /// - removes an unfinished save after the last complete one, and temporary files of killed saves.
  ///
  /// In text files of other formats, decimal commas become points. Nothing else in them is changed, nor are damaged
  /// packages and unreadable documents.
  /// - Parameters:
  ///   - path: the package, in either form, or the file.
  ///   - isSaving: whether to save. False only lists the repairs.
  /// - Returns: the repairs. Empty if none was needed.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`. Nothing was changed then.
  public func repair(_ path: String, saving isSaving: Bool = true) throws -> [Diagnostic.Repair] {
    let place = Location(file: path)
    do {
      let opened = try Container(contentsOf: path, limits: limits)
      var package = EffectPackage(opened)
      guard try package.container.form == .directory || isSound(path) else { return [] }
      var repairs = try checks.mend(&package)
      for warning in package.container.warnings where warning.rule == .torn {
        repairs.append(Repair(.torn, "removed an unfinished save"))
      }
      let leftovers = try SafeSave.leftovers(of: path)
      if isSaving {
        if !repairs.isEmpty {
          // As every change in place: a file with hard links keeps them. An unfinished save after the
          // last footer is cut off then, and no byte before it is touched.
          let storage = PathStorage(path, opened: opened)
          _ = try storage.write(package.container.root, replacing: 1, StorageOptions())
        }
        SafeSave.removeLeftovers(of: try Files.target(of: path))
      }
      // Temporary files of other users cannot be removed.
      let remaining = Set(isSaving ? try SafeSave.leftovers(of: path) : [])
      repairs += leftovers.filter { !remaining.contains($0) }.map {
        Repair(.fileLeftover, "removed '\(Files.lastComponent(of: $0))'")
      }
      return repairs.map { $0.inside(place) }
    } catch let diagnostic as Diagnostic {
      if diagnostic.rule.family == "file" { throw diagnostic.inside(place) }
      // `check(_:)` reports the faults of the package.
      return try mendText(path, saving: isSaving).map { $0.inside(place) }
    }
  }

  /// Replaces the decimal commas of a text file of another format.
  private func mendText(_ path: String, saving isSaving: Bool) throws -> [Repair] {
    let before = try Files.status(path)?.state
    guard let bytes = try? Files.read(path, limits: limits),
      let mended = formats.withoutDecimalCommas(
        bytes, fileName: Files.lastComponent(of: path), limits: limits)
    else { return [] }
    if isSaving {
      try locating(Location(file: path)) {
        try SafeSave.file(
          path, replacing: true, { try $0.write(mended.bytes) },
          confirm: SafeSave.unchanged(path, since: before))
      }
    }
    let commas = mended.count == 1 ? "decimal comma by a point" : "decimal commas by points"
    return [Repair(.decimalCommas, "replaced \(mended.count) \(commas)")]
  }

  private func isSound(_ path: String) throws -> Bool {
    try ContainerReader(.file(path), limits: limits).verify(.full, earlier: nil)
      .allSatisfy { $0.severity < .error }
  }
}

/// The state that the documents of a batch share while they are checked: each folder is listed once, and not for each
/// document in it.
package final class ValidationBatch: Sendable {
  let leftovers = SaveLeftovers()
  let images = BatchFiles()

  package init() {}
}
