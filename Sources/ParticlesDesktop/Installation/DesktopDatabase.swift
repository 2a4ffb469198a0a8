internal import ParticlesCore

/// Something that a program has to make again when files below a folder of data change.
struct DesktopDatabase: Sendable {
  /// The folder that it is about, below the folder of data.
  let folder: String

  /// The program, which is called with the path of the folder.
  let program: String

  /// What stands before the path on its command line.
  let options: [String]

  /// What the program makes: names in the folder.
  let products: Set<String>

  /// Whether it is made where it is not yet. Without it, desktops look at the files themselves.
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
}

extension DesktopInstallation {
  /// Has the databases made again.
  /// - Returns: what could not be done, and why.
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
      switch try Program.run(database.program, database.options + [path]) {
      case 0: break
      case let status?:
        diagnostics.append(
          Diagnostic(
            .desktopDatabase, at: Location(file: path), "\(database.program) failed",
            expected: "status 0", found: "\(status)"))
      case nil:
        diagnostics.append(
          Diagnostic(
            .desktopDatabase, at: Location(file: path),
            "there is no program \(database.program)"))
      }
    }
    return diagnostics
  }
}
