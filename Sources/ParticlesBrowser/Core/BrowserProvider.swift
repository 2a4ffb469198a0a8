public import ParticlesCore

/// A place that has documents: folders of this machine, volumes, a server, a database of an application.
///
/// Paths are those of the provider: absolute, with `/` between names. Methods are called from any task, also at the
/// same time, and may wait. A document is opened by its file on this machine, see ``localFile(of:)``.
public protocol BrowserProvider: AnyObject, Sendable {
  /// The identifier, unique among the providers of a browser, such as `files`.
  var identifier: String { get }

  /// Whether it can be used now.
  var state: ProviderState { get }

  /// The folders that it begins with, in the order of lists.
  func roots() async throws -> [ProviderRoot]

  /// The entries of a folder, in any order. An entry that cannot be read has a
  /// ``ProviderEntry/problem``; it does not end the listing.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` and others of the family `file`.
  func entries(in folder: String) async throws -> ProviderFolder

  /// The entry at a path; nil if there is none.
  func entry(at path: String) async throws -> ProviderEntry?

  /// The path of the file or folder on this machine with the contents of an entry, which are fetched if they are
  /// elsewhere. ``store(_:at:)`` gets later saves of that file.
  func localFile(of path: String) async throws -> String

  /// Stores the contents of a document that was saved in its local file. Called after each save until it succeeds; the
  /// document has unsaved changes until then. A provider whose local files are its entries has nothing to do.
  /// - Parameters:
  ///   - file: the path on this machine, as ``localFile(of:)`` gave it.
  ///   - path: the path of the entry, which is replaced.
  /// - Throws: errors of the family `file`, such as ``ParticlesCore/Rule/fileUnwritable``. The entry is as before then.
  func store(_ file: String, at path: String) async throws

  /// Adds a file or folder of this machine to a folder. Nothing is replaced.
  /// - Parameters:
  ///   - file: the path on this machine.
  ///   - folder: the path of the folder.
  ///   - name: the name in it.
  ///   - isMoving: whether the file leaves its place, after the copy was compared.
  /// - Returns: the new path.
  /// - Throws: ``ParticlesCore/Rule/fileExists`` if the name is in use; others of the family `file`. Nothing is added
  ///   then, and the file stays.
  func add(
    _ file: String, to folder: String, named name: String, moving isMoving: Bool
  ) async throws -> String

  /// Moves or renames an entry, also one that was removed to the trash. Nothing is replaced.
  /// - Returns: the new path.
  /// - Throws: the errors of ``add(_:to:named:moving:)``. The entry stays then.
  func move(_ path: String, to folder: String, named name: String) async throws -> String

  /// Removes an entry.
  /// - Parameter isPermanent: whether it is deleted; otherwise it is kept where ``move(_:to:named:)`` finds it.
  /// - Returns: the path of the entry in the trash; nil if it was deleted.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if there is no trash for it; others of the family `file`.
  func remove(_ path: String, permanently isPermanent: Bool) async throws -> String?

  /// Calls `change` when something happens in a folder, or to the provider, until the result is released.
  /// - Parameter folder: the path of the folder; nil for the provider itself.
  /// - Returns: nil if it cannot be watched; it is listed again at intervals then.
  func watch(
    _ folder: String?, _ change: @escaping @Sendable (ProviderChange) -> Void
  ) async throws -> (any AnyObject & Sendable)?
}

/// Whether a provider can be used.
public enum ProviderState: Sendable, Hashable {
  /// It can.
  case available
  /// It cannot for now, for this reason, in words; its open documents stay.
  case unavailable(String)
  /// It has gone: unsaved contents of its open documents go into the recovery journal.
  case gone
  /// It belongs to another user or machine now, named by this identity: it is listed again, and nothing
  /// that was known of it counts.
  case replaced(String)
}

/// A change at a provider.
public enum ProviderChange: Sendable, Hashable {
  /// Entries of these names were added, changed, renamed or removed; nil if they are not known.
  case entries(Set<String>?)
  /// Another state.
  case state(ProviderState)
  /// Other roots.
  case roots
}

/// A folder that a provider begins with.
public struct ProviderRoot: Sendable, Hashable {
  /// The kinds of such folders.
  public enum Kind: String, Sendable, CaseIterable {
    /// The user's home folder, and well-known ones in it.
    case home, desktop, documents, downloads, pictures, templates, publicShare
    /// A mounted volume.
    case volume
    /// A folder that was named when the browser was started.
    case folder
    /// A ZIP or tar archive.
    case archive
    /// A provider of an application.
    case other
  }

  /// The path.
  public var path: String
  /// The name to show.
  public var name: String
  /// The kind.
  public var kind: Kind

  /// Creates a root.
  public init(path: String, name: String, kind: Kind) {
    (self.path, self.name, self.kind) = (path, name, kind)
  }
}

/// The entries of a folder.
public struct ProviderFolder: Sendable {
  /// The entries.
  public var entries: [ProviderEntry]
  /// Whether entries can be added and removed.
  public var isWritable: Bool

  /// Creates a folder.
  public init(_ entries: [ProviderEntry], isWritable: Bool = true) {
    (self.entries, self.isWritable) = (entries, isWritable)
  }
}

/// An entry of a folder.
public struct ProviderEntry: Sendable, Hashable {
  /// The kinds of entries.
  public enum Kind: String, Sendable, CaseIterable {
    /// A file.
    case file
    /// A folder that is browsed.
    case folder
    /// A folder that is one document.
    case package
    /// A symbolic link that leads nowhere.
    case link
    /// A pipe, socket or device.
    case special
  }

  /// Where the contents of an entry are.
  public enum State: String, Sendable, CaseIterable {
    /// On this machine.
    case local
    /// Elsewhere; opening fetches them.
    case remote
    /// On this machine, and not stored by the provider yet.
    case pending
    /// Nowhere.
    case missing
  }

  /// The path.
  public var path: String
  /// The name.
  public var name: String
  /// The identity, which a rename keeps; nil if the provider has none, so that the path is it.
  public var identity: String?
  /// The kind: that of the target of a symbolic link.
  public var kind: Kind
  /// Whether it is a symbolic link.
  public var isLink = false
  /// The size of a file in bytes; nil for others.
  public var size: Int?
  /// When it was changed, in seconds since 1970; nil if that is not known.
  public var modified: Double?
  /// When it was created, in seconds since 1970; nil if that is not known.
  public var created: Double?
  /// Whether its contents can be written.
  public var isWritable = true
  /// Where its contents are.
  public var state = State.local
  /// Why it cannot be read; nil if it can, as far as is known.
  public var problem: Diagnostic?

  /// Creates an entry.
  public init(path: String, name: String, kind: Kind, identity: String? = nil) {
    (self.path, self.name, self.kind, self.identity) = (path, name, kind, identity)
  }
}
