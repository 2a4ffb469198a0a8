package import ParticlesCore

/// Opens the archives of one file, including archives inside archives, and collects findings.
///
/// All archives share one budget, so archives that contain each other, or the same object many times,
/// cannot run forever. A class, because all readers of the file share the findings and the budget.
package final class ArchiveReader {
  /// The findings so far.
  package private(set) var diagnostics: [Diagnostic] = []

  package let limits: Limits
  private var bytesLeft: Int
  private let nodeLimit: Int
  private var nodesLeft: Int

  /// Creates a reader for one file.
  package init(limits: Limits = .standard) {
    self.limits = limits
    bytesLeft = limits.fileBytes
    nodeLimit = limits.objects
    nodesLeft = nodeLimit
  }

  /// Opens an archive and returns its root object.
  /// - Parameters:
  ///   - path: the keys that lead to the bytes, for messages; empty for the file itself.
  ///   - level: the number of archives around this one.
  package func open(
    _ bytes: [UInt8], path: String = "", level: Int = 0
  ) throws -> ArchivedObject {
    let location = path.isEmpty ? Location.unknown : .key(path)
    try limits.check(level, \.archives, "archives inside archives", at: location)
    // The file itself has its own limit; the budget is for the archives inside of it.
    if level > 0 { try spend(bytes: bytes.count, at: location) }
    let archive =
      level == 0
      ? try OpenKeyedArchives.archive(bytes, limits: limits)
      : try KeyedArchive(bytes, limits: limits)
    try spend(archive.plist.objects.count, at: location)
    return try ArchivedObject(archive, archive.root, path: path, level: level, reader: self)
  }

  /// Adds a finding. After ``diagnosticsKept`` of them, one more reports that the rest is not listed.
  package func report(_ diagnostic: Diagnostic) {
    if diagnostics.count < Self.diagnosticsKept {
      diagnostics.append(diagnostic)
    } else if diagnostics.count == Self.diagnosticsKept {
      diagnostics.add(
        .limit, "findings in an archive", expected: "at most \(Self.diagnosticsKept)",
        found: "more, which are not listed", severity: .warning)
    }
  }

  /// Charges the budget for reading values.
  package func spend(_ nodes: Int, at location: @autoclosure () -> Location) throws {
    nodesLeft -= nodes
    guard nodesLeft >= 0 else {
      throw exhausted("values of archives", nodeLimit, location())
    }
  }

  /// Charges the budget for reading or copying bytes.
  package func spend(bytes: Int, at location: @autoclosure () -> Location) throws {
    bytesLeft -= bytes
    guard bytesLeft >= 0 else {
      throw exhausted("bytes of archives", limits.fileBytes, location())
    }
  }

  private func exhausted(_ what: String, _ limit: Int, _ location: Location) -> Diagnostic {
    Diagnostic(
      .limit, at: location, what, expected: "at most \(limit)", found: "more, counting repeats")
  }

  /// The greatest number of findings about one file.
  private static let diagnosticsKept = 1000
}
