// The archive that was opened last is kept by each task. The module for web pages reads an archive again.

package import ParticlesCore

/// The last opened archive in a conversion. Detection, import and export need it.
package final class OpenKeyedArchives: Sendable {
  #if hasFeature(Embedded)

    /// Runs a conversion. Each archive in it is opened again.
    package static func shared<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
      try body()
    }

    /// Opens an archive.
    /// - Throws: what ``KeyedArchive/init(_:limits:)`` throws.
    package static func archive(
      _ bytes: [UInt8], limits: Limits = .standard
    ) throws(Diagnostic) -> KeyedArchive {
      try KeyedArchive(bytes, limits: limits)
    }

  #else

    @TaskLocal private static var current: OpenKeyedArchives?

    private struct Opened {
      let bytes: [UInt8]
      let limits: Limits
      let archive: KeyedArchive
    }

    private let last = Lock<Opened?>(nil)

    /// Runs a conversion. Opening an archive twice in a row parses it once.
    package static func shared<Result>(_ body: () throws -> Result) rethrows -> Result {
      try current == nil ? $current.withValue(OpenKeyedArchives(), operation: body) : body()
    }

    /// Opens an archive. If the last opened archive has these bytes and limits, it is returned.
    /// - Throws: what ``KeyedArchive/init(_:limits:)`` throws.
    package static func archive(
      _ bytes: [UInt8], limits: Limits = .standard
    ) throws(Diagnostic) -> KeyedArchive {
      let known = current?.last.withLock { $0 }
      if let known, known.limits == limits, known.bytes == bytes { return known.archive }
      let archive = try KeyedArchive(bytes, limits: limits)
      current?.last.withLock { $0 = Opened(bytes: bytes, limits: limits, archive: archive) }
      return archive
    }

  #endif
}
