internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesIndex
internal import ParticlesModel

extension Option {
  /// The file of an index.
  static let database = Option(
    "database", value: .file("path"), default: "particles/index.sqlite in the cache folder",
    "The file of the index.")
}

extension Invocation {
  /// The path of the index.
  /// - Throws: ``UsageError`` if there is no home folder and no option.
  func indexPath() throws -> String {
    if let path = value(.database) { return path }
    let folders = BaseDirectories(environment: environment)
    guard let path = EffectIndex.standardPath(folders) else {
      throw UsageError(
        "the cache folder is not known: HOME is not set", hint: "name a file with --database")
    }
    return path
  }
}

extension QueryVocabulary {
  /// The words of this tool.
  static let standard = QueryVocabulary(
    keys: { StatedProperties.keys },
    words: { field in
      switch field {
      case "format", "origin": FormatRegistry.standard.formats.map(\.name) + ["particles"]
      case "blend": Emitter.BlendMode.allCases.map(\.rawValue)
      case "shape": Emitter.ShapeKind.allCases.map(\.rawValue)
      case "dimension": ParticleSystem.Dimension.allCases.map(\.rawValue)
      case "problem":
        Rule.all.map(\.code) + Set(Rule.all.map(\.family)).sorted()
          + Diagnostic.Severity.allCases.map(\.rawValue)
      default: nil
      }
    })
}
