package import ParticlesCore

/// The record of the user's running browser, with which a later call of the tool finds it: `particles/browser.json` in the
/// folder for running programs, and `browser.lock` beside it, which the running one has locked.
///
/// The record stays when the program ends, so that the next one has the same address and open pages go on.
package final class BrowserRecord: Sendable {
  /// Where a server is reached.
  package struct Address: Sendable, Hashable {
    /// The port on 127.0.0.1.
    package var port: Int
    /// The secret part of all paths.
    package var secret: String

    /// Creates an address.
    package init(port: Int, secret: String) { (self.port, self.secret) = (port, secret) }
  }

  /// The folder of the record, which only the user may enter.
  package let folder: String
  private let path: String
  private let lock: OpenFile

  /// Opens the record.
  /// - Parameters:
  ///   - directories: the folders of the user.
  ///   - isReadOnly: whether it is that of a browser that changes nothing, which is another program.
  /// - Throws: ``ParticlesCore/Rule/fileUnwritable`` if there is no folder for it, and others of the family `file`.
  package init(_ directories: BaseDirectories, isReadOnly: Bool) throws {
    folder = try Self.folder(directories)
    let name = isReadOnly ? "browser-read-only" : "browser"
    path = Files.joined(folder, "\(name).json")
    let file = Files.joined(folder, "\(name).lock")
    do {
      lock = try OpenFile(creating: file, mode: 0o600)
    } catch Rule.fileExists {
      lock = try OpenFile(updating: file)
    }
  }

  /// The folder for the files of running browsers; it is created.
  package static func folder(_ directories: BaseDirectories) throws -> String {
    guard let base = directories.runtime ?? directories.dataHome else {
      throw Diagnostic(
        .fileUnwritable, "there is no folder for the record of the browser",
        hint: "set XDG_RUNTIME_DIR or HOME")
    }
    let folder = Files.joined(base, "particles")
    try Files.makeDirectories(folder)
    return folder
  }

  /// Takes the place of the running browser, until this process ends.
  /// - Returns: false if another process has it.
  package func take() -> Bool { lock.tryLock() }

  /// The address of the running browser, or of the last one; nil if none is known. A file that others may read or have
  /// written does not count.
  package func address() -> Address? {
    guard let status = try? Files.status(path, followingLinks: false), status.kind == .file,
      status.mode & 0o077 == 0, status.owner.user == RunningProcess.user,
      let object = try? JSONValue(parsing: Files.read(path)).object,
      let port = object["port"]?.int, (1...65_535).contains(port),
      let secret = object["secret"]?.string, RequestGuard.isSecret(secret)
    else { return nil }
    return Address(port: port, secret: secret)
  }

  /// Stores the address of this process.
  package func store(_ address: Address) throws {
    let new = Files.temporaryName(beside: path)
    let value: JSONValue = [
      "version": .int(1), "process": .int(RunningProcess.identifier), "port": .int(address.port),
      "secret": .string(address.secret),
    ]
    do {
      try OpenFile(creating: new, mode: 0o600).write(Array(value.text.utf8))
      try Files.rename(new, path)
    } catch {
      try? Files.removeAll(new)
      throw error
    }
  }
}

/// A private file that forwards a web browser to the first page: other users can read the arguments of programs, so the
/// address is none.
package struct ForwardingPage: Sendable {
  /// The path of the file.
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

  /// Removes the file.
  package func remove() { try? Files.removeAll(path) }

  /// Removes the files that ended programs have left.
  /// - Parameter seconds: how old they are at least: those of running programs are younger than a minute.
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
