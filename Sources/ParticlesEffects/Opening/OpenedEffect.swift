public import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel
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

  /// Opens a file whose bytes are in memory.
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the file name or path, for messages and for the package. No file is read.
  ///   - format: the format, or nil to recognise it.
  ///   - context: the files that the file names, the candidate formats, the assumed engine, and the limits.
  /// - Throws: ``ParticlesCore/Rule/foreign`` for a known kind of file that is not supported,
  ///   ``ParticlesCore/Rule/unknownFormat`` for an unknown kind, or read errors.
  package init(
    bytes: [UInt8], name: String, as format: ParticleFormat? = nil, _ context: DecodingContext
  ) throws(Failure) {
    if let files = try OpenedFiles(
      bytes: bytes, name: name, as: format, among: context.formats, limits: context.limits)
    {
      self.init(files)
    } else {
      self = try WorkBudget.run(context.limits) { () throws(Failure) in
        try OpenedEffect(importing: bytes, name: name, as: format, context)
      }
    }
  }

  /// Imports a file that is no tree of files.
  package init(
    importing bytes: [UInt8], name: String, as format: ParticleFormat?, _ context: DecodingContext
  ) throws(Failure) {
    let (format, imported) = try OpenKeyedArchives.shared { () throws(Failure) in
      try locating(Location(file: name)) { () throws(Failure) in
        let known =
          if let format { format } else {
            try context.formats.recognising(bytes, fileName: context.fileName, context)
          }
        return (known, try known.decode(bytes, context))
      }
    }
    try self.init(imported, of: format, named: name)
  }

  /// The effect of a file that was decoded.
  /// - Parameter name: the file name or path, for messages.
  package init(_ imported: Imported, of format: ParticleFormat, named name: String) throws(Failure)
  {
    package = try imported.package()
    kind = .imported(format)
    diagnostics = imported.diagnostics.map { $0.inside(Location(file: name)) }
  }

  /// The effect of a package or an archive.
  package init(_ files: OpenedFiles) {
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
  ) throws(Failure) -> ParticleFormat {
    do throws(Failure) {
      return try recognising(bytes, fileName: fileName)
    } catch {
      guard Diagnostic.of(error)?.rule == .unknownFormat else { throw error }
      let kind = Files.pathExtension(of: fileName)
      if kind == "particles", !bytes.starts(with: Array("bplist".utf8)) {
        _ = try Container(decoding: bytes, limits: context.limits)
      }
      for format in formats where !format.isArchive && format.extensions.contains(kind) {
        do throws(Failure) {
          _ = try format.decode(bytes, context)
        } catch let damage {
          if let rule = Diagnostic.of(damage)?.rule, Self.syntaxes.contains(rule) { throw damage }
        }
      }
      throw error
    }
  }
}

extension OpenedEffect {
  /// Returns findings with places that the user has. A file of another format becomes a package in memory: entries
  /// and keys of that are nowhere on disk, so the message names the image or the emitter.
  package func placing(_ findings: [Diagnostic]) -> [Diagnostic] {
    guard case .imported = kind else { return findings }
    let emitters = findings.isEmpty ? [] : (try? package.system())?.emitters ?? []
    return findings.map { finding in
      var finding = finding
      let place = finding.location
      finding.location = Location(file: place.file)
      guard let thing = Self.name(of: place, emitters) else { return finding }
      finding.detail = [thing, finding.detail].compactMap { $0 }.joined(separator: ": ")
      return finding
    }
  }

  /// The name of an image, or of an emitter with the property in it.
  private static func name(of place: Location, _ emitters: [Emitter]) -> String? {
    if let entry = place.entry, entry != EffectPackage.documentPath {
      return "'\(Files.lastComponent(of: entry))'"
    }
    guard case .key(let key) = place.position else { return nil }
    guard key.hasPrefix("emitters["), let end = key.firstIndex(of: "]"),
      let index = Int(key[key.index(key.startIndex, offsetBy: 9)..<end]),
      emitters.indices.contains(index), !emitters[index].name.isEmpty
    else { return key }
    let rest = key[key.index(after: end)...].drop { $0 == "." }
    return "emitter '\(emitters[index].name)'" + (rest.isEmpty ? "" : ", \(rest)")
  }
}

/// An opened tree of files: a package in one of its forms, or an archive.
package struct OpenedFiles: Sendable {
  /// The files. ``Container/warnings`` lists the problems found.
  package var container: Container

  package var archive: ParticleFormat?

  /// The number of leading bytes that formats are recognised by.
  private static let beginning = 4096

  /// Opens a file whose bytes are in memory. Nil if it is not a tree of files.
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the file name for messages.
  ///   - format: the format, or nil to recognise it.
  ///   - formats: the candidate formats.
  ///   - limits: the limits for reading.
  ///   - scope: how much of a flat package has to be sound.
  package init?(
    bytes: [UInt8], name: String, as format: ParticleFormat? = nil,
    among formats: FormatRegistry = .standard, limits: Limits = .standard,
    scope: ContainerReader.Scope = .allGenerations
  ) throws(Failure) {
    try self.init(
      .bytes(bytes, name: name), fileName: name, as: format, among: formats, limits: limits,
      scope: scope)
  }

  package init(container: Container) { self.container = container }

  /// Opens a source of bytes. Nil if it is not a tree of files.
  package init?(
    _ source: ByteSource, fileName: String, as format: ParticleFormat?,
    among formats: FormatRegistry, limits: Limits, scope: ContainerReader.Scope
  ) throws(Failure) {
    let bytes = try source.bytes(at: 0, count: min(source.size, Self.beginning))
    if format == nil, Container.isFlatPackage(bytes) {
      container = try Container(decoding: source, limits: limits, scope: scope)
      return
    }
    let name = Files.lastComponent(of: fileName)
    let archive =
      format ?? formats.formats.first { $0.isArchive && $0.recognise(bytes, name) }
    guard let archive, case .files(let unpack, _) = archive.content else { return nil }
    container = try locating(Location(file: source.name)) { () throws(Failure) in
      try unpack(source, limits)
    }
    self.archive = archive
  }
}

