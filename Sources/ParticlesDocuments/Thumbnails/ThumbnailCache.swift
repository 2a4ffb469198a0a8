internal import ParticlesCore
internal import ParticlesEffects
internal import ParticlesImages
internal import ParticlesSystem

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

  /// - Parameter cache: the cache folder of the user, or nil for none.
  package init(_ cache: String?) { folder = cache.map { Files.joined($0, "thumbnails") } }

  /// The place of the pictures of a document, and the URI in their texts.
  private struct Entry {
    /// The name of the file in each of the folders.
    var name: String
    var uri: String
  }

  private func entry(of document: String) -> Entry? {
    guard folder != nil, let place = try? Files.resolve(document) else { return nil }
    let uri = FileURI.reference(place)
    return Entry(name: MD5.hexDigits(Array(uri.utf8)) + ".png", uri: uri)
  }

  private func path(_ entry: Entry, _ name: String) -> String? {
    folder.map { Files.joined($0, "\(name)/\(entry.name)") }
  }

  /// The picture of the current state of a document, or nil if there is none.
  /// - Parameter read: reads the texts of the file at a path, and something more.
  private func picture<Contents>(
    of document: String, _ entry: Entry, _ name: String,
    _ read: (String) -> (texts: [String: String], contents: Contents)?
  ) -> Contents? {
    guard let path = path(entry, name), let status = (try? Files.status(path)) ?? nil,
      status.kind == .file, status.size <= Self.mostBytes,
      let modified = (try? Files.status(document))??.state.modified,
      let (texts, contents) = read(path), texts["Thumb::URI"] == entry.uri,
      texts["Thumb::MTime"] == Self.time(modified)
    else { return nil }
    return contents
  }

  /// The thumbnail of the current state of a document, or nil if there is none.
  package func read(_ document: String, _ name: String) -> [UInt8]? {
    guard let entry = entry(of: document) else { return nil }
    return picture(of: document, entry, name) { path in
      (try? Files.read(path)).map { (PNG.texts(of: $0), $0) }
    }
  }

  /// The file with the smallest thumbnail of the current state of a document, or nil if there is none.
  /// - Parameter name: the folder to look in. Default: all.
  package func file(of document: String, in name: String? = nil) -> String? {
    guard let entry = entry(of: document) else { return nil }
    for folder in Self.folders where name == nil || name == folder.name {
      let path = picture(of: document, entry, folder.name) { path in
        Self.texts(at: path).map { ($0, path) }
      }
      if let path { return path }
    }
    return nil
  }

  /// How many leading bytes are searched for texts. A thumbnail has its texts before the image data.
  static let mostTexts = 4 << 10

  /// The texts of a file. Reads `mostTexts` bytes, and the whole file only if the texts are further back.
  private static func texts(at path: String) -> [String: String]? {
    guard let file = try? OpenFile(reading: path), let start = try? file.readPiece(mostTexts)
    else { return nil }
    if let texts = PNG.texts(ofStart: start) { return texts }
    return (try? Files.read(path)).map(PNG.texts)
  }

  /// Whether a picture that was drawn is in the cache.
  package enum Keeping {
    case kept
    /// The document has changed meanwhile.
    case outdated
    /// There is no folder, or it cannot be written.
    case refused
  }

  /// Draws the thumbnail of a document, and keeps it.
  /// - Parameter folder: one of ``folders``.
  /// - Returns: the picture as PNG, and whether it is in the cache.
  /// - Throws: the error that makes the document unreadable, or ``ParticlesCore/Rule/limit``.
  package func draw(_ document: String, _ folder: (name: String, size: Int)) throws
    -> (bytes: [UInt8], keeping: Keeping)
  {
    let status = try Files.status(document)
    let bitmap = try locating(Location(file: document)) {
      try EffectThumbnail(OpenedEffect(path: document).package).bitmap(size: folder.size)
    }
    let bytes = PNG.encodeFast(bitmap)
    // Only if it has not changed meanwhile.
    guard let status, try Files.status(document)?.state == status.state else {
      return (bytes, .outdated)
    }
    return write(bytes, of: document, status.state.modified, folder.name)
  }

  private static func time(_ modified: Double) -> String {
    "\(Int(saturating: modified.rounded(.down)))"
  }

  /// Keeps a thumbnail. Errors are no reason not to show it.
  /// - Returns: the picture with the texts that the standard demands.
  private func write(_ bytes: [UInt8], of document: String, _ modified: Double, _ name: String)
    -> (bytes: [UInt8], keeping: Keeping)
  {
    guard let entry = entry(of: document), let path = path(entry, name) else {
      return (bytes, .refused)
    }
    let picture = PNG.adding(
      [
        ("Thumb::URI", entry.uri), ("Thumb::MTime", Self.time(modified)), ("Software", "particles"),
      ], to: bytes)
    let new = Files.temporaryName(beside: path)
    do {
      try Files.makeDirectories(Files.folder(of: path))
      try OpenFile(creating: new, mode: 0o600).write(picture)
      try Files.rename(new, path)
      return (picture, .kept)
    } catch {
      try? Files.removeAll(new)
      return (picture, .refused)
    }
  }
}
