public import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
public import ParticlesModel

/// A package that contains an effect. It maps the document and the images to files of a container.
///
/// All other files of the container are preserved.
public struct EffectPackage: Sendable {
  /// The path of the document in a package.
  public static let documentPath = "document.json"

  /// The directory of the images.
  public static let imageDirectory = Imported.imageDirectory

  /// The files.
  public var container: Container {
    get { unwritten?.written(in: files) ?? files }
    _modify {
      write()
      yield &files
    }
  }

  /// The files; the document in them has no bytes as long as there is an unwritten effect.
  private var files: Container

  /// The effect of an import, until its document is read.
  private var unwritten: Unwritten?

  private final class Unwritten: Sendable {
    let system: ParticleSystem
    private let encoded = Lock<[UInt8]?>(nil)

    init(_ system: ParticleSystem) { self.system = system }

    /// The bytes of the document, which are made once.
    var document: [UInt8] {
      encoded.withLock { encoded in
        let bytes = encoded ?? system.encoded()
        encoded = bytes
        return bytes
      }
    }

    /// The files with the document.
    func written(in files: Container) -> Container {
      var files = files
      // The document takes the place of an empty one, which always succeeds.
      try? files.root.setFileNode(
        FileNode(regularFileWithContents: document), at: EffectPackage.documentPath)
      return files
    }
  }

  /// Checks each frame of a package that was read from a file.
  /// - Throws: errors of the family `container`.
  func checkEveryFrame() throws { try files.checkEveryFrame() }

  /// Writes an effect that is not written yet.
  private mutating func write() {
    guard let unwritten else { return }
    files = unwritten.written(in: files)
    known = (unwritten.document, unwritten.system)
    self.unwritten = nil
  }

  /// The decoded effect and the bytes of its document; valid while the document has these bytes.
  private var known: (document: [UInt8], system: ParticleSystem)?

  /// The findings of the import, and the digest that it stored; valid while the source has these bytes.
  private var findings: (source: [UInt8], digest: String?, diagnostics: [Diagnostic])?

  /// The parsed text of the document, and the effect; valid while it has the bytes. Copies share them.
  private var parsed = Parsed()

  private final class Parsed: Sendable {
    let text: Lock<JSONText?>
    let system = Lock<(document: [UInt8], limits: Limits, system: ParticleSystem)?>(nil)
    init(_ text: JSONText? = nil) { self.text = Lock(text) }
  }

  /// Creates the package of a container, which need not contain a document.
  public init(_ container: Container) { files = container }

  /// Creates a package.
  /// - Parameters:
  ///   - system: the effect.
  ///   - images: the images by path in the package.
  ///   - source: the file that the effect was imported from, by path in the package.
  /// - Throws: ``ParticlesCore/Rule/name`` or ``ParticlesCore/Rule/twins`` for an invalid path.
  public init(
    _ system: ParticleSystem, images: [String: [UInt8]] = [:], source: [String: [UInt8]] = [:]
  ) throws {
    files = Container()
    try files.root.setFileNode(FileNode(regularFileWithContents: []), at: Self.documentPath)
    for (path, bytes) in images.merging(source, uniquingKeysWith: { image, _ in image }) {
      try files.root.setFileNode(FileNode(regularFileWithContents: bytes), at: path)
    }
    if files.root[Self.documentPath]?.contents?.size == 0 { unwritten = Unwritten(system) }
  }

  fileprivate init(_ imported: Imported) throws {
    try self.init(
      imported.system, images: imported.images, source: [imported.sourcePath: imported.source])
    for (path, bytes) in imported.related {
      // Their names are those of other people: a package need not be able to hold them.
      if path != Self.documentPath {
        try? files.root.setFileNode(FileNode(regularFileWithContents: bytes), at: path)
      }
    }
    let digest = imported.system.extensions[ParticleSystem.sourceExtension]?.object?["sha256"]
    findings = (imported.source, digest?.string, imported.diagnostics)
  }

