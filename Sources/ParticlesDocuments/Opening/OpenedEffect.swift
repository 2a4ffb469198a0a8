public import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
public import ParticlesImages
public import ParticlesModel
internal import ParticlesPropertyLists

/// An effect opened from a package, an archive or a file of another format, with its diagnostics.
public struct OpenedEffect: Sendable {
  /// The kind of file.
  public enum Kind: Sendable {
    /// A package in one of its forms.
    case package(Container.Form)
    /// An archive of the files of a package.
    case archive(ParticleFormat)
    /// An imported file of another format.
    case imported(ParticleFormat)
  }

  /// The opened package, or the package made by the import.
  public var package: EffectPackage

  /// The kind of the file.
  public var kind: Kind

  /// The warnings of the container, or the findings of the import.
  public var diagnostics: [Diagnostic]

  /// Opens a file or directory, recognised by its content.
  /// - Parameters:
  ///   - path: the path of the file or directory.
  ///   - format: the format of a file; nil to recognise it.
  ///   - formats: the candidate formats.
  ///   - imageFolders: folders to search for images that a file names, after its own folder.
  ///   - engine: the engine that a file is taken to be made for; nil to find it by the file. A package
  ///     keeps its own.
  ///   - limits: the limits for reading.
  /// - Throws: ``ParticlesCore/Rule/foreign`` for a file of a kind that is not read, ``ParticlesCore/Rule/unknownFormat``
  ///   for one of an unknown kind; read errors. The document of a package is not decoded before
  ///   ``EffectPackage/system(limits:)``.
  public init(
    path: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, imageFolders: [String] = [],
    engine: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws {
    try self.init(
      path: path, as: format, among: formats, imageFolders: imageFolders, project: nil,
      engine: engine, limits: limits)
  }

  /// The same for a file whose project is known.
  /// - Parameter project: the root of the project of Godot or Defold; nil for the nearest one above the file.
  package init(
    path: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, imageFolders: [String] = [], project: String?,
    engine: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws {
    let opened = try OpenedFiles.open(path, as: format, among: formats, limits: limits)
    if let files = opened.files {
      self.init(files)
    } else {
      var finder = ImageFinder(besides: path, folders: imageFolders, limits: limits)
      finder.project = project
      self = try WorkBudget.run(limits) {
        try OpenedEffect(
          importing: opened.source?.file?.readToEnd(limits: limits) ?? [], name: path, as: format,
          among: formats, images: finder, engine: engine, limits: limits)
      }
    }
  }

  /// Opens a file whose bytes are in memory.
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the file name or path, for messages and for the package. No file is read.
  ///   - format: the format; nil to recognise it.
  ///   - formats: the candidate formats.
  ///   - finder: searches for images that the file names; nil to read none.
  ///   - engine: the engine that a file is taken to be made for; nil to find it by the file.
  ///   - limits: the limits for reading.
  public init(
    bytes: [UInt8], name: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, images finder: ImageFinder? = nil,
    engine: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws {
    if let files = try OpenedFiles(
      bytes: bytes, name: name, as: format, among: formats, limits: limits)
    {
      self.init(files)
    } else {
      self = try WorkBudget.run(limits) {
        try OpenedEffect(
          importing: bytes, name: name, as: format, among: formats, images: finder, engine: engine,
          limits: limits)
      }
    }
  }

  private init(
    importing bytes: [UInt8], name: String, as format: ParticleFormat?,
    among formats: FormatRegistry, images finder: ImageFinder?, engine: ParticleSystem.Profile?,
    limits: Limits
  ) throws {
    let fileName = Files.lastComponent(of: name)
    var context = DecodingContext(fileName: fileName, limits: limits, images: finder)
    context.formats = formats
    context.engine = engine
    let (format, imported) = try OpenKeyedArchives.shared {
      try locating(Location(file: name)) {
        let format = try format ?? formats.recognising(bytes, fileName: fileName, context)
        return (format, try format.decode(bytes, context))
      }
    }
    try self.init(imported, of: format, named: name)
  }

  /// The effect of a file that was decoded.
  /// - Parameter name: the file name or path, for messages.
  package init(_ imported: Imported, of format: ParticleFormat, named name: String) throws {
    package = try imported.package()
    kind = .imported(format)
    diagnostics = imported.diagnostics.map { $0.inside(Location(file: name)) }
  }

  private init(_ files: OpenedFiles) {
    package = EffectPackage(files.container)
    kind = files.archive.map(Kind.archive) ?? .package(files.container.form ?? .flat)
    diagnostics = files.container.warnings
  }

  /// Warnings about values that could not be read, such as an infinite rate: defaults take their place,
  /// so that a picture of the effect may show something else.
  package var unreadValues: [Diagnostic] {
    diagnostics.filter { $0.rule == .emitterValue || $0.rule == .archiveValue }
  }

  /// Whether it is a package, which can be saved in place if it was opened from a path.
  public var isPackage: Bool {
    if case .package = kind { true } else { false }
  }

  /// Whether it is an archive, which need not contain an effect.
  public var isArchive: Bool {
    if case .archive = kind { true } else { false }
  }

  /// The name of the kind in reports.
  public var kindName: String {
    switch kind {
    case .package(.flat): "flat package"
    case .package(.directory): "directory package"
    case .archive(let format), .imported(let format): format.title
    }
  }
}

extension FormatRegistry {
  /// The rules that a damaged file breaks, independent of the effect in it.
  private static let syntaxes: Set<Rule> = [.xml, .json, .plist, .keyedArchive]

  /// Recognises the format of a file. If none is recognised, and the file has the extension of a
  /// format but is damaged, the error names the damage.
  fileprivate func recognising(
    _ bytes: [UInt8], fileName: String, _ context: DecodingContext
  ) throws -> ParticleFormat {
    do {
      return try recognising(bytes, fileName: fileName)
    } catch let fault as Diagnostic where fault.rule == .unknownFormat {
      let kind = Files.pathExtension(of: fileName)
      if kind == "particles", !bytes.starts(with: Array("bplist".utf8)) {
        _ = try Container(decoding: bytes, limits: context.limits)
      }
      for format in formats where !format.isArchive && format.extensions.contains(kind) {
        do {
          _ = try format.decode(bytes, context)
        } catch let damage as Diagnostic
          where Self.syntaxes.contains(damage.rule)
        {
          throw damage
        } catch {
          continue
        }
      }
      throw fault
    }
  }
}
