package import ParticlesCore

/// Opens the archives of one file, those inside of archives too, and collects what is odd in them.
///
/// All of them share one budget, so that archives which hold each other, or the same thing many
/// times over, come to an end. A class, because what is found and what is left of the budget has
/// to be known across everything that reads.
package final class ArchiveReader {
  /// What was noticed so far.
  package private(set) var diagnostics: [Diagnostic] = []

  package let limits: Limits
  private var bytesLeft: Int
  private let nodeLimit: Int
  private var nodesLeft: Int

  /// Creates a reader for one file.
  package init(limits: Limits = .standard) {
    self.limits = limits
    bytesLeft = limits.fileBytes
    nodeLimit = 4 * min(limits.objects, Int.max / 4)
    nodesLeft = nodeLimit
  }

  /// Opens an archive and gives its root object.
  /// - Parameters:
  ///   - path: the keys that lead to the bytes, for messages; empty for the file itself.
  ///   - level: how many archives are around this one.
  package func open(
    _ bytes: [UInt8], path: String = "", level: Int = 0
  ) throws -> ArchivedObject {
    let location = path.isEmpty ? Location.unknown : .key(path)
    try limits.check(level, \.archives, "archives inside archives", at: location)
    // The file itself has a limit of its own, and the budget is for what it makes of itself.
    if level > 0 { try spend(bytes: bytes.count, at: location) }
    let archive =
      level == 0
      ? try OpenKeyedArchives.archive(bytes, limits: limits)
      : try KeyedArchive(bytes, limits: limits)
    try spend(archive.plist.objects.count, at: location)
    return try ArchivedObject(archive, archive.root, path: path, level: level, reader: self)
  }

  /// Notes something that does not stop us. Behind a thousand findings there is only one more: that
  /// the rest is not listed.
  package func report(_ diagnostic: Diagnostic) {
    if diagnostics.count < Self.diagnosticsKept {
      diagnostics.append(diagnostic)
    } else if diagnostics.count == Self.diagnosticsKept {
      diagnostics.append(
        Diagnostic(
          .limit, "findings in an archive", expected: "at most \(Self.diagnosticsKept)",
          found: "more, which are not listed", severity: .warning))
    }
  }

  /// Takes from the budget what looking at so many values costs.
  package func spend(_ nodes: Int, at location: @autoclosure () -> Location) throws {
    nodesLeft -= nodes
    guard nodesLeft >= 0 else {
      throw exhausted("values of archives", nodeLimit, location())
    }
  }

  /// Takes from the budget what reading or copying so many bytes costs.
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

  /// Nobody reads more findings about one file.
  private static let diagnosticsKept = 1000
}
