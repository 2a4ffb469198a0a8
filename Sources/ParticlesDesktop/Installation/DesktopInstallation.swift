public import ParticlesCore

/// Files that integrate types and a program into a desktop, and the data folder for them.
///
/// Installed files are recorded beside them. Installing again changes nothing; uninstalling removes
/// exactly the recorded files.
public struct DesktopInstallation: Sendable {
  /// A file to be installed.
  public struct File: Sendable, Hashable {
    /// The path below the data folder, such as `mime/packages/particles.xml`.
    public var path: String
    /// The contents.
    public var text: String
    /// Whether it is a program; false by default.
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

  /// Returns the digest of a file; nil if it does not exist.
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

  /// Writes the files, and removes those of an older installation that are not needed any more.
  /// - Parameter replacing: whether to replace files of other programs and modified files.
  /// - Throws: ``ParticlesCore/Rule/fileExists``, before anything is written, if there is such a
  ///   file and `replacing` is false; ``ParticlesCore/Rule/desktopRecord``; write errors.
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
  /// - Parameter created: receives those that did not exist, the outermost first.
  static func makeFolders(
    _ path: String, mode: UInt32 = folderMode, noting created: inout [String]
  ) throws {
    let count = created.count
    let made = Result { try Files.makeDirectories(path, mode: mode, noting: &created) }
    for folder in created[count...] { try Files.setMode(of: folder, mode) }
    try made.get()
  }

  // MARK: Staging

  /// Writes the files below another root, for a package that is installed later: there is no record of them,
  /// and no database is updated, because both are tasks of the program that installs the package.
  /// - Parameter root: the folder that stands for `/`; it and its subfolders are made.
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
  /// - Returns: the result for each file; empty if nothing was installed.
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
