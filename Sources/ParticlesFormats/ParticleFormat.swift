public import ParticlesContainer
public import ParticlesCore
public import ParticlesImages
public import ParticlesModel
public import ParticlesTypes

/// A file format as a value: how it is recognised, read and written.
///
/// ``FormatRegistry/standard`` has the formats of this package. To support a further format, create
/// a value and add it to the registry that you pass.
public struct ParticleFormat: Sendable {
  /// The name on the command line, such as `scenekit`.
  public var name: String

  /// The display name, such as "SceneKit particle system".
  public var title: String

  /// The file name extensions, in lower case, the usual one first.
  public var extensions: [String]

  /// Whether bytes are of this format. It examines the content. The file name decides only if the
  /// content is ambiguous.
  public var recognise: @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool

  /// The contents of the format, which determine how it is read and written.
  public var content: Content

  /// The capabilities of the format. Nil for archives, which hold documents, and for formats that
  /// can only be read.
  public var capabilities: Capabilities? {
    get { makeCapabilities() }
    set { makeCapabilities = { newValue } }
  }

  /// The types of its files, for the type registry. None by default.
  public var types: [TypeDeclaration] {
    get { makeTypes() }
    set { makeTypes = { newValue } }
  }

  /// Files with the extensions or the syntax of this format but with other contents. None by default.
  package var lookAlikes: [ForeignKind] {
    get { makeLookAlikes() }
    set { makeLookAlikes = { newValue } }
  }

  // A registry lists all formats, and a run uses few. So these closures run at the first use.
  var makeCapabilities: @Sendable () -> Capabilities?
  var makeTypes: @Sendable () -> [TypeDeclaration] = { [] }
  var makeLookAlikes: @Sendable () -> [ForeignKind] = { [] }

  /// Returns the step that makes source code of its files. Nil for formats that are not source code.
  var makeTypesetter: (@Sendable () -> Typesetter)?

  /// Where its files have values in which decimal commas are detected. Nil for binary files and for source code.
  package var decimalCommas: DecimalCommas.Syntax?

  /// Its mapping table, for the dictionary of a fuzzer and for the Spec, or nil without a table.
  package var table: (@Sendable () -> (keys: [String], markdown: String))?

  /// The contents of a file.
  public enum Content: Sendable {
    /// One effect.
    case effect(decode: EffectDecoder, encode: EffectEncoder?)
    /// A tree of files, which may be a package with an effect, or anything else.
    case files(unpack: Unpacker, pack: Packer)
  }

  /// Reads a file. Assumptions, approximations and omissions are reported with the result. Only
  /// errors that make the file unreadable are thrown.
  public typealias EffectDecoder =
    @Sendable (_ bytes: [UInt8], _ context: DecodingContext) throws(Failure) ->
    Imported

  /// Writes an effect as files. Inexact values are listed in the losses of the result. Only errors
  /// that prevent writing are thrown.
  public typealias EffectEncoder =
    @Sendable (_ system: ParticleSystem, _ context: EncodingContext) throws(Failure) -> Exported

  /// Opens an archive. Contents may be read on demand.
  public typealias Unpacker =
    @Sendable (_ source: ByteSource, _ limits: Limits) throws(Failure) -> Container

  /// Writes a directory as an archive, in pieces, and reports entries that the archive cannot hold,
  /// or cannot hold portably.
  public typealias Packer =
    @Sendable (
      _ root: FileNode,
      _ sink: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> [Diagnostic]

  /// Creates a format of effects, which can only be read if `encode` is nil.
  ///
  /// An encoder comes with its column of the capability matrix.
  public init(
    name: String, title: String, extensions: [String],
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool,
    capabilities: Capabilities? = nil, decode: @escaping EffectDecoder, encode: EffectEncoder? = nil
  ) {
    self.name = name
    self.title = title
    self.extensions = extensions
    self.recognise = recognise
    makeCapabilities = { capabilities }
    content = .effect(decode: decode, encode: encode)
  }

  /// Creates a format of archives. It has to be recognised by the first 4 KiB.
  public init(
    name: String, title: String, extensions: [String],
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool,
    unpack: @escaping Unpacker, pack: @escaping Packer
  ) {
    self.name = name
    self.title = title
    self.extensions = extensions
    self.recognise = recognise
    makeCapabilities = { nil }
    content = .files(unpack: unpack, pack: pack)
  }
}

extension ParticleFormat {
  /// Whether files of the format are archives.
  public var isArchive: Bool {
    if case .files = content { true } else { false }
  }

