public import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
internal import ParticlesImages
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
    get { isWritten ? files : written }
    _modify {
      if !isWritten { (files, forms, isWritten) = (written, forms.copy(), true) }
      yield &files
    }
  }

  /// The files. The document in them is empty until the bytes of a new effect are asked for.
  private var files: Container

  /// Whether the document in the files is the effect.
  private var isWritten = true

  /// The effect in its forms. Copies share them, but a written copy never shares those of a new effect, which exist nowhere else.
  private var forms = Forms()

  /// An effect as a value, as the bytes of its document, and as their parsed text. Each is made once, when it is needed.
  private final class Forms: Sendable {
    private struct State {
      var document: [UInt8]?
      var system: ParticleSystem?
      /// The limits that the document was decoded with, because others may refuse it. Nil: no limits applied.
      var limits: Limits?
      var text: JSONText?
    }

    private let state: Lock<State>

    init(_ system: ParticleSystem? = nil, text: JSONText? = nil) {
      state = Lock(State(system: system, text: text))
    }

    func copy() -> Forms {
      let copy = Forms()
      let known = state.withLock { $0 }
      copy.state.withLock { $0 = known }
      return copy
    }

    /// The bytes of the document of a new effect.
    var document: [UInt8] {
      state.withLock { state in
        let bytes = state.document ?? state.system?.encoded() ?? []
        state.document = bytes
        return bytes
      }
    }

    /// The new effect.
    var newSystem: ParticleSystem? { state.withLock { $0.system } }

    /// The effect that a document was decoded to.
    func decodedSystem(of document: [UInt8], limits: Limits) -> ParticleSystem? {
      state.withLock { state in
        let isKnown = state.document == document && (state.limits ?? limits) == limits
        return isKnown ? state.system : nil
      }
    }

    /// The parsed text of a document.
    func text(of document: [UInt8]) -> JSONText? {
      state.withLock { $0.text?.bytes == document ? $0.text : nil }
    }

    func keep(_ system: ParticleSystem, of document: [UInt8], limits: Limits) {
      state.withLock { ($0.document, $0.system, $0.limits) = (document, system, limits) }
    }

    func keep(_ text: JSONText) { state.withLock { $0.text = text } }
  }

  /// The files with the document of a new effect.
  private var written: Container {
    var files = files
    // The document takes the place of an empty one, which always succeeds.
    try? files.root.setFileNode(
      FileNode(regularFileWithContents: forms.document), at: Self.documentPath)
    return files
  }

  /// Checks each frame of a package that was read from a file.
  /// - Throws: errors of the family `container`.
  package func checkEveryFrame() throws(Failure) { try files.checkEveryFrame() }

  /// The findings of the import, and the digest that it stored. Valid while the source has these bytes.
  private var findings: (source: [UInt8], digest: String?, diagnostics: [Diagnostic])?

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
  ) throws(Failure) {
    files = Container()
    try files.root.setFileNode(FileNode(regularFileWithContents: []), at: Self.documentPath)
    var all = images
    all.addMissing(source)
    for (path, bytes) in all {
      try files.root.setFileNode(FileNode(regularFileWithContents: bytes), at: path)
    }
    if files.root[Self.documentPath]?.contents?.size == 0 {
      (forms, isWritten) = (Forms(system), false)
    }
  }

  fileprivate init(_ imported: Imported) throws(Failure) {
    try self.init(
      imported.system, images: imported.images, source: [imported.sourcePath: imported.source])
    for (path, bytes) in imported.related {
      // The names come from the imported file. A package may be unable to hold them.
      if path != Self.documentPath {
        try? files.root.setFileNode(FileNode(regularFileWithContents: bytes), at: path)
      }
    }
    let digest = imported.system.extensions[ParticleSystem.sourceExtension]?.object?["sha256"]
    findings = (imported.source, digest?.string, imported.diagnostics)
  }

  /// The effect.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, errors of the family `document`, and read errors.
  public func system(limits: Limits = .standard) throws(Failure) -> ParticleSystem {
    if !isWritten, let system = forms.newSystem { return system }
    let bytes = try document(limits: limits)
    if let system = forms.decodedSystem(of: bytes, limits: limits) { return system }
    let system = try locating(.entry(Self.documentPath)) { () throws(Failure) in
      try WorkBudget.run(limits) { () throws(Failure) in
        try WorkBudget.spend(work: bytes.count / 8, on: "the document")
        return try ParticleSystem(decoding: bytes, limits: limits)
      }
    }
    if bytes.count <= Self.mostKeptBytes { forms.keep(system, of: bytes, limits: limits) }
    return system
  }

  /// The effect of a longer document is decoded again each time.
  private static let mostKeptBytes = 1 << 20

  /// The bytes of the document.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, or ``ParticlesCore/Rule/foreign`` for files of a known other kind,
  ///   or read errors.
  public func document(limits: Limits = .standard) throws(Failure) -> [UInt8] {
    guard let file = container.root[Self.documentPath]?.contents else {
      throw ForeignKind.diagnostic(of: container.root)
        ?? Diagnostic(.noDocument, at: .entry(Self.documentPath))
    }
    return try locating(.entry(Self.documentPath)) { () throws(Failure) in
      try limits.check(file.size, { $0.fileBytes }, "bytes of the document")
      return try file.bytes()
    }
  }

  /// The parsed text of the document. Kept for the next edit.
  func text(limits: Limits) throws(Failure) -> JSONText {
    let bytes = try document(limits: limits)
    if var known = forms.text(of: bytes) {
      known.limits = limits
      return known
    }
    let text = try JSONText(bytes, limits: limits)
    forms.keep(text)
    return text
  }

  /// Replaces the document by a text that is parsed.
  mutating func setText(_ text: JSONText) throws(Failure) {
    try setDocument(text.bytes)
    forms = Forms(text: text)
  }

  /// Replaces the effect. If the document already decodes to an equal effect, its bytes are kept.
  public mutating func setSystem(_ system: ParticleSystem) throws(Failure) {
    if let old = try? self.system(), old == system { return }
    if isWritten { try setDocument([]) }
    (forms, isWritten) = (Forms(system), false)
  }

  /// Replaces the bytes of the document.
  public mutating func setDocument(_ bytes: [UInt8]) throws(Failure) {
    try files.root.setFileNode(FileNode(regularFileWithContents: bytes), at: Self.documentPath)
    if !isWritten { (forms, isWritten) = (Forms(), true) }
  }
}

