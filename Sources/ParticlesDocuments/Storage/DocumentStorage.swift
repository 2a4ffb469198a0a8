public import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesEffects
internal import ParticlesSystem

/// The place where a ``Document`` is stored: a file, a package, memory, or a database of an application.
///
/// A document calls its storage on a separate thread, one call at a time, so a storage may wait for files and locks.
/// Several documents may share a storage. The revision tells each document whether others have written.
public protocol DocumentStorage: AnyObject, Sendable {
  /// The path of the file or folder, or nil for storages without one.
  var path: String? { get }

  /// Whether the contents end with this process. Changes are then kept in the recovery journal, too. Default: false.
  var isVolatile: Bool { get }

  /// Reads the current contents.
  /// - Parameters:
  ///   - limits: what reading may cost.
  ///   - progress: the place to report progress to.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if there is nothing, or read errors.
  func read(limits: Limits, progress: DocumentProgress.Report) throws -> StoredContents

  /// Writes contents, whole or not at all.
  /// - Parameters:
  ///   - contents: the files.
  ///   - revision: the revision that they replace. Nil if there must be nothing yet. Ignored if
  ///     ``StorageOptions/isOverwriting`` is set.
  ///   - options: how to write.
  /// - Returns: the contents as they are stored now. Unchanged files should be identical nodes.
  /// - Throws: ``ParticlesCore/Rule/fileChanged`` if the stored contents have a different revision,
  ///   ``ParticlesCore/Rule/fileExists`` if there are contents and `revision` is nil, or write errors.
  func write(
    _ contents: FileNode, replacing revision: Int?, _ options: StorageOptions
  ) throws -> StoredContents

  /// Checks, without a change, whether the contents can be written in place. By default they can.
  /// - Throws: ``ParticlesCore/Rule/fileReadOnly`` and others of the family `file`.
  func check(_ options: StorageOptions) throws

  /// Compares the place with the last read or written contents.
  func inspect() throws -> StorageCondition

  /// Moves the contents to another path.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if there is something. Nothing has changed then.
  func move(to path: String) throws

  /// Deletes the contents.
  func delete() throws
}

extension DocumentStorage {
  /// False.
  public var isVolatile: Bool { false }

  /// Does nothing.
  public func check(_ options: StorageOptions) throws {}
}

/// How a storage writes.
public struct StorageOptions: Sendable {
  /// Whether it is an automatic save: as little as possible is written.
  public var isAutomatic: Bool

  /// Whether to wait until everything has reached the disk.
  public var isDurable: Bool

  /// For how many seconds to wait for other programs.
  public var timeout: Double

  /// Whether a read-only file is written. Default: false.
  public var isForced = false

  /// Whether a flat package of any size is written completely, without superseded data. Default: false. See
  /// ``appendingSize``.
  public var isRewriting = false

  /// The size in bytes from which a flat package is saved by appending (1 MiB).
  ///
  /// A smaller package is rewritten, so that no superseded data remain in the file. Up to this size the two flushes
  /// that every save needs dominate. On an ext4 disk, a rewrite takes 11 ms from 16 KiB to 1 MiB, 20 ms at 10 MiB and
  /// 45 ms at 30 MiB. Appending always takes 4 to 10 ms.
  public static let appendingSize = 1 << 20

  /// Whether anything at the path is replaced, such as contents of another program, or nothing. Default: false.
  public var isOverwriting = false

  /// Writes files beside the document. A ``PathStorage`` calls it after its check for changes by other programs, and
  /// before it replaces the document. So files beside a changed document are not touched.
  var beside: (@Sendable () throws -> Void)?

  /// Until when to wait, if the operation has begun before. Nil to wait for ``timeout``.
  var deadline: Deadline?

  /// The place to report progress to.
  public var progress: DocumentProgress.Report

  /// Creates options.
  public init(
    isAutomatic: Bool = false, isDurable: Bool = true, timeout: Double = 5,
    progress: @escaping DocumentProgress.Report = { _, _ in }
  ) {
    self.isAutomatic = isAutomatic
    self.isDurable = isDurable
    self.timeout = timeout
    self.progress = progress
  }

