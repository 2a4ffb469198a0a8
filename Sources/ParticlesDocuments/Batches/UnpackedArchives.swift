internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats

/// Archives with several documents, unpacked into temporary folders so that these can be searched. The folders end with the last
/// copy of this value.
struct UnpackedArchives: Sendable {
  private final class Folder: Sendable {
    let path: String

    init(_ path: String) { self.path = path }

    deinit { try? Files.removeAll(path) }
  }

  private var folders: [Folder] = []

  /// Returns the paths with a folder in place of each archive that is not itself a document. An archive that cannot be read stays:
  /// opening it throws the reason.
  mutating func unpacking(_ paths: [String]) -> [String] {
    paths.map { path in
      guard Self.isArchive(path), let opened = try? OpenedFiles(path: path),
        opened.container.root[EffectPackage.documentPath] == nil
      else { return path }
      let folder = Files.temporaryName(beside: Files.joined(Files.temporaryFolder, "particles"))
      folders.append(Folder(folder))
      do {
        try opened.container.root.write(toDirectory: folder, synchronizing: false)
        return folder
      } catch { return path }
    }
  }

  /// Whether a path is a file that begins as an archive does.
  static func isArchive(_ path: String) -> Bool {
    guard (try? Files.status(path))?.kind == .file,
      let head = try? OpenFile(readingAtOnce: path).readPiece(4096)
    else { return false }
    let name = Files.lastComponent(of: path)
    return FormatRegistry.standard.formats.contains { $0.isArchive && $0.recognise(head, name) }
  }
}
