package import ParticlesContainer
package import ParticlesCore
package import ParticlesFormats

/// A tree of files that was opened: a package in one of its forms, or an archive.
package struct OpenedFiles: Sendable {
  /// The files. What is not as it should be stands in its warnings.
  package var container: Container

  /// The format of the archive that they were stored as; nil for a package.
  package var archive: ParticleFormat?

  /// How many of the first bytes tell what a file is.
  private static let beginning = 4096

  /// Opens a file or directory, told by its content; nil if it holds no tree of files.
  /// - Parameters:
  ///   - path: the path of the file or directory.
  ///   - format: what to take a file for, whatever it looks like; nil to find out.
  ///   - formats: the formats that it may be of.
  ///   - limits: what the file may cost.
  package init?(
    path: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, limits: Limits = .standard
  ) throws {
    guard let files = try Self.open(path, as: format, among: formats, limits: limits).files else {
      return nil
    }
    self = files
  }

  /// The tree of files at a path, or the open file that holds none.
  static func open(
    _ path: String, as format: ParticleFormat?, among formats: FormatRegistry, limits: Limits
  ) throws -> (files: OpenedFiles?, source: ByteSource?) {
    if format == nil, try SafeSave.status(of: path)?.kind == .directory {
      return (OpenedFiles(container: try Container(contentsOf: path, limits: limits)), nil)
    }
    let source = try ByteSource.file(path)
    let files = try OpenedFiles(
      source, fileName: path, as: format, among: formats, limits: limits)
    return (files, source)
  }

  /// Opens a file whose bytes are in memory; nil if it holds no tree of files.
  /// - Parameters:
  ///   - bytes: all of the file.
  ///   - name: the path that it had, for messages.
  ///   - format: what to take it for, whatever it looks like; nil to find out.
  ///   - formats: the formats that it may be of.
  ///   - limits: what the file may cost.
  package init?(
    bytes: [UInt8], name: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, limits: Limits = .standard
  ) throws {
    try self.init(
      .bytes(bytes, name: name), fileName: name, as: format, among: formats, limits: limits)
  }

  private init(container: Container) { self.container = container }

  private init?(
    _ source: ByteSource, fileName: String, as format: ParticleFormat?,
    among formats: FormatRegistry, limits: Limits
  ) throws {
    let bytes = try source.bytes(at: 0, count: min(source.size, Self.beginning))
    if format == nil, Container.isFlatPackage(bytes) {
      container = try Container(decoding: source, limits: limits)
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
