public import ParticlesContainer
internal import ParticlesCore
public import ParticlesFormats

/// The kind of file that a conversion writes.
public enum ConversionTarget: Sendable {
  /// A package in one of the forms.
  case package(Container.Form)
  /// An archive of all files in a package.
  case archive(ParticleFormat)
  /// An effect in another format.
  case effect(ParticleFormat)
  /// An effect in the format that it was imported from, each document in its own. A file of a format that
  /// cannot be written comes back with the bytes that it had, if the effect was not edited since.
  case original

  /// The file name extension of the results; empty if each document has its own, see
  /// ``pathExtension(for:among:)``.
  public var pathExtension: String {
    switch self {
    case .package: "particles"
    case .archive(let format), .effect(let format): format.extensions.first ?? format.name
    case .original: ""
    }
  }

  /// The file name extension of the result of one document. Of a document that cannot be read, or that was
  /// not imported, it is that of a package: its conversion is an error.
  public func pathExtension(
    for path: String, among formats: FormatRegistry = .standard
  ) -> String {
    guard case .original = self else { return pathExtension }
    do {
      guard let files = try OpenedFiles(path: path, among: formats, scope: .lastGeneration) else {
        return Files.pathExtension(of: path)
      }
      guard let origin = try EffectPackage(files.container).originalFormat() else {
        return "particles"
      }
      let kind = origin.path.map(Files.pathExtension) ?? ""
      return kind.isEmpty ? formats[origin.name]?.extensions.first ?? "particles" : kind
    } catch {
      return "particles"
    }
  }

  /// The target for an opened document: ``original`` becomes a format.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if the effect was not imported, or from a format that
  ///   is not known.
  func resolved(
    for opened: OpenedEffect, among formats: FormatRegistry
  ) throws -> ConversionTarget {
    guard case .original = self else { return self }
    if let format = try opened.originalFormat(among: formats) { return .effect(format) }
    throw Diagnostic(
      .fileUnwritable, "the effect was not imported from a file of another format",
      hint: "name a format with --to; 'particles formats' lists them")
  }
}

extension OpenedEffect {
  /// The format of an imported file, or the one that the effect in a package was imported from; nil if it
  /// was not imported, or from a format that is not known.
  /// - Throws: read errors of the package.
  public func originalFormat(among formats: FormatRegistry = .standard) throws -> ParticleFormat? {
    if case .imported(let format) = kind { return format }
    return try package.originalFormat().flatMap { formats[$0.name] }
  }
}
