internal import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
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
    var context = DecodingContext(fileName: Files.lastComponent(of: path), limits: limits)
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
