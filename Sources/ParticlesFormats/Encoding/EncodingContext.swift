public import ParticlesCore

/// What an encoder is told about the file that it writes.
public struct EncodingContext: Sendable {
  /// What becomes of the images of an effect.
  public enum ImagePlacement: String, Sendable, CaseIterable {
    /// Inside of the file, where the format can do that.
    case embedded
    /// In files of their own, beside it.
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

  /// The file of the same format that the effect was imported from, if it is still known. What
  /// the effect says as it did then is written as it stands there.
  public var source: Source?

  /// Where images go; nil for what is usual in the format.
  public var images: ImagePlacement?

  /// What may be spent on reading the source and the images.
  public var limits: Limits

  /// The bytes of an image by its path in the package, or nil if there is none.
  public var readImage: @Sendable (_ path: String) throws -> [UInt8]?

  /// Creates a context; without `readImage` there are no images.
  public init(
    fileName: String, source: Source? = nil, images: ImagePlacement? = nil,
    limits: Limits = .standard,
    readImage: @escaping @Sendable (_ path: String) throws -> [UInt8]? = { _ in nil }
  ) {
    self.fileName = fileName
    self.source = source
    self.images = images
    self.limits = limits
    self.readImage = readImage
  }

  /// The name of a further file beside the one to be written, for formats whose files hold one
  /// emitter: `fire-2.pex`, for the number 2.
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

    /// Which emitters of the document it holds, in the order in which reading it gives them.
    public var emitters: [Int]

    /// Creates a file.
    public init(name: String, bytes: [UInt8], emitters: [Int]) {
      self.name = name
      self.bytes = bytes
      self.emitters = emitters
    }
  }

  /// The files with the effect, the one that was asked for first. Formats whose files hold one
  /// emitter make one for each.
  public var parts: [Part]

  /// Files to be written beside, by their names: images.
  public var beside: [String: [UInt8]]

  /// What is not said exactly: the loss report, a diagnostic of the family `convert` a line.
  public var losses: [Diagnostic]

  /// Creates a result.
  public init(parts: [Part], beside: [String: [UInt8]] = [:], losses: [Diagnostic] = []) {
    self.parts = parts
    self.beside = beside
    self.losses = losses
  }
}