  /// Whether files of the format can be read. Source code can only be written.
  public var canRead: Bool { makeTypesetter == nil }

  /// Whether files of the format can be written.
  public var canWrite: Bool {
    switch content {
    case .effect(_, let encode): encode != nil
    case .files: true
    }
  }

  /// Reads the only effect in a file, within ``ParticlesCore/Limits/work`` and
  /// ``ParticlesCore/Limits/memory``. See ``EffectDecoder``.
  /// - Throws: ``ParticlesCore/Rule/unknownFormat`` for archives, and for source code, because it
  ///   cannot be read. `CancellationError` if the current task is cancelled.
  public func decode(_ bytes: [UInt8], _ context: DecodingContext) throws(Failure) -> Imported {
    guard canRead else {
      throw Diagnostic(
        .unknownFormat, "\(title) can only be written", expected: "a format that can be read",
        found: name, hint: "keep the effect as a .particles file, and convert that")
    }
    guard case .effect(let decode, _) = content else {
      throw Diagnostic(.unknownFormat, expected: "a file with one effect", found: title)
    }
    return try WorkBudget.run(context.limits) { () throws(Failure) in
      try EmitterCost.spend(onBytes: bytes.count)
      if let decimalCommas, bytes.count <= context.limits.fileBytes,
        let fault = DecimalCommas(in: bytes, decimalCommas).fault
      {
        throw fault
      }
      var imported = try decode(bytes, context)
      if let engine = context.engine { imported.system.asset.profile = engine }
      try context.limits.checkEmitters(imported.system.emitters.count)
      return imported
    }
  }

  /// Packs the tree below a directory, and calls `sink` with the bytes in order.
  package func pack(
    _ root: FileNode, _ sink: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> [Diagnostic] {
    try packer(root, sink)
  }

  /// Packs the tree below a directory in memory.
  public func packed(_ root: FileNode) throws(Failure) -> (
    bytes: [UInt8], diagnostics: [Diagnostic]
  ) {
    var bytes: [UInt8] = []
    let diagnostics = try packer(root) { bytes += $0 }
    return (bytes, diagnostics)
  }

  private var packer: Packer {
    get throws(Failure) {
      guard case .files(_, let pack) = content else {
        throw Diagnostic(.unknownFormat, expected: "an archive", found: title)
      }
      return pack
    }
  }
}

/// The context of a decoder: file name, limits, formats and images.
public struct DecodingContext: Sendable {
  /// The name of the file, without folders.
  public var fileName: String

  /// The limits for reading.
  public var limits: Limits

  /// The known formats, to name the kind of another file.
  public var formats = FormatRegistry.standard

  /// The engine that the file is taken to be made for: the profile of the effect. If it reads the format,
  /// the file is read by its law. Nil, the default, to find it by the file.
  public var engine: ParticleSystem.Profile?

  /// Whether the source bag and the values that were not interpreted are wanted. They take much of the
  /// time of decoding.
  var keepsSource = true

  /// The folders that ``findImage`` searches, for messages about missing images. Empty if they are
  /// not known.
  public var searchedFolders: @Sendable () -> [String] = { [] }

  /// The name of the file that a reference means, even if the file is gone. Nil if unknown.
  package var nameOfFile: @Sendable (_ reference: String) -> String? = { _ in nil }

  /// The image, or another file with values of the effect, that the file names. Nil if it cannot be
  /// found. Names are as the file has them: of a file in a project, the path from its root.
  public var findImage: @Sendable (_ reference: String) throws(Failure) -> FoundImage?

  /// Creates a context. Without `findImage` no image is ever found.
  /// - Parameters:
  ///   - fileName: the name of the file, without folders.
  ///   - limits: the limits for reading.
  ///   - findImage: returns the bytes of an image by its reference.
  public init(
    fileName: String, limits: Limits = .standard,
    findImage:
      @escaping @Sendable (_ reference: String) throws(Failure) -> [UInt8]? = {
        _ in nil
      }
  ) {
    self.fileName = RawPath.readable(fileName)
    self.limits = limits
    self.findImage = { reference throws(Failure) in
      try findImage(reference).map {
        FoundImage(name: FoundImage.baseName(of: reference), bytes: $0)
      }
    }
  }
}

/// The result of an import.
public struct Imported: Sendable {
  /// The effect.
  public var system: ParticleSystem

