internal import ParticlesCore
package import ParticlesSystem

/// The record of the user's running browser, by which a later call of the tool finds it. It is in the folder for
/// running programs, in `particles/browser.json`. The running program locks `browser.lock` beside it.
///
/// The record stays when the program ends, without its secrets: the next start has its port, and open pages go on.
package final class BrowserRecord: Sendable {
  /// Where a server is reached.
  package struct Address: Sendable, Hashable {
    /// The port on 127.0.0.1.
    package var port: Int
    /// The secret part of the paths of pages.
    package var secret: String
    /// The secret part of the paths of the tool, which no page has.
    package var toolSecret: String
    /// The keys by which pages of this and earlier starts recognize the program, the newest first.
    package var keys: [String]

    package init(port: Int, secret: String, toolSecret: String, keys: [String] = []) {
      (self.port, self.secret, self.toolSecret) = (port, secret, toolSecret)
      self.keys = keys
    }

    package var page: String { "http://127.0.0.1:\(port)/\(secret)/" }
  }

  /// A folder for the files of running browsers.
  package struct Folder: Sendable, Hashable {
    package var path: String
    /// Whether it is gone when the user has left the machine, so that it may have the keys of pages.
    package var endsWithSession = true

    package init(path: String, endsWithSession: Bool = true) {
      (self.path, self.endsWithSession) = (path, endsWithSession)
    }
  }

  /// The folder of the record, which only the user may enter.
  package var folder: String { place.path }
  private let place: Folder
  private let path: String
  private let lock: OpenFile

  /// Opens the record.
  /// - Parameters:
  ///   - folders: possible folders for the record, the best first, see ``folders(_:)``.
  ///   - isReadOnly: whether the record belongs to a read-only browser, which runs as a separate program.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if there is no folder for it, and others of the family `file`.
  package init(_ folders: [Folder], isReadOnly: Bool) throws {
    place = try Self.folder(folders)
    let name = isReadOnly ? "browser-read-only" : "browser"
    path = Files.joined(place.path, "\(name).json")
    let file = Files.joined(place.path, "\(name).lock")
    do {
      lock = try OpenFile(creating: file, mode: 0o600)
    } catch Rule.fileExists {
      lock = try OpenFile(updating: file)
    }
  }

  /// The folders that may have the files of running browsers: in the session's folder, in temporary files, in the
  /// user's data.
  package static func folders(_ directories: BaseDirectories) -> [Folder] {
    let user = RunningProcess.user
    let standard = "/run/user/\(user)"
    let isThere = (try? Files.status(standard)) ?? nil != nil
    let session = [directories.runtime, isThere ? standard : nil].compactMap(\.self)
    var folders = session.map { Folder(path: Files.joined($0, "particles")) }
    folders.append(
      Folder(
        path: Files.joined(Files.temporaryFolder, "particles-\(user)"), endsWithSession: false))
    if let data = directories.dataHome {
      folders.append(Folder(path: Files.joined(data, "particles/running"), endsWithSession: false))
    }
    return folders
  }

  /// The first of some folders that is the user's own and closed to others. It is created if it is missing.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if there is no such folder.
  package static func folder(_ folders: [Folder]) throws -> Folder {
    for folder in folders {
      try? Files.makeDirectories(folder.path)
      if let status = try? Files.status(folder.path, followingLinks: false),
        status.kind == .directory, status.owner.user == RunningProcess.user,
        status.mode & 0o077 == 0
      {
        return folder
      }
    }
    throw Diagnostic(
      .fileUnwritable, at: folders.first.map { Location(file: $0.path) } ?? Location(),
      "there is no folder for the record of the browser that is yours and closed to others",
      hint: "set XDG_RUNTIME_DIR to a folder with mode 0700")
  }

  /// Takes the place of the running browser, until this process ends.
  /// - Returns: false if another process has it.
  package func claim() -> Bool { lock.tryLock() }

  /// The address of the running browser, or nil if unknown.
  package func address() -> Address? {
    guard let object, let port = object["port"]?.int, (1...65_535).contains(port),
      let secret = object["secret"]?.string, RequestGuard.isSecret(secret),
      let toolSecret = object["toolSecret"]?.string, RequestGuard.isSecret(toolSecret)
    else { return nil }
    return Address(port: port, secret: secret, toolSecret: toolSecret, keys: keys)
  }

  /// The port of the last browser, and the keys of its pages, or nil if unknown.
  package var last: (port: Int, keys: [String])? {
    guard let port = object?["port"]?.int, (1...65_535).contains(port) else { return nil }
    return (port, keys)
  }

  private var keys: [String] {
    (object?["keys"]?.array ?? []).compactMap(\.string).filter(RequestGuard.isSecret)
  }

  /// The contents of the file. Files that other users can read or have written are ignored.
  private var object: JSONObject? {
    guard let status = try? Files.status(path, followingLinks: false), status.kind == .file,
      status.mode & 0o077 == 0, status.owner.user == RunningProcess.user
    else { return nil }
    return try? JSONValue(parsing: Files.read(path)).object
  }

  package func store(_ address: Address) throws {
    try write(
      address,
      [
        "process": .int(RunningProcess.identifier), "secret": .string(address.secret),
        "toolSecret": .string(address.toolSecret),
      ])
  }

  /// Stores the data of an ended address for the next start: its port and the keys of its pages.
  package func end(_ address: Address) throws { try write(address, [:]) }

  private func write(_ address: Address, _ values: JSONObject) throws {
    var object = values
    object["version"] = .int(2)
    object["port"] = .int(address.port)
    if place.endsWithSession { object["keys"] = .array(address.keys.map(JSONValue.string)) }
    let new = Files.temporaryName(beside: path)
    do {
      try OpenFile(creating: new, mode: 0o600).write(Array(JSONValue.object(object).text.utf8))
      try Files.rename(new, path)
    } catch {
      try? Files.removeAll(new)
      throw error
    }
  }
}

/// A private file that forwards a web browser to the first page. The address must not be an argument of a program,
/// because other users can read arguments.
package struct ForwardingPage: Sendable {
  package let path: String

  private static let prefix = "open-"

  /// Writes the file, with mode 0600.
  package init(to address: String, in folder: String) throws {
    var random = SystemRandomNumberGenerator()
    let name = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }.hexDigits
    path = Files.joined(folder, "\(Self.prefix)\(name).html")
    let page = """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0;url=\(address)">
      <title>Particles</title>
      """
    try OpenFile(creating: path, mode: 0o600).write(Array(page.utf8))
  }

  package func remove() { try? Files.removeAll(path) }

  /// Removes the files that ended programs have left.
  /// - Parameter seconds: the minimum age. The files of running programs are younger than a minute.
  package static func removeAll(in folder: String, olderThan seconds: Double = 0) {
    for name in (try? Files.list(folder, passingOver: { _ in })) ?? []
    where name.hasPrefix(prefix) && name.hasSuffix(".html") {
      let path = Files.joined(folder, name)
      guard let status = try? Files.status(path, followingLinks: false),
        Double(status.state.modified) <= WallClock.seconds - seconds
      else { continue }
      try? Files.removeAll(path)
    }
  }
}
