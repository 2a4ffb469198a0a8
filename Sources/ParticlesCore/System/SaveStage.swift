/// Files of one document that are written under temporary names and renamed later, so that many
/// documents share one flush of the disk.
///
/// Pass a stage to ``SafeSave/file(_:replacing:executable:staging:until:_:confirm:)``, then give it to a
/// ``SaveGroup``. A stage that is released without that removes its temporary files.
package final class SaveStage: Sendable {
  /// A file or directory that has all of its contents, but still a temporary name.
  struct Save: Sendable {
    let path: String
    let place: String
    let temporary: String
    let file: OpenFile
    let commit: SafeSave.Commit
    /// Of the temporary name, which a signal removes.
    let registration: CInt

    /// Removes what was written.
    func discard() {
      try? Files.removeAll(temporary)
      Temporaries.forget(registration)
    }
  }

  private let saves = Lock<[Save]>([])

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
    // Each file is closed right after its rename, which ends its lock, so that no other program waits
    // for the rest.
    var waiting = saves.withLock { saves in
      defer { saves = [] }
      return Array(saves.reversed())
    }
    var places: [String] = []
    while let save = waiting.popLast() {
      do {
        _ = try save.commit(false, {})
        Temporaries.forget(save.registration)
        places.append(save.place)
      } catch {
        for save in [save] + waiting { save.discard() }
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
    for save in discarded { save.discard() }
  }
}

/// Renames the files of many documents after one flush for each file system, so that a name never
/// refers to incomplete contents, not even after a loss of power.
package struct SaveGroup {
  /// An open file on each file system, by the device: a descriptor of its own, because the saved files
  /// are closed when they are renamed.
  private var fileSystems: [UInt64: OpenFile] = [:]

  /// The renamed files by their folder.
  private var places: [String: [String]] = [:]

  /// The time spent in flushes, in seconds.
  package private(set) var seconds = 0.0

  package init() {}

  /// Flushes the file systems of the stages, then renames the files of each.
  /// - Parameter prepare: called before the files of a stage are renamed, with the index of the stage and
  ///   the errors of those before it. If it throws, the files of the stage are removed.
  /// - Returns: for each stage the error that kept its files from their names, or nil.
  package mutating func commit(
    _ stages: [SaveStage],
    preparing prepare: (_ index: Int, _ errors: [(any Error)?]) throws -> Void = { _, _ in }
  ) -> [(any Error)?] {
    do {
      for file in stages.flatMap(\.files) {
        let device = try file.status().state.device
        if fileSystems[device] == nil { fileSystems[device] = try OpenFile(reading: file.path) }
      }
      try flush()
    } catch {
      for stage in stages { stage.discard() }
      return stages.map { _ in error }
    }
    var errors: [(any Error)?] = []
    for (index, stage) in stages.enumerated() {
      do {
        try prepare(index, errors)
        for place in try stage.commit() {
          places[Files.folder(of: place), default: []].append(place)
        }
        errors.append(nil)
      } catch {
        stage.discard()
        errors.append(error)
      }
    }
    return errors
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
