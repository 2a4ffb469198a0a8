public import ParticlesCore
internal import ParticlesSystem
package import ParticlesTypes

/// Files that integrate types and a program into a desktop, and the data folder for them.
///
/// Installed files are recorded beside them. Installing again changes nothing. Uninstalling removes exactly the
/// recorded files.
public struct DesktopInstallation: Sendable {
  /// A file to be installed.
  public struct File: Sendable, Hashable {
    /// The path below the data folder, such as `mime/packages/particles.xml`.
    public var path: String
    /// The contents.
    public var text: String
    /// Whether it is a program. Default: false.
    public var isExecutable: Bool

    /// The permission bits, which do not depend on the umask of the user who installs.
    var mode: UInt32 { isExecutable ? 0o755 : 0o644 }

    /// Creates a file.
    public init(_ path: String, _ text: String, isExecutable: Bool = false) {
      self.path = path
      self.text = text
      self.isExecutable = isExecutable
    }
  }

  /// The result for a file, or its state.
  public enum Change: String, Sendable, CaseIterable {
    /// The file was created.
    case created
    /// An older version of the file was replaced.
    case updated
    /// The file is up to date.
    case unchanged
    /// The file was removed.
    case removed
    /// The file was modified after installation, so it was not removed.
    case kept
    /// The file does not exist.
    case missing
  }

  /// The data folder: `~/.local/share` for one user, `/usr/local/share` for all.
  public private(set) var data: String

  /// The files.
  public let files: [File]

  /// The identifier of the desktop entry, and the MIME types that its program opens.
  public let program: (identifier: String, mimeTypes: [String])

  /// Describes an installation.
  public init(
    in data: String, files: [File], program: (identifier: String, mimeTypes: [String])
  ) {
    self.data = data
    self.files = files
    self.program = program
  }

  /// The result of an installation.
  public struct Outcome: Sendable {
    /// The result for each file, by its path below the data folder.
    public var changes: [(path: String, change: Change)] = []
    /// Problems, such as a database that could not be updated.
    public var diagnostics: [Diagnostic] = []
  }

  func place(_ path: String) -> String { Files.joined(data, path) }

  static func digest(_ bytes: [UInt8]) -> String { SHA256.digest(bytes).description }

  /// Returns the digest of a file, or nil if it does not exist.
  private func digest(at path: String) throws -> String? {
    guard try Files.status(place(path)) != nil else { return nil }
    return Self.digest(try Files.read(place(path)))
  }

  // MARK: Status

  /// Returns the state of each file.
  public func status() throws -> Outcome {
    let record = try InstallationRecord(in: data)
    let wanted = Dictionary(files.map { ($0.path, Self.digest(Array($0.text.utf8))) }) { $1 }
    let changes = try Set(record.files.keys).union(wanted.keys).sorted().map { path in
      let found = try digest(at: path)
      let change: Change =
        if found == nil {
          .missing
        } else if found == wanted[path] {
          .unchanged
        } else {
          found == record.files[path] ? .updated : .kept
        }
      return (path, change)
    }
    return Outcome(changes: changes)
  }

  // MARK: Installing

  /// Writes the files, and removes files of an older installation that are not needed any more.
  /// - Parameter replacing: whether to replace files of other programs and modified files.
  /// - Throws: ``ParticlesCore/Rule/fileExists``, before anything is written, if there is such a file and `replacing`
  ///   is false, ``ParticlesCore/Rule/desktopRecord``, or write errors.
  public func install(replacing: Bool = false) throws -> Outcome {
    var record = try InstallationRecord(in: data)
    var changes = try files.map { ($0.path, try change(of: $0, record, replacing)) }
    try makeFolders(for: files.map(\.path) + [InstallationRecord.path], &record)
    // Files that exist and are not recorded belong to another program and are not removed later.
    for (file, change) in zip(files, changes) where change.1 != .unchanged {
      record.files[file.path] = Self.digest(Array(file.text.utf8))
    }
    // Written first, so that after a crash the record lists every file that exists, or more.
    try record.write(in: data)
    for (file, change) in zip(files, changes) where change.1 != .unchanged { try write(file) }
    try restoreModes(record)
    for path in record.files.keys.sorted() where !files.contains(where: { $0.path == path }) {
      changes.append((path, try remove(path, record.files[path])))
      record.files[path] = nil
    }
    try record.write(in: data)
    return Outcome(changes: changes, diagnostics: try updateDatabases())
  }

