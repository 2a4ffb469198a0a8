internal import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

/// The source that the effect in a package was imported from.
public struct EffectOrigin: Sendable {
  /// The name of the format, such as `scenekit`.
  public var format: String

  /// The path of the original file in the package; nil if it was removed.
  public var path: String?

  /// The size of that file in bytes.
  public var size: Int?

  /// Whether the file is unmodified since the import, by its SHA-256 digest.
  public var isIntact: Bool

  /// The losses of the import; empty if the file was modified.
  public var losses: [Diagnostic]

  /// The engine that the file was made for; nil if only one reads the format, or if the file was modified.
  public var engine: EngineChoice?

  /// The title of the format, or its name if the format is unknown.
  public var title: String
}

extension EffectPackage {
  /// Returns the source of an imported effect; nil for any other. The original file is decoded
  /// again to find the losses.
  /// - Throws: read errors of the package.
  public func origin(
    among formats: FormatRegistry = .standard, limits: Limits = .standard
  ) throws -> EffectOrigin? {
    let system = try system(limits: limits)
    guard let source = system.extensions[ParticleSystem.sourceExtension]?.object,
      let format = source["format"]?.string
    else { return nil }
    var origin = EffectOrigin(
      format: format, isIntact: false, losses: [], title: formats[format]?.title ?? format)
    guard let path = source["file"]?.string, let file = container.root[path]?.contents else {
      return origin
    }
    (origin.path, origin.size) = (path, file.size)
    guard file.size <= limits.fileBytes else { return origin }
    let bytes = try file.bytes()
    origin.isIntact = source["sha256"]?.string == SHA256.digest(bytes).description
    guard origin.isIntact else { return origin }
    // The import has copied the images into the package, or reported them as missing.
    var context = DecodingContext(fileName: Files.lastComponent(of: path), limits: limits) {
      try related($0, limits: limits)
    }
    var imported = try? formats[format]?.decode(bytes, context)
    if let found = imported?.engine, found.profile != system.asset.profile {
      // The caller has named another one.
      context.engine = system.asset.profile
      imported = try? formats[format]?.decode(bytes, context)
    }
    origin.engine = imported?.engine
    origin.losses =
      imported?.diagnostics.filter { $0.severity > .note && $0.rule != .missingImage } ?? []
    return origin
  }
}

extension EffectPackage {
  /// The name of the format that the effect was imported from, and the path of the imported file in the
  /// package, which may have been removed since; nil for an effect that was not imported.
  /// - Throws: read errors of the package.
  public func originalFormat(limits: Limits = .standard) throws -> (name: String, path: String?)? {
    guard
      let source = try system(limits: limits).extensions[ParticleSystem.sourceExtension]?.object,
      let name = source["format"]?.string
    else { return nil }
    return (name, source["file"]?.string)
  }

  /// Returns the bytes of the file that the effect was imported from, which is the only way back to a
  /// format that cannot be written.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if the package does not have the file as it was, or if
  ///   the effect was edited since its import; read errors of the package.
  public func originalFile(
    among formats: FormatRegistry = .standard, limits: Limits = .standard
  ) throws -> [UInt8] {
    let system = try system(limits: limits)
    guard let source = try source(of: system, limits: limits),
      let format = formats[source.format]
    else {
      throw Diagnostic(
        .fileUnwritable, "the package does not have the file that the effect was imported from",
        hint: "convert it to a format that can be written; 'particles formats' lists them")
    }
    let bytes = source.file.bytes
    var context = DecodingContext(fileName: source.file.name, limits: limits) {
      try self.image(named: $0, limits: limits)
    }
    context.engine = system.asset.profile
    // The names of the package and of the file in it are no part of the file.
    let imported = try format.decode(bytes, context).system
    let edit = imported.differences(from: system).first {
      !$0.path.hasPrefix("asset.") && !$0.path.hasPrefix("extensions")
    }
    if let edit {
      throw Diagnostic(
        .fileUnwritable,
        "\(format.title) is a format that can only be read, and the effect was edited after its import: "
          + edit.path,
        hint:
          "convert it to a format that can be written; 'particles extract' returns the imported file"
      )
    }
    return bytes
  }

  /// The file with values of the effect that the import stored for a name in the imported file; nil if there is none.
  func related(_ reference: String, limits: Limits) throws -> [UInt8]? {
    guard let path = Imported.relatedPath(of: reference), let file = container.root[path]?.contents
    else { return nil }
    try limits.check(file.size, \.fileBytes, "bytes of a file", at: .entry(path))
    return try file.bytes()
  }

  /// The image in the package that the import stored for a name in the imported file.
  private func image(named reference: String, limits: Limits) throws -> [UInt8]? {
    let name = ImageFinder.baseName(of: reference)
    let folder = container.root[Self.imageDirectory]?.children ?? []
    let found =
      folder.first { $0.name == name }
      ?? folder.first { Files.stem(of: $0.name).lowercased() == Files.stem(of: name).lowercased() }
    guard let file = found?.node.contents else { return nil }
    try limits.check(file.size, \.fileBytes, "bytes of an image")
    return try file.bytes()
  }
}
