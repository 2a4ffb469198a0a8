internal import ParticlesCore

/// A database that a program must update when files below the data folder change.
struct DesktopDatabase: Sendable {
  /// The folder that it indexes, below the data folder.
  let folder: String

  /// The program, which takes the path of the folder as its last argument.
  let program: String

  /// The arguments before the path.
  let options: [String]

  /// The names of the files that the program writes into the folder.
  let products: Set<String>

  /// Whether to create it where it does not exist. Without it, desktops read the files themselves.
  let isMandatory: Bool

  static let all = [
    DesktopDatabase(
      folder: "mime", program: "update-mime-database", options: [],
      products: [
        "XMLnamespaces", "aliases", "generic-icons", "globs", "globs2", "icons", "magic",
        "mime.cache", "subclasses", "treemagic", "types", "version",
      ], isMandatory: true),
    DesktopDatabase(
      folder: "applications", program: "update-desktop-database", options: ["-q"],
      products: ["mimeinfo.cache"], isMandatory: true),
    DesktopDatabase(
      folder: "icons/hicolor", program: "gtk-update-icon-cache", options: ["-q", "-t", "-f"],
      products: ["icon-theme.cache"], isMandatory: false),
  ]

  /// Runs the program with the usual umask: all users read what it writes, and only the owner changes it.
  /// - Returns: its exit status, or nil if it is not installed.
  func update(_ path: String) throws -> Int? {
    let words = ["-c", "umask 022; exec \"$0\" \"$@\"", program] + options + [path]
    let status = try Program.run("/bin/sh", words)
    // The shell reports a program that is not in PATH by 127.
    return status == 127 ? nil : status
  }
}

extension DesktopInstallation {
  /// Updates the databases.
  /// - Returns: a diagnostic for each that could not be updated.
  @discardableResult
  func updateDatabases() throws -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for database in DesktopDatabase.all {
      let path = place(database.folder)
      let hasProducts = try database.products.contains {
        try Files.status(Files.joined(path, $0))?.kind == .file
      }
      guard try Files.status(path)?.kind == .directory, database.isMandatory || hasProducts,
        files.contains(where: { $0.path.hasPrefix(database.folder + "/") })
      else { continue }
      switch try database.update(path) {
      case 0: break
      case let status?:
        diagnostics.add(
          .desktopDatabase, at: Location(file: path), "\(database.program) failed",
          expected: "status 0", found: "\(status)")
      case nil:
        diagnostics.add(
          .desktopDatabase, at: Location(file: path), "\(database.program) is not installed")
      }
    }
    return diagnostics
  }
}
