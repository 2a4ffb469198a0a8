/// Files of one document that are written under temporary names and renamed later, so that many
/// documents share one flush of the disk.
///
/// Pass a stage to ``SafeSave/file(_:replacing:executable:private:permissions:staging:until:flushing:_:confirm:unflushed:)``, then give it to a
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
    /// Whether it may replace a file.
    let isReplacing: Bool

    /// Removes what was written.
    func discard() {
      try? Files.removeAll(temporary)
      Temporaries.forget(registration)
    }
  }

  /// A file or directory that has got its name, and how to take that back.
  private struct Renamed: Sendable {
    let place: String
    /// That of the new file.
    let identity: FileIdentity?
    /// The path and the registration of another name of the file that was replaced.
    var old: (path: String, registration: CInt)?
    /// Whether there was nothing at its place.
    var isNew = true

    init(_ save: Save) throws {
      (place, identity) = (save.place, save.file.identity)
      guard save.isReplacing, try Files.status(place, followingLinks: false) != nil else { return }
      isNew = false
      let path = Files.temporaryName(beside: place)
      let registration = Temporaries.register(path)
      // A file that can neither be linked nor read does not come back.
      if (try? SafeSave.keep(place, as: path)) != nil {
        old = (path, registration)
      } else {
        try? Files.removeAll(path)
        Temporaries.forget(registration)
      }
    }

    /// Puts back what was there, unless another program has replaced it since.
    func takeBack() {
      guard let identity,
        (try? Files.status(place, followingLinks: false))?.state.identity == identity
      else { return settle() }
      if let old {
        // If this fails, the other name is the only one that the old contents have.
        try? Files.rename(old.path, place)
        Temporaries.forget(old.registration)
      } else if isNew {
        try? Files.removeAll(place)
      }
    }

    /// Removes the other name of the old file.
    func settle() {
      guard let old else { return }
      try? Files.removeAll(old.path)
      Temporaries.forget(old.registration)
    }
  }

  private let saves = Lock<[Save]>([])
  private let renamed = Lock<[Renamed]>([])

  package init() {}

  deinit {
    discard()
    settle()
  }

  /// The number of files and directories that wait for their names.
  package var count: Int { saves.withLock { $0.count } }

  func add(_ save: Save) { saves.withLock { $0.append(save) } }

  /// The open files, for the flush.
  var files: [OpenFile] { saves.withLock { $0.map(\.file) } }

  /// Renames the files in the order in which they were written: all of them, or none. If there are several, those
  /// that they replace have another name until ``settle()``.
  /// - Parameters:
  ///   - isFlushing: whether each is flushed, too.
  ///   - isKeeping: whether there are others, which are renamed with other stages.
  /// - Returns: the paths of the files, and their folders if these are open.
  func commit(
    flushing isFlushing: Bool = false, keeping isKeeping: Bool = false
  ) throws -> [(place: String, folder: FolderReader?)] {
    // Each file is closed right after its rename, which ends its lock, so that no other program waits
    // for the rest.
    var waiting = saves.withLock { saves in
      defer { saves = [] }
      return Array(saves.reversed())
    }
    let isKeeping = isKeeping || waiting.count > 1
    var places: [(String, FolderReader?)] = []
    while let save = waiting.popLast() {
      do {
        // A file that may replace one has its lock then, so that the state that is kept is the replaced one.
        func record() throws {
          guard isKeeping else { return }
          let renamed = try Renamed(save)
          self.renamed.withLock { $0.append(renamed) }
        }
        if !save.isReplacing { try record() }
        let folder = try save.commit(isFlushing) { if save.isReplacing { try record() } }
        Temporaries.forget(save.registration)
        places.append((save.place, folder))
      } catch {
        for save in [save] + waiting { save.discard() }
        takeBack()
        throw SafeSave.renamed(error, save.path, insteadOf: [save.temporary, save.place])
      }
    }
    return places
  }

  /// Removes the files that have got their names, and puts those back that they have replaced.
  func takeBack() { for file in takeRenamed().reversed() { file.takeBack() } }

  /// Ends the possibility to take the files back.
  func settle() { for file in takeRenamed() { file.settle() } }

  private func takeRenamed() -> [Renamed] {
    renamed.withLock { renamed in
      defer { renamed = [] }
      return renamed
    }
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
  /// - Parameters:
  ///   - isSettling: whether the files stay, also if what follows fails; true by default.
  ///   - prepare: called before the files of a stage are renamed, with the index of the stage and
  ///     the errors of those before it. If it throws, the files of the stage are removed.
  /// - Returns: for each stage the error that kept its files from their names, or nil.
  package mutating func commit(
    _ stages: [SaveStage], settling isSettling: Bool = true,
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
        for (place, _) in try stage.commit(keeping: !isSettling) {
          places[Files.folder(of: place), default: []].append(place)
        }
        if isSettling { stage.settle() }
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
