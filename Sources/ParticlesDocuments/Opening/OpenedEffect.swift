public import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
public import ParticlesImages
internal import ParticlesPropertyLists

/// An effect that was opened, whatever it was stored as, with what there is to say of it.
public struct OpenedEffect: Sendable {
  /// What the effect was stored as.
  public enum Kind: Sendable {
    /// A package in one of its forms.
    case package(Container.Form)
    /// An archive of files, among them the document.
    case archive(ParticleFormat)
    /// A file of another format, which was imported.
    case imported(ParticleFormat)
  }

  /// The effect in its package: the one that was opened, or one made by the import.
  public var package: EffectPackage

  /// What it was stored as.
  public var kind: Kind

  /// What is not as it should be, or could not be taken over as it was.
  public var diagnostics: [Diagnostic]

  /// Opens a file or directory, told by its content.
  /// - Parameters:
  ///   - path: the path of the file or directory.
  ///   - format: what to take a file for, whatever it looks like; nil to find out.
  ///   - formats: the formats that it may be of.
  ///   - imageFolders: where to look for images that a file names, besides the usual places.
  ///   - limits: what the file may cost.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat``, or what makes the file unreadable. Whether a
  ///   package holds a sound document shows when it is asked for.
  public init(
    path: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, imageFolders: [String] = [],
    limits: Limits = .standard
  ) throws {
    let opened = try OpenedFiles.open(path, as: format, among: formats, limits: limits)
    if let files = opened.files {
      self.init(files)
    } else {
      let finder = ImageFinder(besides: path, folders: imageFolders, limits: limits)
      try self.init(
        importing: opened.source?.file?.readToEnd(limits: limits) ?? [], name: path, as: format,
        among: formats, images: finder, limits: limits)
    }
  }

  /// Opens a file whose bytes are in memory.
  /// - Parameters:
  ///   - bytes: all of the file.
  ///   - name: the path that it had, for messages and for the package.
  ///   - format: what to take it for, whatever it looks like; nil to find out.
  ///   - formats: the formats that it may be of.
  ///   - finder: looks for images that the file names; nil if that would make no sense.
  ///   - limits: what the file may cost.
  public init(
    bytes: [UInt8], name: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, images finder: ImageFinder? = nil,
    limits: Limits = .standard
  ) throws {
    if let files = try OpenedFiles(
      bytes: bytes, name: name, as: format, among: formats, limits: limits)
    {
      self.init(files)
    } else {
      try self.init(
        importing: bytes, name: name, as: format, among: formats, images: finder, limits: limits)
    }
  }

  private init(
    importing bytes: [UInt8], name: String, as format: ParticleFormat?,
    among formats: FormatRegistry, images finder: ImageFinder?, limits: Limits
  ) throws {
    let fileName = Files.lastComponent(of: name)
    var context = DecodingContext(fileName: fileName, limits: limits, images: finder)
    context.formats = formats
    let (format, imported) = try OpenKeyedArchives.shared {
      try locating(Location(file: name)) {
        let format = try format ?? formats.recognising(bytes, fileName: fileName)
        return (format, try format.decode(bytes, context))
      }
    }
    package = try imported.package()
    kind = .imported(format)
    diagnostics = imported.diagnostics.map { $0.inside(Location(file: name)) }
  }

  private init(_ files: OpenedFiles) {
    package = EffectPackage(files.container)
    kind = files.archive.map(Kind.archive) ?? .package(files.container.form ?? .flat)
    diagnostics = files.container.warnings
  }

  /// Whether it was an archive of files, which need not hold an effect at all.
  public var isArchive: Bool {
    if case .archive = kind { true } else { false }
  }

  /// The kind in words, as reports name it.
  public var kindName: String {
    switch kind {
    case .package(.flat): "flat package"
    case .package(.directory): "directory package"
    case .archive(let format), .imported(let format): format.title
    }
  }
}
