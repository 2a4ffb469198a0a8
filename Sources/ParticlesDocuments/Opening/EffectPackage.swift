public import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
public import ParticlesModel

/// A package that holds an effect: the one place that knows which file of a container is the
/// document, and where images are.
///
/// Files that are not mentioned here are kept as they are.
public struct EffectPackage: Sendable {
  /// The path of the document in a package.
  public static let documentPath = "document.json"

  /// The directory of the images.
  public static let imageDirectory = Imported.imageDirectory

  /// The files.
  public var container: Container

  /// The effect, for as long as the document has these bytes.
  private var known: (document: [UInt8], system: ParticleSystem)?

  /// What the import of the source found, for as long as that has these bytes.
  private var findings: (source: [UInt8], diagnostics: [Diagnostic])?

  /// Takes a package as it is. Whether there is a document in it shows when it is asked for.
  public init(_ container: Container) { self.container = container }

  /// A package made anew.
  /// - Parameters:
  ///   - system: the effect.
  ///   - images: the images by their path in the package.
  ///   - source: the file that the effect was imported from, by its path in the package.
  /// - Throws: ``ParticlesCore/Rule/name`` or ``ParticlesCore/Rule/twins`` for a path that cannot be.
  public init(
    _ system: ParticleSystem, images: [String: [UInt8]] = [:], source: [String: [UInt8]] = [:]
  ) throws {
    container = Container()
    try setSystem(system)
    for (path, bytes) in images.merging(source, uniquingKeysWith: { image, _ in image }) {
      try container.root.setFileNode(FileNode(regularFileWithContents: bytes), at: path)
    }
  }

  fileprivate init(_ imported: Imported) throws {
    try self.init(
      imported.system, images: imported.images, source: [imported.sourcePath: imported.source])
    findings = (imported.source, imported.diagnostics)
  }

  /// The effect.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, faults of the family `document`, and what reading
  ///   the file throws.
  public func system(limits: Limits = .standard) throws -> ParticleSystem {
    let bytes = try document(limits: limits)
    if let known, known.document == bytes { return known.system }
    return try locating(.entry(Self.documentPath)) {
      try ParticleSystem(decoding: bytes, limits: limits)
    }
  }

  /// The bytes of the document.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, and what reading the file throws.
  public func document(limits: Limits = .standard) throws -> [UInt8] {
    guard let file = container.root[Self.documentPath]?.contents else {
      throw Diagnostic(.noDocument, at: .entry(Self.documentPath))
    }
    return try locating(.entry(Self.documentPath)) {
      try limits.check(file.size, \.fileBytes, "bytes of the document")
      return try file.bytes()
    }
  }

  /// Puts another effect into the package. The bytes of the document stay as they are if they say
  /// the same already.
  public mutating func setSystem(_ system: ParticleSystem) throws {
    if let old = try? self.system(), old == system { return }
    let bytes = system.encoded()
    try setDocument(bytes)
    known = (bytes, system)
  }

  /// Puts other bytes in the place of the document.
  public mutating func setDocument(_ bytes: [UInt8]) throws {
    try container.root.setFileNode(
      FileNode(regularFileWithContents: bytes), at: Self.documentPath)
  }
}

extension EffectPackage {
  /// The effect as files of another format, with its images and with the file that it was imported
  /// from if that is of the same format; see ``ParticlesFormats/ParticleFormat/export(_:_:)``.
  ///
  /// What another format said and the document has no home for does not reach the result; that is
  /// reported too.
  /// - Parameters:
  ///   - format: the format.
  ///   - fileName: the name of the file to be, without folders.
  ///   - images: where images go; nil for what is usual in the format.
  ///   - formats: the formats that the effect may have been imported from.
  ///   - limits: what reading the package may cost.
  public func exported(
    as format: ParticleFormat, fileName: String,
    images: EncodingContext.ImagePlacement? = nil, among formats: FormatRegistry = .standard,
    limits: Limits = .standard
  ) throws -> Exported {
    let system = try system(limits: limits)
    let root = container.root
    let source = try source(of: system, limits: limits)
    let context = EncodingContext(
      fileName: fileName, source: source?.format == format.name ? source?.file : nil,
      images: images, limits: limits
    ) { path in
      guard let file = root[path]?.contents else { return nil }
      try limits.check(file.size, \.fileBytes, "bytes of an image", at: .entry(path))
      return try file.bytes()
    }
    var exported = try format.export(system, context)
    if let source, source.format != format.name, let original = formats[source.format] {
      exported.losses += uninterpreted(source.file, as: original, limits: limits)
    }
    return exported
  }

  /// The file that the effect was imported from, and the name of its format; nil if there is none,
  /// or it is not what it was.
  private func source(
    of system: ParticleSystem, limits: Limits
  ) throws -> (format: String, file: EncodingContext.Source)? {
    guard let bag = system.extensions[ParticleSystem.sourceExtension]?.object,
      let format = bag["format"]?.string, let path = bag["file"]?.string,
      let file = container.root[path]?.contents, file.size <= limits.fileBytes
    else { return nil }
    let bytes = try file.bytes()
    guard bag["sha256"]?.string == SHA256.digest(bytes).description else { return nil }
    let kind = Files.pathExtension(of: path)
    let name = (system.asset.name ?? "effect") + (kind.isEmpty ? "" : ".\(kind)")
    return (format, EncodingContext.Source(name: name, bytes: bytes))
  }

  /// What reading the source leaves to its format. A source that cannot be read any more says
  /// nothing.
  private func uninterpreted(
    _ source: EncodingContext.Source, as format: ParticleFormat, limits: Limits
  ) -> [Diagnostic] {
    if let findings, findings.source == source.bytes {
      return findings.diagnostics.filter { $0.rule == .uninterpreted }
    }
    let context = DecodingContext(fileName: source.name, limits: limits)
    let imported = try? format.decode(source.bytes, context)
    return imported?.diagnostics.filter { $0.rule == .uninterpreted } ?? []
  }
}

extension EffectPackage {
  /// The same effect with images called after it, `fire-spark.png`, for a folder in which their own
  /// names are taken.
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
  /// The effect in a package of its own, with its images and the file that it came from.
  public func package() throws -> EffectPackage {
    try EffectPackage(self)
  }
}
