public import ParticlesCore

/// How a ``Document`` is saved and watched.
public struct DocumentConfiguration: Sendable {
  /// When changes are saved without being asked for.
  public enum Autosave: Sendable, Hashable {
    /// Never.
    case off
    /// Where the document is, at most so many seconds after a change; a package by appending. If the
    /// document cannot be saved there, into the recovery journal.
    case inPlace(seconds: Double)
    /// Into the recovery journal, at most so many seconds after a change. The document itself is saved on
    /// request only.
    case recovery(seconds: Double)

    /// The seconds after a change; nil for never.
    var seconds: Double? {
      switch self {
      case .off: nil
      case .inPlace(let seconds), .recovery(let seconds): seconds
      }
    }
  }

  /// When changes are saved; in place within a second by default. After a failure it is tried again, first
  /// after twice the time, then after twice the time before, at most after ``longestRetry``.
  public var autosave = Autosave.inPlace(seconds: 1)

  /// The longest time between attempts to save automatically after failures, in seconds; 300 by default.
  public var longestRetry = 300.0

  /// Whether the document is only viewed; false by default. Edits, saves, renaming and deleting throw
  /// ``ParticlesCore/Rule/fileReadOnly`` then, and it is in the state ``DocumentStates/readOnly``.
  public var isViewing = false

  /// Whether automatic saves wait until everything has reached the disk; false by default. A crash of the
  /// program loses nothing in either case; a loss of power may lose the last seconds.
  public var isAutosaveDurable = false

  /// Whether states are kept as versions when the document is saved on request, and before anything is
  /// replaced; true by default.
  public var keepsVersions = true

  /// How many versions of this document and of all documents are kept.
  public var versionLimits = VersionLimits()

  /// Whether the last edits can be undone after the document was opened again; false by default.
  public var keepsEdits = false

  /// The greatest number of edits that can be undone; 10,000 by default.
  public var undoCount = 10_000

  /// The greatest memory of the edits that can be undone, in bytes; 32 MiB by default.
  public var undoCost = 32 << 20

  /// Whether changes by other programs are noticed as they happen; true by default. If not, they are
  /// noticed when the document is saved.
  public var isWatching = true

  /// For how many seconds operations wait for other programs; 5 by default.
  public var timeout = 5.0

  /// The limits for reading.
  public var limits = Limits.standard

  /// The folder for versions and the recovery journal, which are in its subfolder `particles`. By default
  /// `XDG_DATA_HOME`, or `~/.local/share`; nil keeps neither.
  public var dataFolder: String?

  /// The folder for the record that the document is open. By default `XDG_RUNTIME_DIR`, or the data
  /// folder; nil for no record.
  public var presenceFolder: String?

  /// The places that reading and writing do not leave; nil if they are not bound.
  package var places: Places?

  /// Called with the path of the document whenever it was written, to bring the contents to where they belong, such as a
  /// server; nil, the default, if they belong at the path. The document has unsaved changes until it returns. Its
  /// errors are those of saving: it is called again after a while, and on closing.
  public var afterSaving: (@Sendable (_ path: String) async throws -> Void)?

  /// Creates the default configuration of this process.
  public init() {
    let folders = BaseDirectories.current
    dataFolder = folders.dataHome
    presenceFolder = folders.runtime ?? folders.dataHome
  }

  /// Creates a configuration with all files of the library in one folder.
  public init(dataFolder: String?) {
    self.dataFolder = dataFolder
    presenceFolder = dataFolder
  }
}

