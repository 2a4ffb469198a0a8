internal import ParticlesCore
package import ParticlesDocuments
package import ParticlesIndex
package import ParticlesRender

/// The documents of some folders, as they are found for an update of an index.
package struct IndexedFolders: Sendable {
  /// The documents and the other files.
  package let set: DocumentSet
  /// The number of documents that can be read.
  package var count: Int { paths.count }
  /// The folders that cannot be listed. Documents in them keep their rows.
  package private(set) var unlisted: [String] = []

  private let folders: [String]
  private let old: IndexSnapshot
  private var paths: [String] = []

  /// Finds the documents.
  /// - Parameters:
  ///   - folders: absolute paths without links, each once.
  ///   - index: the index that is updated.
  ///   - filter: the files to leave out.
  /// - Throws: errors of the database and of the file system.
  package init(
    _ folders: [String], in index: EffectIndex, filter: DocumentSet.Filter = DocumentSet.Filter()
  ) throws {
    self.folders = folders
    // Folders in other ones are searched with these.
    let roots = folders.filter { folder in
      !folders.contains { PathKey(folder).isInside($0) }
    }
    let old = try index.snapshot(of: roots)
    self.old = old
    set = DocumentSet(
      roots, isRecursive: true, filter: filter, known: { old.isDocument($0) })
    for document in set.documents {
      // A folder that cannot be listed is a document that cannot be opened, and none for an index.
      if try DocumentSet.isPlainFolder(document.path) {
        unlisted.append(document.path)
      } else {
        paths.append(document.path)
      }
    }
  }

  /// Reads the documents that have changed, and brings the index up to date.
  /// - Parameters:
  ///   - willRead: called once with the number of documents that will be read.
  ///   - didRead: called after each document with its path.
  /// - Throws: errors of the database. Batches that were written stay.
  package func update(
    _ index: EffectIndex, willRead: (Int) -> Void, didRead: (String) -> Void
  ) throws -> IndexChanges {
    let documents = Dictionary(
      set.documents.map { (PathKey($0.path), $0) }, uniquingKeysWith: { first, _ in first })
    var validator = Validator()
    validator.batch = ValidationBatch()
    return try index.update(
      IndexedFiles(
        folders: folders, documents: paths, others: set.unknown, unlisted: unlisted), since: old,
      willRead: willRead,
      read: { [validator] path in
        documents[PathKey(path)].flatMap { IndexedDocument($0, validator) }
      }, didRead: didRead)
  }
}

extension IndexedDocument {
  /// Reads a document.
  /// - Returns: nil if a file that was found in a folder is no document.
  fileprivate init?(_ document: DocumentSet.Document, _ validator: Validator) {
    guard let facts = DocumentFacts(document, validator) else { return nil }
    self.init()
    (format, name, digest) = (facts.format, facts.name, facts.digest)
    (numbers, words) = (facts.numbers, facts.words)
    (emitters, textures, problems) = (facts.emitters, facts.textures, facts.problems)
    look = { facts.look().map(IndexedLook.init) }
  }
}

extension EffectIndex {
  /// The vector of an effect: that of the index, or of a run of the effect, if its file has changed since it was indexed or a
  /// moment before.
  /// - Throws: errors of reading the file.
  package func look(of path: String) throws -> [Float] {
    if try Files.status(path) != nil, let known = try vector(at: Files.resolve(path)) {
      return known
    }
    return try locating(Location(file: path)) {
      let system = try OpenedEffect(path: path).package.system()
      return try IndexedLook(LookVector(running: system)).vector
    }
  }
}

extension IndexedLook {
  /// Creates the look that an index keeps from the look of a running effect.
  package init(_ look: LookVector) {
    self.init(emitted: look.emitted, vector: look.numbers.map { Float($0) })
  }
}
