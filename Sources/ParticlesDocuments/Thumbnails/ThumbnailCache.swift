internal import ParticlesCore
internal import ParticlesImages

/// The cache of thumbnails that all programs of a desktop share (freedesktop.org Thumbnail Managing Standard).
package struct ThumbnailCache: Sendable {
  /// The folders by the largest side of their pictures, in pixels.
  package static let folders = [
    (name: "normal", size: 128), (name: "large", size: 256), (name: "x-large", size: 512),
    (name: "xx-large", size: 1024),
  ]

  /// The largest file that is read.
  private static let mostBytes = 8 << 20

  private let folder: String?

  /// - Parameter cache: the cache folder of the user; nil for none.
  package init(_ cache: String?) { folder = cache.map { Files.joined($0, "thumbnails") } }

  private func path(_ document: String, _ name: String) -> (path: String, uri: String)? {
    guard let folder, let place = try? Files.resolve(document) else { return nil }
    let uri = FileURI.reference(place)
    return (Files.joined(folder, "\(name)/\(MD5.hexDigits(Array(uri.utf8))).png"), uri)
  }

  /// The thumbnail of the present state of a document; nil if there is none.
  package func read(_ document: String, _ name: String) -> [UInt8]? {
    guard let (path, uri) = path(document, name), let status = (try? Files.status(path)) ?? nil,
      status.kind == .file, status.size <= Self.mostBytes,
      let modified = (try? Files.status(document))??.state.modified,
      let bytes = try? Files.read(path)
    else { return nil }
    let texts = PNG.texts(of: bytes)
    guard texts["Thumb::URI"] == uri, texts["Thumb::MTime"] == Self.time(modified) else {
      return nil
    }
    return bytes
  }

  /// The file with a thumbnail of the present state of a document, the smallest that there is; nil if there is none.
  package func file(of document: String) -> String? {
    for folder in Self.folders where read(document, folder.name) != nil {
      return path(document, folder.name)?.path
    }
    return nil
  }

  /// Draws the thumbnail of a document, and keeps it.
  /// - Parameter folder: one of ``folders``.
  /// - Returns: the picture as PNG.
  /// - Throws: the error that makes the document unreadable, or ``ParticlesCore/Rule/limit``.
  package func draw(_ document: String, _ folder: (name: String, size: Int)) throws
    -> [UInt8]
  {
    let status = try Files.status(document)
    let bitmap = try locating(Location(file: document)) {
      try EffectThumbnail(OpenedEffect(path: document).package).bitmap(size: folder.size)
    }
    let bytes = PNG.encodeFast(bitmap)
    // Only if it has not changed meanwhile.
    guard let status, try Files.status(document)?.state == status.state else { return bytes }
    return write(bytes, of: document, status.state.modified, folder.name)
  }

  private static func time(_ modified: Double) -> String { "\(Int(modified.rounded(.down)))" }

  /// Keeps a thumbnail. Errors are no reason not to show it.
  /// - Returns: the picture with what the standard demands.
  private func write(_ bytes: [UInt8], of document: String, _ modified: Double, _ name: String)
    -> [UInt8]
  {
    guard let (path, uri) = path(document, name) else { return bytes }
    let picture = PNG.adding(
      [
        ("Thumb::URI", uri), ("Thumb::MTime", Self.time(modified)), ("Software", "particles"),
      ], to: bytes)
    let new = Files.temporaryName(beside: path)
    do {
      try Files.makeDirectories(Files.folder(of: path))
      try OpenFile(creating: new, mode: 0o600).write(picture)
      try Files.rename(new, path)
    } catch {
      try? Files.removeAll(new)
    }
    return picture
  }
}
