internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats

/// Looks for packages in a folder and all that is below it.
///
/// A folder with a document is a package, and so is a file that begins like one; both are too if
/// their name ends in `.particles`, whatever they hold, so that damaged ones are found. What stands
/// in a package is part of it. Hidden files and folders are passed over, and symbolic links are not
/// followed.
package struct PackageFinder: Sendable {
  /// Creates a finder.
  package init() {}

  /// Whether a path leads to a folder that is no package, in which packages may be looked for.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`.
  package func isPlainFolder(_ path: String) throws -> Bool {
    try Files.status(path)?.kind == .directory && !isPackage(folder: path)
  }

  /// The paths of the packages below a folder, in the order of their names. A folder that cannot be
  /// listed, or not all of it, is among them, so that whoever opens it is told why.
  package func packages(below folder: String) -> [String] {
    var found: [String] = []
    // The last one is next.
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
      let file = try OpenFile(reading: path)
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
