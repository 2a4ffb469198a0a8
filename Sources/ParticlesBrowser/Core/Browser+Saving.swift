internal import ParticlesCore
internal import ParticlesDocuments

extension Browser {
  /// Saves an open document.
  public func save(_ id: BrowserItem.ID) async throws -> BrowserDocument {
    guard let entry = open[id] else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    try await entry.document.save()
    return try await document(id)
  }

  /// Undoes, or redoes, an edit of an open document.
  public func undoEdit(
    of id: BrowserItem.ID, redo isRedo: Bool = false
  ) async throws -> BrowserDocument {
    guard let entry = open[id] else {
      throw Diagnostic(.fileClosed, at: Location(file: table[id]?.path))
    }
    _ = isRedo ? try await entry.document.redo(1) : try await entry.document.undo(1)
    return try await document(id)
  }
}
