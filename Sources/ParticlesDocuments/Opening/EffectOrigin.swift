internal import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
internal import ParticlesModel

/// Where the effect in a package was imported from.
public struct EffectOrigin: Sendable {
  /// The name of the format, such as `scenekit`.
  public var format: String

  /// The path of the original file in the package; nil if it is not there any more.
  public var path: String?

  /// How large that file is in bytes.
  public var size: Int?

  /// Whether the file is what it was when it was imported.
  public var isIntact: Bool

  /// What could not be taken over, or not as it was; empty if the file is not intact.
  public var losses: [Diagnostic]

  /// The title of the format, or its name if it is not known.
  public var title: String
}

extension EffectPackage {
  /// Where the effect was imported from; nil if it was made here. The original file is read again,
  /// since it alone says what was lost.
  /// - Throws: what reading the package throws.
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
    // Images were looked for beside the file; they are in the package now, or were missed then.
    let context = DecodingContext(fileName: Files.lastComponent(of: path), limits: limits)
    let imported = try? formats[format]?.decode(bytes, context)
    origin.losses =
      imported?.diagnostics.filter { $0.severity > .note && $0.rule != .missingImage } ?? []
    return origin
  }
}
