internal import ParticlesContainer
public import ParticlesCore
internal import ParticlesImages

/// Previews in a package: pictures of the effect for file managers, which are not part of it.
extension EffectPackage {
  /// The directory of the previews.
  public static let previewDirectory = "QuickLook"

  /// The path of the thumbnail, a PNG.
  public static let thumbnailPath = "\(previewDirectory)/Thumbnail.png"

  /// The path of the moving preview, a WebP animation.
  public static let movingPreviewPath = "\(previewDirectory)/Preview.webp"

  /// The width and height of an embedded thumbnail in pixels, unless another one is asked for.
  public static let thumbnailSize = 512

  /// Returns the digest of the effect: the tree digest of the package without its previews. Reads all
  /// contents.
  /// - Throws: errors of reading the contents.
  public func effectDigest() throws -> ContentDigest { try withoutPreviews.treeDigest() }

  /// Whether the package has a thumbnail that was drawn for another state of the effect. A thumbnail of
  /// another program, which does not name the state, is never stale. Reads all contents if there is a
  /// thumbnail.
  /// - Throws: errors of reading the contents.
  public func hasStaleThumbnail(limits: Limits = .standard) throws -> Bool {
    guard let thumbnail = thumbnail(limits: limits) else { return false }
    return try thumbnail.source != effectDigest().description
  }

  /// Whether the package has a thumbnail that another program made.
  public func hasForeignThumbnail(limits: Limits = .standard) -> Bool {
    container.root[Self.thumbnailPath] != nil && thumbnail(limits: limits) == nil
  }

  /// Draws a thumbnail of the running effect into the package, and a moving preview on request. A moving
  /// preview that is there is drawn again, too.
  /// - Parameters:
  ///   - size: the width and height of the thumbnail in pixels, 1 to 1024.
  ///   - animation: whether there is a moving preview: 256 × 256 pixels, a whole cycle
  ///     of at most 8 s in at most 38 frames.
  ///   - limits: the limits for reading and drawing.
  /// - Throws: the error that makes the document unreadable; errors of reading the contents;
  ///   ``ParticlesCore/Rule/imageOutput`` for another size.
  public mutating func embedPreviews(
    size: Int = thumbnailSize, animation: Bool = false, limits: Limits = .standard
  ) throws {
    let picture = try EffectThumbnail(self, limits: limits).drawn(size: size).bitmap
    let texts = [
      (EmbeddedThumbnail.sourceKey, try effectDigest().description),
      (EmbeddedThumbnail.entriesKey, try entriesDigest(limits: limits).description),
    ]
    let bytes = PNG.adding(texts, to: try PNG.encode(picture))
    let hadAnimation = container.root[Self.movingPreviewPath] != nil
    try container.root.setFileNode(
      FileNode(regularFileWithContents: bytes), at: Self.thumbnailPath)
    guard animation || hadAnimation else { return }
    let preview = try MovingPreview(self, limits: limits)
    try container.root.setFileNode(
      FileNode(regularFileWithContents: preview.bytes), at: Self.movingPreviewPath)
  }

  /// Draws the previews in the package again if they are stale; see
  /// ``hasStaleThumbnail(limits:)``.
  /// - Returns: whether they were.
  /// - Throws: the errors of ``embedPreviews(size:animation:limits:)``.
  @discardableResult
  public mutating func refreshPreviews(limits: Limits = .standard) throws -> Bool {
    guard let old = thumbnail(limits: limits), try old.source != effectDigest().description else {
      return false
    }
    let size = PNG.size(of: old.bytes).map { max($0.width, $0.height) } ?? Self.thumbnailSize
    try embedPreviews(size: min(size, 1024), limits: limits)
    return true
  }
}
