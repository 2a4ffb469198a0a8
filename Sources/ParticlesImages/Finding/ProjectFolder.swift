internal import ParticlesCore

/// The root of a project of an engine: the nearest folder above a file that has the file of a project in it, for Unity the folder
/// `Assets`.
///
/// Files of Godot name others by `res://` and their path from there, files of Defold by `/` and this path, files of Unity by
/// identifiers: see ``UnityFiles``.
struct ProjectFolder: Sendable {
  /// Its path, absolute and without symbolic links.
  let path: String

  /// How references into projects begin, and the files that projects have at their root.
  private static let kinds = [("res://", "project.godot"), ("/", "game.project")]
  /// The folder at the root of a project of Unity.
  static let unity = "Assets"
  private static let entries = kinds.map(\.1) + [unity]
  /// The folders above a file that are looked at, with its own one.
  private static let mostFolders = 32

  /// The file at the root of projects, and the steps from there that a reference names; nil for a reference of another kind, and
  /// for one that leaves the project.
  static func steps(of reference: String) -> (file: String, path: String)? {
    guard let (mark, file) = kinds.first(where: { reference.hasPrefix($0.0) }) else { return nil }
    let path = String(reference.dropFirst(mark.count))
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    let isInside = steps.allSatisfy { !["", ".", ".."].contains($0) && !$0.contains("\\") }
    return isInside ? (file, path) : nil
  }

  /// The endings of scenes and resources of Godot.
  private static let resources = [".tscn", ".scn", ".tres", ".res", ".material", ".mesh"]

  /// Whether a reference is the path in a project of a file that has no other name.
  static func isExact(_ reference: String) -> Bool {
    let name = reference.lowercased()
    return name.hasPrefix("res://") && resources.contains { name.hasSuffix($0) }
  }

  /// A folder that is the root of a project; nil for another one.
  init?(at folder: String, file: String) {
    guard let folder = try? Files.resolve(folder.isEmpty ? "." : folder),
      let entry = try? Files.status(Files.joined(folder, file)),
      entry.kind == (file == Self.unity ? .directory : .file)
    else { return nil }
    path = folder
  }

  /// The root of the project that a folder is in; nil if there is none.
  init?(around folder: String, file: String) {
    guard var folder = try? Files.resolve(folder.isEmpty ? "." : folder) else { return nil }
    for _ in 0..<Self.mostFolders {
      if let project = ProjectFolder(at: folder, file: file) {
        self = project
        return
      }
      let above = Files.folder(of: folder)
      guard !above.isEmpty, above != folder else { return nil }
      folder = above
    }
    return nil
  }

  /// Whether a folder is the root of a project of any engine.
  static func isRoot(_ folder: String) -> Bool {
    entries.contains { ProjectFolder(at: folder, file: $0) != nil }
  }

  /// The roots of the projects that a folder is in.
  static func all(around folder: String) -> [String] {
    entries.compactMap { ProjectFolder(around: folder, file: $0)?.path }
  }

  /// Returns the path of a file; nil if there is none, or if a symbolic link leads out of the project.
  func file(_ steps: String) -> String? {
    let joined = Files.joined(path, steps)
    guard (try? Files.status(joined))?.kind == .file, let real = try? Files.resolve(joined),
      path == "/" || real.hasPrefix(path + "/")
    else { return nil }
    return joined
  }
}