  private func write(_ file: File) throws {
    try SafeSave.file(place(file.path), replacing: true, permissions: file.mode) {
      try $0.write(Array(file.text.utf8))
    }
  }

  /// Restores the modes of what the installation made: an older version left them to the umask.
  private func restoreModes(_ record: InstallationRecord) throws {
    let paths =
      record.folders.map { ($0, Self.folderMode) }
      + files.filter { record.files[$0.path] != nil }.map { ($0.path, $0.mode) }
    for (path, mode) in paths {
      let status = try Files.status(place(path), followingLinks: false)
      guard let status, status.kind == .file || status.kind == .directory,
        status.mode & 0o7777 != mode
      else { continue }
      try Files.setMode(of: place(path), mode)
    }
  }

  private func change(
    of file: File, _ record: InstallationRecord, _ replacing: Bool
  ) throws -> Change {
    guard let found = try digest(at: file.path) else { return .created }
    if found == Self.digest(Array(file.text.utf8)) { return .unchanged }
    guard replacing || found == record.files[file.path] else {
      throw Diagnostic(
        .fileExists, at: Location(file: place(file.path)),
        "another program installed it, or it was modified")
    }
    return .updated
  }

  private func makeFolders(for paths: [String], _ record: inout InstallationRecord) throws {
    try record.makeSurroundings(data)
    for path in paths {
      var created: [String] = []
      defer {
        let names = created.map { String($0.dropFirst(place("x").count - 1)) }
        record.folders += names.filter { !record.folders.contains($0) }
      }
      try Self.makeFolders(Files.folder(of: place(path)), noting: &created)
    }
  }

  /// The permission bits of folders.
  static let folderMode: UInt32 = 0o755

  /// Makes a folder and its parents with these permission bits, independent of the umask.
  /// - Parameter created: receives the new folders, the outermost first.
  static func makeFolders(
    _ path: String, mode: UInt32 = folderMode, noting created: inout [String]
  ) throws {
    let count = created.count
    let made = Result { try Files.makeDirectories(path, mode: mode, noting: &created) }
    for folder in created[count...] { try Files.setMode(of: folder, mode) }
    try made.get()
  }

  // MARK: Staging

  /// Writes the files below another root, for a package that is installed later. No record is written and no database
  /// is updated, because both are tasks of the program that installs the package.
  /// - Parameter root: the folder in place of `/`. It is created with its subfolders.
  /// - Returns: the result for each file: created, updated or unchanged.
  public func stage(below root: String) throws -> Outcome {
    var staged = self
    staged.data = root + (data.hasPrefix("/") ? data : "/\(data)")
    var unrecorded = InstallationRecord()
    let changes = try staged.files.map {
      ($0.path, try staged.change(of: $0, unrecorded, true))
    }
    try unrecorded.makeSurroundings(staged.data)
    try staged.makeFolders(for: files.map(\.path), &unrecorded)
    for file in files { try staged.write(file) }
    return Outcome(changes: changes)
  }

  // MARK: Uninstalling

  /// Removes the recorded files. Modified files and files of other programs are kept.
  /// - Returns: the result for each file. Empty if nothing was installed.
  public func uninstall() throws -> Outcome {
    guard try Files.status(place(InstallationRecord.path)) != nil else { return Outcome() }
    let record = try InstallationRecord(in: data)
    try revokeChoice(record)
    var outcome = Outcome()
    for path in record.files.keys.sorted() {
      outcome.changes.append((path, try remove(path, record.files[path])))
    }
    outcome.diagnostics = try updateDatabases()
    // Removed last, so that a failed uninstallation can be repeated.
    try Files.removeAll(place(InstallationRecord.path))
    for folder in record.folders.reversed() { try removeFolder(folder) }
    for folder in record.surroundings.reversed() { try Files.removeEmptyDirectory(folder) }
    return outcome
  }

  private func remove(_ path: String, _ recorded: String?) throws -> Change {
    guard let found = try digest(at: path) else { return .missing }
    guard found == recorded else { return .kept }
    try Files.removeAll(place(path))
    return .removed
  }

