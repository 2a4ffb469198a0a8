internal import ParticlesContainer
internal import ParticlesCore

/// Decides how a package is saved in place: by writing a new file if that is possible, unless the
/// owner or the hard links of the file would change, or the file is large.
struct SavePlan {
  /// How to save the flat form.
  let mode: Container.SaveMode

  private let path: String
  /// The file or folder that a symbolic link at the path leads to.
  private let place: String
  private let old: FileStatus

  /// - Throws: ``ParticlesCore/Rule/fileReadOnly``; ``ParticlesCore/Rule/fileUnwritable`` if neither
  ///   the file nor its folder can be written.
  init(_ path: String, of container: Container, _ options: StorageOptions) throws {
    self.path = path
    place = try Files.target(of: path)
    guard let status = try SafeSave.status(of: path) else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    old = status
    let folder = Files.folder(of: place)
    let canReplace = Files.canCreate(in: folder)
    guard container.form == .flat else {
      let document = Files.joined(place, EffectPackage.documentPath)
      let isReadOnly = try status.isReadOnly || Files.status(document)?.isReadOnly ?? false
      guard !isReadOnly || options.isForced else { throw Self.readOnly(path) }
      guard canReplace else { throw Self.unwritable(folder) }
      mode = .replace
      return
    }
    let canAppend = Files.isWritable(place)
    guard canAppend && !status.isReadOnly || options.isForced else { throw Self.readOnly(path) }
    let losesIdentity = status.links > 1 || !status.canKeepOwner
    switch (canAppend, canReplace) {
    case (false, false): throw Self.unwritable(folder)
    case (true, false): mode = .append
    case (true, true) where losesIdentity && !options.isRewriting: mode = .append
    case (true, true) where status.size >= StorageOptions.appendingSize && !options.isRewriting:
      mode = .automatic
    default: mode = options.isAutomatic ? .automatic : .replace
    }
  }

  /// Compares the file with what it was before, after it has been saved.
  func changesOfFile() throws -> [Diagnostic] {
    guard let new = try Files.status(place), !new.state.isSameFile(as: old.state) else {
      return []
    }
    var changes: [Diagnostic] = []
    if old.owner != new.owner {
      changes.append(
        Diagnostic(
          .fileOwner, at: Location(file: path), expected: "\(old.owner.user):\(old.owner.group)",
          found: "\(new.owner.user):\(new.owner.group)"))
    }
    if old.kind == .file, old.links > 1 {
      changes.append(
        Diagnostic(.fileLinks, at: Location(file: path), found: "\(old.links - 1) of them"))
    }
    return changes
  }

  private static func readOnly(_ path: String) -> Diagnostic {
    Diagnostic(.fileReadOnly, at: Location(file: path))
  }

  static func unwritable(_ folder: String) -> Diagnostic {
    Diagnostic(
      .fileUnwritable, at: Location(file: folder),
      "files cannot be created in this folder", hint: "save to another folder")
  }
}
