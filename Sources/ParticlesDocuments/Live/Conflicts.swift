internal import ParticlesContainer
internal import ParticlesCore

/// Changes of a document that exclude each other.
public struct DocumentConflict<Content: DocumentContent>: Sendable {
  /// The contents that both sides have changed.
  public let base: Content
  /// The contents in memory, with unsaved changes.
  public let ours: Content
  /// The contents that another program has saved.
  public let theirs: Content
  /// The parts that both sides have changed, by property or path.
  public let clashes: [String]
  /// Both changes, with ours wherever both sides have changed the same part; nil if contents of this type
  /// cannot be merged.
  public let merged: Content?

  let stored: StoredContents
  /// Whether ``base`` is that state; if not, it is ``theirs``, and nothing can be merged.
  var isBaseKnown = true

  /// Returns the contents that end it.
  /// - Parameter ours: our side now.
  /// - Returns: nil if contents of this type cannot be merged.
  func result(of resolution: ConflictResolution<Content>, _ ours: Content) throws -> Content? {
    switch resolution {
    case .ours: ours
    case .theirs, .both: theirs
    case .contents(let content): content
    case .merged: try Content.merge(base: base, ours: ours, theirs: theirs)?.content
    }
  }
}

/// How a conflict ends. The state that does not stay is kept as a version.
public enum ConflictResolution<Content: Sendable>: Sendable {
  /// Our contents replace those of the other program.
  case ours
  /// The contents of the other program stay.
  case theirs
  /// The contents of the other program stay; ours become a document beside it.
  case both
  /// Both changes; where both have changed the same part, ours.
  case merged
  /// Contents that the user has made of both.
  case contents(Content)
}

extension Document {
  /// The conflict that has to be resolved; nil if there is none.
  public var conflict: DocumentConflict<Content>? { session?.conflict }

  var conflictFault: Diagnostic {
    let clashes = conflict?.clashes ?? []
    let first = clashes.prefix(3).joined(separator: ", ")
    let more = clashes.count > 3 ? ", and \(clashes.count - 3) more" : ""
    return Diagnostic(.fileConflict, at: location, first.isEmpty ? nil : first + more)
  }

  /// Throws if there is a conflict.
  func checkConflict() throws {
    if conflict != nil { throw conflictFault }
  }

  /// Looks at the file under its lock, and at what is stored there now, before a conflict ends.
  /// - Returns: the conflict with what is stored now.
  private func refreshedConflict() async throws -> DocumentConflict<Content>? {
    let loaded: LoadedContents<Content>
    do {
      loaded = try await access.readLocked()
    } catch {
      // It may have been deleted, or cannot be read any more.
      try await takeOutside()
      throw error
    }
    if conflict != nil, try perform({ try $0.refreshConflict(loaded) }) {
      hub.send(.conflict(clashes: conflict?.clashes ?? []))
    }
    return conflict
  }

  /// Ends a conflict. The state that does not stay is kept as a version, or as a document.
  ///
  /// The file is looked at first: what the other program has stored last is its side of the conflict.
  /// - Returns: the path of the document beside this one with ``ConflictResolution/both``; else nil.
  /// - Throws: ``ParticlesCore/Rule/fileConflict`` if the contents cannot be merged, or, with
  ///   ``ConflictResolution/contents(_:)``, if the other program has changed something since the conflict
  ///   was reported; errors of reading and writing. The conflict stays then.
  @discardableResult
  public func resolve(_ resolution: ConflictResolution<Content>) async throws -> String? {
    guard let seen = conflict?.stored.revision, phase.step == .open else { return nil }
    endGestures()
    flags.insert(.editingDisabled)
    defer {
      flags.remove(.editingDisabled)
      report()
    }
    let deadline = Deadline(seconds: configuration.timeout)
    var beside: String?
    while let conflict = try await refreshedConflict() {
      if case .contents = resolution, conflict.stored.revision != seen { throw conflictFault }
      let ours = try content
      switch resolution {
      case .theirs:
        try await access.addVersion(of: ours, as: .conflict)
      case .both:
        if beside == nil { beside = try await saveBeside(ours) }
      case .ours, .merged, .contents:
        try await access.addVersion(of: conflict.theirs, as: .conflict)
      }
      // Something may have happened meanwhile.
      let isSame = try await access.revision() == conflict.stored.revision
      guard phase.step == .open else { throw closedFault }
      guard isSame, self.conflict?.stored.revision == conflict.stored.revision else {
        if deadline.isOver { throw conflictFault }
        continue
      }
      guard let result = try conflict.result(of: resolution, ours) else { throw conflictFault }
      try perform { $0.resolve(conflict, with: result, at: MonotonicClock.seconds) }
      if !hasUnsavedChanges {
        plan.keptPoint = nil
        await access.discardJournal()
        // Ours is a version, or a document beside this one.
        forgetRecovered()
      }
      return beside
    }
    return beside
  }

  private func saveBeside(_ ours: Content) async throws -> String {
    let host = RunningProcess.host
    let date = WallClock.text(WallClock.seconds).prefix(10)
    guard let free = try await access.freeName("conflict \(host) \(date)") else {
      throw conflictFault
    }
    try await access.copy(ours, to: free, form: .flat)
    return free
  }
}
