internal import ParticlesCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Files in `Fixtures/`.
package enum Fixture {
  /// Whether tests write fixtures instead of comparing with them: `PARTICLES_RECORD=1`.
  package static let isRecording = getenv("PARTICLES_RECORD") != nil

  /// The bytes of a fixture.
  package static func read(_ name: String) throws -> [UInt8] {
    try Files.read(Repository.fixture(name))
  }

  /// Whether a fixture holds these bytes; when recording, it does afterwards.
  package static func matches(_ name: String, _ bytes: [UInt8]) throws -> Bool {
    let path = Repository.fixture(name)
    guard isRecording else { return try Files.read(path) == bytes }
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
