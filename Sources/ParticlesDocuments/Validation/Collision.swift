internal import ParticlesContainer
internal import ParticlesCore

/// A second file of the same name, as Apple's file wrappers keep it: who replaces a file and forgets
/// to remove the old one has both afterwards, and readers go on loading the old one.
struct Collision {
  /// The path of the second file.
  let path: String
  /// The path that it would have.
  let plainPath: String

  /// What stands at the plain path.
  enum Other {
    case nothing, same, different
  }

  let other: Other

  /// The collision that an entry of a package is; nil if it is none.
  init?(at path: String, in root: FileNode) throws {
    guard let plain = UniqueNameStyle.nameBehindApple(Files.lastComponent(of: path)) else {
      return nil
    }
    let folder = Files.folder(of: path)
    self.path = path
    plainPath = folder == "." ? plain : Files.joined(folder, plain)
    guard let node = root[path], let twin = root[plainPath] else {
      other = .nothing
      return
    }
    other = try node.matchesContents(of: twin) ? .same : .different
  }

  var diagnostic: Diagnostic {
    let detail =
      switch other {
      case .nothing: "there is no '\(plainPath)'"
      case .same: "it is a copy of '\(plainPath)'"
      case .different: "it differs from '\(plainPath)'"
      }
    return Diagnostic(.collision, at: .entry(path), detail)
  }
}