  /// Writes the files beside a document, if the document is as expected, else throws `rule`.
  func writeBeside(_ path: String, else rule: Rule, _ isExpected: () throws -> Bool) throws {
    guard let beside else { return }
    guard try isExpected() else { throw Diagnostic(rule, at: Location(file: path)) }
    try beside()
  }
}

/// The condition of stored contents, compared with the last read or written contents.
public enum StorageCondition: Sendable, Hashable {
  /// They have not changed.
  case unchanged
  /// Another program has changed or replaced them.
  case changed
  /// They are at another path.
  case moved(to: String)
  /// They are gone.
  case missing
}

/// The progress of opening or saving a document.
public struct DocumentProgress: Sendable, Hashable {
  /// A closure that takes the number of bytes processed so far and the total.
  public typealias Report = @Sendable (_ done: Int, _ total: Int) -> Void

  /// The kind of work.
  public enum Phase: String, Sendable {
    /// Contents are read.
    case reading
    /// Contents are written.
    case writing
  }

  /// The kind of work.
  public var phase: Phase

  /// The part that is done, from 0 to 1. It never decreases, and is 1 exactly once, at the end.
  public var fraction: Double
}

/// A storage in memory, for tests and for documents without a file.
public final class MemoryStorage: DocumentStorage {
  private let stored: Lock<StoredContents?>

  /// Creates a storage.
  /// - Parameter contents: the stored contents, or nil for none.
  public init(_ contents: FileNode? = nil) {
    stored = Lock(contents.map { StoredContents($0, revision: 1) })
  }

  /// True.
  public var isVolatile: Bool { true }

  /// Nil.
  public var path: String? { nil }

  /// The stored contents, or nil if there are none. Setting them acts like a change by another program.
  public var contents: FileNode? {
    get { stored.withLock { $0?.contents } }
    set {
      stored.withLock { stored in
        let revision = (stored?.revision ?? 0) + 1
        stored = newValue.map { StoredContents($0, revision: revision) }
      }
    }
  }

  /// Returns the contents.
  public func read(limits: Limits, progress: DocumentProgress.Report) throws -> StoredContents {
    guard let stored = stored.withLock(\.self) else { throw Diagnostic(.fileNotFound) }
    seen.withLock { $0 = stored.revision }
    return stored
  }

  private let seen = Lock(0)

  /// Replaces the contents.
  public func write(
    _ contents: FileNode, replacing revision: Int?, _ options: StorageOptions
  ) throws -> StoredContents {
    let new = try stored.withLock { stored -> StoredContents in
      if revision == nil, stored != nil, !options.isOverwriting { throw Diagnostic(.fileExists) }
      if let revision, stored?.revision != revision, !options.isOverwriting {
        throw Diagnostic(.fileChanged)
      }
      let new = StoredContents(contents, revision: (stored?.revision ?? 0) + 1)
      stored = new
      return new
    }
    seen.withLock { $0 = new.revision }
    return new
  }

  /// Compares the revision with that which was read or written last.
  public func inspect() -> StorageCondition {
    guard let revision = stored.withLock({ $0?.revision }) else { return .missing }
    return revision == seen.withLock { $0 } ? .unchanged : .changed
  }

  /// Always throws: there are no paths.
  public func move(to path: String) throws {
    throw Diagnostic(.fileUnwritable, at: Location(file: path), "the document has no path")
  }

  /// Removes the contents.
  public func delete() throws { contents = nil }
}

