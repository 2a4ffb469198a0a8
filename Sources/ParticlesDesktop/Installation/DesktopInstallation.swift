public import ParticlesCore

/// Files that tell a desktop of types and of a program, and the folder of data that they belong in.
///
/// What is installed is recorded beside it. To install again changes nothing; to uninstall takes away
/// what was put there, and nothing else.
public struct DesktopInstallation: Sendable {
  /// A file to be installed.
  public struct File: Sendable, Hashable {
    /// The path below the folder of data, such as `mime/packages/particles.xml`.
    public var path: String
    /// What is in it.
    public var text: String

    /// Creates a file.
    public init(_ path: String, _ text: String) {
      self.path = path
      self.text = text
    }
  }

  /// What was done with a file, or how it stands with it.
  public enum Change: String, Sendable, CaseIterable {
    /// It was not there.
    case created
    /// It was an older one of ours.
    case updated
    /// It is as it should be.
    case unchanged
    /// It was taken away.
    case removed
    /// Somebody changed it since it was installed, so it stays.
    case kept
    /// It is not there.
    case missing
  }

  /// The folder of data: `~/.local/share` for one person, `/usr/local/share` for all.
  public let data: String

  /// The files.
  public let files: [File]

  /// The identifier of the desktop entry among them, and the MIME types that its program opens.
  public let program: (identifier: String, mimeTypes: [String])

  /// Describes an installation.
  public init(
    in data: String, files: [File], program: (identifier: String, mimeTypes: [String])
  ) {
    self.data = data
    self.files = files
    self.program = program
  }

  /// What an installation has come to.
  public struct Outcome: Sendable {
    /// What was done with each file, by its path below the folder of data.
    public var changes: [(path: String, change: Change)] = []
    /// What could not be done.
    public var diagnostics: [Diagnostic] = []
  }

  func place(_ path: String) -> String { Files.joined(data, path) }

  static func digest(_ bytes: [UInt8]) -> String { SHA256.digest(bytes).description }

  /// The digest of what stands at a path; nil if nothing does.
  private func digest(at path: String) throws -> String? {
    guard try Files.status(place(path)) != nil else { return nil }
    return Self.digest(try Files.read(place(path)))
  }

  // MARK: Status

  /// How it stands with each file.
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

  /// Puts the files where they belong, and takes away those of an older installation that are no
  /// longer among them.
  /// - Parameter replacing: whether files may be replaced that are not from here, or that somebody
  ///   changed since.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` before anything is written if there is one and it
  ///   may not; ``ParticlesCore/Rule/desktopRecord``; what writing files throws.
  public func install(replacing: Bool = false) throws -> Outcome {
    var record = try InstallationRecord(in: data)
    var changes = try files.map { ($0.path, try change(of: $0, record, replacing)) }
    try makeFolders(for: files.map(\.path) + [InstallationRecord.path], &record)
    // What is already there and not recorded belongs to somebody else, and will stay.
    for (file, change) in zip(files, changes) where change.1 != .unchanged {
      record.files[file.path] = Self.digest(Array(file.text.utf8))
    }
    // The record comes first: whatever happens now, it knows of more than there is, never of less.
    try record.write(in: data)
    for (file, change) in zip(files, changes) where change.1 != .unchanged {
      try SafeSave.file(place(file.path), replacing: true) { try $0.write(Array(file.text.utf8)) }
    }
    for path in record.files.keys.sorted() where !files.contains(where: { $0.path == path }) {
      changes.append((path, try remove(path, record.files[path])))
      record.files[path] = nil
    }
    try record.write(in: data)
    return Outcome(changes: changes, diagnostics: try updateDatabases())
  }

  private func change(
    of file: File, _ record: InstallationRecord, _ replacing: Bool
  ) throws -> Change {
    guard let found = try digest(at: file.path) else { return .created }
    if found == Self.digest(Array(file.text.utf8)) { return .unchanged }
    guard replacing || found == record.files[file.path] else {
      throw Diagnostic(
        .fileExists, at: Location(file: place(file.path)),
        "it is not from here, or was changed since")
    }
    return .updated
  }

  private func makeFolders(for paths: [String], _ record: inout InstallationRecord) throws {
    try record.makeSurroundings(data)
    for path in paths {
      var folder = ""
      for name in path.split(separator: "/").dropLast() {
        folder += folder.isEmpty ? String(name) : "/\(name)"
        guard try Files.status(place(folder)) == nil else { continue }
        try Files.makeDirectory(place(folder))
        if !record.folders.contains(folder) { record.folders.append(folder) }
      }
    }
  }

  // MARK: Uninstalling

  /// Takes away what was installed. What somebody changed since stays, and so does what is not
  /// ours.
  /// - Returns: what was done, nothing if nothing was installed.
  public func uninstall() throws -> Outcome {
    guard try Files.status(place(InstallationRecord.path)) != nil else { return Outcome() }
    let record = try InstallationRecord(in: data)
    try revokeChoice(record)
    var outcome = Outcome()
    for path in record.files.keys.sorted() {
      outcome.changes.append((path, try remove(path, record.files[path])))
    }
    outcome.diagnostics = try updateDatabases()
    // What could not be told to forget is asked again the next time.
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

  /// Removes a folder that we made, unless somebody else put something into it. What programs made of
  /// our files goes with it.
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
