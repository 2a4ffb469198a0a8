internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesImages

/// A thumbnail in a package, with the digests of what it shows (`Spec/document.md`, "Previews").
struct EmbeddedThumbnail {
  /// The keyword of the tree digest of all that the picture shows.
  static let sourceKey = "Particles:Source"
  /// The keyword of the digest of its entries, which is found without reading them.
  static let entriesKey = "Particles:Entries"

  /// The PNG.
  let bytes: [UInt8]
  /// The digest of the package without its previews when it was drawn.
  let source: String
  private let entries: String?

  /// - Returns: nil for the picture of another program, which has no digest.
  init?(_ bytes: [UInt8]) {
    let texts = PNG.texts(of: bytes)
    guard let source = texts[Self.sourceKey] else { return nil }
    self.bytes = bytes
    self.source = source
    entries = texts[Self.entriesKey]
  }

  /// Whether it is at least as large as a thumbnail of a size.
  func shows(_ size: Int) -> Bool {
    PNG.size(of: bytes).map { min($0.width, $0.height) >= size } ?? false
  }

  /// Whether the package has the same document and entries as when the picture was drawn. Reads the
  /// document and no other entry.
  func matchesEntries(of package: EffectPackage, limits: Limits) throws -> Bool {
    try entries == package.entriesDigest(limits: limits).description
  }
}

extension EffectPackage {
  /// The largest PNG in bytes that is taken for a thumbnail: more than 1024 × 1024 pixels need.
  private static let mostThumbnailBytes = 8 << 20

  /// The thumbnail, unless another program made it; nil, too, if it cannot be read.
  func thumbnail(limits: Limits) -> EmbeddedThumbnail? {
    guard let file = container.root[Self.thumbnailPath]?.contents,
      file.size <= min(limits.fileBytes, Self.mostThumbnailBytes), let bytes = try? file.bytes()
    else { return nil }
    return EmbeddedThumbnail(bytes)
  }

  /// The digest of the document, and of paths, kinds and sizes of all entries but previews.
  func entriesDigest(limits: Limits) throws -> ContentDigest {
    var hash = SHA256()
    hash.update(Array("particles entries 1\n".utf8))
    withoutPreviews.forEachDescendant { path, node in
      var record = ByteWriter()
      switch node.kind {
      case .directory: record.byte(UInt8(ascii: "d"))
      case .file: record.byte(node.isExecutable ? UInt8(ascii: "x") : UInt8(ascii: "f"))
      case .link: record.byte(UInt8(ascii: "l"))
      }
      record.size(node.contents?.size ?? 0)
      for text in [path, node.symbolicLinkDestination ?? ""] {
        record.u32(UInt32(text.utf8.count))
        record.write(text.utf8)
      }
      hash.update(record.bytes)
    }
    hash.update(SHA256.digest(try document(limits: limits)).bytes)
    return hash.finalize()
  }

  /// All files but the previews.
  var withoutPreviews: FileNode {
    var root = container.root
    root.removeFileNode(named: Self.previewDirectory)
    return root
  }
}
