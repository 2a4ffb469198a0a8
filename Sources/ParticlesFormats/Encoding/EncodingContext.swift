public import ParticlesCore
internal import ParticlesModel

/// The context of an encoder: file name, source, images and limits.
public struct EncodingContext: Sendable {
  /// The storage of the images of an effect.
  public enum ImagePlacement: String, Sendable, CaseIterable {
    /// Embedded in the file, if the format supports it.
    case embedded
    /// In separate files in the same folder.
    case beside
  }

  /// The file that an effect was imported from.
  public struct Source: Sendable {
    /// Its name, without folders.
    public var name: String
    /// Its bytes.
    public var bytes: [UInt8]

    /// Creates a source.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The name of the file to be written, without folders.
  public var fileName: String

  /// The file of the same format that the effect was imported from, if available. Values that have
  /// not changed since are written as they are in that file.
  public var source: Source?

  /// The storage of images; nil for the usual one of the format.
  public var images: ImagePlacement?

  /// The engine that the files are written for, as one of several that read the format; nil for the usual
  /// one.
  var engine: ParticleSystem.Profile?

  /// Whether the result takes the place of the source, so that the other files with values of the effect are where the
  /// source names them.
  package var isInPlace = false

  /// What happens to a changed value of another file, which several effects may share, if the result takes the place of the
  /// source.
  package enum SharedValues: String, Sendable, CaseIterable {
    /// The other file is changed: see ``Exported/others``.
    case edit
    /// The effect gets a copy of its own of what the value is in.
    case copy
  }

  /// nil, the default, refuses the change.
  package var sharedValues: SharedValues?

  /// Whether levels of losses are estimated; true by default. A caller without a report saves the work.
  package var isEstimating = true

  /// The limits for reading the source and the images.
  public var limits: Limits

  /// The bytes of an image by its path in the package, or nil if there is none.
  public var readImage: @Sendable (_ path: String) throws -> [UInt8]?

  /// Creates a context; without `readImage` there are no images.
  public init(
    fileName: String, source: Source? = nil, images: ImagePlacement? = nil,
    limits: Limits = .standard,
    readImage: @escaping @Sendable (_ path: String) throws -> [UInt8]? = { _ in nil }
  ) {
    self.fileName = RawPath.readable(fileName)
    self.source = source
    self.images = images
    self.limits = limits
    self.readImage = readImage
  }

  /// The bytes of another file with values of the effect, by the name that the source has for it.
  func related(_ reference: String) throws -> [UInt8]? {
    try Imported.relatedPath(of: reference).flatMap(readImage)
  }

  /// The name of a further file in the same folder, for formats whose files hold one emitter:
  /// `fire-2.pex`, for the number 2.
  public func fileName(part number: Int) -> String {
    let kind = Files.pathExtension(of: fileName)
    return "\(Files.stem(of: fileName))-\(number)" + (kind.isEmpty ? "" : ".\(kind)")
  }
}

/// An effect as files of another format.
public struct Exported: Sendable {
  /// A file with an effect in it.
  public struct Part: Sendable {
    /// The name, without folders.
    public var name: String

    /// The contents.
    public var bytes: [UInt8]

    /// The indices of the emitters in the file, in the order of reading.
    public var emitters: [Int]

    /// The values of source code as a file that can be read; nil for files that can be read themselves.
    var model: [UInt8]?

    /// Creates a file.
    public init(name: String, bytes: [UInt8], emitters: [Int]) {
      self.name = name
      self.bytes = bytes
      self.emitters = emitters
    }
  }

  /// The files with the effect; the requested one is first. Formats with one emitter per file write
  /// one file for each.
  public var parts: [Part]

  /// Further files to be written, by their names: images.
  public var beside: [String: [UInt8]]

  /// Other files with values of the effect that were changed, by the names that the source has for them; see
  /// ``EncodingContext/SharedValues/edit``.
  package var others: [String: [UInt8]] = [:]

  /// The loss report: diagnostics of the family `convert`.
  public var losses: [Diagnostic]

  /// Creates a result.
  public init(parts: [Part], beside: [String: [UInt8]] = [:], losses: [Diagnostic] = []) {
    self.parts = parts
    self.beside = beside
    self.losses = losses
  }
}
