internal import ParticlesCore

/// A list of the files that an installation wrote, so that uninstalling removes exactly those.
struct InstallationRecord: Sendable, Equatable {
  /// The path of the record below the data folder.
  static let path = "particles/desktop.json"

  /// The SHA-256 of each installed file, by its path below the data folder.
  var files: [String: String] = [:]

  /// Folders that the installation made, the outer ones first.
  var folders: [String] = []

  /// The data folder, the folder of settings and their parents, if the installation made them:
  /// absolute paths, the outer ones first.
  var surroundings: [String] = []

  /// The MIME types of which the program was made the default one, and the edited file.
  var chosen: [String] = []
  var choices: String?

  /// Whether the installation made that file.
  var madeChoices = false

  /// Creates a record of nothing.
  init() {}

  /// Reads the record in a data folder; it is empty if nothing is installed there.
  /// - Throws: ``ParticlesCore/Rule/desktopRecord`` if the record is invalid.
  init(in data: String) throws {
    let path = Files.joined(data, Self.path)
    guard try Files.status(path) != nil else { return }
    let bytes = try Files.read(path)
    guard let object = try? JSONParser.parse(bytes).object, object["version"]?.int == 1,
      let files = object["files"]?.object
    else {
      throw Diagnostic(.desktopRecord, at: Location(file: path), expected: "a record of version 1")
    }
    for member in files.members { self.files[member.key] = member.value.string ?? "" }
    folders = object["folders"]?.array?.compactMap(\.string) ?? []
    surroundings = object["surroundings"]?.array?.compactMap(\.string) ?? []
    chosen = object["chosen"]?.array?.compactMap(\.string) ?? []
    choices = object["choices"]?.string
    madeChoices = object["madeChoices"]?.bool ?? false
    guard (files.members.map(\.key) + folders).allSatisfy(Self.isBelow) else {
      throw Diagnostic(
        .desktopRecord, at: Location(file: path), expected: "paths below the data folder")
    }
    guard surroundings.allSatisfy({ $0.hasPrefix("/") && Self.isBelow(String($0.dropFirst())) })
    else {
      throw Diagnostic(.desktopRecord, at: Location(file: path), expected: "absolute paths")
    }
  }

  /// A record could have been modified; paths in it must not lead out of the data folder.
  private static func isBelow(_ path: String) -> Bool {
    !path.hasPrefix("/") && path.split(separator: "/").allSatisfy { $0 != ".." && $0 != "." }
  }

  /// Writes the record.
  func write(in data: String) throws {
    var object: JSONObject = ["version": .int(1)]
    let members = files.sorted { $0.key < $1.key }
    object["files"] = .object(
      JSONObject(members: members.map { .init(key: $0.key, value: .string($0.value)) }))
    object["folders"] = .array(folders.map { .string($0) })
    if !surroundings.isEmpty {
      object["surroundings"] = .array(surroundings.map { .string($0) })
    }
    if let choices {
      object["chosen"] = .array(chosen.map { .string($0) })
      object["choices"] = .string(choices)
      object["madeChoices"] = .bool(madeChoices)
    }
    let text = JSONValue.object(object).text
    try SafeSave.file(Files.joined(data, Self.path), replacing: true, permissions: 0o644) {
      try $0.write(Array(text.utf8))
    }
  }

  /// Makes a folder and its parents with these permission bits, and records those that did not exist.
  mutating func makeSurroundings(
    _ path: String, mode: UInt32 = DesktopInstallation.folderMode
  ) throws {
    var created: [String] = []
    defer { surroundings += created.filter { !surroundings.contains($0) } }
    try DesktopInstallation.makeFolders(path, mode: mode, noting: &created)
    created = try created.map(Files.resolve)
  }
}
