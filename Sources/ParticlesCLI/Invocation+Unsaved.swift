internal import ParticlesCore
internal import ParticlesDocuments

extension Invocation {
  /// Warns once about a document that another program has open with unsaved changes: this command reads what is saved.
  ///
  /// Without records of open documents this is one system call for all documents of a run.
  package func noteUnsaved(_ path: String) {
    guard path != Self.standardStream else { return }
    let folder = notes.recordFolder(for: path) {
      let folders = BaseDirectories(console.variable)
      let base = folders.runtime ?? folders.dataHome
      return base.flatMap { DocumentPresence.hasRecords(in: $0) ? $0 : nil }
    }
    guard let folder, let presenter = DocumentPresence.unsaved(path, in: folder) else { return }
    note([
      Diagnostic(
        .fileUnsaved, at: Location(file: path),
        "\(presenter.program) (process \(presenter.process)) has it open, and this command reads the saved state"
      )
    ])
  }
}
