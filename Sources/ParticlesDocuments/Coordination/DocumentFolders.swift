internal import ParticlesCore

/// The folders that are watched for a directory package.
enum DocumentFolders {
  /// The greatest number of folders that are watched.
  private static let limit = 200

  /// A folder and the folders in it; the first ones of very many.
  static func all(in place: String) -> [String] {
    var folders = [place]
    var index = 0
    while index < folders.count, folders.count < limit {
      let folder = folders[index]
      let names = (try? Files.list(folder, passingOver: { _ in })) ?? []
      folders += names.map { Files.joined(folder, $0) }.filter {
        (try? Files.status($0, followingLinks: false))??.kind == .directory
      }
      index += 1
    }
    return folders
  }
}

extension FolderWatch {
  /// Begins to watch a document: the name at its path, and the folders of a directory package.
  convenience init(document path: String, _ change: @escaping @Sendable () -> Void) throws {
    let place = (try? Files.target(of: path)) ?? path
    let isFolder = (try? Files.status(place))??.kind == .directory
    try self.init(isFolder ? DocumentFolders.all(in: place) : [], item: place, change)
  }
}
