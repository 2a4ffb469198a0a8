public import ParticlesContainer
public import ParticlesCore

/// Unsaved contents of a document that were found after the end of a program.
public struct RecoveredContents: Sendable, Hashable {
  /// The path of the document; empty for a draft, which had none yet.
  public var path: String

  /// When the contents were kept, in seconds since 1970.
  public var seconds: Double

  /// The name of the program that kept them.
  public var program: String

  /// The size of the entry on the disk, in bytes.
  public var size: Int

  /// Whether the program is still running and has the document open.
  public var isInUse: Bool

  /// The damage of the entry; nil if it can be read.
  public var fault: Diagnostic?

  /// The digest of the stored contents that these were made of; nil if it is not known.
  var madeOf: String?

  /// The identifiers of older entries that these contents were continued from.
  var holds: [String] = []

  /// The folder of the entry.
  let folder: String

  /// The name of the entry, unique in the data folder.
  public var identifier: String {
    let name = Files.lastComponent(of: folder)
    return name.split(separator: "-").last.map(String.init) ?? name
  }
}

/// The recovery journal of a user: unsaved contents that programs could not save where the documents are.
public struct RecoveryStore: Sendable {
  private let dataFolder: String

  /// Creates the journal below a data folder, such as `~/.local/share`.
  public init(dataFolder: String) { self.dataFolder = dataFolder }

  /// Creates the journal of the user: below `XDG_DATA_HOME`, or `~/.local/share`.
  /// - Throws: ``ParticlesCore/Rule/fileNotFound`` if neither that nor `HOME` is set.
  public init(environment: [String: String]) throws {
    guard let home = BaseDirectories(environment: environment).dataHome else {
      throw Diagnostic(
        .fileNotFound, "cannot find the data folder", hint: "set HOME or XDG_DATA_HOME")
    }
    self.init(dataFolder: home)
  }

  /// The entries, the newest first.
  /// - Parameter path: the path of a document; nil for all documents.
  public func entries(of path: String? = nil) throws -> [RecoveredContents] {
    guard let path else { return try entries(keyed: "") }
    return try entries(keyed: RecoveryJournal.key(path)).map { found in
      var entry = found
      if entry.path.isEmpty { entry.path = path }
      return entry
    }
  }

  /// The entries whose names begin with a key, the newest first.
  func entries(keyed key: String) throws -> [RecoveredContents] {
    let all = RecoveryJournal.folder(in: dataFolder)
    guard try Files.status(all) != nil else { return [] }
    return try Files.list(all, passingOver: { _ in }).filter { $0.hasPrefix(key) }
      .compactMap { try RecoveryJournal.entry(Files.joined(all, $0)) }
      .sorted { ($0.seconds, $0.folder) > ($1.seconds, $1.folder) }
  }

  /// Reads the contents of an entry.
  /// - Throws: the fault of the entry; errors of reading.
  public func contents(
    of entry: RecoveredContents, limits: Limits = .standard
  ) throws -> FileNode {
    if let fault = entry.fault { throw fault }
    return try RecoveryJournal.contents(of: entry, limits: limits)
  }

  /// Removes an entry, and those that it was continued from.
  /// - Throws: ``ParticlesCore/Rule/fileBusy`` if its program is running.
  public func discard(_ entry: RecoveredContents) throws {
    // It may have begun to run, or ended, since the entries were listed.
    if try RecoveryJournal.entry(entry.folder)?.isInUse == true {
      throw Diagnostic(
        .fileBusy, at: Location(file: entry.path), "\(entry.program) has it open",
        hint: "save or close it there")
    }
    try RecoveryJournal.discard(entry)
  }
}

/// A journal of the unsaved contents of a document that cannot be saved where it is, in
/// `particles/recovery` of a data folder.
///
/// An entry is a package, to which each state is appended until an automatic save replaces it, and a
/// description. A program holds the lock that the description names while it runs, one for all of its
/// entries; an entry without a lock is left over and is offered.
final class RecoveryJournal: Sendable {
  private let folder: String
  private let path: String
  private let lock: ProgramLock
  private let package: Lock<Container?>
  /// The digest of the stored contents that the kept ones were made of.
  private let base = Lock<String?>(nil)
  /// The identifiers of the entries that the kept contents were continued from.
  private let held = Lock<[String]>([])

  private static let description = "document.json"
  private static let contents = "contents.particles"
  /// The name of the contents of a document that is one file.
  private static let single = "contents"

  static func folder(in dataFolder: String) -> String {
    Files.joined(dataFolder, "particles/recovery")
  }

  /// The beginning of the names of the entries of a document; that of drafts without a path.
  static func key(_ path: String?) throws -> String { try path.map(VersionStore.key) ?? "draft" }

  /// Creates an entry, without contents.
  /// - Parameter path: the path of the document; nil for a draft.
  init(of path: String?, in dataFolder: String) throws {
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    folder = Files.joined(Self.folder(in: dataFolder), "\(try Self.key(path))-\(number)")
    self.path = try path.map(VersionStore.absolute) ?? ""
    try Files.makeDirectories(folder)
    lock = try ProgramLock.current(in: dataFolder)
    package = Lock(nil)
    try OpenFile(creating: Files.joined(folder, Self.description), mode: 0o600)
      .write(description(locked: true))
  }

