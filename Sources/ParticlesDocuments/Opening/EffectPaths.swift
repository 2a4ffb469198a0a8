package import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesEffects
public import ParticlesFormats
public import ParticlesModel
internal import ParticlesSystem

extension OpenedEffect {
  /// Opens a file or directory, recognised by its content.
  /// - Parameters:
  ///   - path: the path of the file or directory.
  ///   - format: the format of a file, or nil to recognise it.
  ///   - formats: the candidate formats.
  ///   - imageFolders: folders to search for images that a file names, after its own folder.
  ///   - engine: the assumed engine of a file, or nil to find it by the file. A package keeps its own.
  ///   - limits: the limits for reading.
  /// - Throws: ``ParticlesCore/Rule/foreign`` for a known kind of file that is not supported,
  ///   ``ParticlesCore/Rule/unknownFormat`` for an unknown kind, or read errors. The document of a package is not
  ///   decoded before ``ParticlesEffects/EffectPackage/system(limits:)``.
  public init(
    path: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, imageFolders: [String] = [],
    engine: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws {
    try self.init(
      path: path, as: format, among: formats, imageFolders: imageFolders, project: nil,
      engine: engine, limits: limits)
  }

  /// Opens a file whose project is known.
  /// - Parameter project: the root of the project of Godot or Defold. Nil for the nearest project above the file.
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
      var context = DecodingContext(
        fileName: Files.lastComponent(of: path), limits: limits, images: finder)
      (context.formats, context.engine) = (formats, engine)
      self = try WorkBudget.run(limits) { [context] in
        try OpenedEffect(
          importing: opened.source?.diskFile?.readToEnd(limits: limits) ?? [], name: path,
          as: format, context)
      }
    }
  }

  /// Opens a file whose bytes are in memory.
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the file name or path, for messages and for the package. No file is read.
  ///   - format: the format, or nil to recognise it.
  ///   - formats: the candidate formats.
  ///   - finder: searches for images that the file names. Nil to read none.
  ///   - engine: the assumed engine of a file, or nil to find it by the file.
  ///   - limits: the limits for reading.
  public init(
    bytes: [UInt8], name: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, images finder: ImageFinder? = nil,
    engine: ParticleSystem.Profile? = nil, limits: Limits = .standard
  ) throws {
    var context = DecodingContext(
      fileName: Files.lastComponent(of: name), limits: limits, images: finder)
    (context.formats, context.engine) = (formats, engine)
    try self.init(bytes: bytes, name: name, as: format, context)
  }
}

extension OpenedFiles {
  /// Opens a file or directory, recognised by its content. Nil if it is not a tree of files.
  /// - Parameters:
  ///   - path: the path of the file or directory.
  ///   - format: the format of a file, or nil to recognise it.
  ///   - formats: the candidate formats.
  ///   - limits: the limits for reading.
  ///   - scope: how much of a flat package has to be sound.
  package init?(
    path: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws {
    let opened = try Self.open(path, as: format, among: formats, limits: limits, scope: scope)
    guard let files = opened.files else { return nil }
    self = files
  }

  /// Opens the tree of files at a path, or else the file.
  static func open(
    _ path: String, as format: ParticleFormat?, among formats: FormatRegistry, limits: Limits,
    scope: ContainerReader.Scope = .allGenerations
  ) throws -> (files: OpenedFiles?, source: ByteSource?) {
    if format == nil, try SafeSave.status(of: path)?.kind == .directory {
      return (OpenedFiles(container: try Container(contentsOf: path, limits: limits)), nil)
    }
    let source = try ByteSource.file(path)
    if format == nil, try source.isFlatPackage {
      let container = try Container(opening: source, at: path, limits: limits, scope: scope)
      return (OpenedFiles(container: container), nil)
    }
    let files = try OpenedFiles(
      source, fileName: path, as: format, among: formats, limits: limits, scope: scope)
    return (files, source)
  }
}
