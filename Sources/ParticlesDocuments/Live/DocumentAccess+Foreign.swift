internal import ParticlesContainer
internal import ParticlesCore

/// Contents of another program that this one cannot read or does not want.
extension DocumentAccess {
  /// Replaces anything that is at the path. It is kept as a version, or else beside the document.
  func overwrite(_ content: Content, _ options: StorageOptions) throws -> Saved {
    var options = options
    options.isOverwriting = true
    // Another program may store something else in between.
    for isLast in [false, false, true] {
      try keepForeign()
      do {
        return try write(content, replacing: nil, options)
      } catch let fault as Diagnostic where fault.rule == .fileChanged && !isLast {
      } catch let fault as Diagnostic where fault.rule == .fileExists && !isLast {
        // A folder in place of a file, or the other way round.
        if let path = storage.path { try setAside(path) }
      }
    }
    throw Diagnostic(.fileChanged, at: Location(file: storage.path))
  }

  private func keepForeign() throws {
    guard let storage = storage as? PathStorage, let path = storage.path else { return }
    do {
      guard let foreign = try storage.present(limits: configuration.limits) else { return }
      guard let versions else { throw Diagnostic(.fileVersion) }
      try versions.add(
        foreign, of: path, as: .conflict, comment: "stored by another program", durably: true)
    } catch {
      // Renamed rather than copied: a folder may have names that cannot be read.
      try setAside(path)
    }
  }

  private func setAside(_ path: String) throws {
    let place = try Files.target(of: path)
    try Files.renameExclusively(place, foreignName(of: place))
  }

  private func foreignName(of path: String) throws -> String {
    let date = WallClock.text(WallClock.seconds).prefix(10)
    return try DocumentNames.free(beside: path, "other program \(date)")
  }

  /// Keeps the states before and after a change by another program as versions. A version that cannot be kept is no reason
  /// not to take the change.
  /// - Returns: the change, with all that is known of it.
  func noteOutside(_ change: OutsideChange, from old: Content, to new: Content) -> OutsideChange {
    var change = change
    change.parts = (try? Content.changedParts(from: old, to: new)) ?? []
    let others = try? presenters().filter { $0.process != RunningProcess.identifier }
    change.program = others?.last?.program
    guard !configuration.isViewing, let versions, let path = storage.path,
      let (before, after) = try? (old.keptContents(), new.keptContents())
    else { return change }
    // The other program may have kept both.
    let last = (try? versions.versions(of: path))?.suffix(2) ?? []
    if last.count == 2, let first = last.first, let second = last.last,
      first.size == before.size, second.size == after.size,
      (try? versions.contents(of: first.number, of: path)) == before,
      (try? versions.contents(of: second.number, of: path)) == after
    {
      (change.before, change.after) = (first.number, second.number)
      change.program = second.program
    } else {
      try? addVersion(before, as: .replaced)
      change.before = (try? versionList())?.last?.number
      try? addVersion(after, as: .outside)
      change.after = (try? versionList())?.last?.number
    }
    return change
  }
}