  /// The effect.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, errors of the family `document`, and read errors.
  public func system(limits: Limits = .standard) throws -> ParticleSystem {
    if let unwritten { return unwritten.system }
    let bytes = try document(limits: limits)
    if let known, known.document == bytes { return known.system }
    // Other limits may refuse it.
    if let known = parsed.system.withLock({ $0 }), known.limits == limits, known.document == bytes {
      return known.system
    }
    let system = try locating(.entry(Self.documentPath)) {
      try WorkBudget.run(limits) {
        try WorkBudget.spend(work: bytes.count / 8, on: "the document")
        return try ParticleSystem(decoding: bytes, limits: limits)
      }
    }
    if bytes.count <= Self.mostKeptBytes { parsed.system.withLock { $0 = (bytes, limits, system) } }
    return system
  }

  /// The effect of a longer document is decoded again each time.
  private static let mostKeptBytes = 1 << 20

  /// The bytes of the document.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, or ``ParticlesCore/Rule/foreign`` for files of a known other kind;
  ///   read errors.
  public func document(limits: Limits = .standard) throws -> [UInt8] {
    guard let file = container.root[Self.documentPath]?.contents else {
      throw LookAlike.diagnostic(of: container.root)
        ?? Diagnostic(.noDocument, at: .entry(Self.documentPath))
    }
    return try locating(.entry(Self.documentPath)) {
      try limits.check(file.size, \.fileBytes, "bytes of the document")
      return try file.bytes()
    }
  }

  /// The parsed text of the document, which is kept for the next edit.
  func text(limits: Limits) throws -> JSONText {
    let bytes = try document(limits: limits)
    if var known = parsed.text.withLock({ $0 }), known.bytes == bytes {
      known.limits = limits
      return known
    }
    let text = try JSONText(bytes, limits: limits)
    parsed.text.withLock { $0 = text }
    return text
  }

  /// Replaces the document by a text that is parsed.
  mutating func setText(_ text: JSONText) throws {
    try setDocument(text.bytes)
    parsed = Parsed(text)
  }

  /// Replaces the effect. If the document already decodes to an equal effect, its bytes are kept.
  public mutating func setSystem(_ system: ParticleSystem) throws {
    if let old = try? self.system(), old == system { return }
    let bytes = system.encoded()
    try setDocument(bytes)
    known = (bytes, system)
  }

  /// Replaces the bytes of the document.
  public mutating func setDocument(_ bytes: [UInt8]) throws {
    try container.root.setFileNode(
      FileNode(regularFileWithContents: bytes), at: Self.documentPath)
  }
}

extension EffectPackage {
  /// Exports the effect to another format, with its images. A file of the same format that the
  /// effect was imported from supplies the values that the document does not represent; see
  /// ``ParticlesFormats/ParticleFormat/export(_:_:)``. Values of a source in any other format that
  /// were not interpreted are reported as losses.
  /// - Parameters:
  ///   - format: the format.
  ///   - fileName: the name of the result, without folders.
  ///   - images: whether images are embedded or written beside the file; nil for the default of the
  ///     format.
  ///   - formats: the formats of possible sources.
  ///   - limits: the limits for reading the package.
  public func exported(
    as format: ParticleFormat, fileName: String,
    images: EncodingContext.ImagePlacement? = nil, among formats: FormatRegistry = .standard,
    limits: Limits = .standard
  ) throws -> Exported {
    try exported(
      as: format, fileName: fileName, inPlace: false, images: images, among: formats,
      limits: limits)
  }

  /// The same; `inPlace` if the result takes the place of the file that the effect was imported from, `shared` for what
  /// happens then to values of other files, and `isEstimating` if the levels of losses are estimated.
  func exported(
    as format: ParticleFormat, fileName: String, inPlace: Bool,
    shared: EncodingContext.SharedValues? = nil,
    images: EncodingContext.ImagePlacement? = nil, isEstimating: Bool = true,
    among formats: FormatRegistry, limits: Limits = .standard
  ) throws -> Exported {
    try WorkBudget.run(limits) {
      try exportedWithinBudget(
        as: format, fileName: fileName, inPlace: inPlace, shared: shared, images: images,
        isEstimating: isEstimating, among: formats, limits: limits)
    }
  }

