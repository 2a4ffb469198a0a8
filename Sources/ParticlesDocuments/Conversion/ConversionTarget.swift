public import ParticlesContainer
public import ParticlesFormats

/// The kind of file that a conversion writes.
public enum ConversionTarget: Sendable {
  /// A package in one of the forms.
  case package(Container.Form)
  /// An archive of all files in a package.
  case archive(ParticleFormat)
  /// An effect in another format.
  case effect(ParticleFormat)

  /// The file name extension of the results.
  public var pathExtension: String {
    switch self {
    case .package: "particles"
    case .archive(let format), .effect(let format): format.extensions.first ?? format.name
    }
  }
}