  /// Removes a folder that the installation made, unless it contains files of other programs. The
  /// output of database programs is removed with it.
  private func removeFolder(_ folder: String) throws {
    let path = place(folder)
    guard try Files.status(path, followingLinks: false)?.kind == .directory else { return }
    let products = DesktopDatabase.all.first { $0.folder == folder }?.products ?? []
    let isOurs = try Files.list(path).allSatisfy { name in
      let child = Files.joined(path, name)
      let isFolder = try Files.status(child, followingLinks: false)?.kind == .directory
      return try isFolder ? Files.list(child).isEmpty && !products.isEmpty : products.contains(name)
    }
    if isOurs { try Files.removeAll(path) }
  }
}

extension DesktopInstallation {
  /// Makes the program the default for the MIME types that it opens. Earlier choices remain as fallbacks.
  /// - Parameter config: the folder of settings that contains `mimeapps.list`.
  /// - Throws: errors of reading and writing that file.
  public func choose(in config: String) throws {
    let path = Files.joined(config, "mimeapps.list")
    let before = try Files.status(path)?.state
    let old = try before == nil ? nil : Files.read(path)
    var choices = MIMEAssociations(String(decoding: old ?? [], as: UTF8.self))
    var record = try InstallationRecord(in: data)
    // The record has room for one file, so the choice in an earlier one is undone.
    if record.choices != path { try revokeChoice(record) }
    let isFirst = record.choices != path
    record.madeChoices = isFirst ? old == nil : record.madeChoices
    record.choices = path
    let known = isFirst ? [] : record.chosen
    record.chosen = program.mimeTypes.filter { type in
      known.contains(type)
        || !choices.entries(for: type, in: .defaults).contains(program.identifier)
    }
    for type in program.mimeTypes {
      choices.prepend(program.identifier, for: type, in: .defaults)
    }
    // Settings are private to the user. The specification of XDG asks for this mode.
    try record.makeSurroundings(config, mode: 0o700)
    try record.write(in: data)
    let text = Array(choices.text.utf8)
    guard text != old else { return }
    try SafeSave.file(
      path, replacing: true, permissions: old == nil ? 0o644 : nil, { try $0.write(text) },
      confirm: SafeSave.unchanged(path, since: before))
  }

  /// Undoes ``choose(in:)``. Later choices of the user are kept.
  func revokeChoice(_ record: InstallationRecord) throws {
    guard let path = record.choices, let before = try Files.status(path), before.kind == .file
    else { return }
    let old = try Files.read(path)
    var choices = MIMEAssociations(String(decoding: old, as: UTF8.self))
    for type in record.chosen { choices.remove(program.identifier, for: type, in: .defaults) }
    let text = Array(choices.text.utf8)
    if text.isEmpty, record.madeChoices {
      try SafeSave.unchanged(path, since: before.state)()
      try Files.removeAll(path)
    } else if text != old {
      try SafeSave.file(
        path, replacing: true, { try $0.write(text) },
        confirm: SafeSave.unchanged(path, since: before.state))
    }
  }

