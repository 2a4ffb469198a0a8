package import ParticlesCore

/// The archive that was opened last in a conversion. Detection, import and export need the same one.
package final class OpenKeyedArchives: Sendable {
  @TaskLocal private static var current: OpenKeyedArchives?

  private struct Opened {
    let bytes: [UInt8]
    let limits: Limits
    let archive: KeyedArchive
  }

  private let last = Lock<Opened?>(nil)

  /// Runs a conversion. Opening the same archive twice in a row parses it once.
  package static func shared<Result>(_ body: () throws -> Result) rethrows -> Result {
    try current == nil ? $current.withValue(OpenKeyedArchives(), operation: body) : body()
  }

  /// Opens an archive, or returns the one that was opened last if it has these bytes.
  /// - Throws: what ``KeyedArchive/init(_:limits:)`` throws.
  package static func archive(
    _ bytes: [UInt8], limits: Limits = .standard
  ) throws -> KeyedArchive {
    let known = current?.last.withLock { $0 }
    if let known, known.limits == limits, known.bytes == bytes { return known.archive }
    let archive = try KeyedArchive(bytes, limits: limits)
    current?.last.withLock { $0 = Opened(bytes: bytes, limits: limits, archive: archive) }
    return archive
  }
}
