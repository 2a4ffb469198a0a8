internal import ParticlesContainer
internal import ParticlesCore

/// A second file of the same name, as Apple's file wrappers create it when a program adds a file
/// without removing the old one. Readers continue to load the old one.
struct Collision {
  /// The path of the second file, such as `1__#$!@%!#__a.png`.
  let path: String
  /// The path of the first file.
  let plainPath: String

  /// The relation of the two files.
  enum Other {
    case nothing, same, different
  }

  let other: Other

  /// Creates the collision of an entry of a package; nil if its name is not one of a second file.
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
