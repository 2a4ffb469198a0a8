public import ParticlesContainer
public import ParticlesCore
package import ParticlesImages
public import ParticlesModel

/// A package that holds an effect: the one place that knows which file of a container is the
/// document, and where images are.
///
/// Files that are not mentioned here are kept as they are.
public struct EffectPackage: Sendable {
  /// The path of the document in a package.
  public static let documentPath = "document.json"

  /// The directory of the images.
  public static let imageDirectory = "Images"

  /// The files.
  public var container: Container

  /// Takes a package as it is. Whether there is a document in it shows when it is asked for.
  public init(_ container: Container) { self.container = container }

  /// A package made anew.
  /// - Parameters:
  ///   - system: the effect.
  ///   - images: the images by their path in the package.
  ///   - source: the file that the effect was imported from, by its path in the package.
  /// - Throws: ``ParticlesCore/Rule/name`` or ``ParticlesCore/Rule/twins`` for a path that cannot be.
  public init(
    _ system: ParticleSystem, images: [String: [UInt8]] = [:], source: [String: [UInt8]] = [:]
  ) throws {
    container = Container()
    try setSystem(system)
    for (path, bytes) in images.merging(source, uniquingKeysWith: { image, _ in image }) {
      try container.root.setFileNode(FileNode(regularFileWithContents: bytes), at: path)
    }
  }

  /// The effect.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, faults of the family `document`, and what reading
  ///   the file throws.
  public func system(limits: Limits = .standard) throws -> ParticleSystem {
    let bytes = try documentBytes(limits: limits)
    return try locating(.entry(Self.documentPath)) {
      try ParticleSystem(decoding: bytes, limits: limits)
    }
  }

  /// The document as it is written.
  /// - Throws: ``ParticlesCore/Rule/noDocument``, and what reading the file throws.
  package func documentBytes(limits: Limits = .standard) throws -> [UInt8] {
    guard let file = container.root[Self.documentPath]?.contents else {
      throw Diagnostic(.noDocument, at: .entry(Self.documentPath))
    }
    return try locating(.entry(Self.documentPath)) {
      try limits.check(file.size, \.fileBytes, "bytes of the document")
      return try file.bytes()
    }
  }

  /// Puts a document into the package as it is written.
  package mutating func setDocumentBytes(_ bytes: [UInt8]) throws {
    try container.root.setFileNode(
      FileNode(regularFileWithContents: bytes), at: Self.documentPath)
  }

  /// Puts another effect into the package. The bytes of the document stay as they are if they say
  /// the same already.
  public mutating func setSystem(_ system: ParticleSystem) throws {
    if let old = try? self.system(), old == system { return }
    try setDocumentBytes(system.encoded())
  }
}

extension Imported {
  /// The effect in a package of its own, with its images and the file that it came from.
  public func package() throws -> EffectPackage {
    try EffectPackage(system, images: images, source: [sourcePath: source])
  }
}

extension ImageReference {
  /// A reference to an image in a package, with all that can be told from its bytes.
  public init(describing bytes: [UInt8], at path: String) {
    let picture = ImageFormat(of: bytes) == .png ? try? PNG.decode(bytes) : nil
    self.init(describing: bytes, at: path, picture: picture)
  }

  /// The same for bytes that have been decoded already, or cannot be.
  package init(describing bytes: [UInt8], at path: String, picture: Bitmap?) {
    self.init(uri: path)
    mimeType = ImageFormat(of: bytes)?.mimeType
    sha256 = SHA256.digest(bytes).description
    (width, height) = (picture?.width, picture?.height)
  }
}
