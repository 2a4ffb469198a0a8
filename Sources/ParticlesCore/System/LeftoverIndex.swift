/// The leftovers of interrupted saves of many documents. Each folder is listed once, when the first document in
/// it is asked for; later leftovers are not found.
package final class LeftoverIndex: Sendable {
  /// The temporary files and folders in folders.
  private let folders = Lock<[String: [String]]>([:])

  package init() {}

  /// Returns the paths of the leftovers of a document; see ``SafeSave/leftovers(of:)``.
  package func leftovers(of path: String) throws -> [String] {
    let place = try Files.target(of: path)
    let folder = Files.folder(of: place)
    var temporaries = folders.withLock { $0[folder] }
    if temporaries == nil {
      temporaries = try Files.temporaries(in: folder)
      folders.withLock { [temporaries] in $0[folder] = temporaries }
    }
    // One leftover in a folder is no reason to list it for each document.
    let mayHave = temporaries?.contains { Files.isTemporary($0, of: place) } ?? false
    return mayHave ? try SafeSave.leftovers(of: path) : []
  }
}
