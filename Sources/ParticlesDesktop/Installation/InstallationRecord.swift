internal import ParticlesCore

/// What an installation has put into a folder of data, so that no more than that is taken away again.
struct InstallationRecord: Sendable, Equatable {
  /// Where it stands below the folder of data.
  static let path = "particles/desktop.json"

  /// Files by their path below the folder of data, with the SHA-256 of what was put there.
  var files: [String: String] = [:]

  /// Folders that were not there before, the outer ones first.
  var folders: [String] = []

  /// Folders that were made around the folder of data and around the settings, by their absolute
  /// paths, the outer ones first.
  var surroundings: [String] = []

  /// The MIME types for which the program was chosen, and the file that says so.
  var chosen: [String] = []
  var choices: String?

  /// Whether that file was not there before.
  var madeChoices = false

  /// Reads the record in a folder of data; an empty one if nothing is installed there.
  /// - Throws: ``ParticlesCore/Rule/desktopRecord`` if it cannot be understood.
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
        .desktopRecord, at: Location(file: path), expected: "paths below the folder of data")
    }
    guard surroundings.allSatisfy({ $0.hasPrefix("/") && Self.isBelow(String($0.dropFirst())) })
    else {
      throw Diagnostic(.desktopRecord, at: Location(file: path), expected: "absolute paths")
    }
  }

  /// Nobody takes away anything outside by writing a record.
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
    try SafeSave.file(Files.joined(data, Self.path), replacing: true) {
      try $0.write(Array(text.utf8))
    }
  }
  /// Makes a folder around what is installed, and those that it lies in, and keeps in mind which
  /// were not there.
  mutating func makeSurroundings(_ path: String) throws {
    guard try Files.status(path) == nil else { return }
    try makeSurroundings(Files.folder(of: path))
    try Files.makeDirectory(path)
    let place = try Files.resolve(path)
    if !surroundings.contains(place) { surroundings.append(place) }
  }
}
