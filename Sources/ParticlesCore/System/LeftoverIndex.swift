/// The leftovers of interrupted saves of many documents. Each folder is listed once, when the first document in
/// it is asked for; later leftovers are not found.
package final class LeftoverIndex: Sendable {
  /// Whether folders have temporary files.
  private let folders = Lock<[String: Bool]>([:])

  package init() {}

  /// Returns the paths of the leftovers of a document; see ``SafeSave/leftovers(of:)``.
  package func leftovers(of path: String) throws -> [String] {
    let folder = Files.folder(of: try Files.target(of: path))
    var hasTemporaries = folders.withLock { $0[folder] }
    if hasTemporaries == nil {
      hasTemporaries = try !Files.temporaries(in: folder).isEmpty
      folders.withLock { [hasTemporaries] in $0[folder] = hasTemporaries }
    }
    return hasTemporaries == true ? try SafeSave.leftovers(of: path) : []
  }
}
