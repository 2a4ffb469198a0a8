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

/// A record that this program has a document open, which other programs can read. The system ends it with
/// the process, because the record counts only while it is locked.
final class DocumentPresence: Sendable {
  private let file: OpenFile
  private let path: String
  private let seconds = WallClock.seconds

  /// The folder for the records of a document: below the folder for running programs, or the data folder.
  private static func folder(of path: String, in base: String) throws -> String {
    Files.joined(base, "particles/open/\(try VersionStore.key(path))")
  }

  /// Creates the record.
  /// - Parameter base: the folder for files of running programs.
  init(of document: String, in base: String) throws {
    let folder = try Self.folder(of: document, in: base)
    try Files.makeDirectories(folder)
    let number = String(UInt32.random(in: 0...UInt32.max), radix: 36)
    path = Files.joined(folder, "\(RunningProcess.identifier)-\(number).json")
    file = try OpenFile(creating: path, mode: 0o600)
    _ = file.tryLock()
    try update(hasChanges: false)
  }

  func update(hasChanges: Bool) throws {
    let json: JSONValue = [
      "process": .int(RunningProcess.identifier), "program": .string(RunningProcess.name),
      "host": .string(RunningProcess.host), "since": .double(seconds),
      "changes": .bool(hasChanges),
    ]
    let bytes = json.bytes
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.truncate(to: bytes.count)
  }

  deinit { try? Files.removeAll(path) }

  /// The programs that have a document open. Records of processes that have ended are removed.
  static func presenters(of document: String, in base: String) throws -> [DocumentPresenter] {
    let folder = try folder(of: document, in: base)
    guard try Files.status(folder) != nil else { return [] }
    return try Files.list(folder).compactMap { name in
      let path = Files.joined(folder, name)
      guard let file = try? OpenFile(reading: path) else { return nil }
      if file.tryLock() {
        try? Files.removeAll(path)
        return nil
      }
      guard let object = try? JSONParser.parse(file.readToEnd(limits: .standard)).object,
        let process = object["process"]?.int
      else { return nil }
      return DocumentPresenter(
        process: process, program: object["program"]?.string ?? "program",
        host: object["host"]?.string ?? "", seconds: object["since"]?.double ?? 0,
        hasChanges: object["changes"]?.bool ?? false)
    }
  }
}
