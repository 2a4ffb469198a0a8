internal import ParticlesContainer
internal import ParticlesCore

/// Unsaved contents of a document that were found after the end of a program.
public struct RecoveredContents: Sendable, Hashable {
  /// The path of the document; empty for a draft, which had none yet.
  public var path: String

  /// When the contents were kept, in seconds since 1970.
  public var seconds: Double

  /// The name of the program that kept them.
  public var program: String

  /// The folder of the entry.
  let folder: String
}

/// A journal of the unsaved contents of a document that cannot be saved where it is, in
/// `particles/recovery` of a data folder.
///
/// An entry is a package, to which each state is appended, and a description. A program holds the lock of
/// the description while it runs; an entry without a lock is left over and is offered.
final class RecoveryJournal: Sendable {
  private let folder: String
  private let lock: OpenFile
  private let package: Lock<Container?>

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
    try Files.makeDirectories(folder)
    lock = try OpenFile(creating: Files.joined(folder, Self.description), mode: 0o600)
    _ = lock.tryLock()
    let json: JSONValue = [
      "path": .string(try path.map(VersionStore.absolute) ?? ""),
      "program": .string(RunningProcess.name),
    ]
    try lock.write(json.bytes)
    package = Lock(nil)
  }

  /// Keeps a state; the one before is superseded.
  func keep(_ contents: FileNode, durably isDurable: Bool) throws {
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
      try container.save(mode: .append, synchronizing: isDurable)
      package = container
    }
  }

  /// Removes the entry: the contents were saved, or are not wanted.
  func discard() { try? Files.removeAll(folder) }

  // MARK: Left entries

  /// The entries of a document that programs have left, the newest first.
  /// - Parameter path: the path of the document; nil for drafts.
  static func left(of path: String?, in dataFolder: String) throws -> [RecoveredContents] {
    let all = folder(in: dataFolder)
    guard try Files.status(all) != nil else { return [] }
    let key = try key(path) + "-"
    return try Files.list(all).filter { $0.hasPrefix(key) }.compactMap { name in
      let folder = Files.joined(all, name)
      guard let file = try? OpenFile(reading: Files.joined(folder, description)), file.tryShare(),
        let status = try? Files.status(Files.joined(folder, contents))
      else { return nil }
      let bytes = try? file.readToEnd(limits: .standard)
      let object = try? JSONParser.parse(bytes ?? []).object
      return RecoveredContents(
        path: object?["path"]?.string ?? path ?? "", seconds: status.state.modified,
        program: object?["program"]?.string ?? "program", folder: folder)
    }.sorted { $0.seconds > $1.seconds }
  }

  /// Reads the contents of an entry.
  static func contents(of entry: RecoveredContents, limits: Limits) throws -> FileNode {
    let path = Files.joined(entry.folder, contents)
    let root = try Container(contentsOf: path, limits: limits).root
    if let only = root.children, only.count == 1, only[0].name == single { return only[0].node }
    return root
  }

  /// Removes an entry.
  static func discard(_ entry: RecoveredContents) throws { try Files.removeAll(entry.folder) }
}
