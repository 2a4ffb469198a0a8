internal import ParticlesCore

/// The ignore files of a folder and of the folders around it.
///
/// As in ripgrep, `.ignore` takes precedence over `.gitignore`, and the file of a nearer folder over others of
/// the same name. Rules of git end at the root of a repository, where `.git/info/exclude` comes last.
final class IgnoreLevel: Sendable {
  private let outer: IgnoreLevel?
  private let ignore: IgnoreFile?
  private let gitignore: IgnoreFile?
  private let exclude: IgnoreFile?
  private let isRepository: Bool

  private init(
    _ outer: IgnoreLevel?, _ ignore: IgnoreFile?, _ gitignore: IgnoreFile?, _ exclude: IgnoreFile?,
    _ isRepository: Bool
  ) {
    self.outer = outer
    self.ignore = ignore
    self.gitignore = gitignore
    self.exclude = exclude
    self.isRepository = isRepository
  }

  // MARK: Reading

  /// Reads the ignore files of the folders around one. Outside of a repository, only `.ignore` counts there.
  /// - Parameters:
  ///   - folder: the absolute path of the folder.
  ///   - problems: gets a warning for each file that cannot be read.
  static func around(_ folder: String, problems: inout [Diagnostic]) -> IgnoreLevel? {
    var folders: [String] = []
    var next = folder
    while Files.folder(of: next) != next {
      next = Files.folder(of: next)
      folders.insert(next, at: 0)
    }
    let repository = (folders + [folder]).lastIndex(where: isRepository)
    var level: IgnoreLevel?
    for (depth, path) in folders.enumerated() {
      level = of(
        path, names: nil, depth: depth, in: level,
        readingGit: repository.map { depth >= $0 } ?? false, problems: &problems)
    }
    return level
  }

  /// Reads the ignore files of a folder. Returns the outer level if there are none.
  /// - Parameters:
  ///   - folder: the path of the folder.
  ///   - names: the names in it; nil if they are not known.
  ///   - depth: the number of components of the folder in paths for ``verdict(on:isFolder:)``.
  ///   - outer: the level of the folder around it.
  ///   - readsGit: whether `.gitignore` counts.
  ///   - problems: gets a warning for each file that cannot be read.
  static func of(
    _ folder: String, names: [String]?, depth: Int, in outer: IgnoreLevel?,
    readingGit readsGit: Bool = true, problems: inout [Diagnostic]
  ) -> IgnoreLevel? {
    func read(_ name: String) -> IgnoreFile? {
      let path = Files.joined(folder, name)
      do {
        guard try Files.status(path)?.kind == .file else { return nil }
        return IgnoreFile(try Files.read(path), at: path, depth: depth)
      } catch {
        var warning =
          error as? Diagnostic ?? Diagnostic(.fileUnreadable, at: Location(file: path), "\(error)")
        warning.severity = .warning
        problems.append(warning)
        return nil
      }
    }
    func has(_ name: String) -> Bool { names?.contains(name) ?? true }
    let ignore = has(".ignore") ? read(".ignore") : nil
    let gitignore = readsGit && has(".gitignore") ? read(".gitignore") : nil
    let isRepository = readsGit && has(".git") && isRepository(folder)
    let exclude = isRepository ? read(".git/info/exclude") : nil
    guard isRepository || ignore != nil || gitignore != nil else { return outer }
    return IgnoreLevel(outer, ignore, gitignore, exclude, isRepository)
  }

  /// `.git` is a folder, or a file in the working trees and submodules of another repository.
  private static func isRepository(_ folder: String) -> Bool {
    (try? Files.status(Files.joined(folder, ".git"))) != nil
  }

  // MARK: Deciding

  /// The ignore file that decides about a path, and whether it ignores it; nil if no pattern matches.
  /// - Parameter path: the components from the root of the file system.
  func verdict(
    on path: [Glob.Name], isFolder: Bool
  ) -> (isIgnored: Bool, file: String)? {
    first(path, isFolder, \.ignore, endingAtRepository: false)
      ?? first(path, isFolder, \.gitignore, endingAtRepository: true)
      ?? first(path, isFolder, \.exclude, endingAtRepository: true)
  }

  private func first(
    _ path: [Glob.Name], _ isFolder: Bool, _ kind: KeyPath<IgnoreLevel, IgnoreFile?>,
    endingAtRepository: Bool
  ) -> (isIgnored: Bool, file: String)? {
    var level: IgnoreLevel? = self
    while let current = level {
      if let file = current[keyPath: kind],
        let isIgnored = file.verdict(on: path, isFolder: isFolder)
      {
        return (isIgnored, file.path)
      }
      if endingAtRepository, current.isRepository { return nil }
      level = current.outer
    }
    return nil
  }
}
