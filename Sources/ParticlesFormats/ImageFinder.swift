public import ParticlesCore

/// Looks for the images that a particle file names.
///
/// What such a file says is seldom true on another computer: a bare name, a path below some
/// project, or a path of the author's own disk. So its last component is looked for beside the
/// file and in folders where images usually are, and nowhere else: a file cannot make us read what
/// lies elsewhere.
public struct ImageFinder: Sendable {
  /// The folder that the particle file is in.
  public var folder: String

  /// Folders that the caller named.
  public var folders: [String]

  /// What may be spent on an image.
  public var limits: Limits

  /// Creates a finder for the images of the particle file at `path`.
  public init(besides path: String, folders: [String] = [], limits: Limits = .standard) {
    folder = Files.folder(of: path)
    self.folders = folders
    self.limits = limits
  }

  /// The usual names of folders for images, beside the particle file.
  public static let usualFolders = ["textures", "Textures", "images", "Images"]

  /// The bytes of an image, or nil if it is in none of the folders.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if the image is there and cannot be read, or is too
  ///   large.
  public func find(_ reference: String) throws -> [UInt8]? {
    guard let path = try path(of: reference) else { return nil }
    return try Files.read(path, limits: limits)
  }

  /// Where an image is, or nil if it is in none of the folders. Names that differ in case only
  /// count as the same if nothing is found otherwise.
  public func path(of reference: String) throws -> String? {
    let name = Self.baseName(of: reference)
    guard !name.isEmpty, name != ".", name != "..", !name.contains("\0"),
      name.utf8.count < 256, reference.utf8.count < 1024
    else { return nil }
    let places = candidates(for: reference, name: name)
    for place in places where try isFile(Files.joined(place.folder, place.name)) {
      return Files.joined(place.folder, place.name)
    }
    for place in places {
      // A folder that cannot be listed does not keep us from the others, nor a name that is no text
      // from the others beside it.
      guard let entries = try? Files.list(place.folder, passingOver: { _ in }) else { continue }
      let wanted = place.name.lowercased()
      for entry in entries where entry.lowercased() == wanted {
        let path = Files.joined(place.folder, entry)
        if try isFile(path) { return path }
      }
    }
    return nil
  }

  /// The last component of a reference, with slashes of either kind.
  public static func baseName(of reference: String) -> String {
    let component = reference.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    return reference.hasPrefix("file:") ? removingPercentEncoding(component) : component
  }

  private func candidates(
    for reference: String, name: String
  ) -> [(folder: String, name: String)] {
    var places = [(folder, name)]
    let components = reference.split(separator: "/", omittingEmptySubsequences: false)
    let staysInside =
      components.count > 1 && !reference.contains(":")
      && components.allSatisfy { !$0.isEmpty && $0 != ".." }
    if staysInside {
      places.append((Files.joined(folder, components.dropLast().joined(separator: "/")), name))
    }
    places += folders.map { ($0, name) }
    places += Self.usualFolders.map { (Files.joined(folder, $0), name) }
    return places
  }

  private func isFile(_ path: String) throws -> Bool { try Files.status(path)?.kind == .file }

  private static func removingPercentEncoding(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        rest.removeFirst(2)
        bytes.append(code)
      } else {
        bytes.append(byte)
      }
    }
    let decoded = String(decoding: bytes, as: UTF8.self)
    return decoded.contains("/") || decoded.contains("\\") ? text : decoded
  }
}