/// The states that a document is in, as those of `UIDocument`. Test single states: a document that is open
/// and in order is in none.
public struct DocumentStates: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: Int

  /// Creates a set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The document is not open.
  public static let closed = DocumentStates(rawValue: 1)
  /// This program and another one have changed the same part.
  public static let inConflict = DocumentStates(rawValue: 2)
  /// The last save failed.
  public static let savingError = DocumentStates(rawValue: 4)
  /// Edits are refused while the document is reverted or closed.
  public static let editingDisabled = DocumentStates(rawValue: 8)
  /// The document is being read or written.
  public static let progressAvailable = DocumentStates(rawValue: 16)
  /// There are changes that are not saved.
  public static let changed = DocumentStates(rawValue: 32)
  /// The document cannot be written where it is.
  public static let readOnly = DocumentStates(rawValue: 64)
  /// Another program has deleted the document. Ways out: ``Document/recreate()``,
  /// ``Document/save(to:as:)`` and ``Document/discard()``.
  public static let deleted = DocumentStates(rawValue: 128)
  /// Another program has stored something that cannot be read as such contents; ours are in memory. Ways out:
  /// ``Document/saveAnyway()``, ``Document/save(to:as:)`` and ``Document/discard()``. The state ends by itself
  /// when the stored contents can be read again.
  public static let undecodable = DocumentStates(rawValue: 256)
}

extension DocumentStates: CustomStringConvertible {
  private static let names: [(DocumentStates, String)] = [
    (.closed, "closed"), (.inConflict, "in conflict"), (.savingError, "not saved"),
    (.editingDisabled, "editing disabled"), (.progressAvailable, "at work"), (.changed, "changed"),
    (.readOnly, "read-only"), (.deleted, "deleted"), (.undecodable, "unreadable"),
  ]

  /// The names of the states; `open` if there is none.
  public var description: String {
    let names = Self.names.filter { contains($0.0) }.map(\.1)
    return names.isEmpty ? "open" : names.joined(separator: ", ")
  }
}

/// A failed automatic save, which will be tried again; see ``Document/autosaveRetry``.
public struct AutosaveRetry: Sendable, Hashable {
  /// How many attempts have failed one after the other.
  public var failures: Int

  /// The seconds between the last attempt and the next one.
  public var delay: Double

  /// The time of the next attempt, in seconds of the monotonic clock.
  var next: Double

  /// - Parameters:
  ///   - last: the attempts that failed before; nil if there are none.
  ///   - seconds: the time for automatic saves after a change.
  init(after last: AutosaveRetry?, window seconds: Double, longest: Double, now: Double) {
    failures = (last?.failures ?? 0) + 1
    delay = min(longest, max(0.01, 2 * (last?.delay ?? seconds)))
    next = now + delay
  }
}

/// A change of a document that is reported; see ``Document/events()``.
public enum DocumentEvent: Sendable {
  /// The document is open; reported to late listeners, too.
  case opened
  /// The states have changed.
  case states(DocumentStates)
  /// The contents have changed by an edit, undo or redo of this name.
  case edited(String)
  /// The contents have changed, for any reason: sent once for each change, besides the event of the reason.
  case changed(DocumentRevision)
  /// A gesture has ended; the contents are the same with ``DocumentGesture/End/edit``.
  case gestureEnded(DocumentGesture, DocumentGesture.End)
  /// The contents were saved; automatically or on request.
  case saved(automatically: Bool)
  /// Progress of reading or writing.
  case progress(DocumentProgress)
  /// The document has another path.
  case moved(from: String, to: String)
  /// Another program has saved the document, which had no unsaved changes: the contents are the new ones. Edits can be
  /// undone as before.
  case reloaded
  /// Another program has saved the document, and its changes were merged with ours. Edits can be undone as before.
  case merged
  /// A change by another program, after ``reloaded`` and ``merged``; see ``Document/lastOutsideChange``.
  case outside(OutsideChange)
  /// Another program and this one have changed the same parts; also reported when the other one changes
  /// something again.
  case conflict(clashes: [String])
  /// Another program has deleted the document.
  case deleted
  /// Another program has stored what cannot be read, because of this error. Our contents stay in memory.
  case undecodable(any Error)
  /// An automatic save failed. The contents stay in memory and, with a data folder, in the recovery
  /// journal.
  case failed(any Error)
  /// An automatic save in place failed and is tried again after so many seconds.
  case retrying(AutosaveRetry)
  /// The document is closed.
  case closed
}
