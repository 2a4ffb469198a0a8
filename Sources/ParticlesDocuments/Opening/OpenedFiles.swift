package import ParticlesContainer
package import ParticlesCore
package import ParticlesFormats

/// An opened tree of files: a package in one of its forms, or an archive.
package struct OpenedFiles: Sendable {
  /// The files; ``Container/warnings`` lists the problems found.
  package var container: Container

  /// The format of the archive; nil for a package.
  package var archive: ParticleFormat?

  /// The number of leading bytes that formats are recognised by.
  private static let beginning = 4096

  /// Opens a file or directory, recognised by its content; nil if it is not a tree of files.
  /// - Parameters:
  ///   - path: the path of the file or directory.
  ///   - format: the format of a file; nil to recognise it.
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

  /// Opens a file whose bytes are in memory; nil if it is not a tree of files.
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the file name for messages.
  ///   - format: the format; nil to recognise it.
  ///   - formats: the candidate formats.
  ///   - limits: the limits for reading.
  ///   - scope: how much of a flat package has to be sound.
  package init?(
    bytes: [UInt8], name: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws {
    try self.init(
      .bytes(bytes, name: name), fileName: name, as: format, among: formats, limits: limits,
      scope: scope)
  }

  private init(container: Container) { self.container = container }

  private init?(
    _ source: ByteSource, fileName: String, as format: ParticleFormat?,
    among formats: FormatRegistry, limits: Limits, scope: ContainerReader.Scope
  ) throws {
    let bytes = try source.bytes(at: 0, count: min(source.size, Self.beginning))
    if format == nil, Container.isFlatPackage(bytes) {
      container = try Container(decoding: source, limits: limits, scope: scope)
      return
    }
    let name = Files.lastComponent(of: fileName)
    let archive =
      format ?? formats.formats.first { $0.isArchive && $0.recognise(bytes, name) }
    guard let archive, case .files(let unpack, _) = archive.content else { return nil }
    container = try locating(Location(file: source.name)) { try unpack(source, limits) }
    self.archive = archive
  }
}
