internal import ParticlesCore
internal import ParticlesSystem

/// Files in `Fixtures/`.
package enum Fixture {
  package static func path(_ name: String) -> String { Repository.path("Fixtures/\(name)") }

  package static func read(_ name: String) throws -> [UInt8] {
    try Files.read(path(name))
  }

  /// Whether a fixture holds these bytes. Recording writes the bytes, so that it does.
  package static func matches(_ name: String, _ bytes: [UInt8]) throws -> Bool {
    let path = path(name)
    guard Repository.isRecording else { return try Files.read(path) == bytes }
    if try Files.status(path) != nil { try Files.removeAll(path) }
    try makeFolder(Files.folder(of: path))
    try Files.create(path, bytes)
    return true
  }

  private static func makeFolder(_ path: String) throws {
    guard try Files.status(path) == nil else { return }
    try makeFolder(Files.folder(of: path))
    try Files.makeDirectory(path)
  }
}
