public import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesEffects
public import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSystem

/// An effect in a file of any format as the contents of a document.
///
///     let document = Document<EffectFile>(path: "fire.pex")
///     try await document.open()
///     try await document.edit("Change Rate") { try $0.edit { try $0.set("emitters[0].emission.rate", to: "120") } }
///     print(try await document.content.saving())  // losses of the edit in its format
///     try await document.save()
///
/// The file keeps its format: edits are written into the imported source. In a text file, an edit changes one line
/// for each value. The file is saved on request only. Until then, the recovery journal has the changes, as a package
/// that holds every edit. A file whose format can only be read, and an archive, is saved as a package beside it. See
/// ``Document/savePackage(to:as:)``. A package is saved as a package.
public struct EffectFile: DocumentContent {
  /// The effect with its images, as edited.
  public private(set) var effect: EffectPackage

  /// The messages of the lines of ``Saving/dropped`` that the user has accepted: the file is saved although its
  /// format cannot hold these edits. Default: none. Losses of later edits have new messages, and are not accepted.
  public var acceptedLosses: Set<String> = []

  /// The file as it was imported, or nil for a package.
  private var original: Original?

  private struct Original: Sendable {
    var opened: OpenedEffect
    var bytes: [UInt8]
    var fileName: String
    var isExecutable: Bool
    var written = WrittenImages()
    /// How many times the file was read again after a save.
    var generation = 0

    /// This file as it is read after a save of another state.
    func following(_ last: Original) -> Original {
      var next = self
      (next.written, next.generation) = (last.written, last.generation + 1)
      let generation = next.generation
      next.written.state.withLock { state in
        for (name, image) in state.images {
          state.images[name]?.imported[generation] = image.bytes
        }
      }
      return next
    }
  }

  /// The images that saves have written beside the file. Copies of the contents share them, because they are on the
  /// disk for each copy that was saved.
  private final class WrittenImages: Sendable {
    struct Image: Sendable {
      var bytes: [UInt8]
      /// The image of that name when the file was read, by generation. Nil if there was none.
      var imported: [Int: [UInt8]?]
      /// The image of that name in a generation. An unknown generation has the image of the last known generation
      /// before it.
      func imported(_ generation: Int) -> [UInt8]? {
        let known = imported.keys.filter { $0 <= generation }.max() ?? imported.keys.min()
        return known.flatMap { imported[$0] } ?? nil
      }
    }

    struct State: Sendable {
      var images: [String: Image] = [:]
      /// The effect with these images. Nil before the first save that wrote any.
      var effect: EffectPackage?
    }

    let state = Lock(State())
  }

  /// The names in the directory that holds an edited effect together with the imported file.
  private static let (file, package) = ("imported", "effect")

  /// Creates the contents of a package.
  public init(_ package: EffectPackage) { effect = package }

  /// Reads a file without its name: no images beside it are found.
  public init(contents: FileNode, limits: Limits) throws {
    try self.init(contents: contents, limits: limits, path: nil)
  }

  /// Reads a file, and the images beside it.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` and others of opening an effect.
  public init(contents: FileNode, limits: Limits, path: String?) throws {
    guard contents.isDirectory else {
      try self.init(file: contents, limits, path)
      return
    }
    guard let file = contents[Self.file], let package = contents[Self.package],
      contents[EffectPackage.documentPath] == nil
    else {
      self.init(try EffectPackage(contents: contents, limits: limits))
      return
    }
    try self.init(file: file, limits, path)
    effect = try EffectPackage(contents: package, limits: limits)
  }

  private init(file: FileNode, _ limits: Limits, _ path: String?) throws {
    guard let bytes = try file.regularFileContents() else { throw Diagnostic(.signature) }
    let opened = try OpenedEffect(
      bytes: bytes, name: path ?? "effect",
      images: path.map { ImageFinder(besides: $0, limits: limits) }, limits: limits)
    effect = opened.package
    guard !opened.isPackage else { return }
    original = Original(
      opened: opened, bytes: bytes, fileName: Files.lastComponent(of: path ?? "effect"),
      isExecutable: file.isExecutable)
  }

  /// The format of the file, or nil for a package.
  public var format: ParticleFormat? {
    switch original?.opened.kind {
    case .imported(let format)?, .archive(let format)?: format
    default: nil
    }
  }

  /// The findings of the import.
  public var findings: [Diagnostic] { original?.opened.diagnostics ?? [] }

  /// Whether the effect is as it was imported.
  public var isAsImported: Bool { original?.opened.package == effect }

  /// Replaces the effect.
  public mutating func setEffect(_ package: EffectPackage) { effect = package }

  /// Edits the effect. An edit that would introduce a value that is not allowed is refused.
  /// - Throws: the error of `body`, or the fault of the edit. Nothing has changed then.
  public mutating func edit(_ body: (inout EffectEditor) throws -> Void) throws {
    try effect.editValid(body)
  }

  // MARK: Saving