  /// Returns the installation of the tool: MIME types with their patterns and magic, icons, desktop
  /// entry, thumbnailer, and actions for file managers.
  /// - Parameters:
  ///   - data: the absolute path of the data folder.
  ///   - isOfUser: whether the folder belongs to a user, not to the system.
  ///   - executable: the path of the tool, or its name if it is found in `PATH`.
  ///   - types: the types of the documents that the tool opens.
  ///   - translations: returns a text for users in other languages, by their codes.
  ///   - actions: returns the actions, for the MIME types of the documents.
  package static func particles(
    in data: String, isOfUser: Bool, executable: String, types: [UniformType],
    translations: @escaping @Sendable (String) -> [String: String],
    actions: ([String]) -> [FileAction]
  ) -> DesktopInstallation {
    let mimeTypes = types.compactMap(SharedMIMEInfo.name)
    let program = executable.quotedInCommand
    // The script shows the messages of a command that fails: a double-click has no terminal.
    let script = Files.joined(data, FileActions.scriptPath)
    let comment = "Shows particle effects in the web browser"
    let entry = DesktopEntry(
      name: "Particles", comment: comment, comments: translations(comment),
      command: "\(script.quotedInCommand) browse --wait -- %F", program: executable,
      icon: "particles", mimeTypes: mimeTypes)
    let thumbnailer = ThumbnailerEntry(
      command: "\(program) thumbnail --size %s --in-place -- %i %o", program: executable,
      mimeTypes: mimeTypes)
    let identifier = "particles.desktop"
    let icons = mimeTypes.map { type in
      File(
        "icons/hicolor/scalable/mimetypes/\(type.replacing("/", with: "-")).svg", icon)
    }
    let menus = FileActions(
      actions: actions(mimeTypes), script: script, program: executable,
      translations: translations)
    return DesktopInstallation(
      in: data,
      files: [
        File("mime/packages/particles.xml", SharedMIMEInfo(types, translations: translations).text),
        File("icons/hicolor/scalable/apps/particles.svg", icon),
      ] + icons + [
        File("applications/\(identifier)", entry.text),
        File("thumbnailers/particles.thumbnailer", thumbnailer.text),
      ] + menus.files(isOfUser: isOfUser), program: (identifier, mimeTypes))
  }

  /// Sparks on a dark ground.
  private static let icon = """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128">
      <defs>
        <radialGradient id="ground" cx="50%" cy="82%" r="85%">
          <stop offset="0" stop-color="#5b2a86"/>
          <stop offset="1" stop-color="#14122b"/>
        </radialGradient>
        <radialGradient id="spark">
          <stop offset="0" stop-color="#ffffff"/>
          <stop offset="0.3" stop-color="#ffd76a"/>
          <stop offset="1" stop-color="#ff7a18" stop-opacity="0"/>
        </radialGradient>
      </defs>
      <rect x="8" y="8" width="112" height="112" rx="24" fill="url(#ground)"/>
      <g fill="url(#spark)">
        <circle cx="64" cy="98" r="22"/>
        <circle cx="54" cy="72" r="13"/>
        <circle cx="77" cy="66" r="15"/>
        <circle cx="40" cy="50" r="9"/>
        <circle cx="64" cy="44" r="11"/>
        <circle cx="91" cy="44" r="8"/>
        <circle cx="50" cy="28" r="6"/>
        <circle cx="78" cy="25" r="7"/>
        <circle cx="30" cy="33" r="4"/>
        <circle cx="101" cy="28" r="4"/>
      </g>
    </svg>

    """
}

extension String {
  /// This text as one argument of the command line of a desktop entry, in quotes if needed
  /// (Desktop Entry Specification 1.5, "The Exec key").
  var quotedInCommand: String {
    let reserved: Set<Character> = [
      " ", "\t", "\n", "\"", "'", "\\", ">", "<", "~", "|", "&", ";", "$", "*", "?", "#", "(", ")",
      "`",
    ]
    let escaped: Set<Character> = ["\"", "`", "$", "\\"]
    let text = replacing("%", with: "%%")
    guard text.contains(where: reserved.contains) else { return text }
    return "\"" + text.map { escaped.contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}

/// A thumbnailer entry (`.thumbnailer`): the command by which a desktop makes thumbnails.
public struct ThumbnailerEntry: Sendable, Hashable {
  /// The command line: `%i` is the path of the document, `%u` its URI, `%o` the path of the PNG to
  /// write, `%s` its size in pixels.
  public var command: String
  /// The program that must be installed for the entry to be used.
  public var program: String?
  /// The MIME types of the documents.
  public var mimeTypes: [String]

  /// Creates an entry.
  public init(command: String, program: String? = nil, mimeTypes: [String]) {
    self.command = command
    self.program = program
    self.mimeTypes = mimeTypes
  }

  /// The text of the file.
  public var text: String {
    var lines = ["[Thumbnailer Entry]"]
    if let program { lines.append("TryExec=\(program.inKeyFile)") }
    lines += ["Exec=\(command.inKeyFile)", "MimeType=\(DesktopEntry.list(mimeTypes))"]
    return lines.joined(separator: "\n") + "\n"
  }
}

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

  /// Runs the program with the usual umask: all users can read its files, and only the owner can change them.
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
