public import ParticlesCore
public import ParticlesModel

/// A format of particle files, as a value: how it is told, read and written.
///
/// The formats of this package are listed in ``all``. To support another one, make such a value;
/// nothing else needs to know.
public struct ParticleFormat: Sendable {
  /// The name on the command line, such as `scenekit`.
  public var name: String

  /// What people call it, such as "SceneKit particle system".
  public var title: String

  /// The file name extensions, in lower case, the usual one first.
  public var extensions: [String]

  /// Whether bytes are of this format. It looks at the content; the name of the file only decides
  /// where the content leaves doubt.
  public var recognise: @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool

  /// Reads a file. What had to be assumed, approximated or left out is reported with the result;
  /// only what makes the file unreadable is thrown.
  public var decode: @Sendable (_ bytes: [UInt8], _ context: DecodingContext) throws -> Imported

  /// Writes a file; nil if the format can only be read.
  public var encode: (@Sendable (_ system: ParticleSystem) throws -> [UInt8])?

  /// Creates a format.
  public init(
    name: String, title: String, extensions: [String],
    recognise: @escaping @Sendable (_ bytes: [UInt8], _ fileName: String) -> Bool,
    decode: @escaping @Sendable (_ bytes: [UInt8], _ context: DecodingContext) throws -> Imported,
    encode: (@Sendable (_ system: ParticleSystem) throws -> [UInt8])? = nil
  ) {
    self.name = name
    self.title = title
    self.extensions = extensions
    self.recognise = recognise
    self.decode = decode
    self.encode = encode
  }

  /// Every format of this package, in the order in which they are tried.
  public static let all: [ParticleFormat] = [.sceneKit]

  /// The first of some formats that recognises a file.
  /// - Throws: ``Rule/unknownFormat`` if none does.
  public static func recognising(
    _ bytes: [UInt8], fileName: String, among formats: [ParticleFormat] = all
  ) throws -> ParticleFormat {
    guard let format = formats.first(where: { $0.recognise(bytes, fileName) }) else {
      let names = formats.map(\.title).joined(separator: ", ")
      throw Diagnostic(.unknownFormat, expected: "one of: \(names)")
    }
    return format
  }
}

/// What a format is told about the file that it reads.
public struct DecodingContext: Sendable {
  /// The name of the file, without folders.
  public var fileName: String

  /// What may be spent on it.
  public var limits: Limits

  /// The bytes of an image that the file names, or nil if nobody has it.
  public var findImage: @Sendable (_ reference: String) throws -> [UInt8]?

  /// Creates a context; without `findImage` no image is ever found.
  public init(
    fileName: String, limits: Limits = .standard,
    findImage: @escaping @Sendable (_ reference: String) throws -> [UInt8]? = { _ in nil }
  ) {
    self.fileName = fileName
    self.limits = limits
    self.findImage = findImage
  }
}

/// What has become of a file of another format.
public struct Imported: Sendable {
  /// The effect.
  public var system: ParticleSystem

  /// The images that it refers to, by their path in the package.
  public var images: [String: [UInt8]]

  /// The name of the file that was read, without folders.
  public var sourceName: String

  /// Its bytes. They are kept in the package, at ``sourcePath``.
  public var source: [UInt8]

  /// What had to be assumed, approximated or left out.
  public var diagnostics: [Diagnostic]

  /// Creates a result.
  public init(
    system: ParticleSystem, images: [String: [UInt8]] = [:], sourceName: String,
    source: [UInt8], diagnostics: [Diagnostic] = []
  ) {
    self.system = system
    self.images = images
    self.sourceName = sourceName
    self.source = source
    self.diagnostics = diagnostics
  }

  /// Where in the package the file that was read is kept: `Source/original.scnp`, say.
  public var sourcePath: String { Self.sourcePath(of: sourceName) }

  /// Where in a package the file that it was made from is kept.
  public static func sourcePath(of fileName: String) -> String {
    let kind = Files.pathExtension(of: fileName)
    let isPlain = kind.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
    return kind.isEmpty || !isPlain ? "Source/original" : "Source/original.\(kind)"
  }
}