  private func exportedWithinBudget(
    as format: ParticleFormat, fileName: String, inPlace: Bool,
    shared: EncodingContext.SharedValues?, images: EncodingContext.ImagePlacement?,
    isEstimating: Bool, among formats: FormatRegistry, limits: Limits
  ) throws -> Exported {
    let system = try system(limits: limits)
    let root = files.root
    let source = try source(of: system, limits: limits)
    var context = EncodingContext(
      fileName: fileName, source: source?.format == format.name ? source?.file : nil,
      images: images, limits: limits
    ) { path in
      guard let file = root[path]?.contents else { return nil }
      try limits.check(file.size, \.fileBytes, "bytes of an image", at: .entry(path))
      return try file.bytes()
    }
    context.isInPlace = inPlace
    context.sharedValues = shared
    context.isEstimating = isEstimating
    var exported = try format.export(system, context)
    if let source, source.format != format.name, let original = formats[source.format] {
      exported.losses += notRead(
        source.file, as: original, for: system.asset.profile, limits: limits)
    }
    return exported
  }

  /// The file that the effect was imported from, and the name of its format; nil if it is missing
  /// or was modified.
  func source(
    of system: ParticleSystem, limits: Limits
  ) throws -> (format: String, file: EncodingContext.Source)? {
    guard let bag = system.extensions[ParticleSystem.sourceExtension]?.object,
      let format = bag["format"]?.string, let path = bag["file"]?.string,
      let file = files.root[path]?.contents, file.size <= limits.fileBytes
    else { return nil }
    let bytes = try file.bytes()
    guard let stored = bag["sha256"]?.string else { return nil }
    let isImported = findings?.digest == stored && findings?.source == bytes
    guard isImported || stored == SHA256.digest(bytes).description else { return nil }
    let kind = Files.pathExtension(of: path)
    let name = (system.asset.name ?? "effect") + (kind.isEmpty ? "" : ".\(kind)")
    return (format, EncodingContext.Source(name: name, bytes: bytes))
  }

  /// The values of the source that the import did not interpret; none for an unreadable source.
  private func notRead(
    _ source: EncodingContext.Source, as format: ParticleFormat,
    for profile: ParticleSystem.Profile, limits: Limits
  ) -> [Diagnostic] {
    // The import itself has reported keys that its engine does not read.
    if let findings, findings.source == source.bytes {
      return findings.diagnostics.filter { $0.rule == .uninterpreted }
    }
    var context = DecodingContext(fileName: source.name, limits: limits) {
      try related($0, limits: limits)
    }
    context.engine = profile
    let imported = try? format.decode(source.bytes, context)
    return imported?.diagnostics.filter { [.uninterpreted, .ignoredKey].contains($0.rule) } ?? []
  }
}

extension EffectPackage {
  /// Returns the effect with images renamed after it, such as `fire-spark.png`, for a folder in
  /// which their names are taken.
  public func namingImages(after name: String, limits: Limits = .standard) throws -> EffectPackage {
    var system = try system(limits: limits)
    var package = self
    for index in system.images.indices {
      let path = system.images[index].uri
      guard let image = container.root[path] else { continue }
      let renamed = "\(Self.imageDirectory)/\(name)-\(Files.lastComponent(of: path))"
      try package.container.root.setFileNode(image, at: renamed)
      system.images[index].uri = renamed
    }
    try package.setSystem(system)
    return package
  }
}

extension Imported {
  /// Returns a package with the effect, its images and the imported file.
  public func package() throws -> EffectPackage {
    try EffectPackage(self)
  }
}
