public import ParticlesContainer
internal import ParticlesCore

/// An open document at other places: copies, other names, the stored contents again.
extension Document {
  /// Saves the document to another path and continues there. The document at the old path keeps what was
  /// saved last.
  /// - Parameters:
  ///   - path: the path, at which there must be nothing.
  ///   - form: the form of a package.
  /// - Returns: the document at the new path, open, with the same contents and edits. This one is closed.
  /// - Throws: ``ParticlesCore/Rule/fileExists``; errors of writing. This one stays open then.
  public func save(
    to path: String, as form: Container.Form = .flat
  ) async throws -> Document<Content> {
    let copy = Document<Content>(path: path, creating: form, configuration: configuration)
    try await moveOut { content, history in
      try await copy.create(content)
      await copy.inherit(history, from: content)
    }
    return copy
  }

  /// Continues as another document: closes this one when `body` has created that.
  func moveOut(
    _ body: (Content, EditHistory<Content>) async throws -> Void
  ) async throws {
    endGestures()
    let content = try content
    guard let history = session?.history else { throw closedFault }
    // An edit from now on would be in neither document.
    flags.insert(.editingDisabled)
    report()
    do {
      try await body(content, history)
    } catch {
      flags.remove(.editingDisabled)
      report()
      throw error
    }
    forgetRecovered()
    await finish(keepingEdits: false)
  }

  /// Writes a copy of the present contents. The document stays where it is.
  /// - Parameters:
  ///   - path: the path, at which there must be nothing; nil for a free name beside the document.
  ///   - form: the form of a package.
  /// - Returns: the path of the copy.
  /// - Throws: ``ParticlesCore/Rule/fileExists``; errors of writing.
  @discardableResult
  public func duplicate(
    to path: String? = nil, as form: Container.Form = .flat
  ) async throws -> String {
    let content = try content
    let target: String
    if let path {
      target = path
    } else if let own = self.path {
      target = try DocumentNames.free(beside: own)
    } else {
      throw Diagnostic(.fileNotFound, "the document has no path", hint: "name the copy")
    }
    try await access.copy(content, to: target, form: form)
    return target
  }

  /// Drops unsaved changes and takes the stored contents. It can be undone, and the dropped state is kept
  /// as a version. Open gestures end before, as edits.
  /// - Throws: errors of reading; then the contents stay.
  public func revert() async throws {
    _ = try content
    _ = await saving?.result
    endGestures()
    flags.insert(.editingDisabled)
    report()
    defer {
      flags.remove(.editingDisabled)
      report()
    }
    var loaded = try await access.read(hub.report(.reading))
    if let old = session?.settled, old != loaded.content {
      try? await access.addVersion(of: old, as: .replaced)
    }
    // A save that ended after the reading has stored a newer state.
    while let stored = session?.known.stored, loaded.stored.revision < stored.revision {
      loaded = try await access.read()
    }
    guard phase.step == .open else { throw closedFault }
    try perform { $0.revert(to: loaded, at: MonotonicClock.seconds) }
    plan.keptPoint = nil
    await access.discardJournal()
  }

  /// Gives the document another name in its folder. The extension stays, unless the name has one.
  /// - Throws: ``ParticlesCore/Rule/name``; ``ParticlesCore/Rule/fileExists``: nothing is overwritten.
  public func rename(to name: String) async throws {
    guard let path else { throw Diagnostic(.fileNotFound, "the document has no path") }
    try await move(to: DocumentNames.path(renaming: path, to: name))
  }

  /// Moves the document to another path. Unsaved changes stay unsaved. Versions move with it.
  /// - Throws: ``ParticlesCore/Rule/fileExists``: nothing is overwritten. The document stays then.
  public func move(to path: String) async throws {
    try checkRole()
    _ = await saving?.result
    let old = self.path
    if let failure = try await access.move(to: path) { hub.send(.failed(failure)) }
    if phase.step == .open, let loaded = try? await access.read() {
      try await take(outside: loaded)
    }
    if let old { hub.send(.moved(from: old, to: path)) }
    await access.watchAgain()
  }

  /// Closes the document without saving, and deletes it. Its contents stay as a version.
  /// - Throws: errors of deleting; then the document stays open.
  public func delete() async throws {
    try checkRole()
    _ = await saving?.result
    if let content = try? content { try? await access.addVersion(of: content, as: .replaced) }
    try await access.delete()
    await finish(keepingEdits: false)
  }
}
