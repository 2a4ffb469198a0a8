internal import ParticlesCore

/// A program that has a document open.
public struct DocumentPresenter: Sendable, Hashable {
  /// The identifier of its process.
  public var process: Int

  /// The name of the program, and that of its machine.
  public var program: String, host: String

  /// When it opened the document, in seconds since 1970.
  public var seconds: Double

  /// Whether it has unsaved changes.
  public var hasChanges: Bool
}

/// A record that this program has a document open, which other programs can read. It counts while the
/// program runs, which holds the lock that the name of the record begins with; see ``ProgramLock``.
package final class DocumentPresence: Sendable {
  private let lock: ProgramLock
  private let path: String
  private let seconds = WallClock.seconds

  private static let next = Lock(0)

  /// The folder for the records of a document: below the folder for running programs, or the data folder.
  private static func folder(of path: String, in base: String) throws -> String {
    Files.joined(base, "particles/open/\(try VersionStore.key(path))")
  }

  /// Creates the record, and removes those of programs that have ended.
  /// - Parameter base: the folder for files of running programs.
  init(of document: String, in base: String) throws {
    let folder = try Self.folder(of: document, in: base)
    try Files.makeDirectories(folder)
    Self.removeLeft(in: folder, base)
    lock = try ProgramLock.current(in: base)
    let number = Self.next.withLock { next in
      next += 1
      return next
    }
    path = Files.joined(folder, "\(lock.name)-\(number).json")
    try update(hasChanges: false)
  }

  func update(hasChanges: Bool) throws {
    let json: JSONValue = [
      "process": .int(RunningProcess.identifier), "program": .string(RunningProcess.name),
      "host": .string(RunningProcess.host), "since": .double(seconds),
      "changes": .bool(hasChanges),
    ]
    // Complete at any time: other programs read it without a lock.
    let new = Files.temporaryName(beside: path)
    try Files.create(new, json.bytes)
    try Files.rename(new, path)
  }

  deinit { try? Files.removeAll(path) }

  /// Whether the program of a record is running: it holds the lock that the record names, or, as programs of
  /// earlier versions do, that of the record itself.
  private static func isAlive(_ name: String, in folder: String, _ base: String) -> Bool {
    let parts = name.split(separator: "-")
    if parts.count == 3 {
      return ProgramLock.isHeld(parts.prefix(2).joined(separator: "-"), in: base)
    }
    guard let file = try? OpenFile(readingAtOnce: Files.joined(folder, name)) else { return false }
    return !file.tryShare()
  }

  /// Removes the records of programs that have ended.
  private static func removeLeft(in folder: String, _ base: String) {
    for name in (try? Files.list(folder, passingOver: { _ in })) ?? []
    where !name.hasPrefix(".") && !isAlive(name, in: folder, base) {
      try? Files.removeAll(Files.joined(folder, name))
    }
  }

  /// Whether programs have left records at all: one system call.
  package static func hasRecords(in base: String) -> Bool {
    ((try? Files.status(Files.joined(base, "particles/open"))) ?? nil) != nil
  }

  /// A running program that has a document open with unsaved changes; nil if there is none. Nothing is written.
  package static func unsaved(_ document: String, in base: String) -> DocumentPresenter? {
    guard let folder = try? folder(of: document, in: base),
      let names = try? Files.list(folder, passingOver: { _ in })
    else { return nil }
    for name in names where !name.hasPrefix(".") {
      if let presenter = presenter(Files.joined(folder, name)), presenter.hasChanges,
        isAlive(name, in: folder, base)
      {
        return presenter
      }
    }
    return nil
  }

  private static func presenter(_ record: String) -> DocumentPresenter? {
    guard let file = try? OpenFile(readingAtOnce: record),
      let object = try? JSONParser.parse(file.readToEnd(limits: .standard)).object,
      let process = object["process"]?.int
    else { return nil }
    return DocumentPresenter(
      process: process, program: object["program"]?.string ?? "program",
      host: object["host"]?.string ?? "", seconds: object["since"]?.double ?? 0,
      hasChanges: object["changes"]?.bool ?? false)
  }

  /// The programs that have a document open. Records of processes that have ended are removed.
  static func presenters(of document: String, in base: String) throws -> [DocumentPresenter] {
    let folder = try folder(of: document, in: base)
    guard try Files.status(folder) != nil else { return [] }
    removeLeft(in: folder, base)
    return try Files.list(folder).filter { !$0.hasPrefix(".") }.compactMap {
      presenter(Files.joined(folder, $0))
    }
  }
}