/// The source that the effect in a package was imported from.
public struct EffectOrigin: Sendable {
  /// The name of the format, such as `scenekit`.
  public var format: String

  /// The path of the original file in the package, or nil if it was removed.
  public var path: String?

  /// The size of that file in bytes.
  public var size: Int?

  /// Whether the file is unmodified since the import, by its SHA-256 digest.
  public var isIntact: Bool

  /// The losses of the import. Empty if the file was modified.
  public var losses: [Diagnostic]

  /// The engine that the file was made for. Nil if only one engine reads the format, or if the file was modified.
  public var engine: EngineChoice?

  /// The title of the format, or its name if the format is unknown.
  public var title: String
}

extension EffectPackage {
  /// Returns the source of an imported effect, else nil. The original file is decoded again to find the losses.
  /// - Throws: read errors of the package.
  public func origin(
    among formats: FormatRegistry = .standard, limits: Limits = .standard
  ) throws(Failure) -> EffectOrigin? {
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
    var context = DecodingContext(fileName: Files.lastComponent(of: path), limits: limits) {
      name throws(Failure) in
      try related(name, limits: limits)
    }
    var imported = try? formats[format]?.decode(bytes, context)
    if let found = imported?.engine, found.profile != system.asset.profile {
      // The caller has named a different engine.
      context.engine = system.asset.profile
      imported = try? formats[format]?.decode(bytes, context)
    }
    origin.engine = imported?.engine
    origin.losses =
      imported?.diagnostics.filter { $0.severity > .note && $0.rule != .missingImage } ?? []
    return origin
  }

  /// The name of the format that the effect was imported from, and the path of the imported file in the package. The
  /// file may have been removed since. Nil for an effect that was not imported.
  /// - Throws: read errors of the package.
  public func originalFormat(limits: Limits = .standard) throws(Failure) -> (
    name: String, path: String?
  )? {
    guard
      let source = try system(limits: limits).extensions[ParticleSystem.sourceExtension]?.object,
      let name = source["format"]?.string
    else { return nil }
    return (name, source["file"]?.string)
  }

  /// Returns the bytes of the file that the effect was imported from: the only way back to a format without an
  /// exporter.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if the package does not have the unmodified file, or if the
  ///   effect was edited since its import. Read errors of the package.
  public func originalFile(
    among formats: FormatRegistry = .standard, limits: Limits = .standard
  ) throws(Failure) -> [UInt8] {
    let system = try system(limits: limits)
    guard let source = try source(of: system, limits: limits),
      let format = formats[source.format]
    else {
      throw Diagnostic(
        .fileUnwritable, "the package does not have the file that the effect was imported from",
        hint: "convert it to a format that can be written; 'particles formats' lists them")
    }
    let bytes = source.file.bytes
    var context = DecodingContext(fileName: source.file.name, limits: limits) {
      name throws(Failure) in
      try self.image(named: name, limits: limits)
    }
    context.engine = system.asset.profile
    // The names of the package and of the file in it are no part of the file.
    let imported = try format.decode(bytes, context).system
    let edit = imported.differences(from: system).first {
      !$0.path.hasPrefix("asset.") && !$0.path.hasPrefix("extensions")
    }
    if let edit {
      throw Diagnostic(
        .fileUnwritable,
        "\(format.title) is a format that can only be read, and the effect was edited after its import: "
          + edit.path,
        hint:
          "convert it to a format that can be written; 'particles extract' returns the imported file"
      )
    }
    return bytes
  }

  /// The file with values of the effect that the import stored for a name in the imported file, or nil.
  func related(_ reference: String, limits: Limits) throws(Failure) -> [UInt8]? {
    guard let path = Imported.relatedPath(of: reference), let file = container.root[path]?.contents
    else { return nil }
    try limits.check(file.size, { $0.fileBytes }, "bytes of a file", at: .entry(path))
    return try file.bytes()
  }

  /// The image in the package that the import stored for a name in the imported file.
  package func image(named reference: String, limits: Limits) throws(Failure) -> [UInt8]? {
    let name = FoundImage.baseName(of: reference)
    let folder = container.root[Self.imageDirectory]?.children ?? []
    let found =
      folder.first { $0.name == name }
      ?? folder.first { Files.stem(of: $0.name).lowercased() == Files.stem(of: name).lowercased() }
    guard let file = found?.node.contents else { return nil }
    try limits.check(file.size, { $0.fileBytes }, "bytes of an image")
    return try file.bytes()
  }
}