extension EffectPackage {
  /// Exports the effect to another format, with its images. If the effect was imported from a file of this format,
  /// that file supplies values that the document does not represent. See
  /// ``ParticlesFormats/ParticleFormat/export(_:_:)``. Uninterpreted values of a source in any other format are
  /// reported as losses.
  /// - Parameters:
  ///   - format: the format.
  ///   - fileName: the name of the result, without folders.
  ///   - images: whether images are embedded or written beside the file. Nil for the default of the format.
  ///   - formats: the formats of possible sources.
  ///   - limits: the limits for reading the package.
  public func exported(
    as format: ParticleFormat, fileName: String,
    images: EncodingContext.ImagePlacement? = nil, among formats: FormatRegistry = .standard,
    limits: Limits = .standard
  ) throws(Failure) -> Exported {
    try exported(
      as: format, fileName: fileName, inPlace: false, images: images, among: formats,
      limits: limits)
  }

  /// Exports the effect. Set `inPlace` if the result replaces the imported file. `shared` controls what then happens
  /// to values of other files. `isEstimating` estimates the levels of losses.
  package func exported(
    as format: ParticleFormat, fileName: String, inPlace: Bool,
    shared: EncodingContext.SharedValues? = nil,
    images: EncodingContext.ImagePlacement? = nil, isEstimating: Bool = true,
    among formats: FormatRegistry, limits: Limits = .standard
  ) throws(Failure) -> Exported {
    try WorkBudget.run(limits) { () throws(Failure) in
      try exportedWithinBudget(
        as: format, fileName: fileName, inPlace: inPlace, shared: shared, images: images,
        isEstimating: isEstimating, among: formats, limits: limits)
    }
  }

