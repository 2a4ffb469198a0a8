package import ParticlesCore

/// Files that operating systems and version control keep in folders and that are not part of the
/// contents.
package enum SystemFiles {
  /// The names of files of operating systems, apart from AppleDouble files.
  private static let names: Set = [".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX"]

  /// The names of folders of version control.
  private static let repositories: Set = [".git", ".hg", ".svn"]

  /// Whether a name belongs to metadata of an operating system: `.DS_Store`, `Thumbs.db`, `desktop.ini`, `__MACOSX`,
  /// and AppleDouble files (`._NAME`).
  package static func isMetadata(_ name: some StringProtocol) -> Bool {
    name.utf8.count > 2 && name.utf8.starts(with: "._".utf8) || names.contains(String(name))
  }

  /// Whether `pack` leaves out a name: metadata, and folders of version control.
  package static func isLeftOutOfPackages(_ name: some StringProtocol) -> Bool {
    isMetadata(name) || repositories.contains(String(name))
  }

  /// Returns the note that reports entries which were left out, or nil if there are none.
  package static func note(
    _ paths: [String], in location: Location = .unknown
  ) -> Diagnostic? {
    guard let first = paths.first else { return nil }
    let others = paths.count > 1 ? ", and \(paths.count - 1) more" : ""
    return Diagnostic(
      .systemFiles, at: Location.entry(first).inside(location), "'\(first)'\(others)")
  }
}

extension FileNode {
  /// Removes metadata of operating systems and folders of version control from this tree, and returns
  /// their paths.
  package mutating func removeSystemFiles() -> [String] {
    var paths: [String] = []
    forEachDescendant { name, path, _ in
      guard SystemFiles.isLeftOutOfPackages(name) else { return }
      let isInside = paths.last.map { path().utf8.starts(with: "\($0)/".utf8) } ?? false
      if !isInside { paths.append(path()) }
    }
    for path in paths { removeFileNode(at: path) }
    return paths
  }
}