  /// The effect of a save.
  public struct Saving: Sendable {
    /// The format in which it is saved, such as "Starling particle system". The package format if the format of the
    /// file can only be read.
    public var format: String
    /// The engine, or the generation of the format, that the file was made for. Nil if there is only one.
    public var version: String?
    /// Whether the file itself is saved. False if a package beside it is saved.
    public var isInPlace: Bool
    /// Changes of the edit by the format: lines of a loss report. Earlier differences between the file and its effect
    /// are not included.
    public var losses: [Diagnostic] = []
    /// The lines about edited properties for which the format has no room at all. The file is saved only if
    /// their messages are in ``EffectFile/acceptedLosses``.
    public var dropped: [Diagnostic] = []
    /// The names of the images beside the file that are written, too.
    public var images: [String] = []
    /// The effect as it will be read again, or nil if it does not change.
    var result: OpenedEffect?
  }

  /// Returns what saving does, without doing it.
  /// - Throws: errors of the format.
  public func saving() throws -> Saving {
    guard let original, let format else {
      return Saving(format: "Particles package", isInPlace: true)
    }
    guard isWritable else { return Saving(format: "Particles package", isInPlace: false) }
    var saving = Saving(format: format.title, isInPlace: true)
    let profile = try effect.system().asset.profile
    saving.version = profile == .neutral ? nil : profile.rawValue
    guard let edited = try edited() else { return saving }
    (saving.losses, saving.dropped) = (edited.losses, edited.refused)
    saving.images = edited.images.keys.sorted()
    saving.result = try OpenedEffect(
      bytes: edited.bytes, name: original.fileName, as: format)
    return saving
  }

  /// Measures how different the file will look from the effect that is edited: 0 for not at all, 1 for completely.
  /// It takes a second for some effects.
  /// - Returns: nil if the file is saved unchanged, or as a package, or if nothing of the effect is visible.
  /// - Throws: errors of the format, or `CancellationError`.
  public func measuredLoss(limits: Limits = .standard) throws -> Double? {
    guard let result = try saving().result else { return nil }
    let meter = try EffectMeter(effect.system(), limits: limits)
    return try meter.visibleDifference(from: result.package.system())?.whole
  }

  /// The file with the edits, or nil if it is as it was imported.
  private func edited() throws -> EditedFile? {
    try original.flatMap { try $0.opened.edited(effect, fileName: $0.fileName) }
  }

  /// Returns the file in its format.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if the effect was edited and the format cannot be written, or has
  ///   no room for an edit.
  public func contents() throws -> FileNode {
    guard let original else { return effect.contents() }
    var bytes = original.bytes
    if let edited = try edited() {
      let refused = edited.refused.filter { !acceptedLosses.contains($0.message) }
      if let first = refused.first {
        let more = refused.count - 1
        throw Diagnostic(
          .fileUnwritable,
          "its format cannot hold the edit: \(first.message)"
            + (more > 0 ? ", and \(more) more" : ""),
          hint: "save a package, which holds every edit, or accept the loss")
      }
      bytes = edited.bytes
    }
    return FileNode(regularFileWithContents: bytes, isExecutable: original.isExecutable)
  }

  /// The file as imported, and the edited effect.
  public func keptContents() throws -> FileNode {
    guard let original else { return effect.contents() }
    let file = FileNode(
      regularFileWithContents: original.bytes, isExecutable: original.isExecutable)
    return try FileNode(
      directoryWithFileNodes: [Self.file: file, Self.package: effect.contents()])
  }

  /// The effect as it was imported, or nil for a package.
  public var keptBase: Self? { original.map { Self($0) } }

  /// True for a package. A file of another format is saved on request.
  public var isSavedAutomatically: Bool { original == nil }

  /// Whether the format can be written.
  public var isWritable: Bool {
    if case .imported(let format)? = original?.opened.kind { return format.canWrite }
    return original == nil
  }

  /// Writes added or replaced images to where the file names them. Writes imported images back, such as after undo.
  public func writeBeside(_ path: String, keeping keep: (FileNode) throws -> Bool) throws {
    guard let original else { return }
    let edited = try edited()
    let known = original.written.state.withLock { $0 }
    var images = edited?.images ?? [:]
    for (name, image) in known.images where images[name] == nil {
      images[name] = image.imported(original.generation)
    }
    guard !images.isEmpty else { return }
    var isKept = false
    for (name, bytes) in images.sorted(by: { $0.key < $1.key }) {
      let place = path.contains("/") ? Files.joined(Files.folder(of: path), name) : name
      let before = try Files.status(place)?.state
      if before != nil {
        let present = try Files.read(place)
        if present == bytes { continue }
        // Only imported images, or images of an earlier save, may be replaced. They are kept as a version.
        let isOurs =
          known.images[name]?.bytes == present || edited?.replaced[name] == present
        if isOurs, !isKept {
          var last = Self(original)
          if let effect = known.effect { last.effect = effect }
          isKept = try keep(last.keptContents())
        }
        guard isOurs, isKept else {
          throw Diagnostic(
            .fileExists, at: Location(file: place),
            hint: "give the picture another name, or move the file away")
        }
      }
      try SafeSave.file(
        place, replacing: true, { open in try bytes.withUnsafeBytes { try open.write($0) } },
        confirm: SafeSave.unchanged(place, since: before))
    }
    original.written.state.withLock { state in
      state.effect = effect
      for (name, bytes) in images {
        let imported =
          known.images[name]?.imported ?? [original.generation: edited?.replaced[name]]
        state.images[name] = WrittenImages.Image(bytes: bytes, imported: imported)
      }
    }
  }

