internal import ParticlesCore

/// Finds a file or folder again after another program has renamed it, without a descriptor.
///
/// A folder is found by files in it: the system tells the path of a file that is kept, not of a folder.
struct Follower: Sendable {
  /// The identity of the file or folder.
  let identity: FileIdentity

  /// Files that are kept, with their paths in the folder; empty for the file itself.
  private let kept: [(file: OpenFile, entry: String)]

  /// How many files of a folder are kept: another program may have replaced one of them.
  private static let limit = 2

  /// How many folders without files are kept open.
  private static let folderLimit = 16

  private struct Weak: Sendable { weak var file: OpenFile? }

  private static let folders = Lock<[Weak]>([])

  /// - Returns: nil if there is nothing at the path.
  init?(_ path: String) throws {
    guard let status = try Files.status(path) else { return nil }
    identity = status.state.identity
    guard status.kind == .directory else {
      // Nothing to follow where the file cannot be opened; it is looked for by its path then.
      kept = ((try? OpenFile.following(path)).map { [($0, "")] } ?? [])
      for (file, _) in kept { file.park() }
      return
    }
    var files: [(OpenFile, String)] = []
    for entry in Self.entries(of: path) where files.count < Self.limit {
      guard let file = try? OpenFile.following(Files.joined(path, entry)) else { continue }
      file.park()
      if file.isParked { files.append((file, entry)) }
    }
    if files.isEmpty, let folder = Self.folder(path) { files = [(folder, "")] }
    kept = files
  }

  /// Regular files in a folder: first those that are replaced seldom.
  private static func entries(of path: String) -> [String] {
    let names = ((try? Files.list(path, passingOver: { _ in })) ?? []).prefix(1000)
    var (files, folders): ([String], [String]) = ([], [])
    for name in names where !name.hasPrefix(".") {
      switch (try? Files.status(Files.joined(path, name), followingLinks: false))??.kind {
      case .file: files.append(name)
      case .directory where folders.count < 4: folders.append(name)
      default: break
      }
      if files.count > limit { break }
    }
    for folder in folders where files.count <= limit {
      let inner = Files.joined(path, folder)
      files += ((try? Files.list(inner, passingOver: { _ in })) ?? []).prefix(limit).filter {
        (try? Files.status(Files.joined(inner, $0), followingLinks: false))??.kind == .file
      }.map { Files.joined(folder, $0) }
    }
    let document = EffectPackage.documentPath
    return files.filter { $0 != document } + files.filter { $0 == document }
  }

  private static func folder(_ path: String) -> OpenFile? {
    folders.withLock { folders in
      folders.removeAll { $0.file == nil }
      guard folders.count < folderLimit, let folder = try? OpenFile.following(path) else {
        return nil
      }
      folders.append(Weak(file: folder))
      return folder
    }
  }

  /// The present path; nil if it was deleted, or cannot be found.
  var path: String? {
    for (file, entry) in kept {
      guard var path = file.currentPath else { continue }
      if !entry.isEmpty {
        guard path.hasSuffix("/\(entry)") else { continue }
        path.removeLast(entry.count + 1)
      }
      if (try? Files.status(path))??.state.identity == identity { return path }
    }
    return nil
  }
}
