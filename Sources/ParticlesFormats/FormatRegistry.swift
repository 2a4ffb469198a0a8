internal import ParticlesArchives
public import ParticlesCore
public import ParticlesModel
public import ParticlesTypes

/// A set of formats.
///
/// Opening, validating, exporting, naming look-alikes and declaring types take a registry. Added
/// formats are treated like the built-in ones.
public struct FormatRegistry: Sendable {
  /// The formats, in the order in which they are tried.
  public let formats: [ParticleFormat]

  /// Creates a registry of these formats only.
  public init(_ formats: [ParticleFormat]) { self.formats = formats }

  /// Every format of this package.
  public static let standard = FormatRegistry([
    .zip, .unityPackage, .tar,
    .sceneKit, .spriteKit, .cocos2d, .particleDesigner, .starling, .libGDX,
    .pixi, .pixiLegacy, .love, .defold, .phaser, .quarks, .tsParticles, .godot4, .godot3,
    .vortex, .coreAnimation, .effekseer, .unity,
    .swiftSpriteKit, .swiftSceneKit, .swiftCoreAnimation, .swiftRealityKit, .unityCSharp, .luaLove,
  ])

  /// A registry with more formats. They are tried first, and replace formats with equal names.
  public func adding(_ more: ParticleFormat...) -> FormatRegistry {
    let names = Set(more.map { $0.name })
    return FormatRegistry(more + formats.filter { !names.contains($0.name) })
  }

  /// The format of this name, or nil if there is none.
  public subscript(name: String) -> ParticleFormat? { formats.first { $0.name == name } }

  /// The first format that recognises a file.
  /// - Throws: ``ParticlesCore/Rule/foreign``, with the next step, for a file of a known kind that
  ///   is not read. ``ParticlesCore/Rule/unknownFormat`` for a file of an unknown kind.
  public func recognising(_ bytes: [UInt8], fileName: String) throws(Failure) -> ParticleFormat {
    if let format = formats.first(where: { $0.recognise(bytes, fileName) }) { return format }
    if bytes.beginsWithText("{") || bytes.beginsWithText("["),
      let fault = decimalCommas(in: bytes, fileName)?.1.fault
    {
      throw fault
    }
    throw foreign(bytes, fileName: fileName) ?? Diagnostic(.unknownFormat)
  }

  /// Names the kind of a file that no format recognises, such as "a sprite sheet". Nil if unknown.
  public func lookAlike(of bytes: [UInt8]) -> String? { foreign(bytes)?.found }

  /// The message about a file that no format recognises, with its kind and the next step. Nil if the kind is unknown.
  package func foreign(_ bytes: [UInt8], fileName: String = "") -> Diagnostic? {
    let known = formats.flatMap { $0.lookAlikes } + ForeignKind.foreign
    return ForeignKind.diagnostic(of: bytes, fileName: fileName, among: known)
  }

  /// The types of the system and of this project, and the types that the formats declare.
  public var types: TypeRegistry {
    let declarations = formats.flatMap { $0.types }
    return declarations.isEmpty ? .standard : TypeRegistry.standard.adding(declarations)
  }
}

extension ParticleFormat {
  /// ZIP archives (PKWARE's APPNOTE 6.3, with ZIP64 and Unix modes).
  public static let zip = ParticleFormat(
    name: "zip", title: "ZIP archive", extensions: ["zip"],
    recognise: { bytes, _ in ZIP.isArchive(bytes) && !ForeignKind.isUSDPackage(bytes) },
    unpack: ZIP.unpack, pack: ZIP.pack)

  /// Tar archives (POSIX ustar and pax, and GNU's variant), also read from gzip.
  public static let tar = ParticleFormat(
    name: "tar", title: "tar archive", extensions: ["tar", "tgz", "gz"],
    recognise: { bytes, _ in Tar.isArchive(bytes) }, unpack: Tar.unpack, pack: Tar.pack)
}

/// The engine that a file was made for, where several engines read its format by laws of their own: the
/// choice, its reasons, and the engines that fit as well.
///
/// `Spec/conversion/README.md`, section Engines, states how it is made.
public struct EngineChoice: Sendable, Hashable {
  /// The ground of a choice.
  public enum Ground: String, Sendable, Hashable, CaseIterable {
    /// The caller has named the engine.
    case named
    /// The file has something that no other engine reads, or writes.
    case file
    /// Nothing in the file decides: it is the engine that most people use.
    case usual
  }

  /// Another engine that reads the file.
  public struct Other: Sendable, Hashable {
    /// Its profile.
    public var profile: ParticleSystem.Profile
    /// Whether this engine draws particles like the chosen engine, as far as the blend mode decides.
    public var drawsEqually: Bool

    /// Creates an engine.
    public init(profile: ParticleSystem.Profile, drawsEqually: Bool) {
      (self.profile, self.drawsEqually) = (profile, drawsEqually)
    }
  }

  /// The profile of the chosen engine.
  public var profile: ParticleSystem.Profile

  /// The ground of the choice.
  public var ground: Ground

  /// The reasons, as clauses for people.
  public var reasons: [String]

  /// Further engines that fit.
  public var others: [Other]

  /// Creates a choice.
  public init(
    profile: ParticleSystem.Profile, ground: Ground, reasons: [String], others: [Other]
  ) {
    (self.profile, self.ground, self.reasons, self.others) = (profile, ground, reasons, others)
  }
}