  /// The images that it refers to, by their path in the package.
  public var images: [String: [UInt8]]

  /// The name of the file that was read, without folders.
  public var sourceName: String

  /// Its bytes. They are kept in the package, at ``sourcePath``.
  public var source: [UInt8]

  /// Further files with values of the effect, by their path in the package. None by default.
  public var related: [String: [UInt8]] = [:]

  /// Assumptions, approximations and omissions.
  public var diagnostics: [Diagnostic]

  /// The engine that the file was made for. Nil, the default, if only one engine reads the format.
  public var engine: EngineChoice?

  /// Creates a result. Values that documents must not have are corrected: numbers out of range move to the nearest
  /// allowed number, and ranges and the keys of curves get their order. Each such value is reported as a loss.
  public init(
    system: ParticleSystem, images: [String: [UInt8]] = [:], sourceName: String, source: [UInt8],
    diagnostics: [Diagnostic] = []
  ) {
    self.system = system
    self.images = images
    self.sourceName = sourceName
    self.source = source
    self.diagnostics = diagnostics + self.system.settleValues()
  }

  /// The directory of the images in a package.
  public static let imageDirectory = "Images"

  /// The path of the imported file in the package, such as `Source/original.scnp`.
  public var sourcePath: String { Self.sourcePath(of: sourceName) }

  /// The path of an imported file in a package.
  public static func sourcePath(of fileName: String) -> String {
    let kind = Files.pathExtension(of: fileName)
    let isPlain = kind.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
    return kind.isEmpty || !isPlain ? "Source/original" : "Source/original.\(kind)"
  }
}

extension ParticleFormat {
  /// Exports an effect and reports every difference.
  ///
  /// The encoder gets the effect in the unit of length of the format, with its clocks converted if
  /// necessary. The result is read again and compared with the effect, property by property. A
  /// difference that no line of the encoder covers gets its own line
  /// (``ParticlesCore/Rule/changed``), so that no encoder can change anything without a report.
  /// - Throws: the first error of the effect, if it is not valid.
  ///   ``ParticlesCore/Rule/unknownFormat`` if the format cannot be written. Errors of encoding, or
  ///   of reading the result again. ``ParticlesCore/Rule/limit`` if the effect needs more than
  ///   ``ParticlesCore/Limits/work`` or ``ParticlesCore/Limits/memory``. `CancellationError` if the
  ///   current task is cancelled.
  public func export(_ system: ParticleSystem, _ context: EncodingContext)
    throws(Failure) -> Exported
  {
    try WorkBudget.run(context.limits) { () throws(Failure) in
      try EmitterCost.spend(onWriting: system.emitters)
      return try exportWithinBudget(system, context)
    }
  }

