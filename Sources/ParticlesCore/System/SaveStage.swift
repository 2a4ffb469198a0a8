internal import Synchronization

/// Files of one document that are written under temporary names and renamed later, so that many
/// documents share one flush of the disk.
///
/// Pass a stage to ``SafeSave/file(_:replacing:executable:staging:_:confirm:)``, then give it to a
/// ``SaveGroup``. A stage that is released without that removes its temporary files.
package final class SaveStage: Sendable {
  /// A file or directory that has all of its contents, but still a temporary name.
  struct Save: Sendable {
    let path: String
    let place: String
    let temporary: String
    let file: OpenFile
    let commit: SafeSave.Commit
  }

  private let saves = Mutex<[Save]>([])

  package init() {}

  deinit { discard() }

  /// The number of files and directories that wait for their names.
  package var count: Int { saves.withLock { $0.count } }

  func add(_ save: Save) { saves.withLock { $0.append(save) } }

  /// The open files, for the flush.
  var files: [OpenFile] { saves.withLock { $0.map(\.file) } }

  /// Renames the files in the order in which they were written. After an error, the remaining ones
  /// are removed.
  /// - Returns: the paths of the files.
  func commit() throws -> [String] {
    var waiting = saves.withLock { saves in
      defer { saves = [] }
      return saves[...]
    }
    var places: [String] = []
    while let save = waiting.popFirst() {
      do {
        _ = try save.commit(false, {})
        // The file stays open for the last flush; other saves must not wait for that.
        save.file.unlock()
        places.append(save.place)
      } catch {
        for save in [save] + waiting { try? Files.removeAll(save.temporary) }
        throw SafeSave.renamed(error, save.path, insteadOf: [save.temporary, save.place])
      }
    }
    return places
  }

  /// Removes the temporary files.
  package func discard() {
    let discarded = saves.withLock { saves in
      defer { saves = [] }
      return saves
    }
    for save in discarded { try? Files.removeAll(save.temporary) }
  }
}

/// Renames the files of many documents after one flush for each file system, so that a name never
/// refers to incomplete contents, not even after a loss of power.
package struct SaveGroup {
  /// An open file on each file system, by the device.
  private var fileSystems: [UInt64: OpenFile] = [:]

  /// The renamed files by their folder.
  private var places: [String: [String]] = [:]

  /// The time spent in flushes, in seconds.
  package private(set) var seconds = 0.0

  package init() {}

  /// Flushes the file systems of the stages, then renames the files of each.
  /// - Returns: for each stage the error that kept its files from their names, or nil.
  package mutating func commit(_ stages: [SaveStage]) -> [(any Error)?] {
    do {
      for file in stages.flatMap(\.files) {
        let device = try file.status().state.device
        if fileSystems[device] == nil { fileSystems[device] = file }
      }
      try flush()
    } catch {
      for stage in stages { stage.discard() }
      return stages.map { _ in error }
    }
    return stages.map { stage in
      do {
        for place in try stage.commit() {
          places[Files.folder(of: place), default: []].append(place)
        }
        return nil
      } catch {
        return error
      }
    }
  }

  /// Makes the new names durable, and removes what killed saves of the same documents left.
  package mutating func finish() throws {
    try flush()
    for (folder, places) in places {
      // One list for all documents in the folder; leftovers are rare.
      let names = (try? Files.list(folder)) ?? []
      guard names.contains(where: { $0.hasPrefix(".") && $0.hasSuffix(".tmp") }) else { continue }
      for place in places { SafeSave.removeLeftovers(of: place) }
    }
    places = [:]
  }

  private mutating func flush() throws {
    let start = MonotonicClock.seconds
    defer { seconds += MonotonicClock.seconds - start }
    for file in fileSystems.values { try file.synchronizeFileSystem() }
  }
}