  private func description(locked isLocked: Bool) -> [UInt8] {
    var object: JSONObject = [
      "path": .string(path), "program": .string(RunningProcess.name),
    ]
    object["base"] = base.withLock(\.self).map(JSONValue.string)
    let held = held.withLock(\.self)
    if !held.isEmpty { object["holds"] = .array(held.map(JSONValue.string)) }
    if isLocked { object["lock"] = .string(lock.name) }
    return JSONValue.object(object).bytes
  }

  /// An entry of a document that was not closed is offered while the program runs.
  deinit {
    try? VersionShelf.replace(
      Files.joined(folder, Self.description), description(locked: false))
  }

  /// Keeps a state; the one before is superseded.
  /// - Parameters:
  ///   - digest: that of the stored contents that it was made of; nil if it is not known.
  ///   - entries: the identifiers of the entries that it was continued from. Without this one, they are still there.
  func keep(
    _ contents: FileNode, madeOf digest: String?, holding entries: [String], durably isDurable: Bool
  ) throws {
    try keep(contents, durably: isDurable)
    // Afterwards: contents with the digest of an older state are compared once more than they need, not once less.
    let known = base.withLock(\.self)
    guard digest ?? known != known || entries != held.withLock(\.self) else { return }
    base.withLock { $0 = digest ?? known }
    held.withLock { $0 = entries }
    try VersionShelf.replace(Files.joined(folder, Self.description), description(locked: true))
  }

  private func keep(_ contents: FileNode, durably isDurable: Bool) throws {
    let root =
      contents.isDirectory
      ? contents : try FileNode(directoryWithFileNodes: [Self.single: contents])
    try package.withLock { package in
      guard var container = package else {
        var container = Container(root: root)
        try container.save(to: Files.joined(folder, Self.contents))
        package = container
        return
      }
      container.root = root
      try container.save(synchronizing: isDurable)
      package = container
    }
  }

  /// Removes the entry: the contents were saved, or are not wanted.
  func discard() { try? Files.removeAll(folder) }

  // MARK: Left entries

  /// The entries of a document that programs have left, the newest first.
  /// - Parameter path: the path of the document; nil for drafts.
  static func left(of path: String?, in dataFolder: String) throws -> [RecoveredContents] {
    let store = RecoveryStore(dataFolder: dataFolder)
    return try (path.map { try store.entries(of: $0) } ?? store.entries(keyed: key(nil))).filter {
      !$0.isInUse && $0.fault == nil
    }
  }

  /// The entry in a folder; nil if it has just been removed, or was never complete.
  static func entry(_ folder: String) throws -> RecoveredContents? {
    guard let status = try Files.status(folder, followingLinks: false), status.kind == .directory
    else { return nil }
    let place = Files.joined(folder, contents)
    var entry = RecoveredContents(
      path: "", seconds: status.state.modified, program: "program", size: 0, isInUse: false,
      folder: folder)
    do {
      let file = try OpenFile(readingRegular: Files.joined(folder, description))
      let object = try? JSONParser.parse(file.readToEnd(limits: .standard)).object
      // Programs of earlier versions hold the lock of the description.
      entry.isInUse =
        object?["lock"]?.string.map { ProgramLock.isHeld($0, in: Self.base(of: folder)) }
        ?? !file.tryShare()
      entry.path = object?["path"]?.string ?? ""
      entry.program = object?["program"]?.string ?? entry.program
      entry.madeOf = object?["base"]?.string
      entry.holds = object?["holds"]?.array?.compactMap(\.string) ?? []
    } catch let fault as Diagnostic {
      entry.fault = fault
    }
    do {
      guard let size = try Files.regularSize(place) else {
        // The program has ended before it kept anything.
        return entry.isInUse || entry.fault == nil ? nil : entry
      }
      entry.size = size
      entry.seconds = try Files.status(place)?.state.modified ?? entry.seconds
    } catch let fault as Diagnostic {
      entry.fault = entry.fault ?? fault
    }
    return entry
  }

  /// The data folder of the folder of an entry.
  private static func base(of folder: String) -> String {
    (0..<3).reduce(folder) { folder, _ in Files.folder(of: folder) }
  }

  /// Reads the contents of an entry.
  static func contents(of entry: RecoveredContents, limits: Limits) throws -> FileNode {
    let path = Files.joined(entry.folder, contents)
    let root = try Container(contentsOf: path, limits: limits).root
    if let only = root.children, only.count == 1, only[0].name == single { return only[0].node }
    return root
  }

  /// Removes an entry, after those that it was continued from.
  static func discard(_ entry: RecoveredContents) throws {
    let key = entry.folder.dropLast(entry.identifier.utf8.count)
    for held in entry.holds where held.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
      let folder = String(key + held)
      if try Files.status(folder, followingLinks: false) != nil { try Files.removeAll(folder) }
    }
    try Files.removeAll(entry.folder)
  }
}