  private func exportWithinBudget(_ system: ParticleSystem, _ context: EncodingContext)
    throws(Failure) -> Exported
  {
    guard case .effect(let decode, let encode?) = content else {
      throw Diagnostic(
        .unknownFormat, expected: "a format of effects that can be written", found: title,
        hint: "choose a format that can be written")
    }
    if let fault = system.diagnostics().first(where: { $0.severity == .error }) { throw fault }
    var system = system
    let (capabilities, typesetter) = (capabilities, makeTypesetter?())
    let unit = capabilities.map { capabilities in
      system.asset.dimension == .space
        ? capabilities.unitInSpace ?? capabilities.unit : capabilities.unit
    }
    let conversion = unit.flatMap { UnitConversion(of: system.asset, to: $0) }
    if let conversion { system = conversion.convert(system) }
    let original = system
    let paceLines = capabilities?[.speed] == .approximated ? system.takePlainPace() : []
    let shapeLines =
      capabilities.map { system.settleShapes(for: $0) + system.settleEmission(for: $0) } ?? []
    let source = system
    var context = context
    context.engine = engine(for: system.asset.profile)
    let lawLines =
      capabilities.map { system.leaveLaw(for: context.engine ?? $0.profile) } ?? []
    var exported = try encode(system, context)
    exported.losses += typesetter?.losses(of: system) ?? []
    try EmitterCost.spend(
      onReadingAgain: exported.parts.reduce(0) { $0 + ($1.model ?? $1.bytes).count })
    var audit = try Audit(of: exported, from: system, decode: decode, context)
    exported.losses = audit.explained(exported.losses + audit.unexplained).map { $0.leveled }
    if let conversion { exported.losses.append(conversion.line) }
    exported.losses += paceLines + shapeLines + lawLines
    var estimates =
      context.isEstimating ? EstimatedLosses(original, audit.result, context) : nil
    exported.losses = estimates?.leveled(exported.losses) ?? exported.losses
    if var line = source.lawLine(of: audit.result) {
      let level = Loss.Level(difference: estimates?.differenceOfLaw() ?? 0)
      if level > line.lossLevel { line = line.leveled(level, .estimated) }
      exported.losses.append(line)
    }
    exported.losses = source.quietingUnseen(
      source.addingBlending(of: audit.result, to: exported.losses, &estimates))
    try typesetter?.typeset(&exported, system, limits: context.limits)
    return exported
  }
}

extension ParticleSystem {
  /// Converts all clocks to speed 1, for formats without a playback speed. A stopped clock is not
  /// changed, because the encoder reports it.
  /// - Returns: a line for each changed emitter.
  fileprivate mutating func takePlainPace() -> [Diagnostic] {
    emitters.indices.compactMap { index in
      let (emitter, path) = (emitters[index], "emitters[\(index)].timing.speed")
      guard emitter.timing.speed != 1, let plain = emitter.atPlainPace else { return nil }
      emitters[index] = plain
      var line = Diagnostic(
        .restated, .speed, at: path, "a playback speed is not supported",
        recipe: "times divided by the speed, rates and velocities multiplied by it, "
          + "accelerations by its square")
      line.loss?.emitter = emitter.name
      line.loss?.source = Loss.Side(path, .finite(emitter.timing.speed))
      return line
    }
  }
}

extension Diagnostic {
  /// The line with its level lowered to the level of its known error. An approximation without any
  /// error becomes a restatement of the value.
  fileprivate var leveled: Diagnostic {
    guard let loss, let share = loss.metric?.share else { return self }
    var line = self
    let level = min(loss.level, Loss.Level(difference: share.magnitude))
    line.loss?.level = level
    if level == .info { line.severity = .note }
    if share == 0, rule == .approximated { line.rule = .restated }
    return line
  }
}

extension ParticleFormat {
  /// The knowledge about the laws of the engines that read the format: a line for every switch of each
  /// engine, with the engine of ``Capabilities/profile`` first. Empty for archives, which hold documents.
  ///
  ///     for line in format.evidence {
  ///       print(line.engine, line.name, line.value, line.evidence.rawValue, line.source)
  ///     }
  package var evidence: [ParticleSystem.EngineLaw.Line] {
    guard !isArchive else { return [] }
    if let unknown = ParticleSystem.EngineLaw.unknown.first(where: { $0.formats.contains(name) }) {
      return unknown.lines
    }
    // The code for LÖVE sets the values of the document, and LÖVE moves the particles.
    if name == CodeFamily.Target.love.rawValue { return ParticleSystem.Profile.love.evidence }
    return capabilities?.profiles.flatMap { $0.evidence } ?? []
  }
}

extension [ParticleSystem.EngineLaw.Line] {
  /// The engines as JSON, each with the switches of its law, and how they are known.
  package var json: JSONValue {
    var engines: [(engine: String, lines: [Element])] = []
    for line in self {
      if engines.last?.engine != line.engine { engines.append((line.engine, [])) }
      engines[engines.count - 1].lines.append(line)
    }
    return .array(
      engines.map { engine, lines in
        [
          "engine": .string(engine), "profile": .string(lines[0].profile.rawValue),
          "law": .array(
            lines.map {
              [
                "switch": .string($0.name), "value": .string($0.value),
                "evidence": .string($0.evidence.rawValue), "source": .string($0.source),
              ]
            }),
        ]
      })
  }
}
