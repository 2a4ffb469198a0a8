package import ParticlesCore

/// A small JSON file of a program, which several programs read and change: settings, a session, a list of documents.
///
/// It is complete at any time. One that is damaged is set aside, and the program begins with nothing.
package struct StateFile: Sendable {
  /// The path.
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The value; nil if there is none. One that is damaged is renamed to `NAME.damaged`.
  /// - Throws: errors of reading.
  package func read() throws -> JSONValue? {
    guard try Files.status(path) != nil else { return nil }
    let bytes = try Files.read(path)
    if let value = try? JSONParser.parse(bytes) { return value }
    try Files.rename(path, "\(path).damaged")
    return nil
  }

  /// Changes the value, while no other program does.
  /// - Parameters:
  ///   - seconds: how long to wait for another program.
  ///   - change: gets the value, nil if there is none; returns the new one, or nil to leave the file alone.
  /// - Throws: ``ParticlesCore/Rule/fileBusy``; errors of reading and writing; those of `change`.
  package func change(
    waiting seconds: Double = 2, _ change: (JSONValue?) throws -> JSONValue?
  ) throws {
    try Files.makeDirectories(Files.folder(of: path))
    let lock = try Self.lock("\(path).lock")
    _ = try lock.lock(until: Deadline(seconds: seconds))
    defer { lock.unlock() }
    guard let new = try change(read()) else { return }
    try write(new)
  }

  /// Replaces the value.
  package func write(_ value: JSONValue) throws {
    try Files.makeDirectories(Files.folder(of: path))
    // Not flushed: after a loss of power, the last state may be missing, but never half of one.
    let new = Files.temporaryName(beside: path)
    do {
      try OpenFile(creating: new, mode: 0o600).write(value.bytes)
      try Files.rename(new, path)
    } catch {
      try? Files.removeAll(new)
      throw (error as? Diagnostic)?.naming(path, insteadOf: [new]) ?? error
    }
  }

  private static func lock(_ path: String) throws -> OpenFile {
    do {
      return try OpenFile(creating: path, mode: 0o600)
    } catch Rule.fileExists {
      return try OpenFile(updating: path)
    }
  }
}