  private init(_ original: Original) {
    (effect, self.original) = (original.opened.package, original)
  }

  // MARK: Changes

  /// Whether both have equal effects, imported files and accepted losses.
  public static func == (a: Self, b: Self) -> Bool {
    a.effect == b.effect && a.original?.bytes == b.original?.bytes
      && a.acceptedLosses == b.acceptedLosses
  }

  /// Returns the files of the effect that differ, and for the document, the bytes that differ.
  public static func change(from old: Self, to new: Self) -> DocumentChange<Self> {
    guard old.original?.bytes == new.original?.bytes, old.acceptedLosses == new.acceptedLosses
    else { return DocumentChange(from: old, to: new) }
    let change = EffectPackage.change(from: old.effect, to: new.effect)
    return DocumentChange(cost: change.cost) {
      try change(&$0.effect, $1 == .undo ? .undo : .redo)
    }
  }

  /// Merges the effects as packages are merged. The result is saved into the file of `theirs`.
  public static func merge(base: Self, ours: Self, theirs: Self) throws -> DocumentMerge<Self>? {
    guard
      let merge = try EffectPackage.merge(
        base: base.effect, ours: ours.effect, theirs: theirs.effect)
    else { return nil }
    var result = theirs
    (result.effect, result.acceptedLosses) = (merge.content, ours.acceptedLosses)
    return DocumentMerge(result, clashes: merge.clashes)
  }

  /// Lists the properties that differ, or the files.
  public static func changedParts(from old: Self, to new: Self) throws -> [String] {
    try EffectPackage.changedParts(from: old.effect, to: new.effect)
  }

  /// Returns the effect as the file holds it, if it differs.
  public func reread(_ stored: FileNode, limits: Limits, path: String?) throws -> Self? {
    guard let original, !isAsImported else { return nil }
    var new = try Self(contents: stored, limits: limits, path: path)
    guard try !effect.system().differences(from: new.effect.system()).isEmpty else { return nil }
    new.original = new.original?.following(original)
    return new
  }

  /// Takes the stored files of a package.
  public mutating func adopt(_ stored: FileNode, writtenAs written: FileNode) {
    if original == nil { effect.adopt(stored, writtenAs: written) }
  }
}

extension Document where Content == EffectFile {
  /// Saves the effect as a package and continues there. The file stays as it is on disk.
  /// - Parameters:
  ///   - path: the path, at which there must be nothing. Nil for a free name beside the file, such as
  ///     `fire.particles` for `fire.efkproj`.
  ///   - form: the form of the package.
  /// - Returns: the open document of the package. This document is closed.
  /// - Throws: ``ParticlesCore/Rule/fileExists``, or errors of writing. This document stays open then.
  public func savePackage(
    to path: String? = nil, as form: Container.Form = .flat
  ) async throws -> Document<EffectPackage> {
    guard let target = try path ?? packagePath() else {
      throw Diagnostic(.fileNotFound, "the document has no path", hint: "name the package")
    }
    let copy = Document<EffectPackage>(path: target, creating: form, configuration: configuration)
    try await moveOut { content, _ in try await copy.create(content.effect) }
    return copy
  }

  /// The first free name of a package beside the file.
  private func packagePath() throws -> String? {
    guard let own = self.path else { return nil }
    let folder = own.contains("/") ? Files.folder(of: own) : ""
    let stem = Files.stem(of: Files.lastComponent(of: own))
    let first = Files.joined(folder, "\(stem).particles")
    return try Files.status(first, followingLinks: false) == nil
      ? first : DocumentNames.free(beside: first)
  }
}

extension DocumentRegistry {
  /// Returns the document of an effect in a file of any format, or a new document that is not open yet: a
  /// ``Document`` of ``ParticlesEffects/EffectPackage`` for an existing package, else of ``EffectFile``.
  /// - Throws: ``ParticlesCore/Rule/fileBusy`` if the file is open with other contents, such as a text.
  public func effect(
    at path: String, configuration: DocumentConfiguration = DocumentConfiguration()
  ) throws -> any OpenDocument {
    let isFolder = try Files.status(path)?.kind == .directory
    if try isFolder || ByteSource.file(path).isFlatPackage {
      return try document(EffectPackage.self, at: path, configuration: configuration)
    }
    return try document(EffectFile.self, at: path, configuration: configuration)
  }
}
