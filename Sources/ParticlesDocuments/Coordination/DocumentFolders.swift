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