  private func exportedWithinBudget(
    as format: ParticleFormat, fileName: String, inPlace: Bool,
    shared: EncodingContext.SharedValues?, images: EncodingContext.ImagePlacement?,
    isEstimating: Bool, among formats: FormatRegistry, limits: Limits
  ) throws(Failure) -> Exported {
    let system = try system(limits: limits)
    let root = files.root
    let source = try source(of: system, limits: limits)
    var context = EncodingContext(
      fileName: fileName, source: source?.format == format.name ? source?.file : nil,
      images: images, limits: limits
    ) { path throws(Failure) in
      guard let file = root[path]?.contents else { return nil }
      try limits.check(file.size, { $0.fileBytes }, "bytes of an image", at: .entry(path))
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

  /// The file that the effect was imported from, and the name of its format. Nil if it is missing or was modified.
  func source(
    of system: ParticleSystem, limits: Limits
  ) throws(Failure) -> (format: String, file: EncodingContext.Source)? {
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

  /// The values of the source that the import did not interpret. Empty for an unreadable source.
  private func notRead(
    _ source: EncodingContext.Source, as format: ParticleFormat,
    for profile: ParticleSystem.Profile, limits: Limits
  ) -> [Diagnostic] {
    // The import itself has reported keys that its engine does not read.
    if let findings, findings.source == source.bytes {
      return findings.diagnostics.filter { $0.rule == .uninterpreted }
    }
    var context = DecodingContext(fileName: source.name, limits: limits) { name throws(Failure) in
      try related(name, limits: limits)
    }
    context.engine = profile
    let imported = try? format.decode(source.bytes, context)
    return imported?.diagnostics.filter { [.uninterpreted, .ignoredKey].contains($0.rule) } ?? []
  }
}

extension EffectPackage {
  /// Returns the effect with images renamed after it, such as `fire-spark.png`, for a folder in
  /// which their names are taken.
  public func namingImages(after name: String, limits: Limits = .standard) throws(Failure)
    -> EffectPackage
  {
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
  public func package() throws(Failure) -> EffectPackage {
    try EffectPackage(self)
  }
}

extension EffectPackage {
  /// Adds the emitters of another effect, with their images and sprites. Images with equal contents are shared.
  /// - Throws: errors of reading `other`, or ``ParticlesCore/Rule/limit`` if it is too large.
  mutating func merge(_ other: EffectPackage) throws(Failure) {
    var system = try system()
    let added = try other.system(limits: .untrusted)
    let (firstEmitter, firstSprite) = (system.emitters.count, system.sprites.count)
    var places: [Int] = []
    for image in added.images {
      let bytes = try other.container.root[image.uri]?.contents?.bytes()
      var known: Int?
      for (index, old) in system.images.enumerated() where known == nil {
        let isEqual =
          if let bytes { try container.root[old.uri]?.contents?.bytes() == bytes } else {
            old.uri == image.uri
          }
        if isEqual { known = index }
      }
      if let known {
        places.append(known)
        continue
      }
      var new = image
      let name = Files.lastComponent(of: image.uri)
      var number = 2
      while container.root[new.uri] != nil {
        let numbered = "\(Files.stem(of: name))-\(number).\(Files.pathExtension(of: name))"
        new.uri = "\(Self.imageDirectory)/\(numbered)"
        number += 1
      }
      if let bytes {
        try container.root.setFileNode(FileNode(regularFileWithContents: bytes), at: new.uri)
      }
      places.append(system.images.count)
      system.images.append(new)
    }
    for var sprite in added.sprites {
      if places.indices.contains(sprite.image) { sprite.image = places[sprite.image] }
      system.sprites.append(sprite)
    }
    let firstMesh = system.meshes.count
    system.meshes += added.meshes
    let names = Set(system.emitters.map { $0.name })
    for var emitter in added.emitters {
      // Numbers of any size, which need not refer to anything.
      emitter.sprites = emitter.sprites.map { $0 &+ firstSprite }
      if let mesh = emitter.shape.mesh { emitter.shape.mesh = mesh &+ firstMesh }
      for index in emitter.triggers.indices { emitter.triggers[index].emitter &+= firstEmitter }
      let name = emitter.name
      var number = 2
      while names.contains(emitter.name) {
        emitter.name = "\(name) \(number)"
        number += 1
      }
      system.emitters.append(emitter)
    }
    if system.roots != nil {
      let roots = added.roots ?? Array(added.emitters.indices)
      system.roots? += roots.map { $0 &+ firstEmitter }
    }
    try setSystem(system)
  }
}

/// Previews in a package: pictures for file managers, not part of the effect.
extension EffectPackage {
  /// The directory of the previews.
  public static let previewDirectory = "QuickLook"

  /// The path of the thumbnail, a PNG.
  public static let thumbnailPath = "\(previewDirectory)/Thumbnail.png"

  /// The path of the moving preview, a WebP animation.
  public static let movingPreviewPath = "\(previewDirectory)/Preview.webp"

  /// The width and height of an embedded thumbnail in pixels, by default.
  public static let thumbnailSize = 512

  /// Returns the digest of the effect: the tree digest of the package without its previews. Reads all
  /// contents.
  /// - Throws: errors of reading the contents.
  public func effectDigest() throws(Failure) -> ContentDigest { try withoutPreviews.treeDigest() }

  /// Whether the package has a thumbnail that was drawn for another state of the effect. A thumbnail of
  /// another program, which does not name the state, is never stale. Reads all contents if there is a
  /// thumbnail.
  /// - Throws: errors of reading the contents.
  public func hasStaleThumbnail(limits: Limits = .standard) throws(Failure) -> Bool {
    guard let thumbnail = thumbnail(limits: limits) else { return false }
    return try thumbnail.source != effectDigest().description
  }

  /// Whether the package has a thumbnail that another program made.
  public func hasForeignThumbnail(limits: Limits = .standard) -> Bool {
    container.root[Self.thumbnailPath] != nil && thumbnail(limits: limits) == nil
  }

  /// Draws a thumbnail of the running effect into the package, and a moving preview on request. An existing moving
  /// preview is drawn again, too.
  /// - Parameters:
  ///   - size: the width and height of the thumbnail in pixels, 1 to 1024.
  ///   - animation: whether there is a moving preview: 256 × 256 pixels, a whole cycle
  ///     of at most 8 s in at most 38 frames.
  ///   - limits: the limits for reading and drawing.
  /// - Throws: the error that makes the document unreadable, errors of reading the contents, or
  ///   ``ParticlesCore/Rule/imageOutput`` for a size out of range.
  public mutating func embedPreviews(
    size: Int = thumbnailSize, animation: Bool = false, limits: Limits = .standard
  ) throws(Failure) {
    let picture = try EffectThumbnail(self, limits: limits).drawn(size: size).bitmap
    let texts: [(key: String, value: String)] = [
      (EmbeddedThumbnail.sourceKey, try effectDigest().description),
      (EmbeddedThumbnail.entriesKey, try entriesDigest(limits: limits).description),
    ]
    let bytes = PNG.adding(texts, to: try PNG.encode(picture))
    let hadAnimation = container.root[Self.movingPreviewPath] != nil
    try container.root.setFileNode(
      FileNode(regularFileWithContents: bytes), at: Self.thumbnailPath)
    guard animation || hadAnimation else { return }
    let preview = try MovingPreview(self, limits: limits)
    try container.root.setFileNode(
      FileNode(regularFileWithContents: preview.bytes), at: Self.movingPreviewPath)
  }

  /// Draws the previews in the package again if they are stale. See ``hasStaleThumbnail(limits:)``.
  /// - Returns: whether they were.
  /// - Throws: the errors of ``embedPreviews(size:animation:limits:)``.
  @discardableResult
  public mutating func refreshPreviews(limits: Limits = .standard) throws(Failure) -> Bool {
    guard let old = thumbnail(limits: limits), try old.source != effectDigest().description else {
      return false
    }
    let size = PNG.size(of: old.bytes).map { max($0.width, $0.height) } ?? Self.thumbnailSize
    try embedPreviews(size: min(size, 1024), limits: limits)
    return true
  }
}