/// Names of documents.
package enum DocumentNames {
  /// Returns the path that a document gets by a new name in its folder. It keeps its extension if `name` has none.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - name: the new name, without folders.
  /// - Throws: ``ParticlesCore/Rule/name`` if it is not a valid name.
  package static func path(renaming path: String, to name: String) throws -> String {
    let kind = Files.pathExtension(of: path)
    var name = name
    if !kind.isEmpty, Files.pathExtension(of: name).isEmpty { name += ".\(kind)" }
    try check(name)
    return path.contains("/") ? Files.joined(Files.folder(of: path), name) : name
  }

  /// Throws unless common systems accept a name: not empty or hidden, without slashes and control characters, and at
  /// most 255 bytes.
  /// - Throws: ``ParticlesCore/Rule/name``.
  package static func check(_ name: String) throws {
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.name, "'\(name)'", expected: expected, hint: "choose another name")
    }
    guard !name.isEmpty else { throw fault("at least one character") }
    guard !name.hasPrefix(".") else { throw fault("a name that does not begin with '.'") }
    guard !name.contains("/") else { throw fault("a name without folders") }
    guard name.utf8.count <= 255 else { throw fault("at most 255 bytes") }
    guard !name.unicodeScalars.contains(where: \.isControl) else {
      throw fault("no control characters")
    }
  }

  /// The name to show for a document: the file name without its extension.
  package static func displayName(of path: String) -> String { Files.stem(of: path) }

  /// Returns an unused path beside a document: `fire 2.particles`, or with a comment in parentheses. Upper
  /// and lower case are not distinguished.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - comment: the text in parentheses, or nil for none.
  package static func free(beside path: String, _ comment: String? = nil) throws -> String {
    let folder = Files.folder(of: path)
    let taken = Set(try Files.list(folder, passingOver: { _ in }).map { $0.lowercased() })
    let kind = Files.pathExtension(of: path)
    let ending = kind.isEmpty ? "" : ".\(kind)"
    let stem = Files.stem(of: path) + (comment.map { " (\($0))" } ?? "")
    var number = comment == nil ? 2 : 1
    while true {
      let name = stem + (number == 1 ? "" : " \(number)") + ending
      if !taken.contains(name.lowercased()) {
        return path.contains("/") ? Files.joined(folder, name) : name
      }
      number += 1
    }
  }
}

/// Moves and copies documents that need not be open. Nothing is overwritten.
public enum DocumentPlaces {
  /// Moves a document to another path. Programs that have it open follow it. A symbolic link is moved itself. It
  /// still leads to its document, whose versions stay.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - target: the new path, at which there must be nothing.
  ///   - versions: the store whose versions move with it, or nil for none.
  /// - Returns: a warning if the versions did not move.
  /// - Throws: ``ParticlesCore/Rule/fileExists``, ``ParticlesCore/Rule/fileNotFound`` and others of the
  ///   family `file`. The document stays then.
  @discardableResult
  public static func move(
    _ path: String, to target: String, versions: VersionStore?
  ) throws -> [Diagnostic] {
    guard try SafeSave.status(of: path) != nil else {
      throw Diagnostic(.fileNotFound, at: Location(file: path))
    }
    // While the old path can be resolved.
    let isLink = try Files.status(path, followingLinks: false)?.kind == .symbolicLink
    let move = try isLink ? nil : versions.map { try $0.moving(path) }
    try Files.moveExclusively(path, target)
    do {
      try move?(target)
    } catch {
      return [.history(of: target, "its versions have stayed with its old path", error)]
    }
    return []
  }

  /// Copies a document to another path, and compares the copy.
  /// - Throws: the errors of ``move(_:to:versions:)``. No copy is left then.
  public static func copy(_ path: String, to target: String) throws {
    try Files.copyExclusively(path, target)
  }
}

/// Decides how a package is saved in place: by writing a new file if that is possible, unless the
/// owner or the hard links of the file would change, or the file is large.
struct SavePlan {
  /// How to save the flat form.
  let mode: Container.SaveMode

  private let path: String
  /// The file or folder that a symbolic link at the path leads to.
  private let place: String
  private let old: FileStatus

  /// - Throws: ``ParticlesCore/Rule/fileReadOnly``, or ``ParticlesCore/Rule/fileUnwritable`` if neither the file nor
  ///   its folder can be written.
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

  /// Compares the file with its status before the save.
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
