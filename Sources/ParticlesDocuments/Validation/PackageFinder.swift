internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats

/// Finds packages in a folder and its subfolders.
///
/// A package is a folder with a document, a file with the signature of a package, or any folder or
/// file whose name ends in `.particles`, so that damaged ones are found. Folders that are packages
/// are not searched. Hidden files and folders are skipped; symbolic links are not followed.
package struct PackageFinder: Sendable {
  /// Creates a finder.
  package init() {}

  /// Whether a path is a folder and not a package.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`.
  package func isPlainFolder(_ path: String) throws -> Bool {
    try Files.status(path)?.kind == .directory && !isPackage(folder: path)
  }

  /// Returns the paths of the packages below a folder, sorted by name. A folder that cannot be
  /// listed completely is included, so that opening it reports the error.
  package func packages(below folder: String) -> [String] {
    var found: [String] = []
    var waiting = [folder]
    while let path = waiting.popLast() {
      do {
        if path != folder, try isPackage(path) {
          found.append(path)
        } else if try Files.status(path, followingLinks: false)?.kind == .directory
          || path == folder
        {
          var isWhole = true
          let names = try Files.list(path) { _ in isWhole = false }.filter { !$0.hasPrefix(".") }
          if !isWhole { found.append(path) }
          waiting += names.sorted(by: >).map { Files.joined(path, $0) }
        }
      } catch {
        found.append(path)
      }
    }
    return found
  }

  private func isPackage(_ path: String) throws -> Bool {
    switch try Files.status(path, followingLinks: false)?.kind {
    case .directory: return try isPackage(folder: path)
    case .file:
      if hasExtension(path) { return true }
      let file = try OpenFile(readingAtOnce: path)
      return Container.isFlatPackage(try file.readPiece(16))
    default: return false
    }
  }

  private func isPackage(folder: String) throws -> Bool {
    let document = Files.joined(folder, EffectPackage.documentPath)
    return try hasExtension(folder) || Files.status(document)?.kind == .file
  }

  private func hasExtension(_ path: String) -> Bool {
    Files.pathExtension(of: path) == "particles"
  }
}
